import Dispatch
import HTTPCore
import Locking
import Replay

/// One reader's stream of events: what a replay has when it is due, what happens live when it happens, or both.
///
/// A reader that is slow holds back a replay without pace; of a paced one it gets newer frames only, and of what happens
/// live the newest of each device.
final class EventStream: Sendable {
    private struct State: Sendable {
        /// nil where nothing is, or remains to be, played.
        var sequence: ReplaySequence?
        var next: ReplayEvent?
        /// Milliseconds of the tracks' time up to and with `next`.
        var played: Int64 = 0
        /// When it began; nil before.
        var started: Double?
        var lastWritten = 0.0
        /// Frames that came too late, the newest of each track in the order of their coming.
        var late: [ReplayEvent] = []
        var isOver = false
        /// Events on their way into the channel.
        var output: [UInt8] = []
    }

    /// Whether somebody is at it: one at a time, and none waits for another.
    private enum Activity {
        case idle, busy
        /// There is more to do than whoever is at it may have seen.
        case busyAgain
    }

    let channel = EventChannel()
    private let queue: DispatchQueue
    private let seconds: @Sendable () -> Double
    private let rate: FrameRate?
    private let live: LiveReader?
    /// Touched by whoever is at it alone.
    private let state: Locked<State>
    private let activity = Locked(Activity.idle)
    private let mayBeOutdated = Locked(false)
    /// When there is something to do without being asked; nil while somebody is at it, or when the reader has to ask.
    private let due = Locked<Double?>(nil)

    /// Within so many seconds its answer has begun to be sent, or never will be.
    private static let openingSeconds = 10.0
    /// After so much silence a comment says that the stream is alive.
    static let silenceSeconds = 15.0
    /// Events after which others have their turn.
    private static let eventsInARow = 2000
    /// Bytes that are handed to the channel at once.
    private static let writtenAtOnce = 8 * 1024
    /// Without pace, bytes that are handed to the channel at once, about; what most events take; and blocks after which
    /// others have their turn.
    private static let blockBytes = 16 * 1024
    private static let eventBytes = 512
    private static let blocksInARow = 32
    /// With so many bytes waiting, what happens live waits where it can be thinned out.
    private static let mostLiveBytes = 16 * 1024
    /// After how many milliseconds a reader that was cut off comes back.
    private static let retry = Array("retry: 2000\n\n".utf8)
    private static let comment = Array(":\n\n".utf8)

    /// A stream of a sequence at its pace, of what happens live, or of both; it ends with the sequence where that is all.
    /// Its work is done on `queue`, which may be concurrent; `seconds` is a clock that never goes back.
    init(
        _ sequence: ReplaySequence?, pace: ReplayQuery.Pace = .max, live: LiveReader? = nil, on queue: DispatchQueue,
        seconds: @escaping @Sendable () -> Double
    ) {
        self.queue = queue
        self.seconds = seconds
        self.live = live
        if case .steady(let rate) = pace { self.rate = rate } else { rate = nil }
        state = Locked(State(sequence: sequence))
        let created = seconds()
        due.withLock { $0 = created + Self.openingSeconds }
    }

    // MARK: Turns

    /// Whether something is due; who is told so has to call `proceed` next.
    func isToProceed(_ now: Double) -> Bool {
        let isDue = due.withLock { due in
            guard let instant = due, instant <= now else { return false }
            due = nil
            return true
        }
        guard isDue else { return false }
        // A reader that went away before its answer came never opens the channel.
        guard channel.isOpened else {
            channel.close()
            return false
        }
        return claim()
    }

    /// Goes on: there is room in the channel, or news.
    func wake() {
        // Before it is opened nobody reads; then it is woken.
        guard channel.isOpened, claim() else { return }
        queue.async { [self] in proceed() }
    }

    /// The library has changed: what is held of tracks that are gone, or others, is let go.
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

    /// Does what is due, for whoever was told to.
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

    /// Writes what is due; true where there may be more at once.
    private func proceed(_ state: inout State) -> Bool {
        guard !state.isOver, !channel.isClosed else { return false }
        let now = seconds()
        if state.started == nil {
            state.started = now
            write(Self.retry, now, &state)
        }
        letGo(&state)
        tellNews(now, &state)
        let isMore = play(now, &state)
        hand(&state)
        if state.isOver { channel.end() }
        return isMore
    }

    /// Lets go of what is held of tracks that are not as they were.
    private func letGo(_ state: inout State) {
        let mayBeOutdated = mayBeOutdated.withLock { mayBe in
            defer { mayBe = false }
            return mayBe
        }
        // What cannot be read now ends the stream when it is read on.
        guard mayBeOutdated, (try? state.sequence?.recheck()) == true else { return }
        state.played -= state.next?.advanceMilliseconds ?? 0
        state.next = nil
        state.late = []
    }

    /// Writes what has happened live, as long as the reader keeps up.
    private func tellNews(_ now: Double, _ state: inout State) {
        guard let live else { return }
        let room = Self.mostLiveBytes - channel.bytesWaiting
        // What does not fit is asked for when the reader has taken some.
        while state.output.count < room, let bytes = live.take() { write(bytes, now, &state) }
    }

    private func play(_ now: Double, _ state: inout State) -> Bool {
        guard rate != nil else { return playUnpaced(now, &state) }
        for _ in 0..<Self.eventsInARow {
            if state.output.count >= Self.writtenAtOnce { hand(&state) }
            if channel.isFull {
                // Asked for when the reader has taken some.
                wait(until: nil)
                return false
            }
            guard let event = nextEvent(&state) else {
                finish(now, &state)
                return false
            }
            let due = due(&state)
            guard due <= now else {
                writeLate(&state, now)
                keepAlive(&state, now)
                wait(until: min(due, state.lastWritten + Self.silenceSeconds))
                return false
            }
            state.next = nil
            take(event, due: due, now, &state)
        }
        return true
    }

    /// Writes as much as the reader takes, a block at a time: a look at the channel costs as much as an event.
    private func playUnpaced(_ now: Double, _ state: inout State) -> Bool {
        for _ in 0..<Self.blocksInARow {
            guard !channel.isFull else {
                wait(until: nil)
                return false
            }
            if state.sequence != nil { state.output.reserveCapacity(Self.blockBytes + Self.eventBytes) }
            while state.output.count < Self.blockBytes {
                guard let event = try? state.sequence?.next() else {
                    finish(now, &state)
                    return false
                }
                event.writeServerSent(to: &state.output)
            }
            state.lastWritten = now
            hand(&state)
        }
        return true
    }

    /// Nothing remains to be played.
    private func finish(_ now: Double, _ state: inout State) {
        writeLate(&state, now)
        state.sequence = nil
        state.isOver = live == nil
        keepAlive(&state, now)
        wait(until: state.isOver ? nil : state.lastWritten + Self.silenceSeconds)
    }

    private func wait(until instant: Double?) {
        due.withLock { $0 = instant }
    }

    private func nextEvent(_ state: inout State) -> ReplayEvent? {
        if let event = state.next { return event }
        // An error of the disk ends the stream without an `end`: the reader comes back, and is told then.
        guard let event = try? state.sequence?.next() else { return nil }
        state.played += event.advanceMilliseconds
        state.next = event
        return event
    }

    /// When the next event should be seen.
    private func due(_ state: inout State) -> Double {
        guard let rate, let started = state.started else { return 0 }
        return started + Double(state.played) / Double(rate.speedThousandths)
    }

    private func take(_ event: ReplayEvent, due: Double, _ now: Double, _ state: inout State) {
        if let rate, event.isFrame {
            state.late.removeAll { $0.track == event.track }
            // A frame whose successor is due as well waits for it, and gives way to it.
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
        if !state.isOver, now - state.lastWritten >= Self.silenceSeconds { write(Self.comment, now, &state) }
    }

    private func write(_ bytes: [UInt8], _ now: Double, _ state: inout State) {
        state.output += bytes
        state.lastWritten = now
    }

    /// Hands what was written to the channel.
    private func hand(_ state: inout State) {
        if !state.output.isEmpty { channel.write(state.output) }
        // Nothing is held for a reader between his events.
        state.output = []
    }
}
