import Database
package import Stays

// The table `stays` of the grid: a row for each track with its runs. Like the rows of `totals`, a row depends on nothing but
// its track and the rules; the stays of a person are found in the rows of all tracks of the person when they are asked for.

extension GridWriter {
    /// Writes the runs of a track.
    func write(stayRuns runs: [StayRun], ofTrack number: Int64) throws {
        try write(runs.isEmpty ? nil : StayRuns.encoded(runs), .stays, number)
    }
}

extension GridReader {
    /// Calls `body` with each run of each track, by track number; some million parts a second.
    package func forEachStayRun(_ body: (_ number: Int64, StayRun) throws -> Void) throws {
        try session.forEach("SELECT key, data FROM stays ORDER BY key") { row in
            let number = row.integer(0)
            try row.withCheckedBlob(1, GridRowChecksum(.stays, key: number)) { bytes in
                try StayRuns.forEach(in: bytes) { try body(number, $0) }
            }
        }
    }

    /// The runs of a track; empty if no point has a time.
    package func stayRuns(ofTrack number: Int64) throws -> [StayRun] {
        var runs: [StayRun] = []
        _ = try session.first("SELECT data FROM stays WHERE key = $1", [.integer(number)]) { row in
            try row.withCheckedBlob(0, GridRowChecksum(.stays, key: number)) { bytes in
                StayRuns.forEach(in: bytes) { runs.append($0) }
            }
        }
        return runs
    }
}
