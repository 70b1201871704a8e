internal import Database
internal import Tracks

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

    /// Overwrites removed points in the database and truncates the WAL; false if a reader prevented this, so that it
    /// has to be tried again. What is left is done when the library is next opened.
    @discardableResult
    public func eraseRemoved() throws -> Bool {
        try write { try $0.eraseRemoved() }
    }

    /// Completes what a killed process left: incomplete recordings, and removed points that are not overwritten.
    func finishInterruptedWork() throws {
        try write { writer in
            try writer.deleteAbandonedProvisional()
            try writer.eraseRemoved()
        }
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
            guard let track = try snapshot.track(id: id, for: .owner) else { continue }
            if track.isStream {
                try removeFromStream(track, &draft)
            } else {
                try markRemoved(track.number, &draft)
            }
        }
        if !draft.isEmpty { try Meta.set("erase", to: .integer(1), session) }
        return try ChangeLog.append(draft, time: now(), session)
    }

    /// Hides a file's recording from all lists.
    func markRemoved(_ track: Int64, _ draft: inout ChangeLog.Draft) throws {
        try deleteSources(of: track)
        // Without its id, so that the same recording can be imported again as a new one.
        try session.run(
            "UPDATE track SET state = $1, id = NULL WHERE number = $2", [TrackState.removed, .integer(track)])
        try deleteEdits(of: track)
        draft.removed.insert(track)
    }

    /// Deletes the names of devices, persons and activities that are no longer used.
    private func deleteUnusedNames() throws {
        try session.run("DELETE FROM stream WHERE number NOT IN (SELECT stream FROM stream_chunk)")
        try deleteUnusedStreamSources()
        try session.run(
            """
            DELETE FROM person WHERE number <> 1 AND number NOT IN (SELECT person FROM track WHERE person IS NOT NULL)
            AND number NOT IN (SELECT person FROM stream)
            """)
        try session.run(
            """
            DELETE FROM activity WHERE name NOT IN (SELECT activity FROM track WHERE activity IS NOT NULL)
            AND name NOT IN (SELECT activity FROM edit WHERE activity IS NOT NULL)
            """)
    }

    @discardableResult
    fileprivate func eraseRemoved() throws -> Bool {
        guard try Meta.integer("erase", session) == 1 else { return true }
        let numbers = try session.rows("SELECT number FROM track WHERE state = 1 AND id IS NULL") { $0.integer(0) }
        for number in numbers {
            try deleteChunks(of: number)
            try session.run("DELETE FROM track WHERE number = $1 AND state = 1 AND id IS NULL", [.integer(number)])
        }
        try session.transaction { try deleteUnusedNames() }
        while try deleteSomeUnusedContent() {}
        guard try session.eraseDeleted() else { return false }
        try session.transaction {
            let more = try session.integer("SELECT 1 FROM track WHERE state = 1 AND id IS NULL LIMIT 1")
            if more == nil { try Meta.set("erase", to: .integer(0), session) }
        }
        return true
    }
}
