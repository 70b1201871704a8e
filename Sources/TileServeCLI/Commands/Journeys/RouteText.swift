import Journeys
import PrimaryStore
import RouteImport
import Text
import TileMath
import TrackStore

/// Routes for the user.
enum RouteText {
    static func kilometres(_ metres: Double) -> String {
        let tenths = Int((metres / 100).rounded())
        return tenths < 1000 ? "\(tenths / 10).\(tenths % 10) km" : "\(DisplayText.count(tenths / 10)) km"
    }

    /// How long a stage takes.
    static func level(_ route: JourneyRoute) -> String {
        "\(duration(route.level)) a stage" + (route.isSingle ? ", in one session" : "")
    }

    static func duration(_ seconds: Int) -> String {
        let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60)
        let parts = [(hours, "h"), (minutes, "min"), (rest, "s")].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return parts.isEmpty ? "0 s" : parts.joined(separator: " ")
    }
}

extension StoredRoute {
    /// The route as a JSON object on one line, without its line.
    var summary: JSONObject {
        var object = JSONObject()
        object.add("id", id)
        object.add("name", route.name)
        object.add("level", route.level)
        object.add("single", route.isSingle)
        object.add("metres", number: (RouteMeasure(route).journeyMetres * 1000).rounded() / 1000)
        object.add(
            "places",
            objects: zip(placeIDs, route.places).map { id, place in
                var object = JSONObject()
                object.add("id", id)
                object.add("name", place.name)
                object.add("lon", number: place.point.longitude)
                object.add("lat", number: place.point.latitude)
                if let seconds = place.seconds { object.add("seconds", seconds) }
                return object
            })
        return object
    }
}
