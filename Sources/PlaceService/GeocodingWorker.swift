import Dispatch
import Foundation
package import Geocoding
import GridStorage
package import HTTPCore
import Locking
import Parallelism
package import Playback
import PrimaryStore
import RequestHandling
import Text
import TileMath
package import TrackStore

/// How addresses are asked for.
package struct GeocodingSettings: Sendable {
    /// GETs a URL; the second argument is asked at least once a second whether to stop. Errors are those of the network.
    package typealias Fetch =
        @Sendable (_ url: String, _ isStopping: @escaping @Sendable () -> Bool) throws ->
        HTTPClientResponse

    package var service: GeocodingService
    package var pace = GeocodingPace()
    package let fetch: Fetch

    package init(_ service: GeocodingService, fetch: @escaping Fetch) {
        self.service = service
        self.fetch = fetch
    }
}

/// Why an address service has not answered: its fault, or that of the network.
package struct AddressServiceError: Error, CustomStringConvertible {
    private let reason: String

    package init(_ reason: String) { self.reason = reason }

    package var description: String { "addresses: \(reason)" }
}

/// Asks a service for the addresses that the library wants, one after another, and stores them.
///
/// The queue is in the library: whatever ends the process, an answered request is not repeated, and an unanswered one is.
package final class GeocodingWorker: Sendable {
    private struct Memory: Sendable {
        /// The state of the queue after its last update.
        var queue: AddressQueueState?
        /// Nothing is asked before this instant.
        var restUntil: ContinuousClock.Instant?
        /// Failures one after another.
        var failures = 0
        var lastError = LastError()
        var requests = 0
    }

    private let library: Library
    private let settings: GeocodingSettings
    private let feed: LiveFeed
    private let report: @Sendable (any Error) -> Void
    private let queue = DispatchQueue(label: "tileserve.addresses", qos: .utility)
    private let memory = Locked(Memory())
    private let timer = PollingTimer()
    private let isStopping = Locked(false)

    private static let tickMilliseconds = 200
    private static let redirectLimit = 3
    /// An error of this process, such as that of a full disk, is tried again after this time.
    private static let errorDelayMilliseconds: Int64 = 10_000

    /// A wait of this thread checks this often whether it has to end.
    private static let stopCheckSeconds = 0.02

    package init(
        _ library: Library, _ settings: GeocodingSettings, _ feed: LiveFeed,
        report: @escaping @Sendable (any Error) -> Void
    ) {
        self.library = library
        self.settings = settings
        self.feed = feed
        self.report = report
    }

    package func start() {
        timer.start(periodMilliseconds: Self.tickMilliseconds, on: queue) { [weak self] in self?.advance() }
    }

    /// Stops after the present request, which is ended.
    package func stop() {
        isStopping.withLock { $0 = true }
        timer.stop()
        queue.sync {}
    }

    /// One step: updates the queue after a change of the library, and makes a request if it is time for one.
    private func advance() {
        guard !isStopping.withLock({ $0 }), memory.withLock({ $0.restUntil.map { $0 <= .now } ?? true }) else { return }
        do {
            guard let revision = try updatedQueue(),
                case .request(let cell) = try library.database.reserveAddressRequest(settings.pace, revision: revision)
            else { return }
            try ask(for: cell)
        } catch {
            reportOnce(error)
            rest(milliseconds: Self.errorDelayMilliseconds)
        }
    }

    private func rest(milliseconds: Int64) {
        memory.withLock { $0.restUntil = .now + .milliseconds(milliseconds) }
    }

    /// Updates the queue if the grid has changed, or a track or stay may have ended. Returns the revision of the queue;
    /// nil if it is out of date.
    private func updatedQueue() throws -> Int64? {
        let known = memory.withLock { $0.queue }
        let isDue = known?.nextUpdate.map { $0 <= TrackDatabase.systemClock() } ?? false
        guard let revision = try library.grid.read({ try $0.state()?.revision }) else { return nil }
        if let known, known.revision == revision, !isDue { return revision }
        guard let updated = try library.updateAddressQueue() else { return nil }
        memory.withLock { $0.queue = updated }
        return updated.revision
    }

    private func ask(for cell: GeocodingCell) throws {
        let database = library.database
        let answer: GeocodingAnswer
        do {
            answer = settings.service.answer(try response(for: cell))
        } catch let error as AddressServiceError {
            // A service that cannot be reached says nothing about the cell.
            guard !isStopping.withLock({ $0 }) else { return try database.postponeAddress(of: cell, by: 0) }
            try pause(cell, retryAfterSeconds: nil)
            return reportOnce(error)
        }
        switch answer {
        case .address(let address):
            // It may have been removed meanwhile.
            let isStored = try database.store(address, of: cell)
            succeed()
            if isStored { feed.publish(event: Self.event(cell, address)) }
        case .none:
            try database.store(nil, of: cell)
            succeed()
        case .busy(let reason, let seconds):
            try pause(cell, retryAfterSeconds: seconds)
            reportOnce(AddressServiceError(reason))
        case .failed(let reason):
            let tries = try database.countAddressFailure(of: cell)
            try database.postponeAddress(of: cell, by: settings.pace.retryDelay(tries: tries))
            try delay(retryAfterSeconds: nil, isOfCell: true)
            reportOnce(AddressServiceError(reason))
        case .refused(let reason):
            // In this process only: whoever corrects the URL and starts it again does not have to wait.
            try database.postponeAddress(of: cell, by: 0)
            rest(milliseconds: settings.pace.refusedMilliseconds)
            reportOnce(AddressServiceError(reason))
        }
    }

    /// The response for a cell, after redirects within the host of the service, each after a pause.
    private func response(for cell: GeocodingCell) throws -> HTTPClientResponse {
        let isStopping: @Sendable () -> Bool = { [isStopping] in isStopping.withLock { $0 } }
        var response = try fetch(settings.service.url(for: cell), isStopping)
        for _ in 0..<Self.redirectLimit {
            guard (300..<400).contains(response.status), let redirect = response.redirect,
                settings.service.follows(redirect)
            else { break }
            try library.database.delayAddressRequests(milliseconds: 2 * settings.pace.intervalMilliseconds)
            // A redirect is a request to the same service, so it keeps the pace, too. `stop` waits for this thread.
            let isStopped = pollUntil(
                within: .milliseconds(settings.pace.intervalMilliseconds), periodSeconds: Self.stopCheckSeconds,
                isStopping)
            if isStopped { throw AddressServiceError("stopped") }
            response = try fetch(redirect, isStopping)
        }
        return response
    }

    private func fetch(_ url: String, _ isStopping: @escaping @Sendable () -> Bool) throws -> HTTPClientResponse {
        memory.withLock { $0.requests += 1 }
        do { return try settings.fetch(url, isStopping) } catch { throw AddressServiceError("\(error)") }
    }

    private func succeed() {
        memory.withLock { memory in
            memory.failures = 0
            memory.lastError.clear()
        }
    }

    /// Leaves a cell waiting, and pauses the requests.
    private func pause(_ cell: GeocodingCell, retryAfterSeconds: Int?) throws {
        try library.database.postponeAddress(of: cell, by: 0)
        try delay(retryAfterSeconds: retryAfterSeconds)
    }

    private func delay(retryAfterSeconds: Int?, isOfCell: Bool = false) throws {
        let failures = memory.withLock { memory in
            memory.failures += 1
            return memory.failures
        }
        try library.database.delayAddressRequests(
            milliseconds: settings.pace.delay(
                failures: failures, retryAfterSeconds: retryAfterSeconds, isOfCell: isOfCell))
    }

    /// Reports an error once, until something succeeds or another one occurs.
    private func reportOnce(_ error: any Error) {
        if memory.withLock({ $0.lastError.isNew(error) }) { report(error) }
    }

    /// The event of an address that has arrived.
    private static func event(_ cell: GeocodingCell, _ address: PostalAddress) -> [UInt8] {
        var json = JSONWriter()
        json.raw("event: address\ndata: ")
        json.object { json in
            json.add("lon", Int64((cell.centre.longitude * 1e6).rounded()), places: 6)
            json.add("lat", Int64((cell.centre.latitude * 1e6).rounded()), places: 6)
            json.add(members: address)
        }
        json.raw("\n\n")
        return json.bytes
    }

    /// Counts for `/metrics`; reads the library.
    package var metricsText: String {
        var text = MetricsText.counter(
            "tileserve_address_requests_total", "Requests for addresses.", memory.withLock { $0.requests })
        guard let counts = try? library.database.addressCounts() else { return text }
        text += MetricsText.head("tileserve_addresses", .gauge, "Wanted addresses, by state.")
        let states = [
            ("waiting", counts.waiting), ("found", counts.found), ("none", counts.none), ("failed", counts.failed),
        ]
        for (state, count) in states { text += "tileserve_addresses{state=\"\(state)\"} \(count)\n" }
        return text
    }
}
