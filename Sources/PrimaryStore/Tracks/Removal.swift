public import Database
internal import Foundation

/// Removal in two steps: first the tracks are hidden from all readers, then their points are overwritten.
extension TrackDatabase {
    /// Hides tracks from all lists and readers; ids that name no track are skipped.
    ///
    /// Returns the revision that records it (the newest one if nothing was removed). The points stay on disk until
    /// `eraseRemoved()`.
    @discardableResult
    public func markRemoved(_ ids: [String]) throws -> Int64 {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { try writer.markRemoved(ids) }
        }
    }

    /// Overwrites removed points in the database and truncates the WAL, as far as the database system can. What a reader
    /// prevents is done when the library is next opened. Returns nil if there was nothing to erase.
    @discardableResult
    public func eraseRemoved() throws -> Erasure? {
        guard let request = try write({ try $0.dueErasure() }) else { return nil }
        // Pins of removed tracks first: what only these use is unused, and overwritten below, once they are gone.
        try updateWaypointPins()
        while try write({ try $0.eraseSomeTracks() }) { Self.letOthersWrite() }
        while try write({ try $0.eraseSomeOriginals() }) { Self.letOthersWrite() }
        while try write({ try $0.eraseSomePhotos() }) { Self.letOthersWrite() }
        try write { writer in try writer.session.transaction { try writer.deleteUnusedNames() } }
        while try write({ try $0.deleteSomeUnusedContent() }) { Self.letOthersWrite() }
        // Deleted pages are zeros in the WAL only, and older versions of them are still in both files: the WAL is
        // copied and truncated before the request ends.
        let erasure = try eraseDeleted()
        if erasure != .prevented { try write { try $0.endErasure(of: request) } }
        return erasure
    }

    /// Deletes the rows under a track number if it is still provisional, in short transactions.
    func deleteProvisional(_ number: Int64) throws {
        while try write({ try $0.deleteSomeProvisional(number) }) { Self.letOthersWrite() }
    }

    /// A pause between the transactions of one task, in which others that wait for the lock notice that it is free.
    static func letOthersWrite() {
        Thread.sleep(forTimeInterval: pauseSeconds)
    }

    /// Others try to take the lock every 2 ms.
    private static let pauseSeconds = 0.005

    /// Completes what a killed process left: incomplete recordings, and removed points that are not overwritten.
    func finishInterruptedWork() throws {
        for number in try write({ try $0.abandonedProvisional() }) { try deleteProvisional(number) }
        try write { try $0.removeAbandonedLocks() }
        try finishReplacements()
        try eraseRemoved()
        // Times before tracks are measured, which needs them.
        try repairTimes()
        try finishMeasuring()
        try finishSums()
    }
}

extension TrackWriter {
    fileprivate func markRemoved(_ ids: [String]) throws -> Int64 {
        var draft = ChangeLog.Draft()
        let snapshot = TrackSnapshot(session: session)
        for id in ids {
            guard let track = try snapshot.track(id: id) else { continue }
            if track.isStream {
                try removeFromStream(track, &draft)
            } else {
                try markRemoved(track.number, &draft)
            }
        }
        if !draft.isEmpty { try requestErasure() }
        return try ChangeLog.append(draft, time: now(), session)
    }

    /// Hides a file's recording from all lists.
    func markRemoved(_ track: Int64, _ draft: inout ChangeLog.Draft) throws {
        try deleteSources(of: track)
        // Without its id, so that the same recording can be imported again as a new one.
        try session.run(
            "UPDATE track SET state = $1, id = NULL WHERE number = $2", [TrackState.removed, .integer(track)])
        try deleteEdits(of: track)
        try deletePinOrigins(ofTrack: track)
        draft.removed.insert(track)
    }

    /// Deletes the names of devices and persons that are no longer used, and words for activities, which earlier
    /// versions numbered.
    fileprivate func deleteUnusedNames() throws {
        try session.run("DELETE FROM stream WHERE number NOT IN (SELECT stream FROM stream_chunk)")
        try deleteUnusedStreamSources()
        try deleteUnusedStayNames()
        try deleteUnusedPhotoOrigins()
        try session.run(
            """
            DELETE FROM person WHERE number <> 1 AND number NOT IN (SELECT person FROM track WHERE person IS NOT NULL)
            AND number NOT IN (SELECT person FROM stream) AND number NOT IN (SELECT person FROM pin)
            AND number NOT IN (SELECT person FROM pin_vote) AND number NOT IN (SELECT person FROM pin_report)
            AND number NOT IN (SELECT person FROM pin_comment)
            AND number NOT IN (SELECT person FROM pin_comment_vote)
            AND number NOT IN (SELECT person FROM favourite) AND number NOT IN (SELECT person FROM direction)
            AND number NOT IN (SELECT person FROM journey_member) AND number NOT IN (SELECT person FROM focus_session)
            AND number NOT IN (SELECT person FROM profile) AND number NOT IN (SELECT person FROM reward_grant)
            AND number NOT IN (SELECT number FROM journey_picture WHERE thing = 2)
            """)
        try session.run(
            """
            DELETE FROM activity WHERE name NOT IN (SELECT activity FROM track WHERE activity IS NOT NULL)
            AND name NOT IN (SELECT activity FROM edit WHERE activity IS NOT NULL)
            """)
    }

    /// Records that something was removed, in the transaction that removes it.
    package func requestErasure() throws {
        try Meta.set("erase", to: .integer(1), session)
        try Meta.set(Self.erasureRequests, to: .integer(try lastErasureRequest() + 1), session)
    }

    private static let erasureRequests = "erase_requests"

    private func lastErasureRequest() throws -> Int64 {
        try Meta.integer(Self.erasureRequests, session) ?? 0
    }

    /// The number of the last request for an erasure; nil if nothing is to be overwritten.
    func dueErasure() throws -> Int64? {
        try Meta.integer("erase", session) == 1 ? lastErasureRequest() : nil
    }

    /// The condition of removed tracks; the second term lets SQLite use the index of the few tracks that are not live.
    private static let isRemoved = "state = 1 AND state <> 0 AND id IS NULL"
    /// A transaction of a removal overwrites no more after this time; the commit takes about as long again.
    private static let stepTime = Duration.milliseconds(15)
    /// This many chunks are overwritten in some milliseconds.
    private static let stepChunks = 10

    /// Overwrites some points of removed tracks, in a short transaction; returns false if nothing was left.
    fileprivate func eraseSomeTracks() throws -> Bool {
        try session.transaction {
            let end = ContinuousClock.now + Self.stepTime
            repeat {
                let next = try session.integer("SELECT min(number) FROM track WHERE \(Self.isRemoved)")
                guard let number = next else { return false }
                if try FileChunks.delete(session, of: number, limit: Self.stepChunks) { continue }
                try session.run(
                    "DELETE FROM track WHERE number = $1 AND \(Self.isRemoved)", [.integer(number)])
                try deleteAnnotations(of: number)
            } while ContinuousClock.now < end
            return true
        }
    }

    /// Records that everything removed has been overwritten, unless something was removed since a request.
    func endErasure(of request: Int64) throws {
        try session.transaction {
            guard try lastErasureRequest() == request else { return }
            let more = try session.integer("SELECT 1 FROM track WHERE \(Self.isRemoved) LIMIT 1")
            if try more == nil && unusedPhoto() == nil && unusedOriginal() == nil {
                try Meta.set("erase", to: .integer(0), session)
            }
        }
    }
}
