public import Digest

/// The digest that says whether two file recordings are the same: over each point's time in milliseconds and place at
/// 1e-7°, rounded half away from zero, in the file's order.
///
/// However the points are cut into chunks, and whatever unit those have, the same points give the same digest.
public struct RecordingDigest: ~Copyable {
    private var digester = Digester()

    /// A digest of no point yet.
    public init() {}

    /// Adds a chunk's points.
    public mutating func add(_ chunk: PointChunk) {
        let count = chunk.count
        // Not kept: thousands of recordings may be open at once.
        var words = [UInt64](repeating: 0, count: count * 2)
        let places = E7Places(unit: chunk.unit)
        var span = words.mutableSpan
        let times = chunk.times.span
        let longitudes = chunk.longitudes.span
        let latitudes = chunk.latitudes.span
        for index in 0..<count {
            let east = UInt64(UInt32(bitPattern: places.e7(longitudes[index])))
            let north = UInt64(UInt32(bitPattern: places.e7(latitudes[index])))
            span[index * 2] = UInt64(bitPattern: times[index])
            span[index * 2 + 1] = east | north << 32
        }
        digester.update(words: words)
    }

    /// The digest of all points added.
    public consuming func finish() -> ContentDigest {
        digester.finish()
    }
}
