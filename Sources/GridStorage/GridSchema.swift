import Countries
import Database
package import Digest
package import HeatGrid
import LineGrid
import Text
package import Tracks

/// How the rows of the grid are keyed and encoded.
///
/// Keys are packed numbers. A tile is `zoom << 32 | morton` (`TileKey`); the log of one month, of a dense tile or of a
/// tile with many lines, is `tile << 16 | period`; a sum is `(tile << 8 | layer) << 16 | period`; a histogram is `zoom
/// << 8 | layer`. Rows of one layer of the operator are adjacent, so that they are written and deleted together: a row
/// of a dense tile is `(layer << 37 | tile) << 16 | period`, a block of its members `layer << 40 | block`. Each blob
/// ends with its `GridRowChecksum`.
///
/// A tile has 37 bits (5 of the zoom level, 32 of the Morton code), so every key is a positive INTEGER. As the primary
/// key it needs no second index, and tiles that are neighbours on the map are mostly neighbours in the file.
package enum GridSchema {
    /// A digest of the rules by which a grid is derived from its tracks: a grid with another fingerprint is rebuilt.
    package static func fingerprint(_ calendar: DayCalendar, _ rule: SumRule, _ outlierRule: OutlierRule)
        -> ContentDigest
    {
        var digester = Digester()
        digester.update("grid")
        digester.update(Int(LibraryTables.gridVersion))
        digester.update(TrackRaster.version)
        digester.update(TrackLines.version)
        digester.update(rule.lineLogBytes)
        digester.update(rule.lineRasterBytes)
        digester.update(rule.lineCodeBytes)
        digester.update(rule.denseVisits)
        digester.update(rule.gain)
        digester.update(rule.minVisits)
        digester.update(calendar.digest)
        digester.update(LedgerMap.embeddedDigest)
        digester.update(outlierRule.text)
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
