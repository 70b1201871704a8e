internal import Dispatch
internal import Locking
package import PrimaryStore
import Text
public import Tracks

/// Keeps recorded points durable until they are moved into the streams of their devices.
///
/// Points are appended to a segment of a `RecordingLog`. All points that arrive during an fsync are written with the
/// next one. A flush begins a new segment and moves the old one, so that adding and flushing never use the same segment.
/// What a killed process left is moved by the next process that opens a buffer or removes tracks. It may be used from
/// any thread.
public final class RecordingBuffer: Sendable {
    /// The counters of a buffer.
    public struct Counts: Sendable, Equatable {
        /// Points that are not in the streams yet.
        public var buffered = 0
        /// Points made durable since the start.
        public var recorded = 0
        /// Number of fsyncs since the start.
        public var commits = 0
        /// Number of segments moved since the start.
        public var flushes = 0
    }

    /// A segment of this size is flushed without waiting for the flush period: some hundred thousand points, a second's
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

    /// What was written and is not moved yet.
    private struct Segments {
        /// This process's session, begun with the first point: before that, other processes need not wait for a flush
        /// of this one. Used only on `committing`.
        var session: (any RecordingSession)?
        var pointsInCurrent = 0
        var sealed: [(segment: any RecordedSegment, points: Int)] = []
    }

    private let database: TrackDatabase
    private let log: any RecordingLog
    private let samplingMilliseconds: Int64?
    private let report: @Sendable (any Error) -> Void
    private let state = Locked(State())
    private let segments = Locked(Segments())
    private let committing = DispatchQueue(label: "tileserve.recording", qos: .utility)
    private let flushing = DispatchQueue(label: "tileserve.flushing", qos: .utility)

    /// The buffer of a library with its recording log; moves what killed processes left.
    ///
    /// `samplingMilliseconds` is the period of which one point per device is kept; nil keeps all. `report` gets errors
    /// that no caller receives.
    package init(
        database: TrackDatabase, log: any RecordingLog, samplingMilliseconds: Int64? = nil,
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) {
        self.database = database
        self.log = log
        self.samplingMilliseconds = samplingMilliseconds
        self.report = report
        // What cannot be moved now stays, and every flush tries again.
        if !database.isReadOnly { flushReporting() }
    }

    /// The current counters.
    public var counts: Counts { state.withLock { $0.counts } }

    /// Adds points; calls `done` when they are durable (they survive a crash and a power failure), or with the error.
    ///
    /// `done` runs on the queue that writes segments and must not block.
    public func add(_ points: [RecordedPoints], done: @escaping @Sendable ((any Error)?) -> Void) {
        // Encoded by the caller, so that the queue has nothing to do but to write.
        let bytes = RecordedPoints.log(of: points)
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
        let error = tryToWrite(batch)
        guard error != nil, forgetLostSession() else { return error }
        return tryToWrite(batch)
    }

    /// Forgets a session that was taken over by another process; false if there is none.
    private func forgetLostSession() -> Bool {
        let lost = segments.withLock { segments -> Int? in
            guard segments.session?.isLost == true else { return nil }
            let points = segments.pointsInCurrent + segments.sealed.reduce(0) { $0 + $1.points }
            segments = Segments()
            return points
        }
        guard let lost else { return false }
        state.withLock { $0.counts.buffered -= lost }
        return true
    }

    private func tryToWrite(_ batch: [PendingWrite]) -> (any Error)? {
        let points = batch.reduce(0) { $0 + $1.points }
        do {
            let session = try beginSession()
            let segmentBytes: Int
            do {
                segmentBytes = try session.append(batch.flatMap(\.bytes))
            } catch {
                // It is unknown how much of it is on disk, so nothing more is appended to it.
                seal()
                throw error
            }
            segments.withLock { $0.pointsInCurrent += points }
            state.withLock { state in
                state.counts.commits += 1
                state.counts.recorded += points
                state.counts.buffered += points
            }
            if segmentBytes >= Self.flushBytes { flushing.async { [self] in flushReporting() } }
            return nil
        } catch {
            return error
        }
    }

    private func beginSession() throws -> any RecordingSession {
        if let session = segments.withLock({ $0.session }) { return session }
        let session = try log.begin(samplingMilliseconds: samplingMilliseconds) { [weak self] in
            self?.moveAll() ?? false
        }
        segments.withLock { $0.session = session }
        return session
    }

    private func seal() {
        guard let sealed = segments.withLock({ $0.session })?.seal() else { return }
        segments.withLock { segments in
            segments.sealed.append((sealed, segments.pointsInCurrent))
            segments.pointsInCurrent = 0
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
        guard let session = segments.withLock({ $0.session }), session.isFlushRequested else { return }
        // If another request comes after this, it is served again.
        if moveAll() { session.reportFlushed() }
    }

    /// Moves all points added so far; false if that failed.
    private func moveAll() -> Bool {
        flushing.sync {
            flushReporting()
            return segments.withLock { $0.sealed.isEmpty }
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
        committing.sync {
            let done = segments.withLock { segments -> (any RecordingSession)? in
                guard segments.sealed.isEmpty, segments.pointsInCurrent == 0 else { return nil }
                defer { segments.session = nil }
                return segments.session
            }
            done?.end()
        }
    }

    private func flushReporting() {
        do {
            try flushNow()
        } catch {
            report(error)
        }
    }

    private var isPastDeadline: Bool {
        state.withLock { $0.deadline }.map { ContinuousClock.now > $0 } ?? false
    }

    @discardableResult
    private func flushNow() throws -> RecordingOutcome {
        // After the writes in progress.
        committing.sync {
            _ = forgetLostSession()
            seal()
        }
        var outcome = RecordingOutcome()
        var failed = 0
        var failure: (any Error)?
        while let (segment, points) = segments.withLock({ $0.sealed.dropFirst(failed).first }) {
            do {
                guard let moved = try database.move(segment, isPastDeadline: { isPastDeadline }) else { break }
                outcome.add(moved)
            } catch let error as LibraryError where !error.concernsAllData {
                // It stays for the next flush; the others follow.
                failure = failure ?? error
                failed += 1
                continue
            }
            segments.withLock { segments in _ = segments.sealed.remove(at: failed) }
            state.withLock { state in
                state.counts.buffered -= points
                state.counts.flushes += 1
            }
        }
        // Segments of processes that were killed since.
        if !isPastDeadline {
            do {
                try database.moveAbandoned(of: log) { isPastDeadline }
            } catch {
                failure = failure ?? error
            }
        }
        if let failure { throw failure }
        return outcome
    }
}

/// Points are no longer accepted because the server is stopping.
public struct RecordingStopped: Error, CustomStringConvertible {
    public var description: String { "the server is stopping; send the points again" }
}
