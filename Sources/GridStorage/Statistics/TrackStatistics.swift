internal import Countries
internal import Statistics

/// What the grid stores of a track for statistics.
package struct TrackStatistics: Sendable, Equatable {
    /// What the track did on each day.
    var totals: TrackTotals
    /// Which tiles of zoom level 17 it visited, in the order of the track.
    var visits: [TileVisit]
    /// Which countries it was in, in the order of the track.
    var ledger: [LedgerRow]
    /// What it did in each minute, in the order of minutes: as bytes, because those of all tracks wait to be written.
    var minutes: [UInt8]
    /// What `StayCellsBuilder` has made of its points; no bytes without points that have a time.
    var stayRow: [UInt8]
}

extension GridReader {
    /// The statistics of a track; nil if the grid has none of it.
    package func statistics(ofTrack number: Int64) throws -> TrackStatistics? {
        guard let totals = try totals(ofTrack: number) else { return nil }
        return TrackStatistics(
            totals: totals, visits: try elements(of: TileVisits.self, ofTrack: number),
            ledger: try elements(of: LedgerRows.self, ofTrack: number),
            minutes: try minutes(ofTrack: number),
            stayRow: try stayRow(ofTrack: number))
    }
}
