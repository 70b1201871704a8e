import Foundation
import HTTPCore
import PrimaryStore
import TestSupport
import TestVenues
import Testing
import TileService
import TrackStore
import Venues

@Suite struct VenueRouteTests {
    private struct Problem: Decodable { var detail: String }
    private struct VenueAnswer: Decodable {
        struct Level: Decodable { var id: String, ordinal: Int, building: String? }
        var id: String
        var name: String
        var bbox: [Double]
        var levels: [Level]
    }
    private struct Place: Decodable {
        var id: String, name: String?, category: String, level: String, lon: Double, lat: Double
    }
    private struct Places: Decodable { var places: [Place] }
    private struct Route: Decodable {
        struct Leg: Decodable { var how: String, instruction: String, line: [[Double]], metres: Double }
        var state: String
        var reason: String?
        var metres: Double?
        var legs: [Leg]?
    }

    private let town: Town
    private let venue: Venue
    private var base: String { "/v1/venues/\(venue.id)" }

    init() throws {
        town = try Town()
        venue = try SampleCampus(seed: 3).stored(in: town.library)
    }

    private func answer<Answer: Decodable>(_ target: String, as type: Answer.Type = Answer.self) throws -> Answer {
        let response = town.get(target)
        #expect(response.status == .ok, "\(target): \(String(decoding: response.bytes, as: UTF8.self))")
        return try JSONDecoder().decode(Answer.self, from: Data(response.bytes))
    }

    @Test("venues are listed by box and name, and shown with their levels")
    func list() throws {
        struct List: Decodable { var venues: [VenueAnswer] }
        let origin = SampleCampus.origin
        let box =
            "\(origin.longitude - 0.01),\(origin.latitude - 0.01),\(origin.longitude + 0.01),\(origin.latitude + 0.01)"
        for query in ["", "?bbox=\(box)", "?q=\(venue.name.lowercased().prefix(3))"] {
            #expect(
                try answer("/v1/venues\(query)", as: List.self).venues.map(\.id) == [venue.id.description], "\(query)")
        }
        for query in ["?bbox=1,1,2,2", "?q=nothing-like-it"] {
            #expect(try answer("/v1/venues\(query)", as: List.self).venues.isEmpty)
        }
        let shown: VenueAnswer = try answer(base)
        #expect(shown.levels.count == venue.levels.count && shown.bbox.count == 4)
        #expect(town.get("/v1/venues/\(String(repeating: "0", count: 32))").status == .notFound)
        let tag = try #require(town.get(base)[.eTag])
        #expect(town.get(base, [(.ifNoneMatch, tag)]).status == .notModified)
    }

    @Test("places are searched by name, level and category, and a room is found where it is")
    func places() throws {
        let all: Places = try answer("\(base)/places")
        #expect(all.places.count == VenuePlaces(venue).all.count)
        let restrooms: Places = try answer("\(base)/places?category=restroom")
        #expect(!restrooms.places.isEmpty && restrooms.places.allSatisfy { $0.category.hasPrefix("restroom") })
        let cloister: Places = try answer("\(base)/places?q=cloistr&level=0")
        #expect(cloister.places.first?.name == "Cloister")
        struct Room: Decodable { var room: Place? }
        let wanted = try #require(restrooms.places.first)
        let room: Room = try answer("\(base)/at?lon=\(wanted.lon)&lat=\(wanted.lat)&level=\(wanted.level)")
        #expect(room.room?.id == wanted.id)
        let nowhere: Room = try answer("\(base)/at?lon=1&lat=1")
        #expect(nowhere.room == nil)
        for query in ["places?level=99", "places?building=zz", "at?lon=1&lat=1&level=zz"] {
            #expect(town.get("\(base)/\(query)").status == .notFound, "\(query)")
        }
        #expect(town.get("\(base)/at?lon=1").status == .badRequest)
    }

    @Test("a way leads up the stairs, step-free by lift, and around what is closed until it opens")
    func directions() throws {
        let restrooms: Places = try answer("\(base)/places?category=restroom")
        let ends = ["WC 0", "WC 3"].map { name in restrooms.places.first { $0.name == name } }
        let (from, to) = (try #require(ends[0]), try #require(ends[1]))
        func route(_ query: String = "") throws -> Route {
            try answer("/v1/directions?from=\(from.id)&to=\(to.id)\(query)")
        }
        let walk = try route("&profile=nolift")
        #expect(walk.state == "done" && walk.legs?.contains { $0.how == "stairs" } == true)
        let rolling = try route("&profile=wheelchair")
        #expect(rolling.legs?.contains { $0.how == "lift" } == true)
        #expect(rolling.legs?.contains { $0.how == "stairs" } == false)
        #expect(try route("&accessible=1").metres == rolling.metres)
        // All lifts are closed: there is no step-free way, from that instant on and until they open.
        let lifts = venue.units.filter { $0.category.name == "elevator" }.map(\.id.description)
        let later = TrackDatabase.systemClock() + 3_600_000
        for lift in lifts {
            #expect(
                try town.library.database.close(
                    lift, ofVenue: venue.id.description, until: later, now: TrackDatabase.systemClock()))
        }
        struct Closures: Decodable { struct One: Decodable { var unit: String, until: String }; var closures: [One] }
        #expect(try answer("\(base)/closures", as: Closures.self).closures.map(\.unit).sorted() == lifts.sorted())
        let closed = try route("&profile=wheelchair")
        #expect(closed.state == "failed" && closed.reason?.isEmpty == false)
        for lift in lifts {
            #expect(
                try town.library.database.close(
                    lift, ofVenue: venue.id.description, until: nil, now: TrackDatabase.systemClock()))
        }
        #expect(try route("&profile=wheelchair").metres == rolling.metres)
        // A point instead of a place, and the nearest of a kind.
        let near: Route = try answer(
            "/v1/directions?from=\(from.lon),\(from.lat),\(from.level)&to=category:restroom&venue=\(venue.id)")
        #expect(near.state == "done" && (near.metres ?? 99) < 1)
        #expect(town.get("/v1/directions?from=\(from.id)").status == .badRequest)
        #expect(town.get("/v1/directions?from=zz&to=\(to.id)").status == .badRequest)
        #expect(town.get("/v1/directions?from=1,1&to=2,2").status == .notFound)
    }

    @Test("floor tiles show the levels that are asked for, in both themes, and nothing far away")
    func floorTiles() throws {
        let origin = SampleCampus.origin
        let zoom = 19
        let count = Double(1 << zoom)
        let x = Int((origin.longitude + 0.0003 + 180) / 360 * count)
        let radians = (origin.latitude + 0.0001) * .pi / 180
        let y = Int((1 - asinh(tan(radians)) / .pi) / 2 * count)
        func tile(_ query: String, _ x: Int = x) -> Response { town.get("/tiles/floor/\(zoom)/\(x)/\(y).png\(query)") }
        let ground = tile("")
        #expect(ground.status == .ok && ground[.contentType] == "image/png")
        let empty = tile("", x + 1000)
        #expect(empty.status == .ok && empty.bytes != ground.bytes)
        #expect(tile("?venue=\(venue.id)").bytes.shown == ground.bytes.shown)
        #expect(tile("?ordinal=0").bytes.shown == ground.bytes.shown)
        #expect(tile("?ordinal=77").bytes.shown == empty.bytes.shown)
        #expect(tile("?ordinal=1").bytes != ground.bytes)
        #expect(tile("?theme=dark").bytes != ground.bytes)
        let upper = try #require(venue.levels.first { $0.ordinal == 2 })
        #expect(tile("?venue=\(venue.id)&level=\(upper.id)").status == .ok)
        #expect(tile("?level=1").status == .badRequest)
        #expect(tile("?venue=\(venue.id)&level=zz").status == .notFound)
        #expect(tile("?venue=\(String(repeating: "0", count: 32))").status == .notFound)
        let tag = try #require(ground[.eTag])
        #expect(town.get("/tiles/floor/\(zoom)/\(x)/\(y).png", [(.ifNoneMatch, tag)]).status == .notModified)
        struct Description: Decodable { var bounds: [Double], maxzoom: Int }
        let described: Description = try answer("/tiles/floor.json?venue=\(venue.id)")
        #expect(described.bounds.count == 4 && described.maxzoom == 22)
        // Removing the venue clears the tile at once.
        #expect(try town.library.database.removeVenue(id: venue.id.description))
        #expect(tile("").bytes.shown == empty.bytes.shown)
    }

    @Test("a removed venue leaves nothing")
    func removal() throws {
        #expect(
            try town.library.database.close(
                venue.units[0].id.description, ofVenue: venue.id.description, until: .max, now: 0))
        #expect(try town.library.database.removeVenue(id: venue.id.description))
        #expect(try !town.library.database.removeVenue(id: venue.id.description))
        for path in ["", "/places", "/closures", "/at?lon=1&lat=1"] {
            #expect(town.get(base + path).status == .notFound, "\(path)")
        }
        let files = ["tracks.sqlite", "tracks.sqlite-wal"].map { "\(town.library.folder)/\($0)" }
        for file in files {
            let bytes = FileManager.default.contents(atPath: file) ?? Data()
            #expect(bytes.range(of: Data("Cloister".utf8)) == nil, "\(file)")
        }
    }
}
