import Foundation
import TileMath
import Tracks

/// Which area a track is in, with hysteresis at borders.
struct AreaHysteresis: Sendable {
    /// The area that counts; nil while the track has only been where several areas are possible.
    var current: Area?
    /// While `current` is nil: the areas that are possible for all points so far; nil before the first one.
    var possible: Set<Area>?
    /// The first draft since the places are in another area, while the current one still counts.
    var pendingFrom: Int?
    /// Since when the current area has been out of reach.
    var absentSince: Int64?
}

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
        // As much as the finder searches.
        min(5000, max(candidateMetres, Double(accuracy ?? 0)))
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
        let distance = map.finder.distance(of: place, lookup, to: current, limit: Self.leaveMetres)
        let first = areas.pendingFrom ?? drafts.count
        areas.pendingFrom = first
        if distance <= Self.tolerance(accuracy) {
            areas.absentSince = nil
        } else {
            let since = areas.absentSince ?? next.time
            areas.absentSince = since
            let time = since == PointChunk.untimed || next.time == PointChunk.untimed ? 0 : abs(next.time &- since)
            if distance > Self.leaveMetres || max(time, pause ?? 0) >= Self.leaveMilliseconds {
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

extension LedgerPlace {
    var geoPoint: GeoPoint {
        guard let point = GeoPoint(longitude: Double(longitude) / 1e7, latitude: Double(latitude) / 1e7) else {
            preconditionFailure("points of tracks are places")
        }
        return point
    }
}

extension LedgerBox {
    /// No box is smaller, so that a track at rest costs little.
    private static let leastMetres = 25.0

    /// A box with no place farther from its middle than a distance, but not smaller than some metres.
    init(_ place: LedgerPlace, within metres: Double) {
        self.init(place)
        let units = max(Self.leastMetres, metres * 0.7) / LedgerPlace.metresPerUnit
        let narrow = max(0.01, cos(Double(place.latitude) / 1e7 * .pi / 180))
        let (north, east) = (Int64(units), Int64(units / narrow))
        west = Int32(clamping: Int64(place.longitude) - east)
        self.east = Int32(clamping: Int64(place.longitude) + east)
        south = Int32(clamping: Int64(place.latitude) - north)
        self.north = Int32(clamping: Int64(place.latitude) + north)
    }

    func contains(_ place: LedgerPlace) -> Bool {
        place.longitude >= west && place.longitude <= east && place.latitude >= south && place.latitude <= north
    }

    /// The place in the middle.
    var middle: LedgerPlace {
        LedgerPlace(
            longitude: Int32((Int64(west) + Int64(east)) / 2), latitude: Int32((Int64(south) + Int64(north)) / 2))
    }

    func intersection(_ other: LedgerBox) -> LedgerBox {
        var box = self
        (box.west, box.east) = (max(west, other.west), min(east, other.east))
        (box.south, box.north) = (max(south, other.south), min(north, other.north))
        return box
    }
}
