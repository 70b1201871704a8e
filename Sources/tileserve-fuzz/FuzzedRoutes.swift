import Journeys
import RouteImport
import Text

/// Routes: GPX, GeoJSON, JSON.
enum FuzzedRoutes {
    /// Routes of at most this many corners are written again, so that most of the time is spent on new inputs.
    private static let writtenCorners = 2000

    /// Any bytes are routes or none, and what is read is the same after it was written, and can be measured.
    static func read(_ bytes: [UInt8]) {
        do throws(JourneyError) {
            for route in try RouteFile.routes(bytes, name: "file") { use(route) }
        } catch {
            precondition(!error.reason.contains("\n"), "a line feed in a reason")
        }
    }

    private static func use(_ route: JourneyRoute) {
        let measure = RouteMeasure(route)
        precondition(measure.length.isFinite && measure.journeyMetres >= 0, "a line without a length")
        precondition(measure.placeMetres == measure.placeMetres.sorted(), "places that are not in their order")
        _ = measure.point(at: measure.length / 2)
        guard route.line.count <= writtenCorners else { return }
        guard let same = try? JourneyRoute(json: Array(route.json.text.utf8), name: "file"),
            let again = try? RouteFile.routes(route.gpx, name: "file").first
        else { preconditionFailure("a route cannot be read again") }
        precondition(same == route, "a route is another one after JSON")
        // XML cannot hold every character.
        precondition(again.line == route.line && again.places.count == route.places.count, "another route after GPX")
    }
}
