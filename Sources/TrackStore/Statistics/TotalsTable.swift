import Database
package import Statistics

// The table `totals` of the grid: a row for each track with its totals by day. A row depends on nothing but its track, the
// outlier rule and the time zone, so it is written and deleted with the track's row in `tracks`.

extension GridWriter {
    /// Writes the totals of a track.
    func write(totals: TrackTotals, ofTrack number: Int64) throws {
        try write(totals.encoded, .totals, number)
    }
}

extension GridReader {
    /// Calls `body` with the totals of each track, by track number; about a million tracks a second.
    package func forEachTotals(_ body: (_ number: Int64, TrackTotals) throws -> Void) throws {
        try session.forEach("SELECT key, data FROM totals ORDER BY key") { row in
            let number = row.integer(0)
            let totals = try row.withCheckedBlob(1, GridRowChecksum(.totals, key: number)) { TrackTotals(decoding: $0) }
            try body(number, totals)
        }
    }

    /// The totals of a track; nil if the track is unknown.
    package func totals(ofTrack number: Int64) throws -> TrackTotals? {
        try session.first("SELECT data FROM totals WHERE key = $1", [.integer(number)]) { row in
            try row.withCheckedBlob(0, GridRowChecksum(.totals, key: number)) { TrackTotals(decoding: $0) }
        }
    }
}

extension Library {
    /// Where tracks begin and end, by track number. Tracks that the grid does not have yet are missing, and all of them if
    /// it cannot be read: lists of tracks do not depend on it.
    package func ends(ofTracks numbers: [Int64]) -> [Int64: TrackEnds] {
        let ends = try? grid.read { reader in
            var ends: [Int64: TrackEnds] = [:]
            for number in numbers { ends[number] = try reader.totals(ofTrack: number)?.ends }
            return ends
        }
        return ends ?? [:]
    }
}
