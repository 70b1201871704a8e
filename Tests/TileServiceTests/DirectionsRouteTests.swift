import Foundation
import HTTPCore
import Playback
import PrimaryStore
import TestLibrary
import TestSupport
import TestVenues
import Testing
import TileMath
import TileService
import TrackStore
import Tracks
import Venues

/// Ways that are planned in the background, their history, and the favourites of persons.
@Suite struct DirectionsRouteTests {
    private struct Place: Decodable { var id: String, name: String?, level: String, lon: Double, lat: Double }
    private struct Route: Decodable {
        struct Leg: Decodable { var how: String, instruction: String, line: [[Double]], metres: Double, level: String? }
        struct Progress: Decodable {
            var leg: Int, instruction: String, metresLeft: Double, offRoute: Bool, arrived: Bool
        }
        var id: String
        var state: String
        var reason: String?
        var metres: Double?
        var legs: [Leg]?
        var progress: Progress?
    }
    private struct History: Decodable {
        struct One: Decodable { var id: String, venue: String, profile: String }
        var directions: [One]
    }
    private struct Favourites: Decodable {
        struct One: Decodable { var place: String, name: String?, position: Int }
        var favourites: [One]
    }

    private let town: Town
    private let venue: Venue
    private let from: Place
    private let to: Place

    init() throws {
        town = try Town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = PinMemberTests.Register()
        }
        venue = try SampleCampus(seed: 3).stored(in: town.library)
        struct Places: Decodable { var places: [Place] }
        let response = town.server.ask(
            Request(
                .get, "/v1/venues/\(venue.id)/places?category=restroom",
                headers: [(.host, "192.0.2.1"), (.authorization, "Bearer viewer")]))
        let places = try JSONDecoder().decode(Places.self, from: Data(response.bytes)).places
        from = try #require(places.first { $0.name == "WC 0" })
        to = try #require(places.first { $0.name == "WC 3" })
    }

    private func ask(
        _ who: String?, _ method: HTTPCore.Method, _ path: String, _ json: String? = nil
    ) -> Response {
        var headers: [(HeaderName, String)] = [(.host, "192.0.2.1")]
        if let who { headers.append((.authorization, "Bearer \(who)")) }
        return town.server.ask(
            Request(method, path, headers: headers, content: json.map { .bytes(Array($0.utf8)) } ?? .none))
    }

    private func get<Answer: Decodable>(
        _ who: String, _ path: String, as type: Answer.Type = Answer.self
    ) throws -> Answer {
        let response = ask(who, .get, path)
        #expect(response.status == .ok, "\(path): \(String(decoding: response.bytes, as: UTF8.self))")
        return try JSONDecoder().decode(Answer.self, from: Data(response.bytes))
    }

    private var body: String { #"{"from":{"place":"\#(from.id)"},"to":{"place":"\#(to.id)"},"profile":"nolift"}"# }

    /// Asks for a way in the background; returns its id.
    private func post(_ who: String, _ body: String) throws -> String {
        let response = ask(who, .post, "/v1/directions", body)
        #expect(response.status == .accepted, "\(String(decoding: response.bytes, as: UTF8.self))")
        let location = try #require(response[.location])
        #expect(location.hasPrefix("/v1/directions/"))
        return String(location.dropFirst("/v1/directions/".count))
    }

    @Test("a way is planned in the background, and the one who asked is told")
    func background() throws {
        let own = try Watcher(ask("ada", .get, "/v1/live"))
        let other = try Watcher(ask("bea", .get, "/v1/live"))
        let id = try post("ada", body)
        let route: Route = try get("ada", "/v1/directions/\(id)?wait=30")
        #expect(route.id == id && route.state == "done" && route.legs?.contains { $0.how == "stairs" } == true)
        let event = try #require(own.events(1).first)
        #expect(event.name == "directions" && event.data["id"] as? String == id)
        #expect(event.data["state"] as? String == "done")
        // Others get neither the event nor the way.
        town.server.live.publish(event: Array("event: other\ndata: {}\n\n".utf8))
        #expect(other.events(1).map(\.name) == ["other"])
        for who in ["bea", "viewer", "owner"] {
            for path in ["", ".geojson", "/replay"] {
                let unknown = ask(who, .get, "/v1/directions/\(String(repeating: "0", count: 32))\(path)")
                let theirs = ask(who, .get, "/v1/directions/\(id)\(path)")
                #expect(theirs.status == .notFound && theirs.bytes == unknown.bytes, "\(who) \(path)")
            }
        }
        // The same way at once.
        let now: Route = try get("ada", "/v1/directions?from=\(from.id)&to=\(to.id)&profile=nolift")
        #expect(now.metres == route.metres && now.state == "done")
        #expect(try get("ada", "/v1/directions/\(now.id)", as: Route.self).metres == route.metres)
    }

    @Test("a way obeys closures at once, also one that was planned before")
    func closures() throws {
        let id = try post("ada", body)
        let before: Route = try get("ada", "/v1/directions/\(id)?wait=30")
        #expect(before.state == "done")
        let stairs = venue.units.filter { $0.category.name == "stairs" }.map(\.id.description)
        for unit in stairs {
            let response = ask(
                "owner", .put, "/v1/venues/\(venue.id)/closures/\(unit)", #"{"until":"2999-01-01T00:00:00Z"}"#)
            #expect(response.status == .noContent)
        }
        let closed: Route = try get("ada", "/v1/directions/\(id)")
        #expect(closed.state == "failed" && closed.reason?.isEmpty == false)
        #expect(ask("ada", .get, "/v1/directions/\(id).geojson").status == .conflict)
        for unit in stairs {
            #expect(ask("owner", .delete, "/v1/venues/\(venue.id)/closures/\(unit)").status == .noContent)
        }
        #expect(try get("ada", "/v1/directions/\(id)", as: Route.self).metres == before.metres)
    }

    @Test("persons have a history, others do not")
    func history() throws {
        let ids = try (0..<3).map { _ in try post("ada", body) }
        let nearest =
            #"{"venue":"\#(venue.id)","from":{"lon":\#(from.lon),"lat":\#(from.lat),"level":0},"#
            + #""to":{"category":"elevator"},"via":[{"place":"\#(to.id)"}]}"#
        let last = try post("ada", nearest)
        let history: History = try get("ada", "/v1/directions")
        #expect(history.directions.map(\.id) == [last] + ids.reversed())
        #expect(history.directions.allSatisfy { $0.venue == venue.id.description })
        #expect(try get("ada", "/v1/directions/\(last)?wait=30", as: Route.self).state == "done")
        #expect(try get("bea", "/v1/directions", as: History.self).directions.isEmpty)
        #expect(try get("owner", "/v1/directions", as: History.self).directions.isEmpty)
        #expect(ask("viewer", .get, "/v1/directions").status == .forbidden)
        #expect(ask("recorder", .get, "/v1/directions").status == .forbidden)
        // A viewer's way is not kept, but can be had by its id.
        let anonymous = try post("viewer", body)
        #expect(try get("viewer", "/v1/directions/\(anonymous)?wait=30", as: Route.self).state == "done")
        #expect(ask(nil, .post, "/v1/directions", body).status == .unauthorized)
        // A new server has the history, and plans again; it does not know what was not kept.
        let again = try town.library.server {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = PinMemberTests.Register()
        }
        func restarted(_ who: String, _ path: String) -> Response {
            again.ask(Request(.get, path, headers: [(.host, "192.0.2.1"), (.authorization, "Bearer \(who)")]))
        }
        let planned = restarted("ada", "/v1/directions/\(ids[1])?wait=30")
        #expect(try JSONDecoder().decode(Route.self, from: Data(planned.bytes)).state == "done")
        #expect(restarted("viewer", "/v1/directions/\(anonymous)").status == .notFound)
        #expect(restarted("bea", "/v1/directions/\(ids[1])").status == .notFound)
        // Removing.
        #expect(ask("bea", .delete, "/v1/directions/\(last)").status == .notFound)
        #expect(ask("ada", .delete, "/v1/directions/\(last)").status == .noContent)
        #expect(ask("ada", .get, "/v1/directions/\(last)").status == .notFound)
        #expect(try get("ada", "/v1/directions", as: History.self).directions.map(\.id) == ids.reversed())
        // The oldest give way.
        for _ in 0..<StoredDirections.limit {
            let stored = StoredDirections(
                id: UUID().uuidString, time: 1, venue: venue.id.description, stops: "1,1;2,2", profile: "walk")
            #expect(try town.library.database.keep(stored, of: "ada"))
        }
        let kept: History = try get("ada", "/v1/directions")
        #expect(kept.directions.count == StoredDirections.limit && !kept.directions.contains { ids.contains($0.id) })
    }

    @Test("what is wrong in a request is named, and nothing is kept")
    func malformed() throws {
        let good = #"{"place":"\#(from.id)"}"#
        for (json, word) in [
            ("[]", "JSON object"), (#"{"from":\#(good)}"#, "to has to be"),
            (#"{"from":1,"to":\#(good)}"#, "from has to be"),
            (#"{"from":{"category":"stairs"},"to":\#(good)}"#, "only the last stop"),
            (#"{"from":\#(good),"to":{"lon":1,"lat":99}}"#, "to has to be"),
            (#"{"from":\#(good),"to":{"lon":1,"lat":9,"floor":2}}"#, "to has to be"),
            (#"{"from":\#(good),"to":\#(good),"via":[1]}"#, "via has to be"),
            (#"{"from":\#(good),"to":\#(good),"profile":"fly"}"#, "profile has to be"),
            (#"{"from":\#(good),"to":\#(good),"how":"fly"}"#, "how cannot be set"),
            (#"{"from":\#(good),"to":\#(good),"venue":"x"}"#, "venue has to be"),
            (
                #"{"from":\#(good),"to":\#(good),"via":[\#([String](repeating: good, count: 7).joined(separator: ","))]}"#,
                "more than 6"
            ),
        ] {
            let response = ask("ada", .post, "/v1/directions", json)
            let text = String(decoding: response.bytes, as: UTF8.self)
            #expect(response.status == .badRequest && text.contains(word), "\(json): \(text)")
        }
        let nowhere = #"{"venue":"\#(String(repeating: "0", count: 32))","from":\#(good),"to":\#(good)}"#
        #expect(ask("ada", .post, "/v1/directions", nowhere).status == .notFound)
        #expect(try get("ada", "/v1/directions", as: History.self).directions.isEmpty)
        for query in ["wait=61", "wait=x", "lon=1", "lat=1&lon=200", "level=1"] {
            #expect(ask("ada", .get, "/v1/directions/\(from.id)?\(query)").status == .badRequest, "\(query)")
        }
    }

    @Test("a way is drawn in floor tiles, exported, played back, and tells what comes next")
    func uses() throws {
        let id = try post("ada", body)
        let route: Route = try get("ada", "/v1/directions/\(id)?wait=30")
        let legs = try #require(route.legs)
        // GeoJSON: one feature for each leg.
        struct Collection: Decodable {
            struct Feature: Decodable {
                struct Geometry: Decodable { var type: String }
                struct Properties: Decodable { var leg: Int, how: String, instruction: String }
                var geometry: Geometry
                var properties: Properties
            }
            var type: String
            var features: [Feature]
        }
        let exported: Collection = try get("ada", "/v1/directions/\(id).geojson")
        #expect(exported.features.map(\.properties.instruction) == legs.map(\.instruction))
        #expect(exported.features.allSatisfy { ["LineString", "Point"].contains($0.geometry.type) })
        // Replay.
        guard case .events(let channel) = ask("ada", .get, "/v1/directions/\(id)/replay?speed=max").body else {
            Issue.record("no events")
            return
        }
        let text = EventStreamTests.text(of: channel)
        #expect(text.components(separatedBy: "event: leg").count == legs.count + 1 && text.contains("event: end"))
        // What comes next at the beginning, at the end, and elsewhere.
        let first = try #require(legs.first?.line.first)
        let last = try #require(legs.last?.line.last)
        func progress(_ place: [Double], _ level: String?) throws -> Route.Progress {
            let query = "lon=\(place[0])&lat=\(place[1])" + (level.map { "&level=\($0)" } ?? "")
            return try #require(try get("ada", "/v1/directions/\(id)?\(query)", as: Route.self).progress)
        }
        let begin = try progress(first, from.level)
        #expect(begin.leg == 0 && begin.instruction == legs[1].instruction && !begin.offRoute && !begin.arrived)
        #expect(abs(begin.metresLeft - (route.metres ?? 0)) < 0.5)
        #expect(try progress(last, to.level).arrived)
        #expect(try progress([first[0] + 0.01, first[1]], from.level).offRoute)
        // Floor tiles: the way changes those that it passes, on its levels only.
        let zoom = 19
        func tile(_ query: String, as who: String = "ada") -> Response {
            let count = Double(1 << zoom)
            let x = Int((first[0] + 180) / 360 * count)
            let y = Int((1 - asinh(tan(first[1] * .pi / 180)) / .pi) / 2 * count)
            return ask(who, .get, "/tiles/floor/\(zoom)/\(x)/\(y).png?\(query)")
        }
        let plain = tile("venue=\(venue.id)&level=\(from.level)")
        let drawn = tile("directions=\(id)")
        #expect(drawn.status == .ok && drawn.bytes != plain.bytes && drawn[.eTag] != plain[.eTag])
        #expect(tile("directions=\(id)&level=\(from.level)").bytes.shown == drawn.bytes.shown)
        let passed = Set(legs.compactMap(\.level) + [to.level])
        for level in venue.levels where !passed.contains(level.id.description) {
            #expect(
                tile("directions=\(id)&level=\(level.id)").bytes.shown
                    == tile("venue=\(venue.id)&level=\(level.id)").bytes.shown)
        }
        #expect(tile("directions=\(id)", as: "bea").status == .notFound)
        #expect(tile("directions=\(String(repeating: "0", count: 32))").status == .notFound)
        // Removing the venue removes the way.
        #expect(try town.library.database.removeVenue(id: venue.id.description))
        #expect(tile("directions=\(id)").status == .notFound)
        #expect(ask("ada", .get, "/v1/directions/\(id)").status == .notFound)
        #expect(try get("ada", "/v1/directions", as: History.self).directions.isEmpty)
    }

    @Test("an ordinal names the levels of all buildings, and a place tells which")
    func ordinals() throws {
        struct Room: Decodable { var room: Place? }
        struct Places: Decodable { var places: [Place] }
        let ground = venue.levels.filter { $0.ordinal == 0 }
        #expect(ground.count == 2, "the campus has two buildings")
        let places = try get("viewer", "/v1/venues/\(venue.id)/places?level=0", as: Places.self).places
        #expect(Set(places.map(\.level)) == Set(ground.map(\.id.description)))
        for level in ground {
            let unit = try #require(
                venue.units.first { unit in
                    venue.levels[unit.level].id == level.id && unit.displayPoint != nil && !unit.category.isSolid
                })
            let point = try #require(unit.displayPoint)
            let query = "lon=\(point.longitude)&lat=\(point.latitude)&level="
            let byOrdinal = ask("viewer", .get, "/v1/venues/\(venue.id)/at?\(query)0")
            let byID = ask("viewer", .get, "/v1/venues/\(venue.id)/at?\(query)\(level.id)")
            #expect(byOrdinal.status == .ok && byOrdinal.bytes == byID.bytes)
            let target = "/v1/directions?venue=\(venue.id)&to=\(from.id)&from=\(point.longitude),\(point.latitude)"
            let one: Route = try get("viewer", "\(target),0")
            let other: Route = try get("viewer", "\(target),\(level.id)")
            #expect(one.state == other.state && one.metres == other.metres)
        }
    }

    @Test("favourites are added, renamed, moved and removed, by each person apart")
    func favourites() throws {
        func list(_ who: String = "ada") throws -> [Favourites.One] {
            try get(who, "/v1/favourites", as: Favourites.self).favourites
        }
        let places = VenuePlaces(venue).all.prefix(4).map(\.id.description)
        for place in places { #expect(ask("ada", .put, "/v1/favourites/\(place)").status == .noContent) }
        #expect(try list().map(\.place) == places && list().map(\.position) == [0, 1, 2, 3])
        #expect(try list("bea").isEmpty && list("owner").isEmpty)
        // Twice is once.
        #expect(ask("ada", .put, "/v1/favourites/\(places[1])", "{}").status == .noContent)
        #expect(try list().map(\.place) == places)
        #expect(
            ask("ada", .patch, "/v1/favourites/\(places[3])", #"{"name":"My desk","position":0}"#).status == .noContent)
        #expect(try list().map(\.place) == [places[3]] + places[..<3] && list().first?.name == "My desk")
        #expect(ask("ada", .patch, "/v1/favourites/\(places[0])", #"{"position":150}"#).status == .noContent)
        #expect(try list().map(\.place) == [places[3], places[1], places[2], places[0]])
        #expect(ask("ada", .patch, "/v1/favourites/\(places[3])", #"{"name":null}"#).status == .noContent)
        #expect(try list().first?.name != "My desk")
        #expect(ask("ada", .delete, "/v1/favourites/\(places[1])").status == .noContent)
        #expect(ask("ada", .delete, "/v1/favourites/\(places[1])").status == .notFound)
        #expect(try list().map(\.place) == [places[3], places[2], places[0]] && list().map(\.position) == [0, 1, 2])
        for (who, status) in [("viewer", Status.forbidden), ("recorder", .forbidden)] {
            #expect(ask(who, .get, "/v1/favourites").status == status)
            #expect(ask(who, .put, "/v1/favourites/\(places[0])").status == status)
        }
        #expect(ask("ada", .put, "/v1/favourites/\(String(repeating: "0", count: 32))").status == .notFound)
        #expect(ask("bea", .patch, "/v1/favourites/\(places[0])", "{}").status == .notFound)
        for json in [#"{"position":-1}"#, #"{"position":1.5}"#, #"{"name":" "}"#, #"{"x":1}"#] {
            #expect(ask("ada", .patch, "/v1/favourites/\(places[0])", json).status == .badRequest, "\(json)")
        }
        #expect(try town.library.database.removeVenue(id: venue.id.description))
        #expect(try list().isEmpty)
    }

    @Test("a way outdoors follows what people walk")
    func heat() throws {
        // North of the campus, five times along two sides of a square of 200 m; nobody crosses it.
        let scale = cos(SampleCampus.origin.latitude * .pi / 180)
        let corner = (x: SampleCampus.origin.longitude, y: SampleCampus.origin.latitude + 0.004)
        func place(_ east: Double, _ north: Double) -> (Double, Double) {
            (corner.x + east / 111_320 / scale, corner.y + north / 111_320)
        }
        for day in 0..<5 {
            let steps = (0...200).map { (0.0, Double($0)) } + (1...200).map { (Double($0), 200.0) }
            let points = PointColumns(
                unit: .decimal(places: 7),
                longitudes: steps.map { Int64(place($0.0, $0.1).0 * 1e7) },
                latitudes: steps.map { Int64(place($0.0, $0.1).1 * 1e7) },
                times: steps.indices.map { (Town.firstDay + Int64(day) * 86_400 + Int64($0)) * 1000 },
                segmentStarts: [0])
            try town.library.database.add([points], RecordingHeader(source: "walk\(day).gpx"))
        }
        try town.library.catchUp()
        town.server.poll()
        let (start, end) = (place(0, 0), place(200, 200))
        let path = "/v1/directions?venue=\(venue.id)&from=\(start.0),\(start.1)&to=\(end.0),\(end.1)"
        let route: Route = try get("ada", path)
        #expect(route.state == "done", "\(route.reason ?? "")")
        let line = try #require(route.legs).flatMap(\.line)
        var (near, all) = (0, 0)
        for (one, other) in zip(line, line.dropFirst()) {
            for step in 0..<100 {
                let part = Double(step) / 100
                let x = (one[0] + (other[0] - one[0]) * part - corner.x) * 111_320 * scale
                let y = (one[1] + (other[1] - one[1]) * part - corner.y) * 111_320
                // A cell is 1.6 m wide here.
                let distance = min(hypot(x, max(0, -y, y - 200)), hypot(y - 200, max(0, -x, x - 200)))
                all += 1
                if distance < 2.3 { near += 1 }
            }
        }
        #expect(near * 10 >= all * 8, "\(near) of \(all) are on the path")
        #expect((route.metres ?? 0) > 380 && (route.metres ?? 0) < 420)
        // Without the recordings nothing leads round the square.
        let tracks = try #require(try town.library.database.tracks(limit: 50)?.tracks).filter {
            $0.source.hasPrefix("walk")
        }
        _ = try town.library.remove(tracks.map(\.id)) { _ in }
        try town.library.catchUp()
        town.server.poll()
        let straight: Route = try get("ada", "/v1/directions/\(route.id)")
        #expect(straight.state == "failed" || (straight.metres ?? 999) < 300)
    }
}

extension SampleCampus {
    /// Stores the campus in a library.
    func stored(in library: Library) throws -> Venue {
        let members = imdfMembers().filter { $0.name != "manifest.json" }
        let collections = try members.map { try FeatureCollection(Array($0.text.utf8)) }
        let venue = try Venue.reading(collections, name: "campus").venue
        let summary = VenueSummary(
            id: venue.id.description, name: venue.name, source: "campus.zip", time: 1, bounds: venue.bounds)
        #expect(try library.database.store(summary, bytes: venue.encoded()) == .added)
        #expect(try library.database.store(summary, bytes: venue.encoded()) == .unchanged)
        return venue
    }
}
