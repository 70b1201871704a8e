import Dispatch
import HTTPCore
import Locking
import Recording
import TrackStore
import Tracks

/// Takes what devices record: makes it durable, shows it to whoever watches, and moves it into the library from time to time.
///
/// Reading bodies is done on a queue of its own, writing on the buffer's: nothing of it on the listening queue.
final class Recorder: Sendable {
    /// Who sends points, and in which words.
    struct Sender: Sendable {
        var format: RecordingFormat
        /// The device that the path names.
        var device: String?
        var caller: Caller
    }

    private let buffer: RecordingBuffer
    private let flushMilliseconds: Int64
    private let feed: LiveFeed
    private let report: @Sendable (any Error) -> Void
    private let show: @Sendable () throws -> Void
    private let reading = DispatchQueue(label: "tileserve.recorded", qos: .userInitiated, attributes: .concurrent)
    private let flushing = DispatchQueue(label: "tileserve.recorder", qos: .utility)
    private let timer = Locked<(any DispatchSourceTimer)?>(nil)
    private let nextFlush = Locked(ContinuousClock.now)
    /// What went wrong last; the same is told once.
    private let trouble = Locked<String?>(nil)
    private let refused: [RecordingFormat: Tally]
    private let accepted: [RecordingFormat: Tally]

    /// Others who remove tracks wait for a flush: they are not to wait long.
    private static let lookMilliseconds = 100

    /// A recorder into a library's truth; `feed` hears of every point, and `show` makes tiles show what was moved.
    init(
        truth: TruthStore, settings: RecordingSettings, feed: LiveFeed, report: @escaping @Sendable (any Error) -> Void,
        show: @escaping @Sendable () throws -> Void
    ) {
        buffer = RecordingBuffer(
            truth: truth, samplingMilliseconds: settings.samplingMilliseconds, report: report)
        flushMilliseconds = settings.flushMilliseconds
        self.feed = feed
        self.report = report
        self.show = show
        refused = Dictionary(uniqueKeysWithValues: RecordingFormat.allCases.map { ($0, Tally()) })
        accepted = Dictionary(uniqueKeysWithValues: RecordingFormat.allCases.map { ($0, Tally()) })
    }

    /// How many points wait to be moved, were made durable, and were refused.
    var counts: (buffered: Int, recorded: Int, refused: Int) {
        let counts = buffer.counts
        return (counts.buffered, counts.recorded, refused.values.reduce(0) { $0 + $1.count })
    }

    /// Flushes from time to time from now on.
    func start() {
        nextFlush.withLock { $0 = .now + .milliseconds(flushMilliseconds) }
        let timer = DispatchSource.makeTimerSource(queue: flushing)
        timer.schedule(deadline: .now(), repeating: .milliseconds(Self.lookMilliseconds))
        timer.setEventHandler { [weak self] in self?.look() }
        self.timer.withLock { $0 = timer }
        timer.resume()
    }

    /// Takes no more points, and moves those that wait into the library.
    func stop() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
        do {
            try buffer.stop()
        } catch {
            // They are on the disk, and moved by the next server.
            report(error)
        }
    }

    private func look() {
        buffer.flushIfAsked()
        let isTime = nextFlush.withLock { next in
            guard ContinuousClock.now >= next else { return false }
            next = .now + .milliseconds(flushMilliseconds)
            return true
        }
        guard isTime else { return }
        do {
            try buffer.flush()
        } catch {
            report(error)
        }
    }

    // MARK: What requests want

    /// Records what a request brings; `acknowledge` makes the answer once it survives a loss of power.
    func record(
        _ request: RecordingRequest, from sender: Sender,
        acknowledge: @escaping @Sendable (RecordingBatch) throws -> Response
    ) -> Answer {
        .deferred(
            Deferred { [self] completion in
                reading.async { [self] in
                    do {
                        let batch = try sender.format.read(request)
                        let points = try recorded(batch, from: sender)
                        let response = try acknowledge(batch)
                        refused[sender.format]?.add(batch.refusedPoints)
                        guard !points.isEmpty else { return completion(.response(response)) }
                        buffer.add(points) { [self] error in
                            if let error { return completion(.response(unstored(error))) }
                            trouble.withLock { $0 = nil }
                            accepted[sender.format]?.add(batch.points)
                            completion(.response(response))
                            feed.publish(points: points)
                        }
                    } catch let fault as RecordingFault {
                        refused[sender.format]?.add()
                        completion(.response(Problem.badRequest(fault.description).response))
                    } catch {
                        completion(.response(Problem.response(to: error)))
                    }
                }
                return .none
            })
    }

    /// Moves all that waits into the library, and answers when tiles show it.
    func flush() -> Answer {
        .deferred(
            Deferred { [self] completion in
                flushing.async { [self] in
                    do {
                        let outcome = try buffer.flush()
                        try show()
                        completion(.response(try JSONAnswer.response(Flushed(outcome))))
                    } catch {
                        completion(.response(unstored(error)))
                    }
                }
                return .none
            })
    }

    private struct Flushed: Encodable {
        var points: Int
        var duplicates: Int
        var tracks: Int

        init(_ outcome: RecordingOutcome) {
            points = outcome.points
            duplicates = outcome.duplicatePoints
            tracks = outcome.newTracks
        }
    }

    /// Whose points they are: a recorder's token says it, else the path, else the app.
    private func recorded(_ batch: RecordingBatch, from sender: Sender) throws -> [RecordedPoints] {
        var person: String?
        var known = sender.device
        if case .recorder(let device, let owner) = sender.caller {
            person = owner
            known = device ?? known
        }
        return batch.devices.flatMap { device in
            device.chunks.map {
                RecordedPoints(
                    person: person, device: known ?? device.name ?? sender.format.source,
                    source: sender.format.source, points: $0)
            }
        }
    }

    private func unstored(_ error: any Error) -> Response {
        let text = "\(error)"
        let isNew = trouble.withLock { trouble in
            defer { trouble = text }
            return trouble != text
        }
        if isNew, !(error is RecordingStopped) { report(error) }
        return Problem.unavailable(
            "the points could not be stored; send them again", retryAfterSeconds: Health.retryAfterSeconds
        ).response
    }

    /// The text of Prometheus for it.
    var metricsText: String {
        let counts = buffer.counts
        return MetricsText.gauge(
            "tileserve_recording_buffered_points", "Points recorded and not moved into the library yet.",
            counts.buffered)
            + MetricsText.counter(
                "tileserve_recording_commits_total", "Times that points were pressed onto the disk.", counts.commits)
            + MetricsText.counter(
                "tileserve_recording_flushes_total", "Logs of points moved into the library.", counts.flushes)
            + lines("tileserve_recorded_points_total", "Points recorded.", accepted)
            + lines("tileserve_recording_refused_points_total", "Points refused.", refused)
    }

    private func lines(_ name: String, _ help: String, _ tallies: [RecordingFormat: Tally]) -> String {
        MetricsText.head(name, .counter, help)
            + RecordingFormat.allCases.map { "\(name){format=\"\($0.rawValue)\"} \(tallies[$0]?.count ?? 0)\n" }
            .joined()
    }
}

extension LiveFeed {
    /// Tells of points that are durable.
    fileprivate func publish(points recorded: [RecordedPoints]) {
        for part in recorded {
            publish(points: LivePoint.points(of: part.points, device: part.device, person: part.person))
        }
    }
}
