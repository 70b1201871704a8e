import Database
import Digest
import HeatGrid
import LineGrid
import SQLite
import Text
import TileLog
import TileMath
import Tracks

/// The tables of `grid.sqlite`.
///
/// Keys are packed numbers. A tile is `zoom << 32 | morton` (`TileKey`); the log of one month, of a dense tile or of a
/// tile with many lines, is `tile << 16 | period`; a sum is `(tile << 8 | layer) << 16 | period`; a histogram is `zoom
/// << 8 | layer`. Rows of one layer of the operator are adjacent, so that they are written and deleted together: a row
/// of a dense tile is `(layer << 37 | tile) << 16 | period`, a block of its members `layer << 40 | block`. Each blob
/// ends with its `GridRowChecksum`.
enum GridSchema {
    /// "tsgr" in ASCII: identifies the database as a grid of tileserve.
    static let applicationID: Int32 = 0x7473_6772
    /// Increased when the tables change; a grid of another version is rebuilt.
    static let version = 6

    static let tables = """
        CREATE TABLE meta (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
        CREATE TABLE tiles (key INTEGER PRIMARY KEY, digest INTEGER NOT NULL, visits INTEGER NOT NULL,
            cells INTEGER NOT NULL, dense INTEGER NOT NULL, data BLOB NOT NULL);
        CREATE TABLE logs (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE sums (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE histograms (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE lines (key INTEGER PRIMARY KEY, digest INTEGER NOT NULL, bytes INTEGER NOT NULL, data BLOB NOT NULL);
        CREATE INDEX line_loads ON lines (key >> 32, bytes);
        CREATE TABLE line_logs (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE tracks (number INTEGER PRIMARY KEY, seed INTEGER NOT NULL, activity INTEGER NOT NULL, start INTEGER,
            first_day INTEGER, last_day INTEGER, months BLOB NOT NULL, tiles BLOB NOT NULL);
        CREATE INDEX first_days ON tracks (first_day);
        CREATE INDEX last_days ON tracks (last_day);
        CREATE TABLE activities (number INTEGER PRIMARY KEY, name TEXT NOT NULL);
        CREATE TABLE layers (number INTEGER PRIMARY KEY, name TEXT NOT NULL, condition TEXT NOT NULL, state INTEGER NOT NULL,
            cursor INTEGER NOT NULL, done INTEGER NOT NULL, work INTEGER NOT NULL);
        CREATE TABLE members (key INTEGER PRIMARY KEY, bits BLOB NOT NULL);
        CREATE TABLE layer_rows (key INTEGER PRIMARY KEY, data BLOB NOT NULL);
        CREATE TABLE touched (revision INTEGER PRIMARY KEY, since INTEGER NOT NULL, tiles BLOB NOT NULL);
        """

    /// The statements that create the tables and indices, as SQLite stores them in its schema.
    static let statements =
        tables.split(separator: ";").map { $0.trimmingWhitespace }.filter { !$0.isEmpty } + [SummedTable.schema]

    /// All tables; `verify` compares their rows with the sums.
    static let summedTables = tableNames.map { SummedTable($0, .one) }

    static let tableNames = [
        "tiles", "logs", "sums", "histograms", "lines", "line_logs", "tracks", "activities", "layers", "members",
        "layer_rows", "touched", "meta",
    ]

    /// A digest of the rules by which a grid is derived from its tracks: a grid with another fingerprint is rebuilt.
    static func fingerprint(_ calendar: DayCalendar, _ rule: SumRule, _ cleaning: CleaningRule) -> ContentDigest {
        var digester = Digester()
        digester.update("grid")
        digester.update(version)
        digester.update(TrackRaster.version)
        digester.update(TrackLines.version)
        digester.update(rule.lineLogBytes)
        digester.update(rule.denseVisits)
        digester.update(rule.gain)
        digester.update(rule.minVisits)
        digester.update(calendar.digest)
        digester.update(cleaning.text)
        return digester.finish()
    }

    static func logNumber(_ tile: UInt64, period: UInt16) -> Int64 {
        Int64(tile << 16 | UInt64(period))
    }

    static func sumNumber(_ tile: UInt64, layer: UInt8, period: UInt16) -> Int64 {
        Int64((tile << 8 | UInt64(layer)) << 16 | UInt64(period))
    }

    static func layerRowNumber(_ tile: UInt64, layer: UInt8, period: UInt16) -> Int64 {
        Int64((UInt64(layer) << 37 | tile) << 16 | UInt64(period))
    }

    static func logKey(_ tile: UInt64, period: UInt16) -> Value {
        .integer(logNumber(tile, period: period))
    }

    static func sumKey(_ tile: UInt64, layer: UInt8, period: UInt16) -> Value {
        .integer(sumNumber(tile, layer: layer, period: period))
    }

    static func layerRowKey(_ tile: UInt64, layer: UInt8, period: UInt16) -> Value {
        .integer(layerRowNumber(tile, layer: layer, period: period))
    }

    /// The range of keys of a layer's rows.
    static func layerRowKeys(of layer: UInt8) -> ClosedRange<Int64> {
        let first = Int64(layer) << 53
        return first...(first + (1 << 53 - 1))
    }

    static func memberKey(layer: UInt8, block: Int64) -> Int64 {
        Int64(layer) << 40 | block
    }

    static func histogramKey(zoom: Int, layer: UInt8) -> Int64 {
        Int64(zoom << 8 | Int(layer))
    }

    /// Encodes ascending numbers as varint differences.
    static func encoded(ascending numbers: [UInt64]) -> [UInt8] {
        var bytes: [UInt8] = []
        var last: UInt64 = 0
        for number in numbers {
            Varint.append(number - last, to: &bytes)
            last = number
        }
        return bytes
    }

    static func decoded(ascending bytes: [UInt8]) -> [UInt64] {
        var numbers: [UInt64] = []
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        var last: UInt64 = 0
        while !cursor.isAtEnd {
            last &+= cursor.next(in: bytes.span)
            numbers.append(last)
        }
        return numbers
    }

    static func encoded(_ histogram: CountHistogram) -> [UInt8] {
        var bytes: [UInt8] = []
        var last: UInt32 = 0
        for entry in histogram.ascending {
            Varint.append(UInt64(entry.count - last), to: &bytes)
            Varint.append(UInt64(entry.cells), to: &bytes)
            last = entry.count
        }
        return bytes
    }

    static func decodedHistogram(_ bytes: [UInt8]) -> CountHistogram {
        var histogram = CountHistogram()
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        var last: UInt32 = 0
        while !cursor.isAtEnd {
            last &+= UInt32(truncatingIfNeeded: cursor.next(in: bytes.span))
            histogram.add(count: last, cells: Int(truncatingIfNeeded: cursor.next(in: bytes.span)))
        }
        return histogram
    }
}

extension Substring {
    fileprivate var trimmingWhitespace: String {
        let start = drop { $0.isWhitespace }
        return String(start.reversed().drop { $0.isWhitespace }.reversed())
    }
}
