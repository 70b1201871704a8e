internal import Database
internal import Tracks

/// Removing the old points of tracks. Tracks keep their ids, names and tags as long as a point of them is left; points of
/// streams are removed from the stream, and from what each import added to it.
extension TrackDatabase {
    /// Removes the points of a track that a limit does not keep; returns their number, 0 if there is no such track. Points
    /// without a time stay as long as a point with one does. The points stay on disk until `eraseRemoved()`.
    package func forget(_ limit: AgeLimit, ofTrack number: Int64) throws -> Int {
        try write { writer in
            try writer.flush()
            return try writer.session.transaction { try writer.forget(limit, ofTrack: number) }
        }
    }
}

extension TrackSnapshot {
    /// The number of points of a track that a limit does not keep.
    package func forgottenPoints(_ limit: AgeLimit, ofTrack number: Int64) throws -> Int {
        guard let track = try track(number: number) else { return 0 }
        if track.isForgotten(by: limit) { return track.points }
        return try kept(by: limit.adapted(to: track.gap), ofTrack: number).count { !$0 }
    }

    /// Which points of a track a limit keeps.
    fileprivate func kept(by limit: AgeLimit, ofTrack number: Int64) throws -> [Bool] {
        var points = AgedPoints()
        try forEachChunk(ofTrack: number, fields: AgedPoints.fields) { points.add($0) }
        return points.kept(by: limit)
    }
}

extension Track {
    /// Whether a limit keeps no point that has a time.
    fileprivate func isForgotten(by limit: AgeLimit) -> Bool {
        guard limit.thinning == nil, let end else { return false }
        return end < limit.cutoff
    }
}

extension TrackWriter {
    fileprivate func forget(_ limit: AgeLimit, ofTrack number: Int64) throws -> Int {
        let snapshot = TrackSnapshot(session: session)
        guard let track = try snapshot.track(number: number) else { return 0 }
        var draft = ChangeLog.Draft()
        var removed = track.points
        if !track.isForgotten(by: limit) {
            let kept = try snapshot.kept(by: limit.adapted(to: track.gap), ofTrack: number)
            removed = kept.count { !$0 }
            guard removed > 0 else { return 0 }
            if track.isStream {
                try removePoints(ofStreamTrack: track, kept, &draft)
            } else {
                try removePoints(ofFile: track, kept, closesGaps: limit.thinning != nil, &draft)
            }
        } else if track.isStream {
            try removeFromStream(track, &draft)
        } else {
            try markRemoved(number, &draft)
        }
        try requestErasure()
        try ChangeLog.append(draft, time: now(), session)
        return removed
    }

    // MARK: Files

    /// Removes points of a file's recording, which keeps at least one. What each import contained is reduced to the same points.
    private func removePoints(
        ofFile track: Track, _ kept: [Bool], closesGaps: Bool, _ draft: inout ChangeLog.Draft
    ) throws {
        let sources = try sources(of: track.number)
        for content in Set(sources.compactMap(\.content)) {
            let points = try rewriteChunks(of: -content, kept, closesGaps: closesGaps) { _ in }
            if points == 0 {
                try session.run(
                    "DELETE FROM source WHERE track = $1 AND content = $2", [.integer(track.number), .integer(content)])
            }
        }
        let measures = RecordingMeasures(gap: track.gap, outlierRule: track.outlierRule)
        let left = try rewriteChunks(of: track.number, kept, closesGaps: closesGaps) { measures.add($0) }
        for source in sources {
            guard let beginning = source.beginning else { continue }
            try shortenBeginning(of: source.origin, to: kept.prefix(beginning).count { $0 }, of: left, track.number)
        }
        _ = try store(measures, gap: track.gap, of: track, &draft)
    }

    /// Records how many of the points that are left the import has: all of them, the first ones, or none.
    private func shortenBeginning(of origin: ImportOrigin, to points: Int, of left: Int, _ track: Int64) throws {
        let source: [Value] = [.integer(track), .integer(origin.rawValue)]
        if points == 0 { try session.run("DELETE FROM source WHERE track = $1 AND import = $2", source) }
        if points == 0 || points >= left {
            try session.run("DELETE FROM source_beginning WHERE track = $1 AND import = $2", source)
        } else {
            try session.run(
                "UPDATE source_beginning SET points = $1 WHERE track = $2 AND import = $3", [.integer(points)] + source)
        }
    }

    /// Writes the chunks of a recording anew without the points that are not kept, and gives them to `body`; all but the last are
    /// full, as those of every recording. Returns the number of points.
    ///
    /// Without `closesGaps`, what was removed separates segments, so that no line leads over it.
    private func rewriteChunks(
        of number: Int64, _ kept: [Bool], closesGaps: Bool, _ body: (PointColumns) -> Void
    ) throws -> Int {
        var waiting = PointColumns()
        var (read, written, first, points) = (0, 0, 0, 0)
        var isSegmentPending = true
        func write(_ count: Int) throws {
            let chunk = waiting.gathered(0..<count)
            waiting = waiting.gathered(count..<waiting.count)
            try FileChunks.write(session, of: number, ordinal: written, chunk.encoded())
            body(chunk)
            written += 1
            points += chunk.count
        }
        while let chunk = try FileChunks.read(session, of: number, ordinal: read) {
            let starts = Set(chunk.segmentStarts)
            var indices: [Int] = []
            var segmentStarts: [Int] = []
            for index in 0..<chunk.count {
                if starts.contains(index) { isSegmentPending = true }
                guard first + index < kept.count, kept[first + index] else {
                    if !closesGaps { isSegmentPending = true }
                    continue
                }
                if isSegmentPending { segmentStarts.append(indices.count) }
                isSegmentPending = false
                indices.append(index)
            }
            first += chunk.count
            read += 1
            waiting.append(chunk.gathered(indices, segmentStarts: segmentStarts))
            // Never more chunks than were read: a chunk is overwritten after it was read.
            while waiting.count >= PointChunk.capacity { try write(PointChunk.capacity) }
        }
        if waiting.count > 0 { try write(waiting.count) }
        try FileChunks.delete(session, of: number, from: written)
        return points
    }

    // MARK: Streams

    /// Removes points of a track of a stream, which keeps at least one.
    private func removePoints(ofStreamTrack track: Track, _ kept: [Bool], _ draft: inout ChangeLog.Draft) throws {
        guard let start = track.start, let end = track.end, let stream = try stream(ofTrack: track.number) else {
            return
        }
        var removed: Set<PointKey> = []
        var last = start
        var index = 0
        try StreamChunks.forEach(session, stream: stream.number, from: start, to: end, fields: .none) { chunk in
            for key in chunk.slice(from: start, to: end).keys {
                if index < kept.count, !kept[index] {
                    removed.insert(key)
                    last = key.time
                }
                index += 1
            }
        }
        // The changes of heading of what is gone altogether; others belong to the point that is kept.
        if let first = kept.firstIndex(of: true), kept[..<first].count == removed.count {
            try HeadingRows.delete(ofTrackFrom: start, to: last, stream: stream.number, session)
        }
        let parts = try [stream.number] + streamSources(of: stream.number).compactMap(\.content).map { -$0 }
        for part in Set(parts) { try remove(removed, fromStream: part, start, last) }
        let begin = try StreamChunks.nextTime(session, stream: stream.number, after: start - 1)
        // The part with the anchor keeps the id.
        try session.run(
            "UPDATE track SET anchor = $1 WHERE number = $2 AND anchor < $1",
            [.integer(begin ?? end), .integer(track.number)])
        try updateTracks(of: stream, from: start, to: end, &draft)
    }

    /// Writes the chunks between two times anew, without some points.
    private func remove(
        _ removed: Set<PointKey>, fromStream stream: Int64, _ start: Int64, _ end: Int64
    ) throws {
        var waiting = PointColumns()
        for number in try StreamChunks.numbers(session, stream: stream, from: start, to: end) {
            let chunk = try StreamChunks.read(session, number: number)
            let indices = zip(chunk.times.indices, chunk.keys).filter { !removed.contains($1) }.map(\.0)
            try StreamChunks.delete(session, number: number)
            waiting.append(chunk.gathered(indices))
            while waiting.count >= PointChunk.capacity {
                try StreamChunks.insert(session, stream: stream, waiting.gathered(0..<PointChunk.capacity))
                waiting = waiting.gathered(PointChunk.capacity..<waiting.count)
            }
        }
        if waiting.count > 0 { try StreamChunks.insert(session, stream: stream, waiting) }
    }
}

/// A point of a stream, as it is told apart from others.
private struct PointKey: Hashable {
    var time: Int64
    var longitude: Int32
    var latitude: Int32
}

extension PointColumns {
    fileprivate var keys: [PointKey] {
        let converter = E7Converter(unit: unit)
        return times.indices.map {
            PointKey(
                time: times[$0], longitude: converter.e7(longitudes[$0]), latitude: converter.e7(latitudes[$0]))
        }
    }
}
