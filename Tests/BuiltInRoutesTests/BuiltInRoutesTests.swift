import BuiltInRoutes
import Foundation
import Geography
import Journeys
import Places
import Testing
import TileMath

@Suite struct BuiltInRoutesTests {
    private static let countries = ["taiwan": "TW", "south-korea": "KR", "canada": "CA"]

    @Test func `Taiwan, South Korea and Canada are built in, with longer and longer stages`() {
        #expect(BuiltInRoute.all.map(\.id) == ["taiwan", "south-korea", "canada"])
        #expect(BuiltInRoute.all.map(\.route.name) == ["Taiwan", "South Korea", "Canada"])
        #expect(BuiltInRoute.all.map(\.route.level) == [1800, 3600, 7200])
        for (_, route) in BuiltInRoute.all { #expect(!route.isSingle && (8...12).contains(route.places.count)) }
    }

    @Test func `the files of the folder are embedded`() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Sources/CRoutes/routes").standardizedFileURL
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
        #expect(files == BuiltInRoute.all.map { $0.id + ".json" }.sorted())
        for (id, route) in BuiltInRoute.all {
            let bytes = Array(try Data(contentsOf: folder.appending(path: id + ".json")))
            #expect(try JourneyRoute(json: bytes, name: "") == route)
        }
    }

    private static let python = "/usr/bin/python3"

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python)))
    func `the script makes these files again`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardizedFileURL
        let folder = FileManager.default.temporaryDirectory.appending(path: "routes-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let process = Process()
        process.executableURL = URL(filePath: Self.python)
        process.arguments = [root.appending(path: "Scripts/make-routes").path, "--output", folder.path]
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        for (id, _) in BuiltInRoute.all {
            let made = try Data(contentsOf: folder.appending(path: id + ".json"))
            let known = try Data(contentsOf: root.appending(path: "Sources/CRoutes/routes/\(id).json"))
            #expect(made == known, "\(id)")
        }
    }

    @Test(arguments: BuiltInRoute.all.map(\.id)) func `places are towns of the table, in their country`(id: String)
        throws
    {
        let route = try #require(BuiltInRoute.all.first { $0.id == id }).route
        let code = try #require(Self.countries[id])
        for place in route.places {
            // On the map, the town of Québec is beside the bank of its river.
            let countries = CountryIndex.embedded.countries(within: 2000, of: place.point)
            let codes = countries.map { Geography.embeddedCountries[$0].code }
            #expect(codes == [code], "\(place.name)")
            let town = Gazetteer.embedded[Gazetteer.embedded.nearest(to: place.point).index]
            #expect(town.country == code && town.position == place.point, "\(place.name)")
            #expect(town.name.hasPrefix(place.name), "\(place.name) \(town.name)")
        }
    }

    @Test(arguments: BuiltInRoute.all.map(\.id)) func `places have texts, and no name comes twice`(id: String) throws {
        let route = try #require(BuiltInRoute.all.first { $0.id == id }).route
        #expect(Set(route.places.map(\.name)).count == route.places.count)
        for place in route.places {
            let sentences = (place.description ?? "").split(separator: ". ")
            #expect((2...3).contains(sentences.count) && place.description?.hasSuffix(".") == true, "\(place.name)")
            #expect(!place.tags.isEmpty && place.credit?.contains("CC BY 4.0") == true)
        }
    }

    @Test(arguments: BuiltInRoute.all.map(\.id)) func `the line passes all places in order, by short steps`(id: String)
        throws
    {
        let route = try #require(BuiltInRoute.all.first { $0.id == id }).route
        let measure = RouteMeasure(route)
        #expect(route.line.first == route.places.first?.point && route.line.last == route.places.last?.point)
        let stages = zip(measure.placeMetres, measure.placeMetres.dropFirst()).map { $1 - $0 }
        for (index, place) in route.places.enumerated() {
            #expect(measure.nearest(to: place.point).distance < 1, "\(place.name)")
            guard index > 0 else { continue }
            // Longer than the straight way, but no odyssey.
            let straight = RouteMeasure(
                try JourneyRoute("Straight", places: [route.places[index - 1], place])
            ).length
            #expect(stages[index - 1] >= straight * 0.999 && stages[index - 1] < straight * 2, "\(place.name)")
            #expect(straight > (id == "canada" ? 80_000 : 20_000), "\(place.name)")
        }
        #expect(abs(measure.journeyMetres - measure.length) < 1)
        #expect(route.line.count > 10 * route.places.count && route.line.count < 2000)
    }

    @Test(arguments: BuiltInRoute.all.map(\.id)) func `the line is in its country, but for bridges`(id: String) throws {
        let route = try #require(BuiltInRoute.all.first { $0.id == id }).route
        let code = try #require(Self.countries[id])
        let measure = RouteMeasure(route)
        let points = (0...2000).map { measure.point(at: measure.length * Double($0) / 2000).point }
        let outside = points.filter { point in
            CountryIndex.embedded.country(at: point).map { Geography.embeddedCountries[$0].code } != code
        }
        #expect(outside.count < 40, "\(outside.count) \(outside.prefix(5))")
    }
}
