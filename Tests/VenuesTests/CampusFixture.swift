import Foundation
import GEOS
import TestSupport
import TestVenues
import TileMath
import Venues

/// The campus, read and with its graph.
struct CampusFixture {
    let campus: SampleCampus
    let reading: VenueReading
    let graph: VenueGraph

    var venue: Venue { reading.venue }

    init(seed: UInt64 = 1) throws {
        campus = SampleCampus(seed: seed)
        reading = try Self.reading(campus)
        graph = try VenueGraph(reading.venue)
    }

    static func reading(_ campus: SampleCampus) throws -> VenueReading {
        var collections: [FeatureCollection] = []
        var manifest: [UInt8]?
        for member in campus.imdfMembers() {
            let bytes = Array(member.text.utf8)
            if member.name == "manifest.json" {
                manifest = bytes
            } else {
                collections.append(try FeatureCollection(bytes))
            }
        }
        return try Venue.reading(collections, name: "campus", manifest: manifest)
    }

    func router(closed: Set<FeatureID> = []) -> VenueRouter { VenueRouter(venue, graph: graph, closed: closed) }

    /// The level of a building with an ordinal.
    func level(_ building: Int, _ ordinal: Int) -> Int {
        let id = venue.buildings.first { $0.name?.text() == (building == 0 ? "Main" : "East") }?.id
        return venue.levels.firstIndex { $0.ordinal == ordinal && $0.buildings.first == id } ?? -1
    }

    /// A point in metres from the corner of the main building.
    func point(_ x: Double, _ y: Double) -> GeoPoint {
        let place = SampleCampus.place((x, y))
        return GeoPoint(longitude: Double(place.longitude) ?? 0, latitude: Double(place.latitude) ?? 0)
            ?? venue.frame.centre
    }

    func stop(_ x: Double, _ y: Double, _ ordinal: Int, building: Int = 0) -> RouteStop {
        .point(point(x, y), level: level(building, ordinal))
    }

    /// The id of the unit with a name.
    func unit(_ name: String) -> FeatureID { venue.units.first { $0.name?.text() == name }?.id ?? venue.id }

    /// The units of a category on a level.
    func units(_ category: String, _ level: Int) -> [VenueUnit] {
        venue.units.filter { $0.category.name == category && $0.level == level }
    }
}

/// Random points of the free spaces of a venue.
struct RandomStops {
    private var random: SeededRandom
    private let levels: [[[[PlanePoint]]]]
    private let frame: LocalFrame

    init(_ venue: Venue, _ graph: VenueGraph, seed: UInt64) {
        random = SeededRandom(seed: seed)
        levels = venue.levels.indices.map { graph.plan(ofLevel: $0).freePolygons }
        frame = venue.frame
    }

    private mutating func number(_ low: Double, _ high: Double) -> Double {
        low + (high - low) * Double(random.below(UInt64(1_000_001))) / 1_000_000
    }

    /// A point on a random level, or on the given one.
    mutating func next(level: Int? = nil) -> (level: Int, point: PlanePoint, place: GeoPoint) {
        while true {
            let chosen = level ?? Int(random.below(UInt64(levels.count)))
            guard
                let polygon = levels[chosen].isEmpty
                    ? nil : levels[chosen][Int(random.below(UInt64(levels[chosen].count)))]
            else { continue }
            let (xs, ys) = (polygon[0].map(\.x), polygon[0].map(\.y))
            let point = PlanePoint(
                x: number(xs.min() ?? 0, xs.max() ?? 0), y: number(ys.min() ?? 0, ys.max() ?? 0))
            if contains(polygon, point) { return (chosen, point, frame.place(point)) }
        }
    }

    private func contains(_ rings: [[PlanePoint]], _ point: PlanePoint) -> Bool {
        var isInside = false
        for ring in rings {
            guard var previous = ring.last else { continue }
            for corner in ring {
                if (corner.y > point.y) != (previous.y > point.y),
                    point.x < (previous.x - corner.x) * (point.y - corner.y) / (previous.y - corner.y) + corner.x
                {
                    isInside.toggle()
                }
                previous = corner
            }
        }
        return isInside
    }
}

/// The walls of the levels of a venue in room style, computed as the definition says and without the plans.
struct WallCheck {
    private let walls: [PreparedGeometry]
    private let context: GEOSContext
    private let frame: LocalFrame

    init(_ venue: Venue) throws {
        let context = try GEOSContext()
        self.context = context
        frame = venue.frame
        func polygon(_ rings: [[GeoPoint]]) throws -> Geometry {
            try Geometry.polygon(
                rings[0].map(venue.frame.local), holes: rings.dropFirst().map { $0.map(venue.frame.local) }, context
            ).madeValid()
        }
        walls = try venue.levels.indices.map { level in
            let units = venue.units.filter { $0.level == level }
            let open = try units.filter(\.category.isOpen).flatMap(\.shape.polygons).map(polygon)
            let outlines = try units.flatMap(\.shape.polygons).map { try polygon($0).boundary() }
            let doors = try venue.openings.filter { $0.level == level }.map { opening in
                try Geometry.line(opening.line.map(venue.frame.local), context)
                    .buffer(0.1, cap: .flat, join: .mitre(limit: 2))
            }
            let inside = try Geometry.collection(open, context).unaryUnion()
                .buffer(-1e-6, join: .mitre(limit: 2))
            let lines = try Geometry.collection(outlines, context).unaryUnion().difference(inside)
            return try PreparedGeometry(try lines.difference(try Geometry.collection(doors, context).unaryUnion()))
        }
    }

    /// Whether a line touches a wall of a level.
    func isCrossed(_ line: [GeoPoint], level: Int) throws -> Bool {
        guard line.count > 1 else { return false }
        return try walls[level].intersects(try Geometry.line(line.map(frame.local), context))
    }
}

/// The folder of real files, if there is one.
let sharedData: String? = {
    let given = ProcessInfo.processInfo.environment["TILESERVE_SHARED_DATA"]
    let beside = URL(filePath: #filePath).appending(path: "../../../../shared/data").standardizedFileURL.path()
    return [given, beside].compactMap(\.self).first { FileManager.default.fileExists(atPath: $0) }
}()

/// The bytes of a real file; nil if it is missing.
func realFile(_ path: String) -> [UInt8]? {
    sharedData.flatMap { FileManager.default.contents(atPath: $0 + "/" + path) }.map { Array($0) }
}

/// The features of the real IMDF archive; nil if it is missing.
func realBuilding() throws -> [FeatureCollection]? {
    let kinds = FeatureKind.allCases.compactMap { realFile("indoor/westport-house-imdf/\($0.rawValue).geojson") }
    return kinds.isEmpty ? nil : try kinds.map { try FeatureCollection($0) }
}
