internal import GEOS
internal import TileMath

/// A stop of a route, found in the graph.
struct RouteSite {
    /// The position of its level; nil outdoors.
    let level: Int?
    /// The point that was asked for, in metres.
    let point: PlanePoint
    /// The site from which paths begin; nil outdoors.
    let site: LevelSight.Site?
    /// Units that may be entered because the stop is in them.
    let units: Set<Int>
    /// What it is called; nil for a point.
    let name: String?
    let place: FeatureID?
    /// The unit that the last instruction enters.
    let unit: Int?
}

/// Finds the stops of routes.
struct RouteSiteFinder {
    let venue: Venue
    let places: VenuePlaces
    let graph: VenueGraph

    /// From a stop to the free space, at most so many metres: a room may be narrower than the clearances of its walls.
    private static let reach = 3.0

    func site(of stop: RouteStop) throws(RouteFailure) -> RouteSite {
        switch stop {
        case .place(let id):
            if let place = places[id] { return try site(of: place) }
            guard let index = venue.units.firstIndex(where: { $0.id == id }) else { throw .unknownPlace(id) }
            return try site(ofUnit: index)
        case .point(let place, let level): return try site(at: place, level: level)
        case .nearest(let category): throw .unknownCategory(category)
        }
    }

    func site(of place: VenuePlace) throws(RouteFailure) -> RouteSite {
        let point = venue.frame.local(place.point)
        let unit = place.unit ?? venue.unit(at: place.point, level: place.level)
        if isOutdoors(point, level: place.level, unit: unit) {
            return outdoors(point, name: place.name, place: place.id)
        }
        return try site(
            point, level: place.level, unit: unit, name: place.name, place: place.id,
            isRoom: place.kind == .unit || place.kind == .occupant)
    }

    private func site(ofUnit index: Int) throws(RouteFailure) -> RouteSite {
        let unit = venue.units[index]
        let middle = try? PlaneShapes(venue.frame).area([unit.shape]).interiorPoint()
        guard let point = unit.displayPoint.map(venue.frame.local) ?? middle else { throw .unreachableStop }
        return try site(
            point, level: unit.level, unit: index, name: unit.name?.text(), place: unit.id, isRoom: true)
    }

    private func site(at place: GeoPoint, level: Int?) throws(RouteFailure) -> RouteSite {
        let point = venue.frame.local(place)
        if let level {
            guard venue.levels.indices.contains(level) else { throw .unreachableStop }
            let unit = venue.unit(at: place, level: level)
            if isOutdoors(point, level: level, unit: unit) { return outdoors(point) }
            return try site(point, level: level, unit: unit, name: nil, place: nil, isRoom: false)
        }
        for ground in venue.groundLevels {
            let unit = venue.unit(at: place, level: ground)
            let isInside = unit != nil || graph.sights[ground].site(GridPoint(point)) != nil
            guard isInside else { continue }
            return try site(point, level: ground, unit: unit, name: nil, place: nil, isRoom: false)
        }
        return outdoors(point)
    }

    /// Whether a point that is said to be on a level is beside the building: on the ground, in no unit, and away from the free
    /// space.
    private func isOutdoors(_ point: PlanePoint, level: Int, unit: Int?) -> Bool {
        unit == nil && venue.levels[level].ordinal == 0
            && graph.sights[level].site(near: point, within: nil, reach: Self.reach) == nil
    }

    private func outdoors(_ point: PlanePoint, name: String? = nil, place: FeatureID? = nil) -> RouteSite {
        RouteSite(level: nil, point: point, site: nil, units: [], name: name, place: place, unit: nil)
    }

    private func site(
        _ point: PlanePoint, level: Int, unit: Int?, name: String?, place: FeatureID?, isRoom: Bool
    ) throws(RouteFailure) -> RouteSite {
        let sight = graph.sights[level]
        let rings = unit.map { venue.units[$0].shape.polygons.map { $0.map { $0.map(venue.frame.local) } } }
        let found =
            sight.site(near: point, within: rings, reach: Self.reach)
            ?? sight.site(near: point, within: nil, reach: Self.reach)
        guard let found else { throw .unreachableStop }
        var units = Set(
            found.inside.filter { !found.margin.contains($0) }.map { sight.areas[Int($0)].unit })
        if let unit { units.insert(unit) }
        return RouteSite(
            level: level, point: point, site: found, units: units, name: name, place: place,
            unit: isRoom ? unit : nil)
    }
}
