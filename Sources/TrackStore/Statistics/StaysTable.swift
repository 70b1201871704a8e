import Database
package import Stays

// The table `stays` of the grid: the runs of each track. The stays of a person are found in the rows of all tracks of the
// person when they are asked for.

extension GridWriter {
    /// Writes the runs of a track.
    func write(stayRuns runs: [StayRun], ofTrack number: Int64) throws {
        try write(runs.isEmpty ? nil : StayRuns.encoded(runs), .stays, number)
    }
}

extension GridReader {
    /// Calls `body` with each run of each track, by track number; some million parts a second.
    package func forEachStayRun(_ body: (_ number: Int64, StayRun) throws -> Void) throws {
        try forEachTrackRow(.stays) { number, bytes in try StayRuns.forEach(in: bytes) { try body(number, $0) } }
    }

    /// The runs of a track; empty if no point has a time.
    package func stayRuns(ofTrack number: Int64) throws -> [StayRun] {
        var runs: [StayRun] = []
        _ = try trackRow(.stays, ofTrack: number) { bytes in StayRuns.forEach(in: bytes) { runs.append($0) } }
        return runs
    }
}
