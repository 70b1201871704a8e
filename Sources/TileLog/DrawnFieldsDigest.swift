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
        for index in 0..<fields.count {
            let elevation = fields.elevation(at: index)
            if elevation != DrawnFields.noElevation { add(UInt16(bitPattern: elevation), at: index) }
            // No point has this elevation, so the number stands for a waypoint.
            if fields.isWaypoint(at: index) { add(UInt16(bitPattern: DrawnFields.noElevation), at: index) }
            if let accuracy = fields.accuracy(at: index) { add(accuracy: accuracy, at: index) }
        }
    }

    /// The highest bit distinguishes accuracies from all other words.
    private mutating func add(accuracy metres: UInt32, at index: Int) {
        let word = 1 << 63 | UInt64(firstIndex + index) << 32 | UInt64(metres)
        value &+= SplitMix64.mixed(word &+ SplitMix64.increment)
    }

    private mutating func add(_ number: UInt16, at index: Int) {
        let word = UInt64(firstIndex + index) << 16 | UInt64(number)
        value &+= SplitMix64.mixed(word &+ SplitMix64.increment)
    }
}
