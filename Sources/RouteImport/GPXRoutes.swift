import Journeys
import TileMath
import Tracks

/// Makes routes of what a GPX file says.
enum GPXRoutes {
    /// What a place may be farther from the line than need be, so that the order of the file still counts: to a line that is
    /// passed twice, 50 m are the width of a street with its houses.
    private static let orderMetres = 50.0
    private static let orderFactor = 1.5
    /// A place within this part of the line's length, or these metres, of an end of the line is that end.
    private static let endPart = 0.01
    private static let endMetres = 50.0
    /// Points of lines times places that are compared when several lines share the waypoints of a file.
    private static let comparisons = 20_000_000

    /// The routes of a file; throws what is wrong about the first that is wrong.
    static func routes(of document: GPXDocument, name: String) throws(JourneyError) -> [JourneyRoute] {
        let given = document.routes.contains { $0.points.count > 1 } ? document.routes : document.tracks
        var lines = given.filter { $0.points.count > 1 }
        guard !lines.isEmpty else {
            throw .malformed("the GPX file has neither a route (rte) nor a track (trk) with at least two points")
        }
        guard lines.count <= RouteFileLimits.routes else {
            throw .malformed("a file has at most \(RouteFileLimits.routes) routes, not \(lines.count)")
        }
        for index in lines.indices {
            lines[index].points = LineThinning.fitting(lines[index].points, places: 2)
        }
        let waypoints = try waypoints(document.waypoints, of: lines)
        var routes: [JourneyRoute] = []
        for (index, line) in lines.enumerated() {
            let only = document.name ?? name
            let name = line.name ?? (lines.count == 1 ? only : "\(only.prefix(JourneyLimits.name - 5)) \(index + 1)")
            var places = line.places.enumerated().map { JourneyPlace($0.element, number: $0.offset + 1) }
            if places.isEmpty { places = waypoints[index] }
            if places.count < 2 { places = withEnds(places, line.points) }
            routes.append(
                try JourneyRoute(
                    name, level: line.level ?? JourneyLimits.defaultLevel, isSingle: line.isSingle,
                    line: LineThinning.fitting(line.points, places: places.count), places: places))
        }
        return routes
    }

    /// For each line the places that are waypoints of the file, with the ends of the line; none where its points are places.
    private static func waypoints(
        _ waypoints: [GPXPlace], of lines: [GPXLine]
    ) throws(JourneyError) -> [[JourneyPlace]] {
        let places = waypoints.enumerated().map { JourneyPlace($0.element, number: $0.offset + 1) }
        // An export of the program says which place is the first.
        let numbers = waypoints.compactMap(\.number)
        if numbers.count == waypoints.count, numbers.count > 1 {
            let ordered = places.indices.sorted { (numbers[$0], $0) < (numbers[$1], $1) }.map { places[$0] }
            return lines.map { _ in ordered }
        }
        var shared = lines.map { _ in places }
        if lines.count > 1, !places.isEmpty {
            guard lines.reduce(0, { $0 + $1.points.count }) <= comparisons / places.count else { throw .tooLarge }
            shared = try nearest(places, lines.map(\.points))
        }
        var found: [[JourneyPlace]] = []
        for (line, places) in zip(lines, shared) {
            found.append(
                line.places.isEmpty ? withEnds(try ordered(places, line.points), line.points) : [])
        }
        return found
    }

    /// Each place for the line that passes nearest to it.
    private static func nearest(
        _ places: [JourneyPlace], _ lines: [[GeoPoint]]
    ) throws(JourneyError) -> [[JourneyPlace]] {
        var measures: [RouteMeasure] = []
        for line in lines { measures.append(try measure(line, [])) }
        var shared = lines.map { _ in [JourneyPlace]() }
        for place in places {
            let distances = measures.map { $0.nearest(to: place.point).distance }
            if let line = distances.indices.min(by: { distances[$0] < distances[$1] }) { shared[line].append(place) }
        }
        return shared
    }

    /// Places in the order in which a line passes them: that of the file if the line passes them so, too.
    private static func ordered(_ places: [JourneyPlace], _ line: [GeoPoint]) throws(JourneyError) -> [JourneyPlace] {
        guard places.count > 1 else { return places }
        guard places.count <= JourneyLimits.places.upperBound else { throw .placeCount(places.count) }
        let measure = try measure(LineThinning.fitting(line, places: places.count), places)
        let nearest = places.map { measure.nearest(to: $0.point) }
        let isInOrder = places.indices.allSatisfy { index in
            let distance = metres(places[index].point, measure.point(at: measure.placeMetres[index]).point)
            return distance <= nearest[index].distance * orderFactor + orderMetres
        }
        if isInOrder { return places }
        return places.indices.sorted { (nearest[$0].metres, $0) < (nearest[$1].metres, $1) }.map { places[$0] }
    }

    /// Places with the ends of the line, unless the first or the last of them is near.
    private static func withEnds(_ places: [JourneyPlace], _ line: [GeoPoint]) -> [JourneyPlace] {
        guard let start = line.first, let end = line.last else { return places }
        let length = zip(line, line.dropFirst()).reduce(0) { $0 + metres($1.0, $1.1) }
        let near = max(endMetres, length * endPart)
        var places = places
        if places.first.map({ metres($0.point, start) > near }) ?? true {
            places.insert(JourneyPlace("Start", at: start), at: 0)
        }
        // One place cannot be both ends.
        if places.count < 2 || metres(places[places.count - 1].point, end) > near {
            places.append(JourneyPlace("End", at: end))
        }
        return places
    }

    private static func measure(_ line: [GeoPoint], _ places: [JourneyPlace]) throws(JourneyError) -> RouteMeasure {
        let ends = [line.first, line.last].compactMap { $0 }.map { JourneyPlace("End", at: $0) }
        return RouteMeasure(try JourneyRoute("Line", line: line, places: places.count > 1 ? places : ends))
    }

    private static func metres(_ one: GeoPoint, _ other: GeoPoint) -> Double {
        let (start, end) = (one.e7, other.e7)
        return Geodesy.metres(start.longitude, start.latitude, end.longitude, end.latitude)
    }
}

extension JourneyPlace {
    /// `number` is for a place without a name.
    fileprivate init(_ place: GPXPlace, number: Int) {
        self.init(
            place.name ?? "Place \(number)", at: place.point, description: place.description ?? place.comment,
            tags: place.tags, credit: place.credit, seconds: place.seconds)
        // In exports of the program, the type is the first of the tags.
        guard place.number == nil, tags.isEmpty else { return }
        for tag in [place.type, place.symbol].compactMap({ $0 }) where !tags.contains(tag) { tags.append(tag) }
    }
}
