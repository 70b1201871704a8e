import Dispatch
import HTTPCore
import Locking
import Parallelism
package import Playback
import Recording
import RecordingStore
import RequestHandling
package import TrackStore
import Tracks

/// How points recorded by devices are stored.
package struct RecordingSettings: Sendable {
    /// Milliseconds after which points are moved into the library and shown on tiles.
    package var flushMilliseconds: Int64 = 600_000
    /// Interval in milliseconds of which only the earliest point of a device is kept; nil keeps all points.
    package var samplingMilliseconds: Int64?

    /// The defaults.
    package init() {}
}

/// Receives what devices record: stores it durably, publishes it to live readers, and moves it into the library
/// periodically.
///
/// Bodies are parsed on queues of their own, one at a time, and written on the buffer's queue; nothing runs on the
/// listening queue.
package final class Recorder: Sendable {
    private let buffer: RecordingBuffer
    private let flushMilliseconds: Int64
    private let feed: LiveFeed
    private let log: any RecordingLog
    /// Up to where the points that other processes record have been published.
    private let position = Locked(RecordedPosition())
    private let report: @Sendable (any Error) -> Void
    private let show: @Sendable () throws -> Void
    /// Parses small bodies, so that a phone's few points do not wait for those of days.
    private let small = WorkQueue("tileserve.recorded", workers: 1, waitingLimit: smallLimit, order: .oldestFirst)
    /// Parses large bodies; with one worker, so that a core stays free for readers.
    private let large = WorkQueue("tileserve.recorded.large", workers: 1, waitingLimit: largeLimit, order: .oldestFirst)
    private let flushing = DispatchQueue(label: "tileserve.recorder", qos: .utility)
    private let listing = WorkQueue("tileserve.refusals", workers: 1, waitingLimit: listingLimit, order: .oldestFirst)
    private let timer = PollingTimer()
    private let nextFlush = Locked(ContinuousClock.now)
    /// The last error of storing.
    private let lastError = Locked(LastError())
    /// Refused points and fields.
    let refusals: RefusalList
    private let failures = RecordingFailures()
    private let refused: [RecordingFormat: AtomicCounter]
    private let accepted: [RecordingFormat: AtomicCounter]

    /// A body of some hundred points, which is parsed within a few milliseconds.
    private static let smallBytes = 64 * 1024
    /// As many as there are connections, because not every app sends a refused point again.
    private static let smallLimit = 1_024
    /// Each takes up to half a second.
    private static let largeLimit = 32
    /// Each reads some small files.
    private static let listingLimit = 256

    /// A failed flush is retried after this time, even if the flush interval is longer.
    private static let retryTime = Duration.seconds(retryAfterSeconds)
    /// Seconds after which an app whose points were not stored may send them again.
    private static let retryAfterSeconds = 5

    /// Processes that remove tracks wait for a flush, so it must be noticed soon.
    private static let pollMilliseconds = 100

    /// A recorder for a library. `feed` receives every point, and `show` updates the tiles after a
    /// flush.
    package init(
        library: Library, settings: RecordingSettings, feed: LiveFeed,
        report: @escaping @Sendable (any Error) -> Void,
        show: @escaping @Sendable () throws -> Void
    ) {
        buffer = RecordingBuffer(
            database: library.database, log: library.coordination.recordingLog,
            samplingMilliseconds: settings.samplingMilliseconds
        ) { [failures] error in
            failures.flushFailed(error)
            report(error)
        }
        log = library.coordination.recordingLog
        flushMilliseconds = settings.flushMilliseconds
        self.feed = feed
        self.report = report
        self.show = show
        refusals = RefusalList(library: library, report: report)
        refused = Dictionary(uniqueKeysWithValues: RecordingFormat.allCases.map { ($0, AtomicCounter()) })
        accepted = Dictionary(uniqueKeysWithValues: RecordingFormat.allCases.map { ($0, AtomicCounter()) })
    }

    /// Points that wait to be moved, were stored durably, and were refused.
    package var counts: (buffered: Int, recorded: Int, refused: Int) {
        let counts = buffer.counts
        return (counts.buffered, counts.recorded, refused.values.reduce(0) { $0 + $1.count })
    }

    /// Starts periodic flushes.
    package func start() {
        nextFlush.withLock { $0 = .now + .milliseconds(flushMilliseconds) }
        timer.start(periodMilliseconds: Self.pollMilliseconds, on: flushing) { [weak self] in self?.poll() }
    }

    /// Accepts no more points, and moves the waiting ones into the library.
    package func stop() {
        timer.stop()
        do {
            try buffer.stop()
        } catch {
            // They are on the disk, and the next server will move them.
            report(error)
        }
    }

    private func poll() {
        buffer.flushIfRequested()
        publishOthers()
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

    /// Publishes to live readers what other processes have recorded.
    private func publishOthers() {
        do {
            // Called by one timer, one call at a time.
            var reached = position.withLock { $0 }
            let points = try log.newPoints(since: &reached)
            position.withLock { $0 = reached }
            if !points.isEmpty { feed.publish(points: points) }
        } catch {
            reportOnce(error)
        }
    }

    // MARK: Requests

    /// What a body turns out to be when it is read.
    enum Content: Sendable {
        case points(RecordingRequest)
        /// A request for something else, and its response.
        case response(Response)
    }

    /// Records the points of a request. The acknowledgement is sent once the points, and the list of what was refused,
    /// are fsynced. If too many bodies wait, nothing is recorded and the answer is a `503`.
    func record(
        _ request: RecordingRequest, from sender: RecordingSender, _ acknowledgement: Acknowledgement
    ) -> HandlerResult {
        record(bodyBytes: request.body.count, from: sender, acknowledgement) { .points(request) }
    }

    /// As the method above, for a body of this size that has to be read to find out what it is; `read` does so on the
    /// queue of bodies.
    func record(
        bodyBytes: Int, from sender: RecordingSender, _ acknowledgement: Acknowledgement,
        _ read: @escaping @Sendable () throws -> Content
    ) -> HandlerResult {
        let queue = bodyBytes <= Self.smallBytes ? small : large
        return .deferred(
            Deferred { [self] completion in
                queue.add {
                    do {
                        switch try read() {
                        case .points(let request): self.record(request, from: sender, acknowledgement, completion)
                        case .response(let response): completion(.response(response))
                        }
                    } catch {
                        completion(.response(Problem.response(to: error)))
                    }
                } refuse: {
                    let problem = Problem.unavailable(
                        "too many points are being recorded; send them again",
                        retryAfterSeconds: Self.retryAfterSeconds)
                    completion(.response(problem.response))
                }
                // A client that disconnects at once has still sent its points.
                return .none
            })
    }

    private func record(
        _ request: RecordingRequest, from sender: RecordingSender, _ acknowledgement: Acknowledgement,
        _ completion: Completion
    ) {
        do {
            let batch = try sender.format.read(request)
            let response = try acknowledgement.response(to: batch)
            let points = recorded(batch, from: sender)
            refused[sender.format]?.add(batch.refusedPoints)
            // What was refused becomes durable before the points: an app that is told of success does not send it
            // again.
            let refusals = batch.refusals(of: sender, person: sender.person, at: request.now)
            self.refusals.add(refusals) { [self] error in
                if let error { return completion(.response(unstored(error))) }
                store(points, from: sender, response, completion)
            }
        } catch let fault as RecordingError {
            refused[sender.format]?.add()
            let refusals = fault.refusals(of: sender, person: sender.person, request)
            // The sender receives the fault even if it could not be listed.
            self.refusals.add(refusals) { [self] error in
                if let error { reportOnce(error) }
                completion(.response(acknowledgement.response(to: fault)))
            }
        } catch {
            completion(.response(Problem.response(to: error)))
        }
    }

    private func store(
        _ points: [RecordedPoints], from sender: RecordingSender, _ response: Response,
        _ completion: Completion
    ) {
        guard !points.isEmpty else { return completion(.response(response)) }
        buffer.add(points) { [self] error in
            failures.stored(error)
            if let error { return completion(.response(unstored(error))) }
            lastError.withLock { $0.clear() }
            accepted[sender.format]?.add(points.reduce(0) { $0 + $1.points.count })
            refusals.count(points)
            completion(.response(response))
            // After the answer: the device waits for it, live readers do not.
            feed.publish(points: points)
        }
    }

    /// What was refused of a device, for the library's owner.
    func listRefused(device: String) -> HandlerResult {
        listing.answer { [self] in .response(try refusals.answer(device: device)) }
    }

    /// Deletes the list of what was refused of a device.
    func removeRefused(device: String) -> HandlerResult {
        listing.answer { [self] in .response(try refusals.remove(device: device)) }
    }

    /// Moves all waiting points into the library, and answers when tiles show them.
    func flush() -> HandlerResult {
        .deferred(
            Deferred { [self] completion in
                flushing.async { [self] in
                    do {
                        let outcome = try buffer.flush()
                        failures.flushed()
                        try show()
                        completion(.response(try JSONResponse.response(Flushed(outcome))))
                    } catch {
                        failures.flushFailed(error)
                        completion(.response(unstored(error)))
                    }
                }
                return .none
            })
    }

    /// What fails, for `/health`; nil if nothing does.
    package var failure: String? { failures.summary }

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

    /// The points by device; changes of heading are attached to a device's first chunk.
    private func recorded(_ batch: RecordingBatch, from sender: RecordingSender) -> [RecordedPoints] {
        batch.devices.flatMap { device in
            device.chunks.enumerated().map { index, chunk in
                RecordedPoints(
                    person: sender.person, device: sender.name(of: device.name), source: sender.format.source,
                    points: chunk, headings: index == 0 ? device.headings : [])
            }
        }
    }

    private func reportOnce(_ error: any Error) {
        let isNew = lastError.withLock { $0.isNew(error) }
        if isNew, !(error is RecordingStopped) { report(error) }
    }

    private func unstored(_ error: any Error) -> Response {
        reportOnce(error)
        return Problem.unavailable(
            "the points could not be stored; send them again",
            retryAfterSeconds: Self.retryAfterSeconds
        ).response
    }

    /// The metrics in the text format of Prometheus.
    package var metricsText: String {
        let counts = buffer.counts
        return MetricsText.gauge(
            "tileserve_recording_buffered_points", "Points recorded and not moved into the library yet.",
            counts.buffered)
            + MetricsText.counter(
                "tileserve_recording_commits_total", "Commits of points to the disk (fsync).", counts.commits)
            + MetricsText.counter(
                "tileserve_recording_flushes_total", "Flushes of recorded points into the library.", counts.flushes)
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
    /// Publishes points that are stored durably.
    fileprivate func publish(points recorded: [RecordedPoints]) {
        for part in recorded {
            publish(points: LivePoint.points(of: part.points, device: part.device, person: part.person))
        }
    }
}
