import Database
package import Statistics

// The table `totals` of the grid: the totals of each track by day.

extension GridWriter {
    /// Writes the totals of a track.
    func write(totals: TrackTotals, ofTrack number: Int64) throws {
        try write(totals.encoded, .totals, number)
    }
}

extension GridReader {
    /// Calls `body` with the totals of each track, by track number; about a million tracks a second.
    package func forEachTotals(_ body: (_ number: Int64, TrackTotals) throws -> Void) throws {
        try forEachTrackRow(.totals) { number, bytes in try body(number, TrackTotals(decoding: bytes)) }
    }

    /// The totals of a track; nil if the track is unknown.
    package func totals(ofTrack number: Int64) throws -> TrackTotals? {
        try trackRow(.totals, ofTrack: number) { TrackTotals(decoding: $0) }
    }
}

extension Library {
    /// The totals of tracks, by track number. Tracks that the grid does not have yet are missing, and all of them if it
    /// cannot be read: lists of tracks do not depend on it.
    package func totals(ofTracks numbers: [Int64]) -> [Int64: TrackTotals] {
        let totals = try? grid.read { reader in
            var totals: [Int64: TrackTotals] = [:]
            for number in numbers { totals[number] = try reader.totals(ofTrack: number) }
            return totals
        }
        return totals ?? [:]
    }
}
