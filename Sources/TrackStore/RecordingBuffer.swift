internal import Digest
internal import Dispatch
internal import Files
internal import Locking
internal import SQLite
public import Tracks

/// Where recorded points are safe until they are moved into the streams of their devices.
///
/// A log in `LIBRARY/recording` that only this process writes to. All that came while the log was pressed onto the disk is
/// written with the next press. A flush begins a new log and moves the old one, so that adding and flushing are never at
/// work on the same. What a killed process left is moved by whoever opens a buffer next, or removes tracks. Any thread may use it.
public final class RecordingBuffer: Sendable {
    /// How a buffer stands.
    public struct Counts: Sendable, Equatable {
        /// Points that are not in the streams yet.
        public var buffered = 0
        /// Points that were made durable since the start.
        public var recorded = 0
        /// Presses onto the disk since the start.
        public var commits = 0
        /// Flushes since the start that moved something.
        public var flushes = 0
    }

    /// A log of this size is moved without waiting for the period: some hundred thousand points, a second's work.
    static let flushBytes = 4 << 20
    /// A server that is told to end has 5 s for everything.
    private static let stopTime = Duration.seconds(1)
    /// What is written before one press onto the disk, beyond which the next takes more.
    private static let commitBytes = 1 << 20

    private struct Waiting {
        var bytes: [UInt8]
        var points: Int
        var done: @Sendable ((any Error)?) -> Void
    }

    private struct State {
        var waiting: [Waiting] = []
        var isCommitting = false
        var isStopped = false
        /// When moving points has to end, from the stop on.
        var deadline: ContinuousClock.Instant?
        var counts = Counts()
    }

    /// The log under way, used on `committing` alone, and those that were closed and not moved yet.
    fileprivate struct Logs {
        /// This process's part of the folder, from the first point on: until then nobody has to wait for a flush of ours.
        var folder: RecordingFolder?
        var open: AppendLog?
        var pointsInOpen = 0
        var closed: [(path: String, points: Int)] = []
        var nextNumber = 1
    }

    private let truth: TrackDatabase
    private let samplingMilliseconds: Int64?
    private let report: @Sendable (any Error) -> Void
    private let state = Locked(State())
    private let logs = Locked(Logs())
    private let committing = DispatchQueue(label: "tileserve.recording", qos: .utility)
    private let flushing = DispatchQueue(label: "tileserve.flushing", qos: .utility)

    /// A buffer of a library; moves what killed processes left.
    ///
    /// `samplingMilliseconds` is the period of which one point a device is kept; nil keeps all. `report` is told what went wrong
    /// where nobody waits for it.
    public init(
        truth: TrackDatabase, samplingMilliseconds: Int64? = nil,
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.truth = truth
        self.samplingMilliseconds = samplingMilliseconds
        self.report = report
        // What cannot be moved now stays, and is tried again with every flush.
        if !truth.isReadOnly { flushReporting() }
    }

    /// How the buffer stands.
    public var counts: Counts { state.withLock { $0.counts } }

    /// Adds points; calls `done` when they survive the end of this process and a loss of power, or with why they do not.
    ///
    /// `done` runs on the queue that presses logs onto the disk: it must not wait.
    public func add(_ points: [RecordedPoints], done: @escaping @Sendable ((any Error)?) -> Void) {
        let bytes = points.flatMap { LogFrame.framed($0.encoded()) }
        let count = points.reduce(0) { $0 + $1.points.count }
        let (isRefused, begins) = state.withLock { state -> (Bool, Bool) in
            guard !state.isStopped else { return (true, false) }
            state.waiting.append(Waiting(bytes: bytes, points: count, done: done))
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
        let taken = state.withLock { state -> [Waiting] in
            var bytes = 0
            let fitting = state.waiting.prefix { waiting in
                defer { bytes += waiting.bytes.count }
                return bytes < Self.commitBytes
            }
            let taken = Array(fitting)
            state.waiting.removeFirst(taken.count)
            return taken
        }
        let error = write(taken)
        for waiting in taken { waiting.done(error) }
        let isMore = state.withLock { state in
            state.isCommitting = !state.waiting.isEmpty
            return state.isCommitting
        }
        // Behind a flush that waits for its turn.
        if isMore { committing.async { [self] in commit() } }
    }

    private func write(_ taken: [Waiting]) -> (any Error)? {
        let points = taken.reduce(0) { $0 + $1.points }
        do {
            let isFull = try TrackDatabase.labelled(truth.folder) {
                try logs.withLock { logs in
                    let log = try logs.beginLog(of: truth, samplingMilliseconds: samplingMilliseconds)
                    do {
                        try log.append(taken.flatMap(\.bytes))
                        try log.synchronise()
                    } catch {
                        // What the disk has of it is not known: nothing more is written behind it.
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

    /// Moves all that was added before into the streams, and gives what became of it. Not to be called from `done`.
    @discardableResult
    public func flush() throws -> RecordingOutcome {
        try flushing.sync { try flushNow() }
    }

    /// Moves what was added, if a process that removes tracks has asked for it.
    public func flushIfAsked() {
        guard let folder = logs.withLock({ $0.folder }), folder.isFlushWanted else { return }
        flushing.sync {
            flushReporting()
            // Asked again after this, it is done again.
            if logs.withLock({ $0.closed.isEmpty }) { folder.sayFlushed() }
        }
    }

    /// Takes no more points, and moves what was added, as far as a second suffices; the rest is left to whoever opens the
    /// library next. Calls after this do nothing.
    public func stop() throws {
        let wasStopped = state.withLock { state in
            defer {
                state.isStopped = true
                state.deadline = state.deadline ?? .now + Self.stopTime
            }
            return state.isStopped
        }
        guard !wasStopped, !truth.isReadOnly else { return }
        // A flush that is under way minds the deadline, too.
        try flushing.sync { _ = try flushNow() }
        logs.withLock { logs in
            guard logs.closed.isEmpty else { return }
            logs.folder?.leave()
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
        // Behind what is being written.
        committing.sync { logs.withLock { $0.close() } }
        var outcome = RecordingOutcome()
        while let (path, points) = logs.withLock({ $0.closed.first }) {
            guard let moved = try RecordingFolder.move(path, into: truth, isLate: { isLate }) else { return outcome }
            outcome.add(moved)
            logs.withLock { logs in _ = logs.closed.removeFirst() }
            state.withLock { state in
                state.counts.buffered -= points
                state.counts.flushes += 1
            }
        }
        // Of those who have died since.
        if !isLate { try RecordingFolder.moveLeft(in: truth) { isLate } }
        return outcome
    }
}

extension RecordingBuffer.Logs {
    /// The log under way, made where there is none.
    fileprivate mutating func beginLog(
        of truth: TrackDatabase, samplingMilliseconds: Int64?
    ) throws -> AppendLog {
        if let open { return open }
        let folder = try folder ?? RecordingFolder(joining: truth.folder, samplingMilliseconds: samplingMilliseconds)
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

/// Nothing is recorded any more: the server is ending.
public struct RecordingStopped: Error, CustomStringConvertible {
    public var description: String { "the server is stopping; send the points again" }
}
