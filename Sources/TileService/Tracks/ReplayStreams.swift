import Dispatch
import HTTPCore
import Locking
import Replay

/// All replays under way, driven by one clock, and apart from listening and drawing: they read the disk, and go on for
/// hours.
final class ReplayStreams: Sendable {
    private struct State {
        var streams: [ObjectIdentifier: ReplayStream] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    private let queue = DispatchQueue(label: "tileserve.replay", qos: .utility, attributes: .concurrent)
    private let limit: Int
    private let state = Locked(State())

    /// As often as the fastest stream has frames.
    private static let tick = DispatchTimeInterval.nanoseconds(1_000_000_000 / FrameRate.rates.upperBound)
    /// When it is worth asking again after a refusal.
    private static let retryAfterSeconds = 5

    /// At most `limit` streams at once.
    init(limit: Int) {
        self.limit = limit
    }

    /// The text of Prometheus for them.
    var metricsText: String {
        MetricsText.gauge(
            "tileserve_replay_streams", "Replays under way.", state.withLock { $0.streams.count })
    }

    /// The channel of a new stream, which begins when it is opened; throws a `429` where there are too many.
    func open(_ sequence: ReplaySequence, pace: ReplayQuery.Pace) throws(Problem) -> EventChannel {
        let stream = ReplayStream(sequence, pace: pace, on: queue, seconds: Self.seconds)
        let key = ObjectIdentifier(stream)
        let isAdmitted = state.withLock { state in
            guard state.streams.count < limit else { return false }
            state.streams[key] = stream
            if state.timer == nil { state.timer = makeTimer() }
            return true
        }
        guard isAdmitted else {
            throw Problem(
                .tooManyRequests, "as many replays as this server gives are under way",
                headers: [ResponseHeader(.retryAfter, "\(Self.retryAfterSeconds)")])
        }
        stream.channel.onDemand({ [weak stream] in stream?.wake() }, closed: { [weak self] in self?.remove(key) })
        return stream.channel
    }

    private func remove(_ key: ObjectIdentifier) {
        state.withLock { state in
            state.streams[key] = nil
            // Without streams nothing ticks: an idle server sleeps.
            guard state.streams.isEmpty else { return }
            state.timer?.cancel()
            state.timer = nil
        }
    }

    private func makeTimer() -> any DispatchSourceTimer {
        let timer = DispatchSource.makeTimerSource(
            queue: DispatchQueue(label: "tileserve.replay.clock", qos: .userInteractive))
        timer.setEventHandler { [weak self] in self?.tickAll() }
        timer.schedule(deadline: .now() + Self.tick, repeating: Self.tick, leeway: .milliseconds(2))
        timer.activate()
        return timer
    }

    private func tickAll() {
        let now = Self.seconds()
        for stream in state.withLock({ Array($0.streams.values) }) { stream.tick(now) }
    }

    /// Of a clock that never goes back.
    private static func seconds() -> Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }
}
