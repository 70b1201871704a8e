import Dispatch
package import HTTPCore
import Locking
package import Replay

/// All event streams, driven by one clock on queues apart from listening and drawing, because they read the disk and
/// last for hours.
package final class EventStreams: Sendable {
    private struct State {
        var streams: [ObjectIdentifier: EventStream] = [:]
        var timer: (any DispatchSourceTimer)?
    }

    // Not the class of the listener's queue, whose threads this work would take.
    private let queue = DispatchQueue(label: "tileserve.streams", qos: .default, attributes: .concurrent)
    private let limit: Int
    private let feed: LiveFeed
    private let state = Locked(State())

    /// The greatest delay of a frame due to the clock. Checking a thousand streams takes a hundredth of it.
    private static let tick = DispatchTimeInterval.milliseconds(5)
    /// Streams handled by one Dispatch block, because a block costs as much as some events.
    private static let streamsPerBlock = 16
    /// Seconds after which a refused client may retry.
    private static let retryAfterSeconds = 5

    /// At most `limit` streams at once.
    package init(limit: Int, feed: LiveFeed) {
        self.limit = limit
        self.feed = feed
    }

    /// How many streams are open.
    package var openCount: Int { state.withLock { $0.streams.count } }

    /// The channel of a new stream of a sequence at its pace, and of live events if `subscription` is given; the stream
    /// begins when the channel is opened. Throws a `429` if there are too many streams.
    package func open(
        _ sequence: (any PlayedEvents)?, pace: ReplayQuery.Pace = .max,
        live subscription: LiveReader.Subscription? = nil
    ) throws(Problem) -> EventChannel {
        let reader = subscription.map { LiveReader($0) }
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
                .tooManyRequests, "the limit of simultaneous streams is reached; try again later",
                headers: [ResponseHeader(.retryAfter, "\(Self.retryAfterSeconds)")])
        }
        if let reader {
            reader.onAvailable { [weak stream] in stream?.wake() }
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

    /// The library has changed: publishes which tiles have changed, and stops replays from continuing with removed
    /// tracks.
    package func adopt(_ change: TilesChange) {
        feed.publish(change)
        recheck()
    }

    /// What streams play may have changed.
    package func recheck() {
        for stream in state.withLock({ Array($0.streams.values) }) { stream.recheck() }
    }

    /// Recordings were removed: their last positions are not sent to new readers any more.
    package func forgetPositions() {
        feed.forgetNewest()
    }

    private func remove(_ key: ObjectIdentifier) {
        // What it holds is freed outside of the lock.
        _ = state.withLock { state in
            let removed = state.streams.removeValue(forKey: key)
            // Without streams there is no timer, so that an idle server sleeps.
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
        let ready = state.withLock { Array($0.streams.values) }.filter { $0.claimIfDue(now) }
        // The clock's own queue only finds out what is due, so that a stream that reads the disk delays no other one.
        for start in stride(from: 0, to: ready.count, by: Self.streamsPerBlock) {
            let some = ready[start..<min(start + Self.streamsPerBlock, ready.count)]
            queue.async { for stream in some { stream.proceed() } }
        }
    }

    /// A monotonic clock.
    private static func seconds() -> Double {
        Double(DispatchTime.now().uptimeNanoseconds) / 1e9
    }
}
