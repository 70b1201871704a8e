import Foundation
import TileMath

/// A place in 1e-7°.
public struct LedgerPlace: Sendable, Hashable {
    public var longitude: Int32
    public var latitude: Int32

    /// Metres of 1e-7° along a meridian, rounded: stored rows depend on this very value.
    static let metresPerUnit = 0.0111195

    @inlinable
    public init(longitude: Int32, latitude: Int32) {
        self.longitude = longitude
        self.latitude = latitude
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

/// The bounds of places in 1e-7°; across 180°, `west` is far from `east`.
public struct LedgerBox: Sendable, Hashable {
    public var west: Int32
    public var south: Int32
    public var east: Int32
    public var north: Int32

    /// The bounds of one place.
    @inlinable
    public init(_ place: LedgerPlace) {
        (west, east) = (place.longitude, place.longitude)
        (south, north) = (place.latitude, place.latitude)
    }

    @inlinable
    mutating func add(_ place: LedgerPlace) {
        west = min(west, place.longitude)
        east = max(east, place.longitude)
        south = min(south, place.latitude)
        north = max(north, place.latitude)
    }

    mutating func formUnion(_ other: LedgerBox) {
        west = min(west, other.west)
        east = max(east, other.east)
        south = min(south, other.south)
        north = max(north, other.north)
    }
}

extension LedgerBox {
    /// No box is smaller, so that a track at rest costs little.
    private static let leastMetres = 25.0

    /// A box with no place farther from its middle than a distance, but not smaller than some metres.
    init(_ place: LedgerPlace, within metres: Double) {
        self.init(place)
        // 0.7 is just below 1/√2, so the corners of the box are within the distance, too.
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
