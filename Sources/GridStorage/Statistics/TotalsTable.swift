package import Statistics

// The table `totals` of the grid: the totals of each track by day.

extension GridReader {
    /// Calls `body` with the totals of each track, by track number; about a million tracks a second.
    package func forEachTotals(_ body: (_ number: Int64, TrackTotals) throws -> Void) throws {
        try forEachTrackRow(.totals) { number, bytes in try body(number, TrackTotals(decoding: bytes)) }
    }

    /// The totals of a track; nil if the track is unknown.
    package func totals(ofTrack number: Int64) throws -> TrackTotals? {
        try trackRow(.totals, ofTrack: number) { TrackTotals(decoding: $0) }
    }

    /// The minutes of a track, as bytes.
    package func minutes(ofTrack number: Int64) throws -> [UInt8] {
        try trackRow(.minutes, ofTrack: number) { bytes in bytes.indices.map { bytes[$0] } } ?? []
    }
}
