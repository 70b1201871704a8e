/// What identifies a point of a device: its time, and its place to 1e-7°. Keys are ordered by time.
public struct PointKey: Hashable, Comparable, Sendable {
    /// Milliseconds since 1970.
    public var time: Int64
    /// In 1e-7°.
    public var longitude: Int32
    public var latitude: Int32

    @inlinable
    public init(time: Int64, longitude: Int32, latitude: Int32) {
        self.time = time
        self.longitude = longitude
        self.latitude = latitude
    }

    @inlinable
    public static func < (left: PointKey, right: PointKey) -> Bool {
        (left.time, left.longitude, left.latitude) < (right.time, right.longitude, right.latitude)
    }
}

extension PointColumns {
    /// The key of each point.
    public var keys: [PointKey] {
        let converter = E7Converter(unit: unit)
        return (0..<count).map {
            PointKey(
                time: times[$0], longitude: converter.e7(longitudes[$0]), latitude: converter.e7(latitudes[$0]))
        }
    }
}
