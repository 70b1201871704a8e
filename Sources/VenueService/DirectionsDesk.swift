import Digest
import HTTPCore
import Locking
import Playback
import PrimaryStore
import RequestHandling
import Text
import TrackStore
import Venues

/// The requests for ways that are being planned, or were recently.
///
/// A way takes milliseconds once the ways through its venue are prepared, which takes up to some seconds and is done on a
/// queue of its own. A result that nobody has asked for within an hour is dropped; a request in the history of a person is
/// planned again when it is asked for, others are forgotten.
final class DirectionsDesk: Sendable {
    private struct Entry {
        let job: DirectionsJob
        var lastAsked: ContinuousClock.Instant
    }

    let planner: DirectionsPlanner
    private let feed: LiveFeed
    private let queue = WorkQueue("tileserve.directions", waitingLimit: waitingLimit, order: .oldestFirst)
    private let entries = Locked<[String: Entry]>([:])
    private let now: @Sendable () -> ContinuousClock.Instant
    /// Mixed into the ids of requests that are not stored, so that nobody can guess them.
    private let secret = (0..<4).map { _ in UInt64.random(in: .min ... .max) }

    /// The ways of a large venue take some seconds to prepare, others milliseconds.
    private static let waitingLimit = 64
    /// A way of a large venue takes some 100 KB.
    private static let entryLimit = 1000
    private static let keptSeconds = 3600

    init(
        _ planner: DirectionsPlanner, _ feed: LiveFeed,
        now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
    ) {
        self.planner = planner
        self.feed = feed
        self.now = now
    }

    // MARK: Requests

    /// The job of a request that is not stored: the same for the same request of the same caller.
    func job(_ request: DirectionsRequest, in known: KnownVenue, for keeper: LibraryPerson?) throws -> DirectionsJob {
        let request = try request.identified(in: known)
        var digester = Digester()
        for word in secret { digester.update(word) }
        for text in [keeper == nil ? "" : "person", keeper?.name ?? "", known.summary.id, request.profile.rawValue] {
            digester.update(text)
        }
        digester.update(request.text)
        return add(
            DirectionsJob(
                id: FeatureID(digester.finish()).description, keeper: keeper, venue: known.summary.id, request: request)
        )
    }

    /// A job of its own, for a request that is kept in the history of its keeper.
    func newJob(_ request: DirectionsRequest, in known: KnownVenue, for keeper: LibraryPerson?) throws -> DirectionsJob
    {
        let id = FeatureID(high: .random(in: .min ... .max), low: .random(in: .min ... .max)).description
        return add(
            DirectionsJob(
                id: id, keeper: keeper, venue: known.summary.id, request: try request.identified(in: known)))
    }

    /// The job with an id that a caller may see; from the history if it is not in memory. Throws a `404`.
    func job(id: String, for keeper: LibraryPerson?) throws -> DirectionsJob {
        let now = now()
        let known = entries.withLock { entries -> DirectionsJob? in
            Self.dropOld(&entries, now)
            guard let job = entries[id]?.job, job.keeper == nil || job.keeper == keeper else { return nil }
            entries[id]?.lastAsked = now
            return job
        }
        if let known { return known }
        guard let keeper, FeatureID(id) != nil,
            let stored = try planner.library.database.read({ try $0.directions(id: id, of: keeper.name) }),
            let request = DirectionsRequest(stored)
        else { throw Self.noDirections }
        return add(DirectionsJob(id: id, keeper: keeper, venue: stored.venue, request: request))
    }

    static let noDirections = Problem.notFound("there are no directions with this id")

    /// Forgets a request.
    func forget(_ id: String) {
        _ = entries.withLock { $0.removeValue(forKey: id) }
    }

    /// Adds a job, or returns the one that has its id already.
    private func add(_ job: DirectionsJob) -> DirectionsJob {
        let now = now()
        return entries.withLock { entries in
            Self.dropOld(&entries, now)
            if let known = entries[job.id]?.job {
                entries[job.id]?.lastAsked = now
                return known
            }
            if entries.count >= Self.entryLimit,
                let oldest = entries.filter({ !$0.value.job.state.isPending }).min(by: {
                    $0.value.lastAsked < $1.value.lastAsked
                })
            {
                entries[oldest.key] = nil
            }
            entries[job.id] = Entry(job: job, lastAsked: now)
            return job
        }
    }

    private static func dropOld(_ entries: inout [String: Entry], _ now: ContinuousClock.Instant) {
        let limit = now - .seconds(keptSeconds)
        entries = entries.filter { $0.value.lastAsked >= limit || $0.value.job.state.isPending }
    }

    // MARK: Planning

    /// The way of a job as it is now, if it can be given within milliseconds; nil if it has to be planned on the queue.
    func current(_ job: DirectionsJob) throws -> PlannedDirections? {
        if case .planned(let planned) = job.state, try planner.isCurrent(planned) { return planned }
        guard let known = try planner.venues.venue(id: job.venue) else {
            forget(job.id)
            throw Self.noDirections
        }
        guard known.graph.isMade else { return nil }
        let planned = try planner.plan(job.request, in: known)
        if !job.state.isPending { job.advance(to: .planned(planned)) }
        return planned
    }

    /// Has a job planned on the queue, unless it is already. Throws a `503` if too many wait.
    func begin(_ job: DirectionsJob) throws(Problem) {
        guard job.claim() else { return }
        let isRefused = Locked(false)
        queue.add(
            work: { [self] in
                job.advance(to: .running)
                do {
                    guard let known = try planner.venues.venue(id: job.venue) else { throw Self.noDirections }
                    job.advance(to: .planned(try planner.plan(job.request, in: known)))
                } catch {
                    job.advance(to: .refused(error))
                }
                publish(job)
            },
            refuse: {
                isRefused.withLock { $0 = true }
                job.advance(to: .idle)
            })
        if isRefused.withLock({ $0 }) {
            throw Problem.unavailable("too many ways are being planned", retryAfterSeconds: Self.retryAfterSeconds)
        }
    }

    private static let retryAfterSeconds = 5

    /// Sends the event `directions` to who asked for a way.
    private func publish(_ job: DirectionsJob) {
        guard let keeper = job.keeper, case .planned(let planned) = job.state else { return }
        var json = JSONObject()
        json.add("id", job.id)
        json.add("state", planned.state)
        feed.publish(event: Array("event: directions\ndata: \(json.text)\n\n".utf8), to: keeper)
    }
}

extension PlannedDirections {
    /// `done`, or `failed` if there is no way.
    var state: String {
        if case .success = result { "done" } else { "failed" }
    }
}
