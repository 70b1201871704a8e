import Countries
import Database
import Statistics

// The tables of the grid that have a row for each track: `totals`, `visits`, `ledger`, `minutes` and `stays`. A row depends on nothing
// but its track and the rules, so it is written and deleted with the track's row in `tracks`.

/// What a table has of each track: elements as bytes. A track without elements has no row.
package protocol TrackRowContent {
    associatedtype Element
    static var table: BlobTable { get }
    static func encoded(_ elements: [Element]) -> [UInt8]
    static func forEach(in bytes: borrowing Span<UInt8>, _ body: (Element) throws -> Void) rethrows
}

/// The visits of each track to tiles of zoom level 17; some ten million visits a second are read.
extension TileVisits: TrackRowContent {
    static var table: BlobTable { .visits }
}

/// The rows of each track by country. They also depend on the embedded boundaries and places, whose digest is in the
/// grid's fingerprint. Some million rows a second are read.
extension LedgerRows: TrackRowContent {
    static var table: BlobTable { .ledger }
}

extension GridReader {
    /// Calls `body` with each element of each track, by track number.
    package func forEach<Rows: TrackRowContent>(
        _ rows: Rows.Type, _ body: (_ number: Int64, Rows.Element) throws -> Void
    ) throws {
        try forEachTrackRow(Rows.table.checksum) { number, bytes in
            try Rows.forEach(in: bytes) { try body(number, $0) }
        }
    }

    /// The row of a track for stays, as `StayCellsBuilder` has made it; no bytes if it has none.
    package func stayRow(ofTrack number: Int64) throws -> [UInt8] {
        let table = BlobTable.stays.checksum
        let bytes = try session.first("SELECT data FROM \(table) WHERE key = $1", [.integer(number)]) { row in
            try row.checkedBlob(0, GridRowChecksum(table, key: number))
        }
        return bytes ?? []
    }

    /// The elements of a track.
    package func elements<Rows: TrackRowContent>(of rows: Rows.Type, ofTrack number: Int64) throws -> [Rows.Element] {
        var elements: [Rows.Element] = []
        _ = try trackRow(Rows.table.checksum, ofTrack: number) { bytes in
            Rows.forEach(in: bytes) { elements.append($0) }
        }
        return elements
    }
}

extension GridReader {
    /// Calls `body` with the bytes of each row of a table, by track number.
    package func forEachTrackRow(
        _ table: GridRowChecksum.Table, _ body: (_ number: Int64, borrowing Span<UInt8>) throws -> Void
    ) throws {
        try session.forEach("SELECT key, data FROM \(table) ORDER BY key") { row in
            let number = row.integer(0)
            try row.withCheckedBlob(1, GridRowChecksum(table, key: number)) { try body(number, $0) }
        }
    }

    /// What `read` makes of the row of a track; nil if the table has none.
    func trackRow<Value>(
        _ table: GridRowChecksum.Table, ofTrack number: Int64, _ read: (borrowing Span<UInt8>) throws -> Value
    ) throws -> Value? {
        try session.first("SELECT data FROM \(table) WHERE key = $1", [.integer(number)]) { row in
            try row.withCheckedBlob(0, GridRowChecksum(table, key: number)) { try read($0) }
        }
    }
}
