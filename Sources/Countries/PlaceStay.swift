import Foundation
import Tracks

/// How long a track has been at one place, and where this place is.
struct PlaceStay: Sendable {
    /// A stay is within this distance, in both directions, of the point with which it began.
    private static let stayMetres = 250.0
    /// If the person is at the same place before and after a pause of up to this time, the person stayed there. After a
    /// longer pause the place is unknown.
    static let bridgedMilliseconds: Int64 = 7 * 86_400_000
    private static let reach = UInt64(stayMetres / LedgerPlace.metresPerUnit)

    /// The place with which the stay began. No place is near the first one.
    private var anchor = LedgerPlace(longitude: .max, latitude: .max)
    private var reachNorth = PlaceStay.reach
    private var reachEast: UInt64 = 0
    private var since = PointColumns.untimed
    private var lastTime = PointColumns.untimed
    /// The sums of the distances from `anchor`, in 1e-7° times milliseconds, and of the milliseconds.
    private var eastSum: Int64 = 0
    private var northSum: Int64 = 0
    private var weight: Int64 = 0

    /// The time since the stay began, in milliseconds; also if the points are in descending order of time.
    var milliseconds: Int64 { Self.distance(lastTime, since) }

    /// The mean place of the stay, each place weighted by the time until it was reached.
    var middle: LedgerPlace {
        guard weight > 0 else { return anchor }
        return LedgerPlace(
            longitude: Int32(clamping: Int64(anchor.longitude) + eastSum / weight),
            latitude: Int32(clamping: Int64(anchor.latitude) + northSum / weight))
    }

    /// The box that a track leaves when its stay ends.
    var box: LedgerBox {
        let (east, north) = (Int64(reachEast), Int64(reachNorth))
        var box = LedgerBox(anchor)
        box.west = Int32(clamping: Int64(anchor.longitude) - east)
        box.east = Int32(clamping: Int64(anchor.longitude) + east)
        box.south = Int32(clamping: Int64(anchor.latitude) - north)
        box.north = Int32(clamping: Int64(anchor.latitude) + north)
        return box
    }

    /// Whether the stay goes on at a place and an instant.
    func continues(at place: LedgerPlace, _ time: Int64) -> Bool {
        guard time != PointColumns.untimed else { return true }
        let (east, north) = offset(of: place)
        return contains(east, north) && Self.distance(time, lastTime) <= Self.bridgedMilliseconds
    }

    /// Adds a place. Returns the time since which the track has been near it, in milliseconds.
    @inline(__always)
    mutating func add(_ place: LedgerPlace, _ time: Int64) -> Int64 {
        guard time != PointColumns.untimed else { return 0 }
        let (east, north) = offset(of: place)
        let step = Self.distance(time, lastTime)
        guard contains(east, north), step <= Self.bridgedMilliseconds else {
            begin(at: place, time)
            return 0
        }
        eastSum &+= east &* step
        northSum &+= north &* step
        weight &+= step
        lastTime = time
        return milliseconds
    }

    @inline(__always)
    private func offset(of place: LedgerPlace) -> (east: Int64, north: Int64) {
        (Int64(place.longitude) &- Int64(anchor.longitude), Int64(place.latitude) &- Int64(anchor.latitude))
    }

    @inline(__always)
    private func contains(_ east: Int64, _ north: Int64) -> Bool {
        north.magnitude <= reachNorth && east.magnitude <= reachEast
    }

    @inline(__always)
    private static func distance(_ one: Int64, _ other: Int64) -> Int64 {
        // Wraps to a negative number only for the distance of times that no track has.
        Int64(bitPattern: (one &- other).magnitude)
    }

    @inline(never)
    private mutating func begin(at place: LedgerPlace, _ time: Int64) {
        anchor = place
        since = time
        lastTime = time
        (eastSum, northSum, weight) = (0, 0, 0)
        reachEast = UInt64(Double(Self.reach) / max(0.01, cos(Double(place.latitude) / 1e7 * .pi / 180)))
    }
}
