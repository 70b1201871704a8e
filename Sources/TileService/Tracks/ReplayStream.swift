import Dispatch
import HTTPCore
import Locking
import Replay

/// One replay on its way to a reader: takes events from the sequence when they are due, and writes them into a channel.
///
/// A reader that is slow holds back a replay without pace; of a paced one it gets newer frames only.
final class ReplayStream: Sendable {
    private struct State: Sendable {
        var sequence: ReplaySequence
        var next: ReplayEvent?
        /// Milliseconds of the tracks' time up to and with `next`.
        var played: Int64 = 0
        /// When it began; nil before.
        var started: Double?
        var lastWritten = 0.0
        /// Frames that came too late, the newest of each track in the order of their coming.
        var late: [ReplayEvent] = []
        var isOver = false
    }

    let channel = EventChannel()
    private let queue: DispatchQueue
    private let seconds: @Sendable () -> Double
    private let rate: FrameRate?
    /// Touched on `queue` alone.
    private let state: Locked<State>
    /// When there is something to do without being asked; nil while somebody is at it, or when the reader has to ask.
    private let due = Locked<Double?>(nil)
    private let created: Double

    /// Within so many seconds its answer has begun to be sent, or never will be.
    private static let openingSeconds = 10.0
    /// After so much silence a comment says that the stream is alive.
    static let silenceSeconds = 15.0
    /// Events after which others have their turn.
    private static let eventsInARow = 2000
    /// After how many milliseconds a reader that was cut off comes back.
    private static let retry = Array("retry: 2000\n\n".utf8)
    private static let comment = Array(":\n\n".utf8)

    init(
        _ sequence: ReplaySequence, pace: ReplayQuery.Pace, on queue: DispatchQueue,
        seconds: @escaping @Sendable () -> Double
    ) {
        self.queue = DispatchQueue(label: "tileserve.replay.stream", target: queue)
        self.seconds = seconds
        if case .steady(let rate) = pace { self.rate = rate } else { rate = nil }
        state = Locked(State(sequence: sequence))
        created = seconds()
        due.withLock { $0 = created + Self.openingSeconds }
    }

    /// Goes on if something is due.
    func tick(_ now: Double) {
        let isDue = due.withLock { due in
            guard let instant = due, instant <= now else { return false }
            due = nil
            return true
        }
        guard isDue else { return }
        // A reader that went away before its answer came never opens the channel.
        if channel.isOpened { wake() } else { channel.close() }
    }

    /// Goes on: there is room in the channel.
    func wake() {
        queue.async { [self] in
            if state.withLock({ proceed(&$0) }) { wake() }
        }
    }

    /// Writes what is due; true where there may be more at once.
    private func proceed(_ state: inout State) -> Bool {
        guard !state.isOver, !channel.isClosed else { return false }
        let now = seconds()
        if state.started == nil {
            state.started = now
            write(Self.retry, now, &state)
        }
        for _ in 0..<Self.eventsInARow {
            if channel.isFull {
                // Asked for when the reader has taken some.
                wait(until: nil)
                return false
            }
            guard let event = nextEvent(&state) else {
                writeLate(&state, now)
                wait(until: nil)
                state.isOver = true
                channel.end()
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

    private func wait(until instant: Double?) {
        due.withLock { $0 = instant }
    }

    private func nextEvent(_ state: inout State) -> ReplayEvent? {
        if let event = state.next { return event }
        // An error of the disk ends the stream without an `end`: the reader comes back, and is told then.
        guard let event = try? state.sequence.next() else { return nil }
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
        write(event.serverSentBytes, now, &state)
    }

    private func writeLate(_ state: inout State, _ now: Double) {
        for event in state.late { write(event.serverSentBytes, now, &state) }
        state.late = []
    }

    private func keepAlive(_ state: inout State, _ now: Double) {
        if now - state.lastWritten >= Self.silenceSeconds { write(Self.comment, now, &state) }
    }

    private func write(_ bytes: [UInt8], _ now: Double, _ state: inout State) {
        channel.write(bytes)
        state.lastWritten = now
    }
}

extension ReplayEvent {
    /// As `text/event-stream` has it.
    var serverSentBytes: [UInt8] {
        Array("id:\(id.isEmpty ? "" : " ")\(id)\nevent: \(name.rawValue)\ndata: ".utf8) + data + Array("\n\n".utf8)
    }
}
