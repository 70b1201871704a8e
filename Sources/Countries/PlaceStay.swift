import Foundation
import Tracks

/// How long a track has been at one place, and where this place is.
struct PlaceStay: Sendable {
    private static let reach = Int64(LedgerBuilder.stayMetres / LedgerPlace.metresPerUnit)

    private var anchor = LedgerPlace(longitude: 0, latitude: 0)
    private var reachEast: Int64 = -1
    private var since: Int64 = 0
    private var lastTime = PointChunk.untimed
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
        var box = LedgerBox(anchor)
        box.west = Int32(clamping: Int64(anchor.longitude) - reachEast)
        box.east = Int32(clamping: Int64(anchor.longitude) + reachEast)
        box.south = Int32(clamping: Int64(anchor.latitude) - Self.reach)
        box.north = Int32(clamping: Int64(anchor.latitude) + Self.reach)
        return box
    }

    /// Whether the stay goes on at a place and an instant.
    func continues(at place: LedgerPlace, _ time: Int64) -> Bool {
        guard time != PointChunk.untimed else { return true }
        let (east, north) = offset(of: place)
        return contains(east, north) && Self.distance(time, lastTime) <= LedgerBuilder.bridgedMilliseconds
    }

    /// Adds a place. Returns the time since which the track has been near it, in milliseconds.
    @inline(__always)
    mutating func add(_ place: LedgerPlace, _ time: Int64) -> Int64 {
        guard time != PointChunk.untimed else { return 0 }
        let (east, north) = offset(of: place)
        let step = Self.distance(time, lastTime)
        guard contains(east, north), step <= LedgerBuilder.bridgedMilliseconds else {
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
        Int64(north.magnitude) <= Self.reach && Int64(east.magnitude) <= reachEast
    }

    @inline(__always)
    private static func distance(_ one: Int64, _ other: Int64) -> Int64 {
        let distance = one &- other
        return distance < 0 ? 0 &- distance : distance
    }

    private mutating func begin(at place: LedgerPlace, _ time: Int64) {
        anchor = place
        since = time
        lastTime = time
        (eastSum, northSum, weight) = (0, 0, 0)
        reachEast = Int64(Double(Self.reach) / max(0.01, cos(Double(place.latitude) / 1e7 * .pi / 180)))
    }
}
