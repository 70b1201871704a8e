import Foundation
import HTTPCore
import PNG
import PrimaryStore
import TestLibrary
import TestSupport
import Testing
import TileMath
import TileService
import TrackStore
import Tracks

@Suite struct CountriesRouteTests {
    private struct Answer: Decodable, Equatable {
        struct Country: Decodable, Equatable {
            var code: String
            var name: String
            var region: String?
            var status: String
            var first: String?
            var last: String?
            var days: Int
            var nights: Int
            var metres: Double
        }
        struct Metres: Decodable, Equatable { var metres: Double }
        var by: String
        var view: String
        var countries: [Country]
        var sea: Metres
        var unknown: Metres
        var source: String?
    }

    private struct Interval: Decodable {
        var person: String
        var region: String?
        var enter: String?
        var leave: String?
        var status: String
        var metres: Double
        var tracks: [String]
    }

    private func answer(_ town: Town, _ query: String = "") throws -> Answer {
        let response = town.get("/v1/countries?\(query)")
        #expect(response.status == .ok && response[.contentType] == "application/json", "\(query)")
        return try JSONDecoder().decode(Answer.self, from: Data(response.bytes))
    }

    private func intervals(_ town: Town, _ path: String) throws -> [Interval] {
        let response = town.get("/v1/countries/\(path)")
        #expect(response.status == .ok, "\(path)")
        return try JSONDecoder().decode([Interval].self, from: Data(response.bytes))
    }

    /// A town in Germany, and a drive of Ada through Belgium to France in June 2025.
    private func town() throws -> Town {
        let town = try Town()
        var drive = TestJourney(6.20, 50.70)
        drive.go(to: 3.07, 50.62, speed: 28, every: 5)
        drive.stay(minutes: 80)
        try town.library.database.add(
            [drive.chunk], RecordingHeader(activity: "drive", person: "ada", source: "drive.gpx"))
        try town.library.catchUp()
        town.server.poll()
        return town
    }

    @Test func `countries have their status, dates and lengths`() throws {
        let town = try town()
        let all = try answer(town)
        #expect(all.by == "country" && all.view == "ne" && all.source == nil)
        #expect(all.countries.map(\.code) == ["BE", "FR", "DE"])
        #expect(all.countries.map(\.name) == ["Belgium", "France", "Germany"])
        #expect(all.countries.map(\.status) == ["transited", "visited", "visited"])
        let belgium = all.countries[0]
        #expect(belgium.first == "2025-06-02" && belgium.last == "2025-06-02" && belgium.days == 1)
        #expect(belgium.region == nil && belgium.metres > 100_000)
        #expect(all.sea == .init(metres: 0) && all.unknown == .init(metres: 0))
        let totals = town.get("/v1/stats?by=year")
        struct Totals: Decodable {
            struct Sum: Decodable { var metres: Double }
            var total: Sum
        }
        let metres = try JSONDecoder().decode(Totals.self, from: Data(totals.bytes)).total.metres
        #expect(abs(all.countries.reduce(0) { $0 + $1.metres } - metres) < metres / 1000)
    }

    @Test func `windows, layers, persons, views and regions select`() throws {
        let town = try town()
        #expect(try answer(town, "layer=walk").countries.map(\.code) == ["DE"])
        #expect(try answer(town, "person=ada").countries.map(\.code) == ["BE", "FR", "DE"])
        #expect(try answer(town, "person=").countries.map(\.code) == ["DE"])
        #expect(try answer(town, "to=2019-12-31").countries.map(\.code) == ["DE"])
        #expect(try answer(town, "from=2020-01-01&person=").countries.isEmpty)
        let regions = try answer(town, "by=region&person=ada")
        #expect(regions.by == "region" && regions.source == "GeoNames")
        #expect(regions.countries.contains { $0.code == "BE" && $0.region == "Wallonia" })
        #expect(
            regions.countries.contains { $0.code == "FR" && $0.region == "Hauts-de-France" && $0.status == "visited" })
        #expect(try answer(town, "view=iso").view == "iso")
        for (query, status) in [
            ("by=town", Status.badRequest), ("view=x", .badRequest), ("layer=nope", .notFound),
            ("person=nobody", .notFound), ("from=2020-01-01&to=2019-01-01", .badRequest), ("from=x", .badRequest),
        ] {
            #expect(town.get("/v1/countries?\(query)").status == status, "\(query)")
            #expect(town.get("/v1/countries/DE?\(query)").status == status, "\(query)")
        }
    }

    @Test func `a country has its intervals with their tracks`() throws {
        let town = try town()
        let belgium = try intervals(town, "BE")
        #expect(Set(belgium.map(\.person)) == ["ada"] && Set(belgium.map(\.status)) == ["transited"])
        #expect(Set(belgium.compactMap(\.region)).contains("Wallonia"))
        let tracks = Set(belgium.flatMap(\.tracks))
        #expect(tracks.count == 1)
        let track = try #require(tracks.first)
        #expect(town.get("/v1/tracks/\(track)").text.contains("drive.gpx"))
        #expect(belgium.allSatisfy { $0.enter ?? "" <= $0.leave ?? "" && $0.enter?.hasPrefix("2025-06-02T") == true })
        let metres = try answer(town).countries[0].metres
        #expect(abs(belgium.reduce(0) { $0 + $1.metres } - metres) < 1)
        #expect(try intervals(town, "be").count == belgium.count)
        #expect(try intervals(town, "DE?person=").allSatisfy { $0.person.isEmpty })
        #expect(try intervals(town, "AQ").isEmpty)
        #expect(try intervals(town, "X-SOL").isEmpty)
        for code in ["ZZ", "NLD", "%20", "X-SOL?view=iso"] {
            #expect(town.get("/v1/countries/\(code)").status == .notFound, "\(code)")
        }
    }

    @Test func `map tiles fill countries by their status`() throws {
        let town = try town()
        func image(_ path: String) throws -> RGBAImage {
            let response = town.get("/tiles/countries/\(path)")
            #expect(response.status == .ok && response[.contentType] == "image/png", "\(path)")
            return try PNGReader.image(of: response.bytes)
        }
        func color(_ image: RGBAImage, _ zoom: Int, _ longitude: Double, _ latitude: Double) throws -> [UInt8] {
            let tile = try Town.tile(zoom, longitude: longitude, latitude: latitude)
            let side = Double(image.width)
            let inner = pow(2, Double(zoom))
            let x = ((longitude + 180) / 360 * inner - Double(tile.x)) * side
            let sine = sin(latitude * .pi / 180)
            let y = ((0.5 - log((1 + sine) / (1 - sine)) / (4 * .pi)) * inner - Double(tile.y)) * side
            let start = 4 * (Int(y) * image.width + Int(x))
            return Array(image.bytes[start..<start + 4])
        }
        // One tile shows Germany and France (visited), Belgium (transited), and Italy (neither).
        let path = "3/4/2.png"
        let map = try image(path)
        let (germany, france) = (try color(map, 3, 9, 50.5), try color(map, 3, 2.5, 47))
        #expect(germany == france && germany[3] > 100)
        let belgium = try color(map, 3, 4.9, 50.4)
        #expect(belgium != germany && belgium[3] > 100)
        #expect(try color(map, 3, 12.5, 43)[3] == 0)
        // The colours are those of the legend.
        let legend = town.get("/legend/countries.json").text
        let text = "#" + germany[0..<3].map { String(format: "%02x", $0) }.joined()
        #expect(legend.contains("\"visited\"") && legend.lowercased().contains(text.prefix(3)), "\(text) \(legend)")
        #expect(town.get("/legend/countries.png")[.contentType] == "image/png")
        // Before the drive, only Germany is filled.
        let before = try image(path + "?to=2019-12-31")
        #expect(try color(before, 3, 9, 50.5)[3] > 100 && color(before, 3, 2.5, 47)[3] == 0)
        #expect(try image(path + "?person=").bytes.shown == before.bytes.shown)
        #expect(try image(path + "?theme=dark").bytes.shown != map.bytes.shown)
        #expect(try image("3/4/2@2x.png").width == 512)
        #expect(try image("10/0/0.png").bytes.allSatisfy { $0 == 0 })
        for path in ["countries/30/0/0.png", "countries/2/9/0.png", "countries/2/0/0.png?layer=nope"] {
            #expect(town.get("/tiles/\(path)").status == .notFound, "\(path)")
        }
        let description = town.get("/tiles/countries.json?person=ada").text
        #expect(description.contains("/tiles/countries/{z}/{x}/{y}.png?person=ada"))
        #expect(description.contains("\"maxzoom\":10"))
        let tag = town.get("/tiles/countries/\(path)")[.eTag] ?? ""
        #expect(town.get("/tiles/countries/\(path)", [(.ifNoneMatch, tag)]).status == .notModified)
    }

    @Test func `who may read may read countries, and nobody else`() throws {
        let town = try Town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = PinMemberTests.Register()
        }
        let allowed: [String?: Bool] = [nil: false, "recorder": true, "viewer": true, "ada": true, "owner": true]
        let paths = [
            "/v1/countries", "/v1/countries/DE", "/v1/countries/ZZ", "/tiles/countries/3/4/2.png",
            "/tiles/countries.json", "/legend/countries.json", "/legend/countries.png",
        ]
        for (role, isAllowed) in allowed {
            for path in paths {
                var headers: [(HeaderName, String)] = [(.host, "192.0.2.1")]
                if let role { headers.append((.authorization, "Bearer \(role)")) }
                let status = town.server.ask(Request(.get, path, headers: headers)).status
                let success: Status = path.hasSuffix("ZZ") ? .notFound : .ok
                // The same for every code.
                let failure = Status.unauthorized
                #expect(status == (isAllowed ? success : failure), "\(role ?? "nobody") \(path)")
            }
        }
    }

    @Test func `answers follow the library, and have an ETag`() throws {
        let town = try town()
        let first = town.get("/v1/countries")
        #expect(town.get("/v1/countries", [(.ifNoneMatch, first[.eTag] ?? "")]).status == .notModified)
        let drive = try #require(
            try town.library.database.tracks(limit: 9)?.tracks.first { $0.source == "drive.gpx" })
        _ = try town.library.remove([drive.id], drop: { _ in })
        town.server.poll()
        #expect(try answer(town).countries.map(\.code) == ["DE"])
        #expect(try intervals(town, "BE").isEmpty)
    }
}
