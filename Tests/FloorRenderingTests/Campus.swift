import Foundation
import TestVenues
import TileMath
import Venues

@testable import FloorRendering

/// A generated campus with its scenes.
struct Campus {
    let venue: Venue
    let plans: [LevelPlan]
    let places: VenuePlaces

    init(seed: UInt64 = 1, reversed: Bool = false) throws {
        let members = SampleCampus(seed: seed).imdfMembers().filter { $0.name != "manifest.json" }
        let texts = members.map { Self.rewritten($0.text, reversed: reversed) }
        var collections = try texts.map { try FeatureCollection(Array($0.utf8)) }
        if reversed { collections.reverse() }
        try self.init(Venue.reading(collections, name: "campus").venue)
    }

    init(_ venue: Venue) throws {
        self.venue = venue
        plans = try venue.levels.indices.map { try venue.plan(ofLevel: $0) }
        places = VenuePlaces(venue)
    }

    /// The same features, in the opposite order if asked for; numbers and names of members are written alike in both cases.
    private static func rewritten(_ text: String, reversed: Bool) -> String {
        guard var value = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any],
            let features = value["features"] as? [Any]
        else { return text }
        value["features"] = reversed ? Array(features.reversed()) : features
        let data = try? JSONSerialization.data(withJSONObject: value, options: .sortedKeys)
        return data.map { String(decoding: $0, as: UTF8.self) } ?? text
    }

    /// The real building; nil if the shared data are missing.
    static func realBuilding() throws -> Campus? {
        let given = ProcessInfo.processInfo.environment["TILESERVE_SHARED_DATA"]
        let beside = URL(filePath: #filePath).appending(path: "../../../../shared/data").standardizedFileURL.path()
        for folder in [given, beside].compactMap(\.self) {
            let files = FeatureKind.allCases.compactMap {
                FileManager.default.contents(atPath: "\(folder)/indoor/westport-house-imdf/\($0.rawValue).geojson")
            }
            if files.isEmpty { continue }
            return try Campus(Venue.reading(files.map { try FeatureCollection(Array($0)) }, name: "x").venue)
        }
        return nil
    }

    func scene(_ levels: [Int], language: String? = nil) throws -> FloorScene {
        try FloorScene(venue, plans: levels.map { plans[$0] }, places: places, language: language)
    }

    /// The levels with an ordinal.
    func levels(_ ordinal: Int) -> [Int] { venue.levels.indices.filter { venue.levels[$0].ordinal == ordinal } }

    /// All tiles of a zoom level that touch the venue's box, and a ring around them.
    func tiles(_ zoom: Int) -> [TileCoordinate] {
        guard let level = ZoomLevel(zoom) else { return [] }
        let northWest = WorldPoint(longitude: venue.bounds.west, latitude: venue.bounds.north)
        let southEast = WorldPoint(longitude: venue.bounds.east, latitude: venue.bounds.south)
        let shift = Int64(32 - zoom)
        var tiles: [TileCoordinate] = []
        for y in Int(northWest.y >> shift) - 1...Int(southEast.y >> shift) + 1 {
            for x in Int(northWest.x >> shift) - 1...Int(southEast.x >> shift) + 1 {
                if let tile = TileCoordinate(zoom: level, x: x, y: y) { tiles.append(tile) }
            }
        }
        return tiles
    }
}
