import Database
import Files
import Foundation
import Geocoding
import HTTPCore
import Locking
import PlaceService
import TestLibrary
import TestSupport
import Testing
import TileMath
import TileService
import Tracks

@testable import PrimaryStore
@testable import TrackStore

/// A service that answers by a rule, and remembers what it was asked.
private final class Service: Sendable {
    struct State: Sendable {
        var answered: [String: Int] = [:]
        var requests: [ContinuousClock.Instant] = []
        var answers = 0
    }

    let state = Locked(State())
    let rule: @Sendable (_ request: Int) throws -> HTTPClientResponse?

    /// `rule` returns nil for an address.
    init(_ rule: @escaping @Sendable (_ request: Int) throws -> HTTPClientResponse? = { _ in nil }) { self.rule = rule }

    func settings(interval: Int64 = 5) throws -> GeocodingSettings {
        let service = try #require(GeocodingService("photon=https://photon.example"))
        var settings = GeocodingSettings(service) { [self] url, _ in try answer(url) }
        settings.pace.intervalMilliseconds = interval
        settings.pace.retryMilliseconds = 1
        settings.pace.refusedMilliseconds = 100
        return settings
    }

    private func answer(_ url: String) throws -> HTTPClientResponse {
        let request = state.withLock { state in
            state.requests.append(.now)
            return state.requests.count
        }
        if let other = try rule(request) { return other }
        state.withLock { $0.answered[url, default: 0] += 1 }
        let query = Dictionary(
            uniqueKeysWithValues: url.split(separator: "?")[1].split(separator: "&").map { part in
                let pair = part.split(separator: "=")
                return (String(pair[0]), String(pair[1]))
            })
        return HTTPClientResponse(
            status: 200,
            body: Array(
                """
                {"features":[{"geometry":{"coordinates":[\(query["lon"] ?? ""),\(query["lat"] ?? "")]},"properties":
                {"street":"Allee","housenumber":"\(request)","city":"Berlin","state":"Berlin","countrycode":"DE"}}]}
                """.utf8))
    }
}

@Suite("Addresses from a service") struct GeocodingWorkerTests {
    private func eventually(_ holds: () throws -> Bool) rethrows -> Bool {
        let deadline = ContinuousClock.now + .seconds(20)
        while ContinuousClock.now < deadline {
            if try holds() { return true }
            Thread.sleep(forTimeInterval: 0.005)
        }
        return try holds()
    }

    private func town(_ service: Service, interval: Int64 = 5) throws -> Town {
        let settings = try service.settings(interval: interval)
        return try Town { $0.geocoding = settings }
    }

    private func waitUntilAsked(_ town: Town) throws {
        try town.server.start()
        #expect(
            try eventually {
                let counts = try town.library.database.addressCounts()
                return counts.waiting == 0 && counts.found + counts.none + counts.failed > 0
            })
        town.server.stop()
    }

    @Test func `Each cell is asked for once, and its address appears in tracks, stays and as an address`() throws {
        let service = Service()
        let town = try town(service)
        let nearest = town.get("/v1/address?lon=13.4&lat=52.5").text
        #expect(nearest.contains("\"kind\":\"nearest\""))
        #expect(!town.get("/v1/tracks").text.contains("Address"))
        try waitUntilAsked(town)
        let counts = try town.library.database.addressCounts()
        #expect(counts.found > 0 && counts.none == 0 && counts.failed == 0)
        let answered = service.state.withLock { $0.answered }
        #expect(answered.count == counts.found && answered.values.allSatisfy { $0 == 1 })
        // The two rides begin at the same place.
        #expect(counts.found < 6)
        let address = town.get("/v1/address?lon=13.4&lat=52.5")
        #expect(address.text.contains("\"kind\":\"address\"") && address.text.contains("Allee "))
        #expect(address.text.contains("OpenStreetMap"))
        #expect(
            address[.cacheControl]?.contains("no-cache") == true
                || address[.cacheControl]?.contains("max-age=0") == true)
        let tracks = town.get("/v1/tracks").text
        #expect(tracks.contains("\"fromAddress\":\"Allee ") && tracks.contains("\"toAddress\":\"Allee "))
        #expect(town.get("/metrics").text.contains("tileserve_addresses{state=\"found\"} \(counts.found)"))
        // The same process again, and another one, have nothing left to ask.
        let again = try town.library.server { $0.geocoding = try? service.settings() }
        try again.start()
        Thread.sleep(forTimeInterval: 0.6)
        again.stop()
        #expect(service.state.withLock { $0.answered } == answered)
    }

    @Test func `A service that fails is asked more rarely, and every cell is answered once`() throws {
        let service = Service { request in
            switch request % 5 {
            case 1: HTTPClientResponse(status: 503)
            case 2: throw HTTPFailure()
            case 3: HTTPClientResponse(status: 500)
            default: nil
            }
        }
        let town = try town(service)
        try waitUntilAsked(town)
        let answered = service.state.withLock { $0.answered }
        #expect(answered.values.allSatisfy { $0 == 1 })
        #expect(try town.library.database.addressCounts().found == answered.count)
    }

    private struct HTTPFailure: Error {}

    /// What a server has reported about a service when it is stopped after the first report.
    private func reports(of service: Service) throws -> [any Error] {
        let settings = try service.settings()
        let reported = Locked<[any Error]>([])
        let town = try Town {
            $0.geocoding = settings
            $0.report = { error in reported.withLock { $0.append(error) } }
        }
        try town.server.start()
        #expect(eventually { reported.withLock { !$0.isEmpty } })
        town.server.stop()
        return reported.withLock { $0 }
    }

    @Test(arguments: [429, 503])
    func `A service that asks for fewer requests is reported, once, as a fault of the service`(status: Int) throws {
        let errors = try reports(of: Service { _ in HTTPClientResponse(status: status) })
        #expect(errors.map { "\($0)" } == ["addresses: photon.example has answered with status \(status)"])
        #expect(errors.first is AddressServiceError)
    }

    @Test func `A network that fails is reported as a fault of the service`() throws {
        #expect(try reports(of: Service { _ in throw HTTPFailure() }).first is AddressServiceError)
    }

    @Test func `Stopping does not wait for the pause before a redirect is followed`() throws {
        let service = Service { request in
            HTTPClientResponse(status: 302, redirect: "https://photon.example/2?lat=52.5&lon=13.4&n=\(request)")
        }
        let town = try town(service, interval: 60_000)
        try town.server.start()
        #expect(eventually { service.state.withLock { $0.requests.count } == 1 })
        let begin = ContinuousClock.now
        town.server.stop()
        #expect(.now - begin < .seconds(20))
        #expect(service.state.withLock { $0.requests.count } == 1)
        // The cell was not answered, and is still wanted.
        #expect(try town.library.database.addressCounts().waiting > 0)
    }

    @Test func `Retry-After is kept to, also by the next process`() throws {
        let service = Service { request in
            request == 1 ? HTTPClientResponse(status: 429, retryAfterSeconds: 2) : nil
        }
        let town = try town(service)
        try town.server.start()
        #expect(eventually { service.state.withLock { $0.requests.count } == 1 })
        town.server.stop()
        let other = try town.library.server { $0.geocoding = try? service.settings() }
        try other.start()
        #expect(eventually { service.state.withLock { $0.requests.count } > 1 })
        other.stop()
        let times = service.state.withLock { $0.requests }
        #expect(times[1] - times[0] >= .milliseconds(1_990))
    }

    @Test func `Requests keep their distance`() throws {
        let service = Service()
        let town = try town(service, interval: 300)
        try waitUntilAsked(town)
        let times = service.state.withLock { $0.requests }
        #expect(times.count > 2)
        // The clock that is stored counts whole milliseconds.
        for (before, after) in zip(times, times.dropFirst()) { #expect(after - before >= .milliseconds(295)) }
    }

    @Test func `A redirect to another host is not followed, one within the host is`() throws {
        let other = Service { _ in
            HTTPClientResponse(status: 302, redirect: "https://other.example/reverse?lat=1&lon=2")
        }
        let town = try town(other)
        try town.server.start()
        #expect(eventually { other.state.withLock { $0.requests.count } > 1 })
        town.server.stop()
        #expect(try town.library.database.addressCounts().found == 0)
        let same = Service { request in
            request % 2 == 1
                ? HTTPClientResponse(status: 302, redirect: "https://photon.example/2?lat=52.5&lon=13.4&n=\(request)")
                : nil
        }
        let second = try self.town(same)
        try waitUntilAsked(second)
        let counts = try second.library.database.addressCounts()
        #expect(counts.found > 0 && counts.failed == 0)
    }

    @Test func `A cell that always fails is given up, until somebody asks again`() throws {
        let service = Service { _ in HTTPClientResponse(status: 400) }
        let town = try town(service, interval: 1)
        try town.server.start()
        #expect(eventually { (try? town.library.database.addressCounts().failed) ?? 0 > 0 })
        town.server.stop()
        let failed = try town.library.database.addressCounts().failed
        #expect(try town.library.database.retryFailedAddresses() == failed)
        #expect(try town.library.database.addressCounts().failed == 0)
    }

    @Test func `Removing a track removes its addresses, except those that others need`() throws {
        let town = try town(Service())
        try waitUntilAsked(town)
        let database = town.library.database
        let before = try database.addressCounts().found
        let walk = try #require(
            try database.read { try $0.trackNumbers() }.compactMap { try database.track(number: $0) }
                .first { $0.activity?.rawValue == "walk" })
        _ = try town.library.remove([walk.id]) { _ in }
        let after = try database.addressCounts()
        #expect(after.found < before && after.found > 0)
        // As if it had never been: a library with the others alone has the same cells.
        let folder = try TemporaryFolder()
        let fresh = try Library(in: folder)
        try fresh.ride(day: 0, activity: "ride")
        try fresh.ride(day: 1, activity: "ride")
        try fresh.catchUp()
        try fresh.updateAddressQueue()
        #expect(try fresh.database.addressCounts().waiting == after.found)
        #expect(try Self.cells(fresh) == Self.cells(town.library))
        let rest = try database.read { try $0.trackNumbers() }.compactMap { try database.track(number: $0)?.id }
        _ = try town.library.remove(rest) { _ in }
        #expect(try Self.cells(town.library).isEmpty)
        #expect(try database.verify() == [])
    }

    private static func cells(_ library: Library) throws -> [Int64] {
        try library.database.read { try $0.session.rows("SELECT cell FROM address ORDER BY cell") { $0.integer(0) } }
    }

    @Test func `A wrong URL uses up no cell`() throws {
        let service = Service { request in
            request < 4 ? HTTPClientResponse(status: 404, body: Array("<h1>Not Found</h1>".utf8)) : nil
        }
        let town = try town(service)
        try waitUntilAsked(town)
        let counts = try town.library.database.addressCounts()
        #expect(counts.found > 0 && counts.none == 0 && counts.failed == 0)
    }

    @Test func `An answer for a track that was removed meanwhile is not stored`() throws {
        let library = Locked<Library?>(nil)
        let service = Service { request in
            guard request == 1, let library = library.withLock({ $0 }) else { return nil }
            let ids = try library.database.read { try $0.trackNumbers() }.compactMap {
                try library.database.track(number: $0)?.id
            }
            _ = try library.remove(ids) { _ in }
            return nil
        }
        let town = try town(service)
        library.withLock { $0 = town.library }
        try town.server.start()
        #expect(eventually { service.state.withLock { !$0.answered.isEmpty } })
        Thread.sleep(forTimeInterval: 0.5)
        town.server.stop()
        library.withLock { $0 = nil }
        #expect(try Self.cells(town.library).isEmpty)
        #expect(service.state.withLock { $0.requests.count } == 1)
    }

    @Test func `Tracks in the inbox are not asked for before they are accepted`() throws {
        let service = Service()
        let town = try town(service)
        let inbox = try Library(folder: Library.inboxFolder(of: town.library.folder))
        try inbox.ride(day: 3, latitude: Town.latitude + 1, activity: "run")
        try inbox.catchUp()
        try town.server.start()
        #expect(eventually { town.get("/layers").text.contains("\"inbox\"") })
        #expect(try eventually { try town.library.database.addressCounts().found > 0 })
        Thread.sleep(forTimeInterval: 0.6)
        town.server.stop()
        #expect(service.state.withLock { $0.answered.keys.allSatisfy { $0.contains("lat=52.") } })
        #expect(try inbox.database.addressCounts() == AddressCounts())
    }

    @Test func `An address of a file is kept, and its cell is not asked for`() throws {
        let service = Service()
        let town = try town(service)
        let csv = """
            time,lat,lon,address
            2025-08-31T10:00:00Z,51.375554,3.389536,n/a
            2025-08-31T10:00:10Z,51.376554,3.390536,"12 Main St, Cadzand"

            """
        let answer = try town.send(csv, "?name=a.csv")
        #expect(answer.status == .ok, "\(answer.text)")
        town.server.poll()
        let tracks = town.get("/v1/tracks").text
        #expect(!tracks.contains("Main St"))
        try waitUntilAsked(town)
        #expect(town.get("/v1/tracks").text.contains("\"toAddress\":\"12 Main St, Cadzand\""))
        #expect(town.get("/v1/address?lon=3.390536&lat=51.376554").text.contains("\"source\":\"recorded\""))
        let asked = service.state.withLock { $0.answered.keys.filter { $0.contains("lat=51.376") } }
        #expect(asked.isEmpty)
    }

    @Test func `Live readers get an event for each address`() throws {
        let town = try town(Service())
        let watcher = try Watcher(town.get("/v1/live"))
        let other = try Watcher(town.get("/v1/live?device=phone"))
        try waitUntilAsked(town)
        let found = try town.library.database.addressCounts().found
        let events = watcher.events(found).filter { $0.name == "address" }
        #expect(events.count == found)
        let first = try #require(events.first)
        #expect((first.data["address"] as? String)?.hasPrefix("Allee ") == true)
        #expect(first.data["kind"] as? String == "address" && first.data["country"] as? String == "DE")
        #expect(abs(try #require(first.data["lon"] as? Double) - 13.4) < 0.01)
        other.channel.close()
    }
}
