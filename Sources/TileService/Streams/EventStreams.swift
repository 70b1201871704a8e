import Dispatch
import HTTPCore
import Locking
import Replay

/// All streams of events under way, driven by one clock, and apart from listening and drawing: they read the disk, and go
/// on for hours.
final class EventStreams: Sendable {
    private struct State {
        var streams: [ObjectIdentifier: EventStream] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    private let queue = DispatchQueue(label: "tileserve.streams", qos: .default, attributes: .concurrent)
    private let limit: Int
    private let feed: LiveFeed
    private let state = Locked(State())

    /// A frame is late by so much at most for want of a tick; looking at a thousand streams takes a hundredth of it.
    private static let tick = DispatchTimeInterval.milliseconds(5)
    /// Streams that are seen to in one go: a way through Dispatch costs as much as some events.
    private static let streamsInARow = 16
    /// When it is worth asking again after a refusal.
    private static let retryAfterSeconds = 5

    /// At most `limit` streams at once.
    init(limit: Int, feed: LiveFeed) {
        self.limit = limit
        self.feed = feed
    }

    /// The text of Prometheus for them.
    var metricsText: String {
        MetricsText.gauge(
            "tileserve_event_streams", "Replays and live streams under way.", state.withLock { $0.streams.count })
    }

    /// The channel of a new stream of a sequence at its pace, and of what happens live where `question` asks for it; it
    /// begins when it is opened. Throws a `429` where there are too many.
    func open(
        _ sequence: ReplaySequence?, pace: ReplayQuery.Pace = .max, live question: LiveReader.Question? = nil
    ) throws(Problem) -> EventChannel {
        let reader = question.map { LiveReader($0) }
        let stream = EventStream(sequence, pace: pace, live: reader, on: queue, seconds: Self.seconds)
        let key = ObjectIdentifier(stream)
        let isAdmitted = state.withLock { state in
            guard state.streams.count < limit else { return false }
            state.streams[key] = stream
            if state.timer == nil { state.timer = makeTimer() }
            return true
        }
        guard isAdmitted else {
            throw Problem(
                .tooManyRequests, "as many streams as this server gives are under way",
                headers: [ResponseHeader(.retryAfter, "\(Self.retryAfterSeconds)")])
        }
        if let reader {
            reader.onNews { [weak stream] in stream?.wake() }
            feed.add(reader)
        }
        stream.channel.onDemand(
            { [weak stream] in stream?.wake() },
            closed: { [weak self, feed] in
                if let reader { feed.remove(reader) }
                self?.remove(key)
            })
        return stream.channel
    }

    /// The library has changed: those who watch are told which tiles are others, and no replay goes on with a track that is
    /// gone.
    func adopt(_ change: TilesChange) {
        feed.publish(change)
        for stream in state.withLock({ Array($0.streams.values) }) { stream.recheck() }
    }

    private func remove(_ key: ObjectIdentifier) {
        // What it holds is let go outside of the lock.
        _ = state.withLock { state in
            let removed = state.streams.removeValue(forKey: key)
            // Without streams nothing ticks: an idle server sleeps.
            if state.streams.isEmpty {
                state.timer?.cancel()
                state.timer = nil
            }
            return removed
        }
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(
            queue: DispatchQueue(label: "tileserve.streams.clock", qos: .default))
        timer.setEventHandler { [weak self] in self?.tickAll() }
        timer.schedule(deadline: .now() + Self.tick, repeating: Self.tick, leeway: .milliseconds(1))
        timer.activate()
        return timer
    }

    private func tickAll() {
        let now = Self.seconds()
        let ready = state.withLock { Array($0.streams.values) }.filter { $0.isToProceed(now) }
        for start in stride(from: 0, to: ready.count, by: Self.streamsInARow) {
            let some = ready[start..<min(start + Self.streamsInARow, ready.count)]
            queue.async { for stream in some { stream.proceed() } }
        }
    }

    /// Of a clock that never goes back.
    private static func seconds() -> Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }
}
