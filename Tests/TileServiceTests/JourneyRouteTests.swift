import Database
import Foundation
import HTTPCore
import Locking
import PrimaryStore
import TestLibrary
import TestSupport
import Testing
import TileService
import TrackStore
import Tracks

/// Routes, journeys, focus sessions and rewards over HTTP, with a clock that the tests set.
@Suite struct JourneyRouteTests {
    struct Place: Decodable, Equatable {
        var id: String, name: String, locked: Bool, description: String?, picture: String?, tags: [String]?
    }
    struct Route: Decodable {
        var id: String, name: String, level: Int, single: Bool, metres: Double, line: [[Double]], places: [Place]
    }
    struct Session: Decodable, Equatable {
        var id: String, seconds: Int, state: String, place: String?, start: String, end: String, cancelUntil: String
    }
    struct Reward: Decodable, Equatable { var hours: Int, name: String, granted: String?, seen: Bool }
    struct Member: Decodable, Equatable { var person: String, done: Double }
    struct Journey: Decodable {
        var id: String, metres: Double, done: Double, place: [Double], unlocked: [String], next: String?
        var finished: Bool, active: Bool, rewards: [Reward], session: Session?, ahead: Double?, members: [Member]
    }
    struct Totals: Decodable {
        struct Row: Decodable { var period: String, seconds: Double, sessions: Int }
        struct Sum: Decodable { var seconds: Double, sessions: Int }
        var rows: [Row], total: Sum
    }

    private let town: Town
    private let clock: Clock

    /// Milliseconds since 1970 that only move when they are told to.
    final class Clock: Sendable {
        private let time = Locked<Int64>(1_790_000_000_000)
        var now: Int64 { time.withLock { $0 } }
        func advance(seconds: Double) { time.withLock { $0 += Int64((seconds * 1000).rounded()) } }
        func set(_ instant: Int64) { time.withLock { $0 = instant } }
    }

    init() throws {
        let clock = Clock()
        self.clock = clock
        town = try Town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = PinMemberTests.Register()
            $0.now = { clock.now }
        }
    }

    // MARK: Requests

    private func ask(
        _ who: String, _ method: HTTPCore.Method, _ path: String, _ json: String? = nil
    ) -> Response {
        Self.ask(town.server, who, method, path, json)
    }

    private static func ask(
        _ server: TileServer, _ who: String, _ method: HTTPCore.Method, _ path: String, _ json: String? = nil
    ) -> Response {
        let headers: [(HeaderName, String)] = [(.host, "192.0.2.1"), (.authorization, "Bearer \(who)")]
        return server.ask(
            Request(method, path, headers: headers, content: json.map { .bytes(Array($0.utf8)) } ?? .none))
    }

    private func decode<Answer: Decodable>(
        _ response: Response, _ status: Status = .ok, as type: Answer.Type = Answer.self
    ) throws -> Answer {
        #expect(response.status == status, "\(String(decoding: response.bytes, as: UTF8.self))")
        return try JSONDecoder().decode(Answer.self, from: Data(response.bytes))
    }

    private func get<Answer: Decodable>(
        _ who: String, _ path: String, as type: Answer.Type = Answer.self
    ) throws -> Answer {
        try decode(ask(who, .get, path), as: type)
    }

    private static let places = (0..<4).map { index in
        #"{"name":"Place \#(index)","lon":\#(8 + index),"lat":47,"description":"Secret \#(index)","tags":["t\#(index)"]}"#
    }.joined(separator: ",")

    /// A route of four places, a degree of longitude apart.
    private func addRoute(level: Int = 1800, single: Bool = false) throws -> Route {
        try decode(
            ask(
                "owner", .post, "/v1/routes",
                #"{"name":"East \#(level) \#(single)","level":\#(level),"single":\#(single),"places":[\#(Self.places)]}"#
            ),
            .created)
    }

    private func addJourney(_ who: String, _ route: Route, _ more: String = "") throws -> Journey {
        try decode(ask(who, .post, "/v1/journeys", #"{"route":"\#(route.id)"\#(more)}"#), .created)
    }

    private func start(
        _ who: String, _ journey: Journey, seconds: Int, place: String? = nil
    ) throws -> Session {
        let place = place.map { #","place":"\#($0)""# } ?? ""
        return try decode(
            ask(who, .post, "/v1/journeys/\(journey.id)/sessions", #"{"seconds":\#(seconds)\#(place)}"#), .created)
    }

    // MARK: Focus

    @Test("a session moves the figure with its clock, and unlocks the place when its seconds are full")
    func session() throws {
        let route = try addRoute()
        #expect(route.places.map(\.locked) == [false, true, true, true])
        let journey = try addJourney("ada", route)
        #expect(journey.done == 0 && journey.unlocked == [route.places[0].id] && journey.active)
        let session = try start("ada", journey, seconds: 1800)
        #expect(session.state == "running")
        clock.advance(seconds: 900)
        let half: Journey = try get("ada", "/v1/journeys/\(journey.id)")
        #expect(abs(half.done - half.metres / 6) < 1 && half.session?.state == "committed")
        #expect(half.unlocked.count == 1)
        clock.advance(seconds: 899.999)
        #expect(try get("ada", "/v1/journeys/\(journey.id)", as: Journey.self).unlocked.count == 1)
        clock.advance(seconds: 0.001)
        let whole: Journey = try get("ada", "/v1/journeys/\(journey.id)")
        #expect(abs(whole.done - whole.metres / 3) < 1 && whole.session == nil)
        #expect(whole.unlocked == route.places.prefix(2).map(\.id) && whole.next == route.places[2].id)
        #expect(abs(whole.place[0] - 9) < 1e-6)
        // Earlier instants can still be asked for.
        let asof = "\(clock.now - 900_000)"
        #expect(try get("ada", "/v1/journeys/\(journey.id)?asof=\(asof)", as: Journey.self).done == half.done)
        #expect(whole.rewards.first?.granted == nil)
        clock.advance(seconds: 1)
        _ = try start("ada", journey, seconds: 1800)
        clock.advance(seconds: 1800)
        let rewarded: Journey = try get("ada", "/v1/journeys/\(journey.id)")
        #expect(rewarded.rewards.map(\.hours) == [1, 10, 20, 50, 200])
        #expect(rewarded.rewards.filter { $0.granted != nil }.map(\.hours) == [1] && !rewarded.rewards[0].seen)
        let seen: Journey = try decode(ask("ada", .patch, "/v1/journeys/\(journey.id)", #"{"seen":[1,10]}"#))
        #expect(seen.rewards[0].seen && !seen.rewards[1].seen && seen.rewards[1].granted == nil)
    }

    @Test("a session can be cancelled for ten seconds, and never moved the figure then")
    func cancel() throws {
        let journey = try addJourney("ada", try addRoute())
        for (seconds, status) in [(9.999, Status.noContent), (10.0, .noContent), (10.001, .conflict)] {
            let session = try start("ada", journey, seconds: 60)
            let path = "/v1/journeys/\(journey.id)/sessions/\(session.id)"
            clock.advance(seconds: seconds)
            #expect(ask("bob", .delete, path).status == .notFound)
            #expect(ask("ada", .delete, path).status == status, "\(seconds)")
            if status == .noContent {
                #expect(ask("ada", .delete, path).status == .noContent, "the request is repeated")
                #expect(try get("ada", "/v1/journeys/\(journey.id)", as: Journey.self).done == 0)
            }
        }
        clock.advance(seconds: 100)
        #expect(try get("ada", "/v1/journeys/stats", as: Totals.self).total.seconds == 60)
        // One of a second can be cancelled until it ends.
        let short = try start("ada", journey, seconds: 1)
        clock.advance(seconds: 1.001)
        #expect(ask("ada", .delete, "/v1/journeys/\(journey.id)/sessions/\(short.id)").status == .conflict)
        #expect(try get("ada", "/v1/journeys/stats", as: Totals.self).total.seconds == 61)
    }

    @Test("only one session of a person runs at a time; those of a team run at once")
    func running() throws {
        let route = try addRoute()
        let team = try addJourney("owner", route, #","persons":["ada","bob"]"#)
        _ = try start("ada", team, seconds: 1800)
        #expect(ask("ada", .post, "/v1/journeys/\(team.id)/sessions", #"{"seconds":60}"#).status == .conflict)
        let own = try addJourney("ada", route)
        #expect(ask("ada", .post, "/v1/journeys/\(own.id)/sessions", #"{"seconds":60}"#).status == .conflict)
        _ = try start("bob", team, seconds: 1800)
        clock.advance(seconds: 900)
        let both: Journey = try get("owner", "/v1/journeys/\(team.id)")
        #expect(both.unlocked.count == 2 && both.members.map(\.person) == ["ada", "bob"])
        #expect(abs(both.members[0].done - both.members[1].done) < 1)
        // The owner takes part in it no more than anybody else, and members do not see each other's sessions.
        #expect(ask("owner", .post, "/v1/journeys/\(team.id)/sessions", #"{"seconds":60}"#).status == .notFound)
        struct List: Decodable { var sessions: [Session] }
        #expect(try get("ada", "/v1/journeys/\(team.id)/sessions", as: List.self).sessions.count == 1)
        #expect(try get("owner", "/v1/journeys/\(team.id)/sessions", as: List.self).sessions.count == 2)
        #expect(ask("ada", .delete, "/v1/journeys/\(team.id)").status == .forbidden)
        #expect(ask("ada", .post, "/v1/journeys", #"{"route":"\#(route.id)","persons":["bob"]}"#).status == .forbidden)
    }

    @Test("twice 15 minutes unlock a place of half an hour, unless one session has to do it")
    func single() throws {
        for isSingle in [false, true] {
            let journey = try addJourney("ada", try addRoute(single: isSingle))
            for _ in 0..<2 {
                _ = try start("ada", journey, seconds: 900)
                clock.advance(seconds: 901)
            }
            let unlocked = try get("ada", "/v1/journeys/\(journey.id)", as: Journey.self).unlocked
            #expect(unlocked.count == (isSingle ? 1 : 2))
        }
    }

    @Test("ten requests at once start one session, and a threshold is rewarded once")
    func parallel() async throws {
        let journey = try addJourney("ada", try addRoute())
        let path = "/v1/journeys/\(journey.id)"
        let server = town.server
        let statuses = await withTaskGroup(of: Status.self) { group in
            for _ in 0..<10 {
                group.addTask { Self.ask(server, "ada", .post, path + "/sessions", #"{"seconds":3601}"#).status }
            }
            return await group.reduce(into: [Status]()) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == .created }.count == 1 && statuses.filter { $0 == .conflict }.count == 9)
        clock.advance(seconds: 3599.999)
        #expect(try get("ada", path, as: Journey.self).rewards[0].granted == nil)
        clock.advance(seconds: 0.001)
        let seen = await withTaskGroup(of: Response.self) { group in
            for _ in 0..<10 { group.addTask { Self.ask(server, "ada", .patch, path, #"{"seen":[1]}"#) } }
            return await group.reduce(into: [Response]()) { $0.append($1) }
        }
        let grants = Set(try seen.map { try decode($0, as: Journey.self).rewards[0].granted })
        #expect(grants.count == 1)
        let count = try town.library.database.read { try $0.session.integer("SELECT count(*) FROM reward_grant") }
        #expect(count == 1)
    }

    @Test("rewards are kept when the journey or the reward goes")
    func keptRewards() throws {
        let journey = try addJourney("ada", try addRoute())
        _ = try start("ada", journey, seconds: 3600)
        clock.advance(seconds: 3600)
        struct Rewards: Decodable {
            struct One: Decodable { var id: String, hours: Int }
            var rewards: [One]
        }
        let first = try #require(try get("ada", "/v1/rewards", as: Rewards.self).rewards.first)
        #expect(ask("ada", .patch, "/v1/rewards/\(first.id)", #"{"hours":2}"#).status == .forbidden)
        #expect(ask("owner", .patch, "/v1/rewards/\(first.id)", #"{"hours":2}"#).status == .ok)
        #expect(ask("owner", .delete, "/v1/rewards/\(first.id)").status == .noContent)
        #expect(ask("ada", .delete, "/v1/journeys/\(journey.id)").status == .noContent)
        struct Person: Decodable { var focusSeconds: Double, rewards: [Reward], unlocked: [String: [String]] }
        let ada: Person = try get("ada", "/v1/persons/ada")
        #expect(ada.rewards.map(\.hours) == [2] && ada.focusSeconds == 0 && ada.unlocked.isEmpty)
        #expect(try get("owner", "/v1/persons/owner", as: Person.self).rewards.isEmpty)
    }

    @Test("sums by day, week, month and year are the same, over midnight and both changes of summer time")
    func statistics() throws {
        let journey = try addJourney("ada", try addRoute())
        // Berlin: 2026-03-29 has 23 hours, 2026-10-25 has 25.
        for text in ["2026-03-28T22:30:00Z", "2026-10-24T21:30:00Z", "2026-12-31T22:00:00Z"] {
            clock.set(try #require(ISO8601DateFormatter().date(from: text)).millisecondsSince1970)
            _ = try start("ada", journey, seconds: 7201)
            clock.advance(seconds: 7300)
        }
        for by in ["day", "week", "month", "year"] {
            let totals: Totals = try get("ada", "/v1/journeys/stats?by=\(by)")
            #expect(totals.total.seconds == 3 * 7201 && totals.rows.reduce(0) { $0 + $1.seconds } == 3 * 7201, "\(by)")
            #expect(totals.rows.reduce(0) { $0 + $1.sessions } == 3)
        }
        let days: Totals = try get("ada", "/v1/journeys/stats?by=day")
        #expect(days.rows.map(\.period).prefix(2) == ["2026-03-28", "2026-03-29"])
        #expect(days.rows[0].seconds == 1800 && days.rows[1].seconds == 5401)
        #expect(
            ask("ada", .get, "/v1/journeys/stats.csv").bytes.starts(with: Array("period,from,seconds,sessions\n".utf8)))
        for form in ["svg", "png"] { #expect(ask("ada", .get, "/v1/journeys/stats.\(form)?by=month").status == .ok) }
        #expect(ask("bob", .get, "/v1/journeys/stats?person=ada").status == .notFound)
        #expect(try get("owner", "/v1/journeys/stats?person=ada", as: Totals.self).total.sessions == 3)
    }

    // MARK: What is locked, and whose it is

    @Test("what is locked is told to nobody but the owner who edits it")
    func locked() throws {
        let route = try addRoute()
        let journey = try addJourney("ada", route)
        _ = try start("ada", journey, seconds: 1800)
        clock.advance(seconds: 1800)
        for who in ["ada", "bob", "viewer", "owner"] {
            let open = who == "ada" ? 2 : 1
            for path in [
                "/v1/routes", "/v1/routes/\(route.id)", "/v1/routes/\(route.id).json", "/v1/routes/\(route.id).geojson",
            ] {
                let text = String(decoding: ask(who, .get, path).bytes, as: UTF8.self)
                for index in 0..<4 {
                    #expect(text.contains("Secret \(index)") == (index < open), "\(who) \(path) \(index)")
                    #expect(text.contains("Place \(index)"))
                }
            }
            let edit = ask(who, .get, "/v1/routes/\(route.id)?edit=1")
            #expect(edit.status == (who == "owner" ? .ok : .forbidden))
        }
        let shown: Route = try get("ada", "/v1/routes/\(route.id)")
        #expect(shown.places.map(\.locked) == [false, false, true, true])
        #expect(shown.places.map { $0.picture != nil } == [true, true, false, false])
        for (index, place) in route.places.enumerated() {
            let status = ask("ada", .get, "/v1/routes/\(route.id)/places/\(place.id)/picture").status
            #expect(status == (index < 2 ? .ok : .notFound))
        }
    }

    @Test("other persons' journeys and profiles are those of unknown ids")
    func others() throws {
        let route = try addRoute()
        let journey = try addJourney("ada", route)
        let unknown = String(repeating: "0", count: 32)
        for (method, path, body) in [
            (HTTPCore.Method.get, "/v1/journeys/ID", nil), (.patch, "/v1/journeys/ID", #"{"active":true}"#),
            (.delete, "/v1/journeys/ID", nil), (.get, "/v1/journeys/ID/sessions", nil),
            (.post, "/v1/journeys/ID/sessions", #"{"seconds":60}"#), (.get, "/v1/journeys/ID/live", nil),
            (.get, "/v1/journeys/ID/replay", nil),
        ] as [(HTTPCore.Method, String, String?)] {
            let theirs = ask("bob", method, path.replacingOccurrences(of: "ID", with: journey.id), body)
            let nobodys = ask("bob", method, path.replacingOccurrences(of: "ID", with: unknown), body)
            #expect(theirs.status == .notFound && theirs.bytes == nobodys.bytes, "\(method) \(path)")
            #expect(
                ask("viewer", method, path.replacingOccurrences(of: "ID", with: journey.id), body).status == .forbidden)
        }
        for (method, body) in [(HTTPCore.Method.get, nil), (.patch, #"{"displayName":"X"}"#)]
            as [(HTTPCore.Method, String?)]
        {
            let theirs = ask("bob", method, "/v1/persons/ada", body)
            #expect(theirs.status == .notFound && theirs.bytes == ask("bob", method, "/v1/persons/zoe", body).bytes)
        }
        #expect(ask("bob", .get, "/v1/persons/ada/picture").status == .notFound)
        #expect(ask("bob", .post, "/v1/routes", "{}").status == .forbidden)
        #expect(ask("bob", .delete, "/v1/routes/\(route.id)").status == .forbidden)
        #expect(ask("owner", .delete, "/v1/routes/\(route.id)").status == .conflict)
        #expect(ask("owner", .get, "/v1/journeys/\(journey.id)").status == .ok)
    }

    // MARK: Editing

    @Test("the owner changes routes and places, and what is wrong is refused")
    func editing() throws {
        let route = try addRoute()
        let path = "/v1/routes/\(route.id)"
        let changed: Route = try decode(ask("owner", .patch, path, #"{"name":"West","level":60,"single":true}"#))
        #expect(changed.name == "West" && changed.level == 60 && changed.single)
        let added: Route = try decode(
            ask("owner", .post, path + "/places", #"{"name":"New","lon":8.5,"lat":47.2,"position":1}"#), .created)
        #expect(added.places.map(\.name) == ["Place 0", "New", "Place 1", "Place 2", "Place 3"])
        // Without a line of its own, a route leads through its places.
        #expect(added.line.count == 5 && added.metres > route.metres)
        let new = added.places[1].id
        let moved: Route = try decode(ask("owner", .patch, path + "/places/\(new)", #"{"position":4,"name":"End"}"#))
        #expect(moved.places.last?.name == "End" && moved.places.last?.id == new)
        #expect(ask("owner", .delete, path + "/places/\(new)").status == .noContent)
        #expect(ask("owner", .delete, path + "/places/\(new)").status == .notFound)
        #expect(try get("owner", path, as: Route.self).places.map(\.id) == route.places.map(\.id))
        for (target, body) in [
            (path, #"{"level":0}"#), (path, #"{"name":""}"#), (path + "/places/\(route.places[0].id)", #"{"lon":8}"#),
            (path + "/places/\(route.places[0].id)", #"{"lon":200,"lat":4}"#), (path, #"{"colour":"red"}"#),
        ] {
            #expect(ask("owner", .patch, target, body).status == .badRequest, "\(body)")
        }
        #expect(ask("owner", .post, "/v1/routes", #"{"name":"One","places":[]}"#).status == .badRequest)
        // The same again is the same route.
        let again = ask(
            "owner", .post, "/v1/routes",
            #"{"name":"East 1800 false","level":1800,"single":false,"places":[\#(Self.places)]}"#)
        #expect(try decode(again, as: Route.self).id == route.id)
        #expect(ask("owner", .delete, path).status == .noContent && ask("owner", .get, path).status == .notFound)
    }
}

extension Date {
    fileprivate var millisecondsSince1970: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }
}
