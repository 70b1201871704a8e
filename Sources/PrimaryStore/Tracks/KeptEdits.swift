internal import Database

/// What the owner added to a track.
struct OwnerEdits {
    var name: String?
    var activity: String?
    var tags: [String]
}

/// What the owner added to a track that is replaced.
struct KeptEdits {
    let track: Int64
    let id: String
    let person: Int64
    let times: ClosedRange<Int64>?
    let edits: OwnerEdits
}

extension TrackWriter {
    /// Moves the edits of a track to the track into which it was merged.
    func moveEdits(from number: Int64, to other: Int64) throws {
        try add(edits(of: number), to: other)
        try deleteEdits(of: number)
    }

    private func edits(of number: Int64) throws -> OwnerEdits {
        let tags = try session.rows("SELECT name FROM tag WHERE track = $1 ORDER BY name", [.integer(number)]) {
            $0.text(0)
        }
        return try session.first("SELECT name, activity FROM edit WHERE track = $1", [.integer(number)]) {
            OwnerEdits(name: $0.textOrNil(0), activity: $0.textOrNil(1), tags: tags)
        } ?? OwnerEdits(tags: tags)
    }

    /// Adds edits to those of a track, which keeps a name or an activity that the owner gave it.
    private func add(_ edits: OwnerEdits, to number: Int64) throws {
        for tag in edits.tags {
            try session.run("INSERT INTO tag VALUES ($1, $2) ON CONFLICT DO NOTHING", [.integer(number), .text(tag)])
        }
        guard edits.name != nil || edits.activity != nil else { return }
        try session.run(
            """
            INSERT INTO edit VALUES ($1, $2, $3) ON CONFLICT (track) DO UPDATE
            SET name = coalesce(edit.name, excluded.name), activity = coalesce(edit.activity, excluded.activity)
            """, [.integer(number), .text(orNull: edits.name), .text(orNull: edits.activity)])
    }

    /// What the owner added to a track; nil if the track does not exist.
    func keptEdits(of number: Int64) throws -> KeptEdits? {
        let edits = try edits(of: number)
        return try session.first(
            "SELECT id, person, start, finish FROM track WHERE number = $1 AND state = 0", [.integer(number)]
        ) { row in
            var times: ClosedRange<Int64>?
            if let start = row.integerOrNil(2), let end = row.integerOrNil(3), start <= end { times = start...end }
            return KeptEdits(track: number, id: row.text(0), person: row.integer(1), times: times, edits: edits)
        }
    }

    /// Gives a removed track's edits, and its id, to the tracks that an origin contributed instead: the track with which
    /// it has most time in common gets name, activity and id, and all with which it has some get the tags. A track with
    /// edits of its own keeps these.
    func give(_ kept: KeptEdits, toTracksOf origin: ImportOrigin, _ draft: inout ChangeLog.Draft) throws {
        let successors = try successors(of: kept, from: origin)
        guard let best = successors.first else { return }
        let tags = OwnerEdits(tags: kept.edits.tags)
        for successor in successors {
            try add(successor == best ? kept.edits : tags, to: successor)
            if !tags.tags.isEmpty { draft.metadataChanged.insert(successor) }
        }
        try session.run("UPDATE alias SET track = $1 WHERE track = $2", [.integer(best), .integer(kept.track)])
        try session.run(
            "INSERT INTO alias VALUES ($1, $2) ON CONFLICT DO NOTHING", [.text(kept.id), .integer(best)])
        if kept.edits.name != nil || kept.edits.activity != nil { draft.changed.insert(best) }
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
