import Dispatch
import HTTPCore
import Locking
import Replay

/// The event stream of one client: a replay at its pace, live events as they happen, or both.
///
/// A slow client holds back a replay without pace; of a paced replay it receives only newer frames, and of live points
/// the newest of each device.
final class EventStream: Sendable {
    private struct State: Sendable {
        /// nil if nothing is, or remains to be, played.
        var sequence: (any PlayedEvents)?
        var next: ReplayEvent?
        /// Track time in milliseconds up to and including `next`.
        var played: Int64 = 0
        /// When the stream began; nil before.
        var started: Double?
        var lastWritten = 0.0
        /// Frames that came too late, the newest of each track, in order of arrival.
        var late: [ReplayEvent] = []
        var isOver = false
        /// Events not yet handed to the channel.
        var output: [UInt8] = []
    }

    /// Whether a thread is working on the stream: only one at a time, and no other waits for it.
    private enum Activity {
        case idle, busy
        /// More work may have arrived since the working thread last checked.
        case busyAgain
    }

    let channel = EventChannel()
    private let queue: DispatchQueue
    private let seconds: @Sendable () -> Double
    private let rate: FrameRate?
    private let live: LiveReader?
    /// Used only by the working thread.
    private let state: Locked<State>
    private let activity = Locked(Activity.idle)
    private let mayBeOutdated = Locked(false)
    /// When there is work without a wake-up; nil while a thread is working, or until the client wakes the stream.
    private let due = Locked<Double?>(nil)

    /// If the response is not being sent within this time, it never will be.
    private static let openTimeoutSeconds = 10.0
    /// After this time without an event, a comment is sent, because some proxies drop connections that are silent for
    /// longer (the interval that HTML, 9.2.7, recommends).
    static let keepAliveSeconds = 15.0
    /// Limit of events per turn, so that other streams get their turn.
    private static let eventsPerTurn = 2000
    /// Bytes handed to the channel at once.
    private static let writeBytes = 8 * 1024
    /// Without pace: approximate bytes handed to the channel at once, the size of most events, and the limit of blocks
    /// per turn.
    private static let blockBytes = 16 * 1024
    private static let eventBytes = 512
    private static let blocksPerTurn = 32
    /// With this many bytes waiting in the channel, live events stay in their reader, where they can be skipped.
    private static let liveByteLimit = 16 * 1024
    /// After a disconnect, the client reconnects after this many milliseconds.
    private static let retry = Array("retry: 2000\n\n".utf8)
    private static let comment = Array(":\n\n".utf8)

    /// A stream of a sequence at its pace, of live events, or of both; without live events it ends with the sequence.
    ///
    /// Its work is done on `queue`, which may be concurrent; `seconds` is a monotonic clock.
    init(
        _ sequence: (any PlayedEvents)?, pace: ReplayQuery.Pace = .max, live: LiveReader? = nil,
        on queue: DispatchQueue,
        seconds: @escaping @Sendable () -> Double
    ) {
        self.queue = queue
        self.seconds = seconds
        self.live = live
        if case .steady(let rate) = pace { self.rate = rate } else { rate = nil }
        state = Locked(State(sequence: sequence))
        let created = seconds()
        due.withLock { $0 = created + Self.openTimeoutSeconds }
    }

    // MARK: Turns

    /// Whether something is due; if true, the caller must call `proceed` next.
    func claimIfDue(_ now: Double) -> Bool {
        let isDue = due.withLock { due in
            guard let instant = due, instant <= now else { return false }
            due = nil
            return true
        }
        guard isDue else { return false }
        // A client that disconnected before its response never opens the channel.
        guard channel.isOpened else {
            channel.close()
            return false
        }
        return claim()
    }

    /// Continues, because the channel has room or there are new events.
    func wake() {
        // Before the channel is opened nobody reads; opening it wakes the stream.
        guard channel.isOpened, claim() else { return }
        queue.async { [self] in proceed() }
    }

    /// The library has changed: discards what is held of tracks that were removed or changed.
    func recheck() {
        mayBeOutdated.withLock { $0 = true }
        wake()
    }

    private func claim() -> Bool {
        activity.withLock { activity in
            defer { activity = activity == .idle ? .busy : .busyAgain }
            return activity == .idle
        }
    }

    /// Does the work that is due, for the caller that has claimed it.
    func proceed() {
        let isMore = state.withLock { proceed(&$0) }
        let isAgain = activity.withLock { activity in
            let isAgain = isMore || activity == .busyAgain
            activity = isAgain ? .busy : .idle
            return isAgain
        }
        if isAgain { queue.async { [self] in proceed() } }
    }

    // MARK: Events

    /// Writes what is due; true if there may be more at once.
    private func proceed(_ state: inout State) -> Bool {
        guard !state.isOver, !channel.isClosed else { return false }
        let now = seconds()
        if state.started == nil {
            state.started = now
            write(Self.retry, now, &state)
        }
        do {
            try discardOutdated(&state)
            writeLive(now, &state)
            let isMore = try play(now, &state)
            flush(&state)
            if state.isOver { channel.end() }
            return isMore
        } catch {
            // The data cannot be read. Without an `end` event, the client connects again with its cursor, and then
            // receives the error as the response.
            state = State(sequence: nil, isOver: true)
            channel.close()
            return false
        }
    }

    /// Discards what is held of tracks that have changed.
    private func discardOutdated(_ state: inout State) throws {
        let mayBeOutdated = mayBeOutdated.withLock { mayBe in
            defer { mayBe = false }
            return mayBe
        }
        guard mayBeOutdated, try state.sequence?.recheck() == true else { return }
        // The event that was taken already is read again, and counted again.
        state.played -= state.next?.advanceMilliseconds ?? 0
        state.next = nil
        state.late = []
    }

    /// Writes live events, as long as the client keeps up.
    private func writeLive(_ now: Double, _ state: inout State) {
        guard let live else { return }
        let room = Self.liveByteLimit - channel.bytesWaiting
        // What does not fit is requested when the client has read some.
        while state.output.count < room, let bytes = live.take() { write(bytes, now, &state) }
    }

    private func play(_ now: Double, _ state: inout State) throws -> Bool {
        guard rate != nil else { return try playUnpaced(now, &state) }
        for _ in 0..<Self.eventsPerTurn {
            if state.output.count >= Self.writeBytes { flush(&state) }
            if channel.isFull {
                // Requested again when the client has read some.
                wait(until: nil)
                return false
            }
            guard let event = try nextEvent(&state) else {
                finish(now, &state)
                return false
            }
            let due = due(&state)
            guard due <= now else {
                writeLate(&state, now)
                keepAlive(&state, now)
                wait(until: min(due, state.lastWritten + Self.keepAliveSeconds))
                return false
            }
            state.next = nil
            take(event, due: due, now, &state)
        }
        return true
    }

    /// Writes as much as the client reads, a block at a time, because checking the channel costs as much as an event.
    private func playUnpaced(_ now: Double, _ state: inout State) throws -> Bool {
        for _ in 0..<Self.blocksPerTurn {
            guard !channel.isFull else {
                wait(until: nil)
                return false
            }
            if state.sequence != nil { state.output.reserveCapacity(Self.blockBytes + Self.eventBytes) }
            while state.output.count < Self.blockBytes {
                guard let event = try state.sequence?.next() else {
                    finish(now, &state)
                    return false
                }
                event.writeServerSent(to: &state.output)
            }
            state.lastWritten = now
            flush(&state)
        }
        return true
    }

    /// Ends the replay, and the stream unless live events follow.
    private func finish(_ now: Double, _ state: inout State) {
        writeLate(&state, now)
        state.sequence = nil
        state.isOver = live == nil
        keepAlive(&state, now)
        wait(until: state.isOver ? nil : state.lastWritten + Self.keepAliveSeconds)
    }

    private func wait(until instant: Double?) {
        due.withLock { $0 = instant }
    }

    /// The next event of the replay; nil at its end. Throws if the data cannot be read.
    private func nextEvent(_ state: inout State) throws -> ReplayEvent? {
        if let event = state.next { return event }
        guard let event = try state.sequence?.next() else { return nil }
        state.played += event.advanceMilliseconds
        state.next = event
        return event
    }

    /// When the next event is due, in seconds of the clock.
    private func due(_ state: inout State) -> Double {
        guard let rate, let started = state.started else { return 0 }
        // Milliseconds divided by thousandths are seconds.
        return started + Double(state.played) / Double(rate.speedThousandths)
    }

    private func take(_ event: ReplayEvent, due: Double, _ now: Double, _ state: inout State) {
        if let rate, event.isFrame {
            state.late.removeAll { $0.track == event.track }
            // If the next frame of the track is due as well, it replaces this one.
            guard now - due < 1 / Double(rate.framesPerSecond) else {
                state.late.append(event)
                return
            }
        }
        writeLate(&state, now)
        event.writeServerSent(to: &state.output)
        state.lastWritten = now
    }

    private func writeLate(_ state: inout State, _ now: Double) {
        guard !state.late.isEmpty else { return }
        for event in state.late { event.writeServerSent(to: &state.output) }
        state.lastWritten = now
        state.late = []
    }

    private func keepAlive(_ state: inout State, _ now: Double) {
        if !state.isOver, now - state.lastWritten >= Self.keepAliveSeconds { write(Self.comment, now, &state) }
    }

    private func write(_ bytes: [UInt8], _ now: Double, _ state: inout State) {
        state.output += bytes
        state.lastWritten = now
    }

    /// Hands the written events to the channel.
    private func flush(_ state: inout State) {
        if !state.output.isEmpty { channel.write(state.output) }
        // Frees the memory: nothing is held for a client between its events.
        state.output = []
    }
}
