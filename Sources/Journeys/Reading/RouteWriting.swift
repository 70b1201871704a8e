public import Text
import TileMath

extension JourneyRoute {
    /// The route as JSON that `init(json:name:)` reads.
    public var json: JSONObject {
        var object = JSONObject()
        object.add("name", name)
        object.add("level", level)
        object.add("single", isSingle)
        object.add("line", json: line.map(Self.position))
        object.add(
            "places",
            objects: places.map { place in
                var object = JSONObject()
                object.add("name", place.name)
                object.add("lon", number: Self.degrees(place.point.longitude))
                object.add("lat", number: Self.degrees(place.point.latitude))
                Self.add(place, to: &object)
                return object
            })
        return object
    }

    /// The route as GeoJSON: its line, and a point for each place in their order.
    public var geoJSON: JSONObject {
        var facts = JSONObject()
        facts.add("name", name)
        facts.add("level", level)
        facts.add("single", isSingle)
        var features = [
            Self.feature(
                "{\"type\":\"LineString\",\"coordinates\":[\(line.map(Self.position).joined(separator: ","))]}", facts)
        ]
        for place in places {
            var properties = JSONObject()
            properties.add("name", place.name)
            Self.add(place, to: &properties)
            features.append(
                Self.feature("{\"type\":\"Point\",\"coordinates\":\(Self.position(place.point))}", properties))
        }
        var object = JSONObject()
        object.add("type", "FeatureCollection")
        object.add("name", name)
        object.add("features", json: features)
        return object
    }

    private static func feature(_ geometry: String, _ properties: JSONObject) -> String {
        "{\"type\":\"Feature\",\"geometry\":\(geometry),\"properties\":\(properties.text)}"
    }

    private static func add(_ place: JourneyPlace, to object: inout JSONObject) {
        if let description = place.description { object.add("description", description) }
        if !place.tags.isEmpty { object.add("tags", place.tags) }
        if let credit = place.credit { object.add("credit", credit) }
        if let seconds = place.seconds { object.add("seconds", seconds) }
    }

    private static func position(_ point: GeoPoint) -> String {
        "[\(degrees(point.longitude)),\(degrees(point.latitude))]"
    }

    /// To ten-millionths, as points are stored.
    private static func degrees(_ number: Double) -> Double { (number * 1e7).rounded() / 1e7 }
}
