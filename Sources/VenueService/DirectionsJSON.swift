import Digest
import OpenAPI
import PrimaryStore
import Replay
import RequestHandling
import Text
import TileMath
import Venues

extension DirectionsJob {
    /// The job as a JSON object; with the way if it is planned.
    func json(_ planned: PlannedDirections?) -> JSONObject {
        var object = JSONObject()
        object.add("id", id)
        guard let planned else {
            let isRunning = if case .running = state { true } else { false }
            object.add("state", isRunning ? "running" : "queued")
            object.add("venue", venue)
            return object
        }
        object.add("state", planned.state)
        object.add("venue", venue)
        switch planned.result {
        case .failure(let failure): object.add("reason", failure.reason)
        case .success(let route): planned.known.add(route, to: &object)
        }
        return object
    }
}

extension DirectionsStop {
    /// The stop as a body names it, with the name of a place.
    func json(in known: KnownVenue?) -> JSONObject {
        var object = JSONObject()
        switch self {
        case .place(let id):
            object.add("place", id.description)
            object.add("name", known?.name(of: id))
        case .point(let point, let level):
            object.add(point)
            object.add("level", level)
        case .nearest(let category): object.add("category", category)
        }
        return object
    }
}

extension KnownVenue {
    /// The name of a place or a unit; nil if it has none.
    func name(of id: FeatureID) -> String? {
        if let place = places[id] { return place.name }
        return venue.units.first { $0.id == id }.flatMap { $0.name?.text() ?? $0.code }
    }

    func add(_ route: Route, to object: inout JSONObject) {
        object.add("metres", number: Self.tenths(route.metres))
        object.add("seconds", number: Self.tenths(route.seconds))
        object.add("approximate", route.isApproximate)
        object.add(
            "legs",
            objects: route.legs.map { leg in
                var object = JSONObject()
                add(leg, to: &object)
                object.add("line", json: Self.coordinates(leg.line))
                return object
            })
    }

    /// What a leg is, without its line.
    private func add(_ leg: RouteLeg, to object: inout JSONObject) {
        object.add("level", id(ofLevel: leg.level))
        if leg.endLevel != leg.level { object.add("endLevel", id(ofLevel: leg.endLevel)) }
        object.add("how", leg.mode.rawValue)
        object.add("metres", number: Self.tenths(leg.metres))
        object.add("seconds", number: Self.tenths(leg.seconds))
        object.add("instruction", leg.instruction)
        if let access = leg.access { object.add("access", access) }
    }

    private func id(ofLevel level: Int?) -> String? { level.map { venue.levels[$0].id.description } }

    private static func coordinates(_ line: [GeoPoint]) -> [String] {
        line.map { point in
            "[\([point.longitude, point.latitude].map { "\(JSONObject.degrees($0))" }.joined(separator: ","))]"
        }
    }

    private static func tenths(_ number: Double) -> Double { (number * 10).rounded() / 10 }

    /// The way as GeoJSON: a feature for each leg, in their order. A leg without a length, such as a lift, is a point.
    func geoJSON(_ route: Route) -> JSONObject {
        let features = route.legs.enumerated().map { index, leg in
            var geometry = JSONObject()
            let coordinates = Self.coordinates(leg.line)
            if coordinates.count == 1 {
                let point = leg.line[0]
                geometry.add("type", "Point")
                geometry.add("coordinates", numbers: [point.longitude, point.latitude].map(JSONObject.degrees))
            } else {
                geometry.add("type", "LineString")
                geometry.add("coordinates", json: coordinates)
            }
            var properties = JSONObject()
            properties.add("leg", index)
            add(leg, to: &properties)
            if let level = leg.level { properties.add("ordinal", venue.levels[level].ordinal) }
            var feature = JSONObject()
            feature.add("type", "Feature")
            feature.add("geometry", object: geometry)
            feature.add("properties", object: properties)
            return feature
        }
        var object = JSONObject()
        object.add("type", "FeatureCollection")
        object.add("features", objects: features)
        return object
    }

    /// The way for playing it back.
    func walk(_ route: Route) -> Walk {
        let legs = route.legs.map { leg in
            var object = JSONObject()
            add(leg, to: &object)
            return Walk.Leg(json: object.text, levels: (id(ofLevel: leg.level), id(ofLevel: leg.endLevel)))
        }
        let moments = route.timeline.map { moment in
            let (longitude, latitude) = moment.place.e7
            return Walk.Moment(
                milliseconds: Int64((moment.seconds * 1000).rounded()), longitude: longitude, latitude: latitude,
                leg: moment.leg)
        }
        var digester = Digester()
        digester.update("walk")
        for moment in moments {
            digester.update(UInt64(bitPattern: moment.milliseconds))
            digester.update(Int(moment.longitude))
            digester.update(Int(moment.latitude))
        }
        return Walk(moments: moments, legs: legs, metres: route.metres, digest: digester.finish())
    }
}

extension RouteProgress {
    var json: JSONObject {
        var object = JSONObject()
        object.add("leg", leg)
        object.add("instruction", nextInstruction)
        object.add("metres", number: (metresToNext * 10).rounded() / 10)
        object.add("metresLeft", number: (metresLeft * 10).rounded() / 10)
        object.add("secondsLeft", number: (secondsLeft * 10).rounded() / 10)
        object.add("offRoute", isOffRoute)
        object.add("arrived", isAtEnd)
        return object
    }
}
