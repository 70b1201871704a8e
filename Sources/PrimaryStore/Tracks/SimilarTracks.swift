package import Database
package import Tracks

/// Tracks of a person that overlap others in time.
package enum SimilarTracks {
    /// The maximum number of ids for one recording; nobody would read more.
    private static let idLimit = 10
    /// The maximum number of tracks to examine, because all of them may be of the same file.
    private static let rowLimit = 1000

    /// The ids of tracks that seem to be the same outing as a recording: of the same person, with overlapping times and
    /// bounding boxes, except those with numbers in `excluded`.
    package static func ids(
        _ session: any Session, of summary: TrackSummary, person: Int64, except excluded: Set<Int64>
    ) throws -> [String] {
        guard let start = summary.start, let end = summary.end, let bounds = summary.bounds else { return [] }
        var ids: [String] = []
        try forEach(session, person: person, from: start, to: end) { row in
            guard !row.isNull(1), !excluded.contains(row.integer(5)) else { return true }
            if E7Bounds(row: row, from: 1).intersects(bounds) { ids.append(row.text(0)) }
            return ids.count < idLimit
        }
        return ids
    }

    /// The ids of other tracks of the same person that were recorded at the same time, wherever they were, ascending.
    static func ids(_ session: any Session, atSameTimeAs track: Track) throws -> [String] {
        guard let start = track.start, let end = track.end else { return [] }
        var ids: [String] = []
        try forEach(session, person: track.person, from: start, to: end) { row in
            // Tracks that only touch have no time in common.
            guard row.integer(5) != track.number, row.integer(6) < end, row.integer(7) > start else { return true }
            ids.append(row.text(0))
            return ids.count < idLimit
        }
        return ids.sorted()
    }

    /// Calls `body` with the id, bounding box, number, start and end of tracks of a person that overlap a time, until it
    /// returns false.
    ///
    /// Queries each class of duration separately, because the tracks of one class that overlap a time start not long
    /// before it.
    private static func forEach(
        _ session: any Session, person: Int64, from start: Int64, to end: Int64, _ body: (any Row) -> Bool
    ) throws {
        var rows = 0
        var isWanted = true
        var lastClass: Int64 = -1
        while isWanted, rows < rowLimit {
            let next = try session.integer(
                "SELECT span FROM track WHERE person = $1 AND span > $2 AND state = 0 ORDER BY span LIMIT 1",
                [.integer(person), .integer(lastClass)])
            // In an altered row, a text or a fraction is greater than the number that is read from it.
            guard let span = next, span > lastClass else { break }
            lastClass = span
            let (earliest, overflow) = start.subtractingReportingOverflow(maxDuration(ofClass: span))
            try session.forEachWhile(
                """
                SELECT id, west, south, east, north, number, start, finish FROM track
                WHERE person = $1 AND span = $2 AND state = 0 AND start BETWEEN $3 AND $4 AND finish >= $5
                """,
                [
                    .integer(person), .integer(span), .integer(overflow ? .min : earliest), .integer(end),
                    .integer(start),
                ]
            ) { row in
                rows += 1
                isWanted = body(row)
                return isWanted && rows < rowLimit
            }
        }
    }

    /// The upper limit of the duration of tracks of a class, in milliseconds.
    private static func maxDuration(ofClass span: Int64) -> Int64 {
        span >= 31 ? .max : 1 << (2 * span)
    }
}

extension TrackDatabase {
    /// The ids of other tracks of the same person that were recorded at the same time as each of some tracks, by number; at
    /// most ten for each.
    public func tracksAtSameTime(as tracks: [Track]) throws -> [Int64: [String]] {
        try read { snapshot in
            var found: [Int64: [String]] = [:]
            for track in tracks {
                let ids = try SimilarTracks.ids(snapshot.session, atSameTimeAs: track)
                if !ids.isEmpty { found[track.number] = ids }
            }
            return found
        }
    }
}
