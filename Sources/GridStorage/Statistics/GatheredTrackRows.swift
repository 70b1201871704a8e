import Countries
import Database
import Locking
import Statistics
import Text

/// What the grid stores of a track in tables with a row for each track, as bytes: those of all tracks wait to be written.
struct TrackRows: Sendable {
    /// The tables besides `tracks`.
    static let tables: [BlobTable] = [.totals, .visits, .ledger, .minutes, .stays]

    /// The packed keys of the tiles that its cells and lines touch, for `tracks`.
    let tiles: [UInt8]
    /// For each of `tables` the row; without bytes there is none.
    let rows: [[UInt8]]

    /// `tiles` are packed keys, ascending.
    init(tiles: [UInt64], _ statistics: TrackStatistics) {
        self.tiles = GridSchema.encoded(ascending: tiles)
        rows = [
            statistics.totals.encoded, Self.encoded(TileVisits.self, statistics.visits),
            Self.encoded(LedgerRows.self, statistics.ledger), statistics.minutes, statistics.stayRow,
        ]
    }

    private static func encoded<Rows: TrackRowContent>(_ type: Rows.Type, _ elements: [Rows.Element]) -> [UInt8] {
        elements.isEmpty ? [] : Rows.encoded(elements)
    }

    /// The statistics that the rows hold.
    var statistics: TrackStatistics {
        let totals = rows[0]
        return TrackStatistics(
            totals: TrackTotals(decoding: totals.span), visits: Self.elements(TileVisits.self, rows[1]),
            ledger: Self.elements(LedgerRows.self, rows[2]), minutes: rows[3], stayRow: rows[4])
    }

    private static func elements<Rows: TrackRowContent>(_ type: Rows.Type, _ bytes: [UInt8]) -> [Rows.Element] {
        var elements: [Rows.Element] = []
        Rows.forEach(in: bytes.span) { elements.append($0) }
        return elements
    }

    var byteCount: Int { rows.reduce(tiles.count) { $0 + $1.count } }

    // MARK: In a temporary database

    /// All bytes, each part with its length before it.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for part in [tiles] + rows {
            Varint.append(UInt64(part.count), to: &bytes)
            bytes += part
        }
        return bytes
    }

    init(decoding bytes: [UInt8]) {
        var cursor = VarintCursor(offset: 0, end: bytes.count)
        var parts: [[UInt8]] = []
        for _ in 0...Self.tables.count {
            let count = cursor.nextCount(in: bytes.span)
            parts.append(Array(bytes[cursor.offset..<cursor.offset + count]))
            cursor.offset += count
        }
        tiles = parts.removeFirst()
        rows = parts
    }
}

/// The rows of rasterised tracks, in memory and, beyond a limit, in temporary databases.
package final class GatheredTrackRows: Sendable {
    private struct State: Sendable {
        var inMemory: [Int64: TrackRows] = [:]
        var byteCount = 0
        var spilled: [any TemporaryDatabase] = []
    }

    private let storage: any LibraryStorage
    private let byteLimit: Int
    private let state = Locked(State())

    init(in storage: any LibraryStorage, byteLimit: Int) {
        self.storage = storage
        self.byteLimit = byteLimit
    }

    /// Adds the rows of a track, from any thread.
    func add(_ rows: TrackRows, ofTrack number: Int64) throws {
        let full = state.withLock { state -> [Int64: TrackRows]? in
            state.inMemory[number] = rows
            state.byteCount += rows.byteCount
            guard state.byteCount > byteLimit else { return nil }
            defer { (state.inMemory, state.byteCount) = ([:], 0) }
            return state.inMemory
        }
        guard let full else { return }
        let database = try storage.temporaryDatabase(.run)
        let session = try database.session()
        try session.transaction {
            try session.load(into: "run") { add in
                for (number, rows) in full.sorted(by: { $0.key < $1.key }) {
                    try add([.integer(number), .blob(rows.encoded)])
                }
            }
        }
        state.withLock { $0.spilled.append(database) }
    }

    /// Calls `body` with the rows of each track, mostly by ascending number, and keeps none.
    func takeEach(_ body: (_ number: Int64, TrackRows) throws -> Void) throws {
        let (inMemory, spilled) = state.withLock { state in
            defer { state = State() }
            return (state.inMemory, state.spilled)
        }
        for database in spilled {
            try database.session().forEach("SELECT key, data FROM run ORDER BY key", []) { row in
                try body(row.integer(0), TrackRows(decoding: row.blob(1)))
            }
        }
        for (number, rows) in inMemory.sorted(by: { $0.key < $1.key }) { try body(number, rows) }
    }

    /// The statistics of the tracks, by number; for few tracks.
    package func takeStatistics() throws -> [Int64: TrackStatistics] {
        var statistics: [Int64: TrackStatistics] = [:]
        try takeEach { statistics[$0] = $1.statistics }
        return statistics
    }
}
