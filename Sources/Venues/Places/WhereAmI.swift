internal import GEOS
public import TileMath

extension Venue {
    /// The unit at a place on a level: the smallest that contains it, rooms before open areas; nil in a wall and outside.
    ///
    /// Without a level, the levels nearest to ordinal 0 are looked at. The answer is a position in `units`. Cost: one pass over
    /// the outlines of the level.
    public func unit(at place: GeoPoint, level: Int? = nil) -> Int? {
        unit(at: place, levels: level.map { [$0] } ?? groundLevels)
    }

    /// As the other function, on one of several levels.
    public func unit(at place: GeoPoint, levels: [Int]) -> Int? {
        let point = frame.local(place)
        var best: (isOpen: Bool, area: Double, index: Int)?
        for (index, unit) in units.enumerated() where levels.contains(unit.level) && !unit.category.isSolid {
            let rings = unit.shape.polygons.map { $0.map { $0.map(frame.local) } }
            guard let found = rings.first(where: { PlaneMath.contains($0, point) }) else { continue }
            let area = abs(PlaneMath.signedArea(found[0]))
            let candidate = (unit.category.isOpen, area, index)
            if let known = best, (known.isOpen ? 1 : 0, known.area, known.index) <= (candidate.0 ? 1 : 0, area, index) {
                continue
            }
            best = candidate
        }
        return best?.index
    }
}
