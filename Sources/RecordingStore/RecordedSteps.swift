internal import Database
internal import PrimaryStore
internal import Tracks

/// Moves recorded points into streams, one device after another, so that no part of a log is moved twice.
extension TrackDatabase {
    /// Moves a segment into the streams and deletes it; nil if `isPastDeadline` became true before it was done.
    func move(_ segment: any RecordedSegment, isPastDeadline: () -> Bool = { false }) throws -> RecordingOutcome? {
        if isPastDeadline() { return nil }
        var recorded = RecordedLog()
        try segment.forEach { recorded.add($0) }
        let moved = try moveRecorded(
            recorded, ofLog: segment.name, samplingMilliseconds: segment.samplingMilliseconds,
            hold: segment.hold, isPastDeadline: isPastDeadline)
        guard let outcome = moved else { return nil }
        // In this order, so that an existing segment is either recorded as moved or not moved at all.
        try segment.delete()
        try deleteProgress(log: segment.name)
        return outcome
    }

    /// Moves the segments of killed processes. A segment that cannot be moved stays, and the first error is thrown at
    /// the end. If `isPastDeadline` becomes true, the rest stays for another time.
    func moveAbandoned(of log: any RecordingLog, isPastDeadline: () -> Bool = { false }) throws {
        try log.forEachAbandoned { try move($0, isPastDeadline: isPastDeadline) != nil }
        for name in try recordedLogs() where try !log.contains(segment: name) { try deleteProgress(log: name) }
    }

    /// Moves the points recorded so far by every process of the library; false if a running process has failed to move
    /// its own, or has not moved them within `timeoutMilliseconds`.
    package func moveEverything(of log: any RecordingLog, timeoutMilliseconds: Int) throws -> Bool {
        try moveAbandoned(of: log)
        guard try log.flushSessions(timeoutMilliseconds: timeoutMilliseconds) else { return false }
        // A process may have been killed meanwhile.
        try moveAbandoned(of: log)
        return true
    }

    /// Moves a log's points into the streams of their devices and returns the outcome.
    ///
    /// Each transaction stores how far the log has been moved; after an interruption the next call continues from
    /// there. `samplingMilliseconds` is the period of which one point is kept; nil keeps all. `hold` throws, in each of the
    /// transactions, if another process may move the log. Returns nil if
    /// `isPastDeadline` became true before it was done: the rest stays for another call. The rest of a device
    /// whose points cannot be moved stays, too; the other devices follow, and the first error is thrown at the end.
    func moveRecorded(
        _ recorded: RecordedLog, ofLog log: String, samplingMilliseconds: Int64?,
        hold: @escaping (any Session) throws -> Void = { _ in }, isPastDeadline: () -> Bool = { false }
    ) throws -> RecordingOutcome? {
        if isPastDeadline() { return nil }
        var move = RecordedMove(
            database: self, log: log, samplingMilliseconds: samplingMilliseconds, hold: hold,
            progress: try read { try RecordedProgress(ofLog: log, $0.session) })
        var isComplete = true
        var failure: (any Error)?
        for device in recorded.devices where isComplete {
            do {
                isComplete = try move.move(device, isPastDeadline: isPastDeadline)
            } catch let error as LibraryError where !error.concernsAllData {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return isComplete ? move.outcome : nil
    }

    /// Deletes the stored progress of a log whose file is deleted.
    func deleteProgress(log: String) throws {
        try write { try RecordedProgress.delete(ofLog: log, $0.session) }
    }

    /// The logs with stored progress.
    func recordedLogs() throws -> [String] {
        try read { try RecordedProgress.logs($0.session) }
    }
}

/// The transactions that move a log, of one device after another.
private struct RecordedMove {
    let database: TrackDatabase
    let log: String
    let samplingMilliseconds: Int64?
    let hold: (any Session) throws -> Void
    var progress: RecordedProgress
    var outcome = RecordingOutcome()
    /// The number of the last step of the devices so far.
    private var lastStep = 0

    /// Points of one device in one transaction, which then takes well under 100 ms.
    private static let stepPoints = 32_768
    /// Points of a step times its fields, each one value in a column: some MiB. Points with up to 32 fields fill a step.
    private static let stepCells = 1 << 20
    /// Changes of heading in one transaction.
    private static let stepHeadings = 16_384

    init(
        database: TrackDatabase, log: String, samplingMilliseconds: Int64?,
        hold: @escaping (any Session) throws -> Void, progress: RecordedProgress
    ) {
        self.database = database
        self.hold = hold
        self.log = log
        self.samplingMilliseconds = samplingMilliseconds
        self.progress = progress
    }

    /// Moves the points and changes of heading of the next device; false if `isPastDeadline` became true before it was
    /// done.
    mutating func move(_ device: RecordedDevice, isPastDeadline: () -> Bool) throws -> Bool {
        let ordered = device.ordered()
        let stretches = ordered.steps(points: Self.stepPoints, cells: Self.stepCells)
        let headings = device.headings
        let headingStarts = Array(stride(from: 0, to: headings.count, by: Self.stepHeadings))
        var number = lastStep
        // The steps of the next device have the same numbers if one of this device fails.
        lastStep += stretches.count + headingStarts.count
        for stretch in stretches {
            number += 1
            guard !progress.contains(number) else { continue }
            if isPastDeadline() { return false }
            let step = step(number)
            let points = ordered.points(of: stretch)
            outcome.add(try database.write { try $0.record(points, header: device.header, step) })
            progress = step.progress
        }
        for start in headingStarts {
            number += 1
            guard !progress.contains(number) else { continue }
            if isPastDeadline() { return false }
            let step = step(number)
            let changes = headings[start..<min(start + Self.stepHeadings, headings.count)]
            try database.write { try $0.record(changes, header: device.header, step) }
            progress = step.progress
        }
        return true
    }

    private func step(_ number: Int) -> RecordedStep {
        RecordedStep(
            log: log, progress: progress.with(number), samplingMilliseconds: samplingMilliseconds, hold: hold)
    }
}

/// One of the transactions that move a log.
struct RecordedStep {
    var log: String
    /// What is done after it.
    var progress: RecordedProgress
    var samplingMilliseconds: Int64?
    /// Throws if another process may move the log.
    var hold: (any Session) throws -> Void

    func store(_ session: any Session) throws {
        try hold(session)
        try progress.store(ofLog: log, session)
    }

    /// The points to keep: the earliest of each period if the stream has none in it yet, and all waypoints, changes of
    /// heading and repeats of stored points.
    func sampled(_ points: PointColumns, stream: Int64, _ session: any Session) throws -> PointColumns {
        guard let samplingMilliseconds, let first = points.times.min(), let last = points.times.max() else {
            return points
        }
        var periods = PeriodSampler(milliseconds: samplingMilliseconds)
        try StreamChunks.forEach(
            session, stream: stream, from: periods.start(of: first), to: periods.end(of: last),
            fields: .only(PeriodSampler.exemptions)
        ) { periods.addStored($0) }
        let kept = periods.kept(of: points)
        return kept.count == points.count ? points : points.gathered(kept)
    }
}

extension TrackWriter {
    /// Merges points into a device's stream, counts their repeats, and stores the step, in one transaction. Points
    /// without a time are stored as a file recording first, which is a duplicate if the step is repeated.
    fileprivate mutating func record(
        _ given: PointColumns, header: RecordingHeader, _ step: RecordedStep
    ) throws -> RecordingOutcome {
        try flush()
        var outcome = RecordingOutcome()
        var points = given
        if given.times.contains(PointColumns.untimed) {
            var untimed = UntimedPoints()
            untimed.add(given)
            let rest = untimed.recording(
                header: header, outlierRule: try OutlierRuleStore.rule(session), origin: .recorded)
            if let rest {
                do {
                    try addFile(rest)
                    try flush()
                } catch {
                    // It stays in the log; what other devices have recorded must not wait for it.
                    discardPending(ofImport: ImportRecord.none)
                    throw error
                }
                outcome = rest.collector.outcome
            }
            points = given.gathered(given.times.timedIndices)
        }
        let stream = try prepareStream(header)
        outcome.add(
            try merge(
                points, into: stream, of: .recorded, header: header, countsRepeats: true,
                select: { try step.sampled($0, stream: stream.number, session) }, complete: { try step.store(session) })
        )
        return outcome
    }

    /// Adds changes of heading to a device's stream, and stores the step, in one transaction.
    fileprivate mutating func record(
        _ changes: ArraySlice<HeadingChange>, header: RecordingHeader, _ step: RecordedStep
    ) throws {
        try flush()
        let stream = try prepareStream(header)
        try session.transaction {
            let new = try HeadingRows.insert(changes, stream: stream.number, session)
            if new > 0, let first = changes.first, let last = changes.last {
                var draft = ChangeLog.Draft()
                draft.metadataChanged.formUnion(
                    try tracksWithHeadings(of: stream.number, from: first.time, to: last.time))
                try ChangeLog.append(draft, time: now(), session)
            }
            try step.store(session)
        }
    }

    /// The tracks to whose points changes of heading between two times belong.
    private func tracksWithHeadings(of stream: Int64, from start: Int64, to end: Int64) throws -> [Int64] {
        var numbers: [Int64] = []
        try session.forEachWhile(
            "SELECT number, start FROM track WHERE stream = $1 AND state = 0 AND start <= $2 ORDER BY start DESC",
            [.integer(stream), .integer(end)]
        ) { row in
            numbers.append(row.integer(0))
            return row.integer(1) > start
        }
        let first = try session.integer(
            "SELECT number FROM track WHERE stream = $1 AND state = 0 ORDER BY start LIMIT 1", [.integer(stream)])
        if numbers.isEmpty, let first { numbers.append(first) }
        return numbers
    }
}
