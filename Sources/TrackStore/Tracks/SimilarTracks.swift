internal import Database
internal import Tracks

/// Tracks that seem to be the same outing as a recording.
enum SimilarTracks {
    /// The maximum number of ids for one recording; nobody would read more.
    private static let idLimit = 10
    /// The maximum number of tracks to examine, because all of them may be of the same file.
    private static let rowLimit = 1000

    /// The ids of tracks of the same person with overlapping times and bounding boxes, except those with numbers in
    /// `excluded`.
    ///
    /// Queries each class of duration separately, because the tracks of one class that overlap a time start not long
    /// before it.
    static func ids(
        _ session: any Session, of summary: TrackSummary, person: Int64, except excluded: Set<Int64>
    ) throws -> [String] {
        guard let start = summary.start, let end = summary.end, let bounds = summary.bounds else { return [] }
        var ids: [String] = []
        var rows = 0
        var lastClass: Int64 = -1
        while ids.count < idLimit, rows < rowLimit {
            let next = try session.integer(
                "SELECT span FROM track WHERE person = $1 AND span > $2 AND state = 0 ORDER BY span LIMIT 1",
                [.integer(person), .integer(lastClass)])
            guard let span = next else { break }
            lastClass = span
            let (earliest, overflow) = start.subtractingReportingOverflow(maxDuration(ofClass: span))
            try session.forEachWhile(
                """
                SELECT id, west, south, east, north, number FROM track
                WHERE person = $1 AND span = $2 AND state = 0 AND start BETWEEN $3 AND $4 AND finish >= $5
                """,
                [
                    .integer(person), .integer(span), .integer(overflow ? .min : earliest), .integer(end),
                    .integer(start),
                ]
            ) { row in
                rows += 1
                guard !row.isNull(1), !excluded.contains(row.integer(5)) else { return rows < rowLimit }
                if E7Bounds(row: row, from: 1).intersects(bounds) { ids.append(row.text(0)) }
                return ids.count < idLimit && rows < rowLimit
            }
        }
        return ids
    }

    /// The upper limit of the duration of tracks of a class, in milliseconds.
    private static func maxDuration(ofClass span: Int64) -> Int64 {
        span >= 31 ? .max : 1 << (2 * span)
    }
}
