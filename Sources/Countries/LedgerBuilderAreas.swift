import Tracks

extension LedgerBuilder {
    /// The area of a place itself.
    func ownArea(of place: LedgerPlace) -> Area {
        map.area(of: LedgerCell(place)) ?? map.finder.lookup(place.geoPoint).area
    }

    /// Whether the current area is a candidate for a place.
    func isNearCurrentArea(_ place: LedgerPlace, _ own: Area, _ accuracy: UInt32?) -> Bool {
        guard let current = areas.current else { return true }
        guard own != current else { return true }
        let tolerance = Self.tolerance(accuracy)
        let lookup = map.finder.lookup(place.geoPoint)
        return map.finder.distance(of: place.geoPoint, lookup, to: current, limit: tolerance) <= tolerance
    }

    private static func tolerance(_ accuracy: UInt32?) -> Double {
        // At most 5 km, which is as far as the finder searches.
        min(5000, max(AreaHysteresis.candidateMetres, Double(accuracy ?? 0)))
    }

    /// Finds the area of the next place and applies the rules of borders; `pause` is the time since the last point.
    mutating func updateArea(_ next: Place, _ accuracy: UInt32?, pause: Int64?) -> (area: Area, cell: LedgerCell) {
        var cell = LedgerCell(next.place)
        if let known = drafts.last?.cell, known != cell, known.box.contains(next.place) { cell = known }
        let surroundings = map.surroundings(of: cell)
        isNearBorder = surroundings.isNearBorder
        if let area = surroundings.area, area == areas.current {
            cancelAreaChange()
            sameAreaBox = cell.box
            return (area, cell)
        }
        let place = next.place.geoPoint
        let lookup = map.finder.lookup(place)
        sameAreaBox = LedgerBox(next.place, within: lookup.sameAreaMetres).intersection(cell.box)
        guard let current = areas.current else {
            start(lookup.area, map.finder.areas(within: Self.tolerance(accuracy), of: place, lookup))
            return (lookup.area, cell)
        }
        guard lookup.area != current else {
            cancelAreaChange()
            return (lookup.area, cell)
        }
        let distance = map.finder.distance(of: place, lookup, to: current, limit: AreaHysteresis.leaveMetres)
        let first = areas.pendingFrom ?? drafts.count
        areas.pendingFrom = first
        if distance <= Self.tolerance(accuracy) {
            areas.absentSince = nil
        } else {
            let since = areas.absentSince ?? next.time
            areas.absentSince = since
            let time = since == PointColumns.untimed || next.time == PointColumns.untimed ? 0 : abs(next.time &- since)
            if distance > AreaHysteresis.leaveMetres || max(time, pause ?? 0) >= AreaHysteresis.leaveMilliseconds {
                areas = AreaHysteresis(current: lookup.area)
                for index in first..<drafts.count where !(lookup.area.isWater && drafts[index].ownArea.isWater) {
                    drafts[index].area = lookup.area
                }
                return (lookup.area, cell)
            }
        }
        // The distance to the current area has to be followed.
        sameAreaBox = LedgerBox(next.place, within: 0).intersection(cell.box)
        return (lookup.area, cell)
    }

    /// The track is in the current area: it has not been away.
    private mutating func cancelAreaChange() {
        guard let first = areas.pendingFrom, let current = areas.current else { return }
        for index in first..<drafts.count { drafts[index].area = current }
        areas = AreaHysteresis(current: current)
    }

    /// Decides the area of the beginning of a track once only one is possible.
    private mutating func start(_ own: Area, _ candidates: Set<Area>) {
        let possible = areas.possible?.intersection(candidates) ?? candidates
        if candidates.count == 1 || possible.isEmpty {
            if possible.contains(own) { for index in drafts.indices { drafts[index].area = own } }
            areas = AreaHysteresis(current: own)
        } else {
            areas.possible = possible
        }
    }

    /// Sets the areas that are undecided at the end of the track.
    mutating func finishAreas() {
        if areas.current == nil, let possible = areas.possible {
            // The possible area with the most points.
            var points: [Area: Int] = [:]
            for draft in drafts where possible.contains(draft.ownArea) {
                points[draft.ownArea, default: 0] += draft.points
            }
            let most = points.values.max() ?? 0
            let first = drafts.first { points[$0.ownArea] == most }
            if let area = first?.ownArea { for index in drafts.indices { drafts[index].area = area } }
        }
        // Out of reach of the last area, the track has left it.
        if areas.absentSince == nil { cancelAreaChange() }
    }
}
