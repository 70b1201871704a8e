package import Digest
import Text

/// A tile's picture, with the digest of what it was drawn from and the time it took.
package struct TilePicture: Sendable {
    /// The digest of everything that the picture reads.
    package var digest: ContentDigest
    /// The file.
    package var bytes: [UInt8]
    /// Whether it is fully transparent.
    package var isEmpty: Bool
    /// Its source, and the time it took.
    package var timing: TileTiming
}

/// The time of the steps of a tile, in milliseconds.
package struct TileTiming: Sendable, Equatable {
    /// Reading and counting.
    package var grid = 0.0
    /// Counts to pixels.
    package var draw = 0.0
    /// Pixels to the file.
    package var encode = 0.0
    /// Whether the picture came from the disk cache.
    package var fromDisk = false

    /// A timing in milliseconds.
    package init(grid: Double = 0, draw: Double = 0, encode: Double = 0, fromDisk: Bool = false) {
        self.grid = grid
        self.draw = draw
        self.encode = encode
        self.fromDisk = fromDisk
    }
}

extension ContinuousClock.Instant {
    /// Milliseconds from an earlier instant to this one.
    package func milliseconds(since start: ContinuousClock.Instant) -> Double {
        let (seconds, attoseconds) = (self - start).components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }
}
