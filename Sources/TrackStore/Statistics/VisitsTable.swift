import Database
package import Statistics

// The table `visits` of the grid: the visits of each track to tiles of zoom level 17.

extension GridWriter {
    /// Writes the visits of a track.
    func write(visits: [TileVisit], ofTrack number: Int64) throws {
        try write(visits.isEmpty ? nil : TileVisits.encoded(visits), .visits, number)
    }
}

extension GridReader {
    /// Calls `body` with each visit of each track, by track number; some ten million visits a second.
    package func forEachVisit(_ body: (_ number: Int64, TileVisit) -> Void) throws {
        try forEachTrackRow(.visits) { number, bytes in TileVisits.forEach(in: bytes) { body(number, $0) } }
    }

    /// The visits of a track; empty if it has none.
    package func visits(ofTrack number: Int64) throws -> [TileVisit] {
        var visits: [TileVisit] = []
        _ = try trackRow(.visits, ofTrack: number) { bytes in TileVisits.forEach(in: bytes) { visits.append($0) } }
        return visits
    }
}
