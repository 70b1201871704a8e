import Database
package import Statistics

// The table `visits` of the grid: a row for each track with its visits to tiles of zoom level 17. Like the rows of `totals`,
// a row depends on nothing but its track.

extension GridWriter {
    /// Writes the visits of a track.
    func write(visits: [TileVisit], ofTrack number: Int64) throws {
        try write(visits.isEmpty ? nil : TileVisits.encoded(visits), .visits, number)
    }
}

extension GridReader {
    /// Calls `body` with each visit of each track, by track number; some ten million visits a second.
    package func forEachVisit(_ body: (_ number: Int64, TileVisit) -> Void) throws {
        try session.forEach("SELECT key, data FROM visits ORDER BY key") { row in
            let number = row.integer(0)
            try row.withCheckedBlob(1, GridRowChecksum(.visits, key: number)) { bytes in
                TileVisits.forEach(in: bytes) { body(number, $0) }
            }
        }
    }

    /// The visits of a track; empty if it has none.
    package func visits(ofTrack number: Int64) throws -> [TileVisit] {
        var visits: [TileVisit] = []
        _ = try session.first("SELECT data FROM visits WHERE key = $1", [.integer(number)]) { row in
            try row.withCheckedBlob(0, GridRowChecksum(.visits, key: number)) { bytes in
                TileVisits.forEach(in: bytes) { visits.append($0) }
            }
        }
        return visits
    }
}
