import Dispatch
import HTTPCore
import Locking
import Recording
import TrackStore
import Tracks

/// Takes what devices record: makes it durable, shows it to whoever watches, and moves it into the library from time to time.
///
/// Bodies are parsed on queues of their own, one at a time, and written on the buffer's: nothing of it on the listening queue.
final class Recorder: Sendable {
    /// Who sends points, and in which words.
    struct Sender: Sendable {
        var format: RecordingFormat
        /// The device that the path names.
        var device: String?
        var caller: Caller

        /// The device that points go to: a recorder's token says it, else the path, else the app, else the protocol stands for it.
        func name(of told: String?) -> String {
            if case .recorder(let known?, _) = caller { return known }
            return device ?? told ?? format.source
        }

        /// Whose points they are; nil for the library's owner.
        var person: String? {
            if case .recorder(_, let person) = caller { return person }
            return nil
        }
    }

    private let buffer: RecordingBuffer
    private let flushMilliseconds: Int64
    private let feed: LiveFeed
    private let report: @Sendable (any Error) -> Void
    private let show: @Sendable () throws -> Void
    /// Parses bodies of a phone's few points: they do not wait for those of days.
    private let small = WorkQueue("tileserve.recorded", workers: 1, waitingLimit: smallLimit, order: .oldestFirst)
    /// Parses the others; with one worker, so that a core stays free for readers.
    private let large = WorkQueue("tileserve.recorded.large", workers: 1, waitingLimit: largeLimit, order: .oldestFirst)
    private let flushing = DispatchQueue(label: "tileserve.recorder", qos: .utility)
    private let listing = DispatchQueue(label: "tileserve.refusals", qos: .utility)
    private let timer = Locked<(any DispatchSourceTimer)?>(nil)
    private let nextFlush = Locked(ContinuousClock.now)
    /// What went wrong last; the same is told once.
    private let trouble = Locked<String?>(nil)
    /// What was not stored.
    let refusals: RecordingRefusals
    private let failures = RecordingFailures()
    private let refused: [RecordingFormat: AtomicCounter]
    private let accepted: [RecordingFormat: AtomicCounter]

    /// Bytes of a body of some hundred points, which is parsed within a few milliseconds.
    private static let smallBytes = 64 * 1024
    /// As many as there are connections: not every app sends a point again that was refused.
    private static let smallLimit = 1_024
    /// Each takes up to half a second.
    private static let largeLimit = 32

    /// A flush that has failed is tried again after this time, however seldom points are moved otherwise.
    private static let retryTime = Duration.seconds(5)

    /// Others who remove tracks wait for a flush: they are not to wait long.
    private static let lookMilliseconds = 100

    /// A recorder into a library's truth; `feed` hears of every point, and `show` makes tiles show what was moved.
    init(
        truth: TrackDatabase, settings: RecordingSettings, feed: LiveFeed,
        report: @escaping @Sendable (any Error) -> Void,
        show: @escaping @Sendable () throws -> Void
    ) {
        buffer = RecordingBuffer(truth: truth, samplingMilliseconds: settings.samplingMilliseconds) {
            [failures] error in
            failures.flushFailed(error)
            report(error)
        }
        flushMilliseconds = settings.flushMilliseconds
        self.feed = feed
        self.report = report
        self.show = show
        refusals = RecordingRefusals(truth: truth, report: report)
        refused = Dictionary(uniqueKeysWithValues: RecordingFormat.allCases.map { ($0, AtomicCounter()) })
        accepted = Dictionary(uniqueKeysWithValues: RecordingFormat.allCases.map { ($0, AtomicCounter()) })
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

    /// Moves all that waits into the library, for whoever removes tracks in this process.
    func flushNow() {
        guard buffer.counts.buffered > 0 else { return }
        do {
            try buffer.flush()
        } catch {
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
            failures.flushed()
        } catch {
            if failures.flushFailed(error) { report(error) }
            nextFlush.withLock { $0 = min($0, .now + Self.retryTime) }
        }
    }

    // MARK: What requests want

    /// Records what a request brings; `acknowledge` makes the answer once it survives a loss of power, and so does what was
    /// refused of it. Where too many bodies wait, nothing is recorded and the answer is a `503`.
    func record(
        _ request: RecordingRequest, from sender: Sender,
        acknowledge: @escaping @Sendable (RecordingBatch) throws -> Response
    ) -> Answer {
        let queue = request.body.count <= Self.smallBytes ? small : large
        return .deferred(
            Deferred { [self] completion in
                queue.add {
                    self.record(request, from: sender, completion, acknowledge: acknowledge)
                } refuse: {
                    let problem = Problem.unavailable(
                        "too many points are being recorded; send them again",
                        retryAfterSeconds: Health.retryAfterSeconds)
                    completion(.response(problem.response))
                }
                // Who hangs up at once has sent points all the same.
                return .none
            })
    }

    private func record(
        _ request: RecordingRequest, from sender: Sender, _ completion: Completion,
        acknowledge: (RecordingBatch) throws -> Response
    ) {
        do {
            let batch = try sender.format.read(request)
            let response = try acknowledge(batch)
            let points = recorded(batch, from: sender)
            refused[sender.format]?.add(batch.refusedPoints)
            let refusals = batch.refusals(of: sender, person: sender.person, at: request.now)
            self.refusals.add(refusals) { [self] error in
                if let error { return completion(.response(unstored(error))) }
                store(points, from: sender, response, completion)
            }
        } catch let fault as RecordingError {
            refused[sender.format]?.add()
            let refusals = fault.refusals(of: sender, person: sender.person, request)
            // The sender is told in any case.
            self.refusals.add(refusals) { [self] error in
                if let error { noteTrouble(error) }
                completion(.response(Problem.badRequest(fault.description).response))
            }
        } catch {
            completion(.response(Problem.response(to: error)))
        }
    }

    private func store(
        _ points: [RecordedPoints], from sender: Sender, _ response: Response,
        _ completion: Completion
    ) {
        guard !points.isEmpty else { return completion(.response(response)) }
        buffer.add(points) { [self] error in
            failures.stored(error)
            if let error { return completion(.response(unstored(error))) }
            trouble.withLock { $0 = nil }
            accepted[sender.format]?.add(points.reduce(0) { $0 + $1.points.count })
            refusals.count(points)
            completion(.response(response))
            feed.publish(points: points)
        }
    }

    /// What was not stored of a device, for the library's owner.
    func listRefused(device: String) -> Answer {
        answer { [self] in try refusals.answer(device: device) }
    }

    /// Forgets what was not stored of a device.
    func removeRefused(device: String) -> Answer {
        answer { [self] in try refusals.remove(device: device) }
    }

    private func answer(_ make: @escaping @Sendable () throws -> Response) -> Answer {
        .deferred(
            Deferred { [listing] completion in
                listing.async {
                    do {
                        completion(.response(try make()))
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
                        failures.flushed()
                        try show()
                        completion(.response(try JSONAnswer.response(Flushed(outcome))))
                    } catch {
                        failures.flushFailed(error)
                        completion(.response(unstored(error)))
                    }
                }
                return .none
            })
    }

    /// What fails, for `/health`; nil where nothing does.
    var failure: String? { failures.sentence }

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

    /// The points by device; changes of heading come with the first of a device's points.
    private func recorded(_ batch: RecordingBatch, from sender: Sender) -> [RecordedPoints] {
        batch.devices.flatMap { device in
            device.chunks.enumerated().map { index, chunk in
                RecordedPoints(
                    person: sender.person, device: sender.name(of: device.name), source: sender.format.source,
                    points: chunk, headings: index == 0 ? device.headings : [])
            }
        }
    }

    private func noteTrouble(_ error: any Error) {
        let text = "\(error)"
        let isNew = trouble.withLock { trouble in
            defer { trouble = text }
            return trouble != text
        }
        if isNew, !(error is RecordingStopped) { report(error) }
    }

    private func unstored(_ error: any Error) -> Response {
        noteTrouble(error)
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

    private func lines(_ name: String, _ help: String, _ tallies: [RecordingFormat: AtomicCounter]) -> String {
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
