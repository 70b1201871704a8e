internal import GEOS
public import TileMath

/// Where somebody who walks a route is after some seconds.
public struct RouteMoment: Sendable, Equatable {
    /// Since the start.
    public let seconds: Double
    public let place: GeoPoint
    /// The position of the level in the venue's list; nil outdoors.
    public let level: Int?
    /// The position of the leg in the route's list.
    public let leg: Int
}

extension Route {
    /// The corners of the way with their times, for playing it back: between two moments one walks evenly in a straight line.
    /// Stairs and lifts have a moment on each of their two levels, at the same place.
    public var timeline: [RouteMoment] {
        var moments: [RouteMoment] = []
        var start = 0.0
        for (index, leg) in legs.enumerated() {
            let frame = leg.line.first.map(LocalFrame.init)
            let points = leg.line.map { frame?.local($0) ?? PlanePoint(x: 0, y: 0) }
            let total = PlaneMath.length(points)
            var walked = 0.0
            for (position, place) in leg.line.enumerated() {
                if position > 0 { walked += points[position - 1].distance(to: points[position]) }
                // The sum of the parts may be more than the whole by rounding; time does not go back.
                let part = total > 0 ? min(1, walked / total) : 0
                let seconds = max(moments.last?.seconds ?? 0, min(start + leg.seconds * part, start + leg.seconds))
                moments.append(RouteMoment(seconds: seconds, place: place, level: leg.level, leg: index))
            }
            start += leg.seconds
            if total == 0 || leg.level != leg.endLevel, let last = leg.line.last {
                moments.append(RouteMoment(seconds: start, place: last, level: leg.endLevel, leg: index))
            }
        }
        return moments
    }
}
