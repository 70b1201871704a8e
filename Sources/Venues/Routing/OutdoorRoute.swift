internal import GEOS
public import TileMath

extension HeatCells {
    /// A way outdoors between two places without a venue, over the cells where people walk; nil if they are too far apart (a
    /// few kilometres).
    public func route(from start: GeoPoint, to end: GeoPoint) -> Route? {
        let frame = LocalFrame(centre: start)
        var search = CellSearch(frame, obstacles: [], days: days)
        func terminal(_ place: GeoPoint) -> CellSearch.Terminal {
            CellSearch.Terminal(point: GridPoint(frame.local(place)), metres: 0)
        }
        guard let way = search.way(from: [terminal(start)], to: [terminal(end)]) else { return nil }
        let points = search.straightened(way.points)
        let metres = zip(points, points.dropFirst()).reduce(0) { $0 + $1.0.metres(to: $1.1) }
        let leg = RouteLeg(
            place: LegPlace(level: nil, endLevel: nil, mode: .outdoors), metres: metres,
            seconds: metres / WalkingCosts.speed, line: points.map { frame.place($0.plane) },
            instruction: "Go \(Int(max(metres.rounded(), 1))) m outdoors.", access: nil)
        return Route(legs: [leg], seconds: leg.seconds, isApproximate: way.walked < 0.5, destination: nil)
    }
}
