package import Database
package import Digest

// In the library of an edition: the table `edition_source`, and the values of `meta` that tell what it was derived from.

/// The visible part of a track of the library that an edition is derived from.
package struct EditionSource: Sendable, Equatable {
    /// The number of the track in that library.
    package let source: Int64
    /// What was visible of it; see `TrackCut.fingerprint`.
    package let fingerprint: UInt64
    /// The track of the edition; nil if nothing was visible.
    package let track: Int64?

    package init(source: Int64, fingerprint: UInt64, track: Int64?) {
        self.source = source
        self.fingerprint = fingerprint
        self.track = track
    }
}

/// The state of a library that an edition shows.
package struct EditionState: Sendable, Equatable {
    /// Of the library that the edition is derived from.
    package var head: Head
    /// The first instant that was not visible yet.
    package var visibleUntil: Int64
    /// Of the rule and everything else that the cut depends on.
    package var rule: ContentDigest

    package init(head: Head, visibleUntil: Int64, rule: ContentDigest) {
        self.head = head
        self.visibleUntil = visibleUntil
        self.rule = rule
    }
}

extension TrackSnapshot {
    /// What the edition shows; nil if it was never derived, or its derivation was not finished.
    package func editionState() throws -> EditionState? {
        guard let revision = try Meta.integer(EditionMeta.revision, session),
            let visibleUntil = try Meta.integer(EditionMeta.visibleUntil, session),
            let digest = try Meta.text(EditionMeta.digest, session).flatMap({ ContentDigest(hexadecimal: $0) }),
            let rule = try Meta.text(EditionMeta.rule, session).flatMap({ ContentDigest(hexadecimal: $0) })
        else { return nil }
        return EditionState(head: Head(revision: revision, digest: digest), visibleUntil: visibleUntil, rule: rule)
    }

    /// The visible parts of all tracks, by their sources.
    package func editionSources() throws -> [Int64: EditionSource] {
        var sources: [Int64: EditionSource] = [:]
        try session.forEach("SELECT source, digest, track FROM edition_source ORDER BY source") { row in
            let fingerprint = row.blob(1).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            sources[row.integer(0)] = EditionSource(
                source: row.integer(0), fingerprint: fingerprint, track: row.integerOrNil(2))
        }
        return sources
    }
}

extension TrackSnapshot {
    /// When the file of a track was imported, in milliseconds since 1970: the first time of several; 0 if that is not known.
    package func importTime(ofTrack number: Int64) throws -> Int64 {
        try session.integer(
            """
            SELECT min(i.time) FROM source s JOIN import i ON i.number = s.import >> \(LibraryTables.originFileBits)
            WHERE s.track = $1
            """, [.integer(number)]) ?? 0
    }
}

extension TrackDatabase {
    /// Waits until no other process derives this edition, and keeps others from it as long as the lock is held.
    package func lockForDeriving() throws -> any HeldLock {
        try Self.mappingErrors(path) { try database.lock(.deriving) }
    }

    /// Records what the edition shows, once all of it is stored.
    package func setEditionState(_ state: EditionState) throws {
        try write { writer in
            try writer.flush()
            try writer.session.transaction {
                let session = writer.session
                try Meta.set(EditionMeta.revision, to: .integer(state.head.revision), session)
                try Meta.set(EditionMeta.digest, to: .text(state.head.digest.description), session)
                try Meta.set(EditionMeta.visibleUntil, to: .integer(state.visibleUntil), session)
                try Meta.set(EditionMeta.rule, to: .text(state.rule.description), session)
            }
        }
    }

    /// Records the visible parts of tracks, whose tracks are stored.
    package func add(_ sources: [EditionSource]) throws {
        guard !sources.isEmpty else { return }
        try write { writer in
            try writer.flush()
            try writer.session.transaction {
                for source in sources {
                    let digest = stride(from: 56, through: 0, by: -8).map {
                        UInt8(truncatingIfNeeded: source.fingerprint >> UInt64($0))
                    }
                    try writer.session.run(
                        """
                        INSERT INTO edition_source (source, digest, track) VALUES ($1, $2, $3)
                        ON CONFLICT (source) DO UPDATE SET digest = excluded.digest, track = excluded.track
                        """,
                        [.integer(source.source), .blob(digest), .integer(orNull: source.track)])
                }
            }
        }
    }

    /// Removes the visible parts of tracks with their tracks of the edition, and forgets them. Returns the sources whose tracks
    /// were among these, which are the given ones and those that had the same visible part.
    package func removeEditionSources(_ sources: [Int64]) throws -> Set<Int64> {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { try writer.removeEditionSources(sources) }
        }
    }

    /// Removes tracks of the edition that are the visible part of nothing: a killed process has left them.
    package func removeUnknownEditionTracks() throws {
        try write { writer in
            try writer.flush()
            try writer.session.transaction {
                let unknown = try writer.session.rows(
                    """
                    SELECT number FROM track WHERE state = 0 AND number NOT IN
                    (SELECT track FROM edition_source WHERE track IS NOT NULL) ORDER BY number
                    """
                ) { $0.integer(0) }
                try writer.removeEditionTracks(unknown)
            }
        }
    }
}

extension TrackWriter {
    fileprivate func removeEditionSources(_ sources: [Int64]) throws -> Set<Int64> {
        var affected = Set(sources)
        var tracks: Set<Int64> = []
        for source in sources {
            let known = try session.first("SELECT track FROM edition_source WHERE source = $1", [.integer(source)]) {
                $0.integerOrNil(0)
            }
            if let track = known ?? nil { tracks.insert(track) }
        }
        for track in tracks {
            affected.formUnion(
                try session.rows("SELECT source FROM edition_source WHERE track = $1", [.integer(track)]) {
                    $0.integer(0)
                })
        }
        for source in affected {
            try session.run("DELETE FROM edition_source WHERE source = $1", [.integer(source)])
        }
        try removeEditionTracks(tracks.sorted())
        return affected
    }

    fileprivate func removeEditionTracks(_ numbers: [Int64]) throws {
        var draft = ChangeLog.Draft()
        for number in numbers { try markRemoved(number, &draft) }
        if !draft.isEmpty { try requestErasure() }
        _ = try ChangeLog.append(draft, time: now(), session)
    }
}

/// The names of values of `meta`.
private enum EditionMeta {
    static let revision = "edition_revision"
    static let digest = "edition_digest"
    static let visibleUntil = "edition_until"
    static let rule = "edition_rule"
}
