import Database
import Digest
internal import Tracks

extension TrackDatabase {
    /// The problems of the primary store, one sentence each; empty if there are none. Reads everything: 20 M points a
    /// second.
    public func verify() throws -> [String] {
        try read { snapshot in
            var problems = try snapshot.session.integrityProblems().map { "\(database.name): \($0)" }
            guard problems.isEmpty else { return problems }
            for number in try snapshot.trackNumbers() {
                if let problem = try snapshot.problem(ofTrack: number) { problems.append(problem) }
            }
            problems += try snapshot.rowProblems()
            problems += try snapshot.logProblems()
            problems += try snapshot.importProblems()
            problems += try snapshot.pinProblems()
            problems += try snapshot.photoProblems()
            return problems
        }
    }
}

extension TrackSnapshot {
    fileprivate func problem(ofTrack number: Int64) throws -> String? {
        guard let track = try track(number: number) else { return "track \(number): its row cannot be read" }
        let label = "track \(track.id) (\(track.source))"
        var digest = RecordingDigest()
        var points = 0
        do {
            try forEachChunk(ofTrack: number) { chunk in
                digest.add(chunk)
                points += chunk.count
            }
        } catch LibraryError.damaged(_, let what) {
            return "\(label): \(what)"
        }
        guard points == track.points else {
            return "\(label): has \(points) points, \(track.points) were stored"
        }
        return digest.finish() == track.digest ? nil : "\(label): its points do not match its digest"
    }

    fileprivate func logProblems() throws -> [String] {
        guard var last = try digest(at: 0) else { return ["the change log has no first revision"] }
        var revision: Int64 = 0
        var problems: [String] = []
        try session.forEach("SELECT revision, time, tracks, digest FROM change ORDER BY revision") { row in
            revision += 1
            let expected = ChangeLog.digest(
                after: last, revision: row.integer(0), time: row.integer(1), row.blob(2))
            if row.integer(0) != revision || row.blob(3) != expected.bytes, problems.isEmpty {
                problems.append("the change log is broken at revision \(row.integer(0))")
            }
            last = expected
        }
        return problems
    }
}
