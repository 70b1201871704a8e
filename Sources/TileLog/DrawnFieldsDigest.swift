import Digest
public import Tracks

/// A digest of a track's elevations, waypoints and accuracies and of the points that have them; it does not depend on
/// chunk boundaries.
public struct DrawnFieldsDigest: Sendable {
    /// The digest; 0 if no point has any of these fields.
    public private(set) var value: UInt64 = 0
    private var firstIndex = 0

    /// Creates a digest without points.
    public init() {}

    /// Adds the fields of the track's next points.
    public mutating func add(_ fields: DrawnFields) {
        defer { firstIndex += fields.count }
        guard !fields.isEmpty else { return }
        for place in 0..<fields.count {
            let elevation = fields.elevation(at: place)
            if elevation != DrawnFields.noElevation { add(UInt16(bitPattern: elevation), at: place) }
            // No point has this elevation, so the number stands for a waypoint.
            if fields.isWaypoint(at: place) { add(UInt16(bitPattern: DrawnFields.noElevation), at: place) }
            if let accuracy = fields.accuracy(at: place) { add(accuracy: accuracy, at: place) }
        }
    }

    /// The highest bit distinguishes accuracies from all other words.
    private mutating func add(accuracy metres: UInt32, at place: Int) {
        let word = 1 << 63 | UInt64(firstIndex + place) << 32 | UInt64(metres)
        value &+= SplitMix64.mixed(word &+ SplitMix64.increment)
    }

    private mutating func add(_ number: UInt16, at place: Int) {
        let word = UInt64(firstIndex + place) << 16 | UInt64(number)
        value &+= SplitMix64.mixed(word &+ SplitMix64.increment)
    }
}
