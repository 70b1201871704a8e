internal import Digest
internal import Dispatch
internal import Files
internal import Locking
public import Tracks

/// Keeps recorded points durable until they are moved into the streams of their devices.
///
/// Points are appended to a log in `LIBRARY/recording` that only this process writes. All points that arrive during an
/// fsync are written with the next one. A flush begins a new log and moves the old one, so that adding and flushing
/// never use the same log. What a killed process left is moved by the next process that opens a buffer or removes
/// tracks. It may be used from any thread.
public final class RecordingBuffer: Sendable {
    /// The counters of a buffer.
    public struct Counts: Sendable, Equatable {
        /// Points that are not in the streams yet.
        public var buffered = 0
        /// Points made durable since the start.
        public var recorded = 0
        /// Number of fsyncs since the start.
        public var commits = 0
        /// Number of logs moved since the start.
        public var flushes = 0
    }

    /// A log of this size is flushed without waiting for the flush period: some hundred thousand points, a second's
    /// work.
    static let flushBytes = 4 << 20
    /// A server that is asked to stop must end within 5 s in all.
    private static let stopTimeLimit = Duration.seconds(1)
    /// The byte limit of one write and fsync; the rest is written with the next.
    private static let commitBytes = 1 << 20

    private struct PendingWrite {
        var bytes: [UInt8]
        var points: Int
        var done: @Sendable ((any Error)?) -> Void
    }

    private struct State {
        var pending: [PendingWrite] = []
        var isCommitting = false
        var isStopped = false
        /// The deadline for moving points, set when the buffer is stopped.
        var deadline: ContinuousClock.Instant?
        var counts = Counts()
    }

    /// The current log, used only on `committing`, and the closed logs that are not moved yet.
    fileprivate struct Logs {
        /// This process's folder entry, created with the first point: before that, other processes need not wait for a
        /// flush of this one.
        var folder: RecordingFolder?
        var open: AppendLog?
        var pointsInOpen = 0
        var closed: [(path: String, points: Int)] = []
        var nextNumber = 1
    }

    private let database: TrackDatabase
    private let samplingMilliseconds: Int64?
    private let report: @Sendable (any Error) -> Void
    private let state = Locked(State())
    private let logs = Locked(Logs())
    private let committing = DispatchQueue(label: "tileserve.recording", qos: .utility)
    private let flushing = DispatchQueue(label: "tileserve.flushing", qos: .utility)

    /// The buffer of a library; moves what killed processes left.
    ///
    /// `samplingMilliseconds` is the period of which one point per device is kept; nil keeps all. `report` gets errors
    /// that no caller receives.
    public init(
        database: TrackDatabase, samplingMilliseconds: Int64? = nil,
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.database = database
        self.samplingMilliseconds = samplingMilliseconds
        self.report = report
        // What cannot be moved now stays, and every flush tries again.
        if !database.isReadOnly { flushReporting() }
    }

    /// The current counters.
    public var counts: Counts { state.withLock { $0.counts } }

    /// Adds points; calls `done` when they are durable (they survive a crash and a power failure), or with the error.
    ///
    /// `done` runs on the queue that writes logs and must not block.
    public func add(_ points: [RecordedPoints], done: @escaping @Sendable ((any Error)?) -> Void) {
        let bytes = points.flatMap { LogFrame.framed($0.encoded()) }
        let count = points.reduce(0) { $0 + $1.points.count }
        let (isRefused, begins) = state.withLock { state -> (Bool, Bool) in
            guard !state.isStopped else { return (true, false) }
            state.pending.append(PendingWrite(bytes: bytes, points: count, done: done))
            defer { state.isCommitting = true }
            return (false, !state.isCommitting)
        }
        if isRefused { return done(RecordingStopped()) }
        if begins { committing.async { [self] in commit() } }
    }

    /// Adds points and returns when they are durable.
    public func add(_ points: [RecordedPoints]) throws {
        let outcome = Locked<(any Error)?>(nil)
        let added = DispatchSemaphore(value: 0)
        add(points) { error in
            outcome.withLock { $0 = error }
            added.signal()
        }
        added.wait()
        if let error = outcome.withLock({ $0 }) { throw error }
    }

    // MARK: Making durable

    private func commit() {
        let batch = state.withLock { state -> [PendingWrite] in
            var bytes = 0
            let fitting = state.pending.prefix { pending in
                defer { bytes += pending.bytes.count }
                return bytes < Self.commitBytes
            }
            let batch = Array(fitting)
            state.pending.removeFirst(batch.count)
            return batch
        }
        let error = write(batch)
        for pending in batch { pending.done(error) }
        let isMore = state.withLock { state in
            state.isCommitting = !state.pending.isEmpty
            return state.isCommitting
        }
        // Enqueued, so that a waiting flush runs first.
        if isMore { committing.async { [self] in commit() } }
    }

    private func write(_ batch: [PendingWrite]) -> (any Error)? {
        let points = batch.reduce(0) { $0 + $1.points }
        do {
            let isFull = try TrackDatabase.mappingErrors(database.folder) {
                try logs.withLock { logs in
                    let log = try logs.beginLog(of: database, samplingMilliseconds: samplingMilliseconds)
                    do {
                        try log.append(batch.flatMap(\.bytes))
                        try log.flushToDisk()
                    } catch {
                        // It is unknown how much of it is on disk, so nothing more is appended to it.
                        logs.close()
                        throw error
                    }
                    logs.pointsInOpen += points
                    return log.byteCount >= Self.flushBytes
                }
            }
            state.withLock { state in
                state.counts.commits += 1
                state.counts.recorded += points
                state.counts.buffered += points
            }
            if isFull { flushing.async { [self] in flushReporting() } }
            return nil
        } catch {
            return error
        }
    }

    // MARK: Flushing

    /// Moves all points added so far into the streams and returns the outcome. Not to be called from `done`.
    @discardableResult
    public func flush() throws -> RecordingOutcome {
        try flushing.sync { try flushNow() }
    }

    /// Flushes if a process that removes tracks has requested it.
    public func flushIfRequested() {
        guard let folder = logs.withLock({ $0.folder }), folder.isFlushRequested else { return }
        flushing.sync {
            flushReporting()
            // If another request comes after this, it is served again.
            if logs.withLock({ $0.closed.isEmpty }) { folder.reportFlushed() }
        }
    }

    /// Rejects new points and moves those added so far, within one second; the rest is moved when the library is next
    /// opened. Further calls do nothing.
    public func stop() throws {
        let wasStopped = state.withLock { state in
            defer {
                state.isStopped = true
                state.deadline = state.deadline ?? .now + Self.stopTimeLimit
            }
            return state.isStopped
        }
        guard !wasStopped, !database.isReadOnly else { return }
        // A flush in progress also respects the deadline.
        try flushing.sync { _ = try flushNow() }
        logs.withLock { logs in
            guard logs.closed.isEmpty else { return }
            logs.folder?.unregister()
            logs.folder = nil
        }
    }

    private func flushReporting() {
        do {
            try flushNow()
        } catch {
            report(error)
        }
    }

    private var isLate: Bool {
        state.withLock { $0.deadline }.map { ContinuousClock.now > $0 } ?? false
    }

    @discardableResult
    private func flushNow() throws -> RecordingOutcome {
        // After the writes in progress.
        committing.sync { logs.withLock { $0.close() } }
        var outcome = RecordingOutcome()
        while let (path, points) = logs.withLock({ $0.closed.first }) {
            guard let moved = try RecordingFolder.move(path, into: database, isLate: { isLate }) else { return outcome }
            outcome.add(moved)
            logs.withLock { logs in _ = logs.closed.removeFirst() }
            state.withLock { state in
                state.counts.buffered -= points
                state.counts.flushes += 1
            }
        }
        // Logs of processes that were killed since.
        if !isLate { try RecordingFolder.moveAbandonedLogs(in: database) { isLate } }
        return outcome
    }
}

extension RecordingBuffer.Logs {
    /// The current log, created if needed.
    fileprivate mutating func beginLog(
        of database: TrackDatabase, samplingMilliseconds: Int64?
    ) throws -> AppendLog {
        if let open { return open }
        let folder = try folder ?? RecordingFolder(joining: database.folder, samplingMilliseconds: samplingMilliseconds)
        self.folder = folder
        let log = try folder.newLog(number: nextNumber)
        nextNumber += 1
        open = log
        return log
    }

    fileprivate mutating func close() {
        guard let log = open else { return }
        closed.append((log.path, pointsInOpen))
        open = nil
        pointsInOpen = 0
    }
}

/// Points are no longer accepted because the server is stopping.
public struct RecordingStopped: Error, CustomStringConvertible {
    public var description: String { "the server is stopping; send the points again" }
}
