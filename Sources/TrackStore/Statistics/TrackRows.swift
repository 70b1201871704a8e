import Database

// The tables of the grid that have a row for each track: `totals`, `visits`, `ledger` and `stays`. A row depends on nothing
// but its track and the rules, so it is written and deleted with the track's row in `tracks`.

extension GridReader {
    /// Calls `body` with the bytes of each row of a table, by track number.
    func forEachTrackRow(
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
