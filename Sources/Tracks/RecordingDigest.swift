public import Digest

/// The digest that identifies a file recording: over each point's time in milliseconds and its place at 1e-7°, rounded
/// half away from zero, in file order.
///
/// The digest does not depend on the chunk boundaries. It depends on the coordinate unit only through the rounding.
public struct RecordingDigest: ~Copyable {
    private var digester = Digester()

    /// Creates a digest without points.
    public init() {}

    /// Adds a chunk's points.
    public mutating func add(_ chunk: PointColumns) {
        let count = chunk.count
        // A local array: thousands of recordings may be open at once, so no buffer is kept.
        var words = [UInt64](repeating: 0, count: count * 2)
        let converter = E7Converter(unit: chunk.unit)
        var span = words.mutableSpan
        let times = chunk.times.span
        let longitudes = chunk.longitudes.span
        let latitudes = chunk.latitudes.span
        for index in 0..<count {
            let east = UInt64(UInt32(bitPattern: converter.e7(longitudes[index])))
            let north = UInt64(UInt32(bitPattern: converter.e7(latitudes[index])))
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
