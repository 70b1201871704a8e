import TestVenues
import TileMath
import Venues

/// Venues of a few features, in metres.
struct SmallVenue {
    private var features: [String] = []

    static func place(_ x: Double, _ y: Double) -> GeoPoint? {
        let place = SampleCampus.place((x, y))
        return GeoPoint(longitude: Double(place.longitude) ?? 0, latitude: Double(place.latitude) ?? 0)
    }

    private static func positions(_ points: [(Double, Double)]) -> String {
        points.map { point in
            let place = SampleCampus.place((point.0, point.1))
            return "[\(place.longitude),\(place.latitude)]"
        }.joined(separator: ",")
    }

    private mutating func add(_ id: String, _ type: String, _ geometry: String, _ properties: String) {
        features.append(
            "{\"id\":\"\(id)\",\"type\":\"Feature\",\"feature_type\":\"\(type)\",\"geometry\":\(geometry),\"properties\":{\(properties)}}"
        )
    }

    private static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> String {
        "{\"type\":\"Polygon\",\"coordinates\":[[\(positions([(west, south), (east, south), (east, north), (west, north), (west, south)]))]]}"
    }

    mutating func level(_ id: String, _ ordinal: Int, _ box: (Double, Double, Double, Double), building: String? = nil)
    {
        let buildings = building.map { "[\"\($0)\"]" } ?? "[]"
        add(
            id, "level", Self.box(box.0, box.1, box.2, box.3),
            "\"ordinal\":\(ordinal),\"short_name\":{\"en\":\"\(ordinal)\"},\"building_ids\":\(buildings)")
    }

    mutating func building(_ id: String) { add(id, "building", "null", "\"category\":\"unspecified\"") }

    mutating func unit(
        _ id: String, _ category: String, _ level: String, _ box: (Double, Double, Double, Double), more: String = ""
    ) {
        add(
            id, "unit", Self.box(box.0, box.1, box.2, box.3),
            "\"category\":\"\(category)\",\"name\":{\"en\":\"\(id)\"},\"level_id\":\"\(level)\"\(more)")
    }

    mutating func opening(
        _ id: String, _ level: String, _ start: (Double, Double), _ end: (Double, Double), more: String = ""
    ) {
        let line = "{\"type\":\"LineString\",\"coordinates\":[\(Self.positions([start, end]))]}"
        add(id, "opening", line, "\"category\":\"pedestrian\",\"level_id\":\"\(level)\"\(more)")
    }

    mutating func relationship(_ id: String, _ category: String, from: String, to: String, isDirected: Bool) {
        add(
            id, "relationship", "null",
            "\"category\":\"\(category)\",\"direction\":\"\(isDirected ? "directed" : "undirected")\",\"origin\":{\"id\":\"\(from)\",\"feature_type\":\"unit\"},\"intermediary\":null,\"destination\":{\"id\":\"\(to)\",\"feature_type\":\"unit\"}"
        )
    }

    func venue() throws -> Venue {
        let text = "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ","))]}"
        return try Venue.reading([try FeatureCollection(Array(text.utf8))], name: "small", manifest: []).venue
    }
}

/// Routes between the units of a small venue, by their names.
struct SmallRouter {
    let venue: Venue
    private let graph: VenueGraph

    init(_ venue: Venue) throws {
        self.venue = venue
        graph = try VenueGraph(venue)
    }

    func id(_ name: String) -> FeatureID { venue.units.first { $0.name?.text() == name }?.id ?? venue.id }

    func route(_ from: String, _ to: String, _ profile: RouteProfile = .walk, closed: [String] = [])
        throws(RouteFailure) -> Route
    {
        let router = VenueRouter(venue, graph: graph, closed: Set(closed.map(id)))
        return try router.route([.place(id(from)), .place(id(to))], profile: profile)
    }
}
