import Journeys
import PrimaryStore
import RequestHandling
import Text
import TileMath

extension JSONObject {
    /// Adds a position as `[lon,lat]`.
    mutating func add(_ name: String, position: GeoPoint) {
        add(name, numbers: [Self.degrees(position.longitude), Self.degrees(position.latitude)])
    }

    /// Adds metres, to millimetres.
    mutating func add(_ name: String, metres: Double) {
        add(name, number: (metres * 1000).rounded() / 1000)
    }
}

/// What a caller sees of a route.
struct RouteView {
    let known: KnownRoute
    /// How many places are open to the caller, from the first on.
    let unlocked: Int
    /// Whether what is locked is shown, too: to the owner, who writes it.
    let showsAll: Bool

    /// Whether description and picture of a place are shown.
    func shows(_ place: Int) -> Bool { showsAll || place < unlocked }

    /// The route as the caller may have it: what is locked has neither description nor tags.
    var route: JourneyRoute {
        var route = known.route
        for index in route.places.indices where !shows(index) {
            route.places[index].description = nil
            route.places[index].tags = []
            route.places[index].credit = nil
        }
        return route
    }

    /// The route; of the line at most so many corners.
    func json(corners limit: Int) -> JSONObject {
        let (stored, route) = (known.stored, known.route)
        var object = JSONObject()
        object.add("id", stored.id)
        object.add("name", route.name)
        object.add("picture", "/v1/routes/\(stored.id)/picture")
        object.add("level", route.level)
        object.add("single", route.isSingle)
        object.add("metres", metres: known.measure.journeyMetres)
        object.add("line", json: known.measure.corners(atMost: limit).map { route.line[$0] }.map(Self.position))
        object.add("places", objects: route.places.indices.map(place))
        return object
    }

    private static func position(_ point: GeoPoint) -> String {
        "[\(JSONObject.degrees(point.longitude)),\(JSONObject.degrees(point.latitude))]"
    }

    func place(_ index: Int) -> JSONObject {
        let place = known.route.places[index]
        let id = known.stored.placeIDs[index]
        var object = JSONObject()
        object.add("id", id)
        object.add("name", place.name)
        object.add(place.point)
        if let seconds = place.seconds { object.add("seconds", seconds) }
        object.add("locked", index >= unlocked)
        guard shows(index) else { return object }
        object.add("tags", place.tags)
        if let description = place.description { object.add("description", description) }
        object.add("picture", "/v1/routes/\(known.stored.id)/places/\(id)/picture")
        if let credit = place.credit { object.add("credit", credit) }
        return object
    }
}
