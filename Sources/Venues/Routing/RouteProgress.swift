internal import GEOS
public import TileMath

/// How far somebody is along a route.
public struct RouteProgress: Sendable, Equatable {
    /// The position of the leg on which they are, in the route's list.
    public let leg: Int
    /// What comes next: the instruction of the following leg, or that the way ends here.
    public let nextInstruction: String
    /// To the next instruction.
    public let metresToNext: Double
    /// To the end of the route.
    public let metresLeft: Double
    public let secondsLeft: Double
    /// Whether they are not on the route: farther than 10 m from it, or on a level that it does not touch.
    public let isOffRoute: Bool
    /// Whether they are within 3 m of the end.
    public let isAtEnd: Bool
}

extension Route {
    /// What receivers are wrong by indoors, in metres.
    private static let offRouteMetres = 10.0
    private static let arrivedMetres = 3.0

    /// Where a place is along the route. `level` is a position in the venue's list; nil outdoors and where it is not known.
    /// nil for a route without legs.
    public func progress(at place: GeoPoint, level: Int?) -> RouteProgress? {
        let frame = LocalFrame(centre: place)
        let here = PlanePoint(x: 0, y: 0)
        var best: (rank: Double, distance: Double, leg: Int, done: Double)?
        for (index, leg) in legs.enumerated() {
            let isElsewhere = level.map { $0 != leg.level && $0 != leg.endLevel } ?? false
            let line = leg.line.map(frame.local)
            var walked = 0.0
            for (start, end) in zip(line, line.dropFirst() + (line.count == 1 ? line[0...0] : [])) {
                let near = PlaneMath.nearest(here, start, end)
                let distance = near.point.distance(to: here)
                // Another level is as good as far away; of equal distances the earlier leg counts.
                let rank = distance + (isElsewhere ? 1e6 : 0)
                let length = start.distance(to: end)
                if best.map({ rank < $0.rank - 1e-6 }) ?? true {
                    best = (rank, distance, index, walked + length * near.part)
                }
                walked += length
            }
        }
        guard let best else { return nil }
        let leg = legs[best.leg]
        let rest = max(0, leg.metres - best.done)
        let part = leg.metres > 0 ? rest / leg.metres : 1
        let later = legs[(best.leg + 1)...]
        let metresLeft = rest + later.reduce(0) { $0 + $1.metres }
        let isAtEnd = later.isEmpty && best.rank <= Self.arrivedMetres && metresLeft <= Self.arrivedMetres
        return RouteProgress(
            position: (best.leg, later.first?.instruction ?? "You have arrived."), metresToNext: rest,
            metresLeft: metresLeft, secondsLeft: leg.seconds * part + later.reduce(0) { $0 + $1.seconds },
            isOffRoute: best.rank > Self.offRouteMetres, isAtEnd: isAtEnd)
    }
}

extension RouteProgress {
    fileprivate init(
        position: (leg: Int, next: String), metresToNext: Double, metresLeft: Double, secondsLeft: Double,
        isOffRoute: Bool, isAtEnd: Bool
    ) {
        leg = position.leg
        nextInstruction = position.next
        self.metresToNext = metresToNext
        self.metresLeft = metresLeft
        self.secondsLeft = secondsLeft
        self.isOffRoute = isOffRoute
        self.isAtEnd = isAtEnd
    }
}
