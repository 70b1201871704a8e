public import Tracks

/// A digest of a track's elevations, hand marks and accuracies and of which points have them, however its chunks are cut.
public struct DrawnFieldsDigest: Sendable {
    /// The digest; 0 where no point has any.
    public private(set) var value: UInt64 = 0
    private var firstIndex = 0

    /// Of no point.
    public init() {}

    /// Takes the fields of the track's next points.
    public mutating func add(_ fields: DrawnFields) {
        defer { firstIndex += fields.count }
        guard !fields.isEmpty else { return }
        for place in 0..<fields.count {
            let elevation = fields.elevation(at: place)
            if elevation != DrawnFields.noElevation { add(UInt16(bitPattern: elevation), at: place) }
            // No elevation has this number, so it stands for the mark.
            if fields.isMarked(at: place) { add(UInt16(bitPattern: DrawnFields.noElevation), at: place) }
            if let accuracy = fields.accuracy(at: place) { add(accuracy: accuracy, at: place) }
        }
    }

    /// The highest bit tells such words from all others.
    private mutating func add(accuracy metres: UInt32, at place: Int) {
        let word = 1 << 63 | UInt64(firstIndex + place) << 32 | UInt64(metres)
        value &+= SplitMix.mixed(word &+ SplitMix.step)
    }

    private mutating func add(_ number: UInt16, at place: Int) {
        let word = UInt64(firstIndex + place) << 16 | UInt64(number)
        value &+= SplitMix.mixed(word &+ SplitMix.step)
    }
}
