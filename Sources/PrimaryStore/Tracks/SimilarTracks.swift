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
        _ session: any Session, of summary: TrackSummary, person: Int64, spanClasses: [Int64]? = nil,
        except excluded: Set<Int64>
    ) throws -> [String] {
        guard let bounds = summary.bounds else { return [] }
        var ids: [String] = []
        let classes = try spanClasses ?? Self.spanClasses(of: person, session)
        try forEach(session, queries(of: summary, person: person, spanClasses: classes)) { row in
            guard !row.isNull(1), !excluded.contains(row.integer(5)) else { return true }
            if E7Bounds(row: row, from: 1).intersects(bounds) { ids.append(row.text(0)) }
            return ids.count < idLimit
        }
        return ids
    }

    /// The ids of other tracks of the same person that were recorded at the same time, wherever they were, ascending.
    static func ids(
        _ session: any Session, atSameTimeAs track: Track, spanClasses: [Int64]
    ) throws -> [String] {
        guard let start = track.start, let end = track.end else { return [] }
        var ids: [String] = []
        let queries = spanClasses.map { query(of: track.person, spanClass: $0, from: start, to: end) }
        try forEach(session, queries) { row in
            // Tracks that only touch have no time in common.
            guard row.integer(5) != track.number, row.integer(6) < end, row.integer(7) > start else { return true }
            ids.append(row.text(0))
            return ids.count < idLimit
        }
        return ids.sorted()
    }

    /// The classes of duration of the tracks of a person, ascending. Each is found in the index after the one before.
    static func spanClasses(of person: Int64, _ session: any Session) throws -> [Int64] {
        var classes: [Int64] = []
        while true {
            let next = try session.integer(
                "SELECT span FROM track WHERE person = $1 AND span > $2 AND state = 0 ORDER BY span LIMIT 1",
                [.integer(person), .integer(classes.last ?? -1)])
            // In an altered row, a text or a fraction is greater than the number that is read from it.
            guard let span = next, span > classes.last ?? -1 else { return classes }
            classes.append(span)
        }
    }

    /// The statements that find the tracks of a person that overlap a recording in time.
    static func queries(of summary: TrackSummary, person: Int64, spanClasses: [Int64]) -> [Query] {
        guard let start = summary.start, let end = summary.end else { return [] }
        return spanClasses.map { query(of: person, spanClass: $0, from: start, to: end) }
    }

    /// The statement that finds the tracks of one class of duration that overlap a time: those start not long before it.
    private static func query(of person: Int64, spanClass: Int64, from start: Int64, to end: Int64) -> Query {
        let (earliest, overflow) = start.subtractingReportingOverflow(maxDuration(ofClass: spanClass))
        return Query(
            """
            SELECT id, west, south, east, north, number, start, finish FROM track
            WHERE person = $1 AND span = $2 AND state = 0 AND start BETWEEN $3 AND $4 AND finish >= $5
            """,
            [
                .integer(person), .integer(spanClass), .integer(overflow ? .min : earliest), .integer(end),
                .integer(start),
            ])
    }

    /// Calls `body` with the id, bounding box, number, start and end of the tracks that statements find, until it returns
    /// false.
    private static func forEach(_ session: any Session, _ queries: [Query], _ body: (any Row) -> Bool) throws {
        var rows = 0
        var isWanted = true
        for query in queries where isWanted && rows < rowLimit {
            try session.forEachWhile(query.sql, query.values) { row in
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
