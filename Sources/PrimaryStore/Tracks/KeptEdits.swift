internal import Database

/// What the owner added to a track that is replaced.
struct KeptEdits {
    let track: Int64
    let id: String
    let person: Int64
    let times: ClosedRange<Int64>?
    let name: String?
    let activity: String?
    let tags: [String]
}

extension TrackWriter {
    /// What the owner added to a track; nil if the track does not exist.
    func keptEdits(of number: Int64) throws -> KeptEdits? {
        let tags = try session.rows("SELECT name FROM tag WHERE track = $1 ORDER BY name", [.integer(number)]) {
            $0.text(0)
        }
        return try session.first(
            """
            SELECT t.id, t.person, t.start, t.finish, e.name, e.activity FROM track t
            LEFT JOIN edit e ON e.track = t.number WHERE t.number = $1 AND t.state = 0
            """, [.integer(number)]
        ) { row in
            var times: ClosedRange<Int64>?
            if let start = row.integerOrNil(2), let end = row.integerOrNil(3), start <= end { times = start...end }
            return KeptEdits(
                track: number, id: row.text(0), person: row.integer(1), times: times, name: row.textOrNil(4),
                activity: row.textOrNil(5), tags: tags)
        }
    }

    /// Gives a removed track's edits, and its id, to the tracks that an origin contributed instead: the track with which
    /// it has most time in common gets name, activity and id, and all with which it has some get the tags. A track with
    /// edits of its own keeps these.
    func give(_ kept: KeptEdits, toTracksOf origin: ImportOrigin, _ draft: inout ChangeLog.Draft) throws {
        let successors = try successors(of: kept, from: origin)
        guard let best = successors.first else { return }
        for successor in successors {
            for tag in kept.tags {
                try session.run(
                    "INSERT INTO tag VALUES ($1, $2) ON CONFLICT DO NOTHING", [.integer(successor), .text(tag)])
            }
            if !kept.tags.isEmpty { draft.metadataChanged.insert(successor) }
        }
        try session.run("UPDATE alias SET track = $1 WHERE track = $2", [.integer(best), .integer(kept.track)])
        try session.run(
            "INSERT INTO alias VALUES ($1, $2) ON CONFLICT DO NOTHING", [.text(kept.id), .integer(best)])
        guard kept.name != nil || kept.activity != nil else { return }
        try session.run(
            """
            INSERT INTO edit VALUES ($1, $2, $3) ON CONFLICT (track) DO UPDATE
            SET name = coalesce(edit.name, excluded.name), activity = coalesce(edit.activity, excluded.activity)
            """, [.integer(best), .text(orNull: kept.name), .text(orNull: kept.activity)])
        draft.changed.insert(best)
    }

    /// The tracks that an origin contributed and that may replace a track: those with time in common, the longest time
    /// first; if there are none, the one that follows in order.
    private func successors(of kept: KeptEdits, from origin: ImportOrigin) throws -> [Int64] {
        let candidates = try session.rows(
            """
            SELECT t.number, t.start, t.finish FROM track t WHERE t.state = 0 AND t.person = $1 AND t.number <> $2
            AND (t.number IN (SELECT track FROM source WHERE import = $3) OR (t.start <= $4 AND t.finish >= $5
            AND t.stream IN (SELECT stream FROM stream_source WHERE import = $3))) ORDER BY t.number
            """,
            [
                .integer(kept.person), .integer(kept.track), .integer(origin.rawValue),
                .integer(kept.times?.upperBound ?? .min), .integer(kept.times?.lowerBound ?? .max),
            ]
        ) { row -> (number: Int64, common: Int64?) in
            guard let times = kept.times, let start = row.integerOrNil(1), let end = row.integerOrNil(2) else {
                return (row.integer(0), nil)
            }
            let (first, last) = (max(start, times.lowerBound), min(end, times.upperBound))
            return (row.integer(0), first <= last ? last.minus(first) : nil)
        }
        let common = candidates.filter { $0.common != nil }.sorted {
            ($1.common ?? 0, $0.number) < ($0.common ?? 0, $1.number)
        }
        return common.isEmpty ? candidates.prefix(1).map(\.number) : common.map(\.number)
    }
}
