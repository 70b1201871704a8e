package import Digest

/// A tile's picture as drawn, with what it was drawn from and how long it took.
package struct TilePicture: Sendable {
    /// A digest of all that the picture reads.
    package var digest: ContentDigest
    /// The PNG.
    package var bytes: [UInt8]
    /// Whether nothing is on it.
    package var isEmpty: Bool
    /// Where it came from, and how long that took.
    package var timing: TileTiming
}

/// How long the steps of a tile took, in milliseconds.
package struct TileTiming: Sendable, Equatable {
    /// Reading and counting.
    package var grid = 0.0
    /// Counts to pixels.
    package var draw = 0.0
    /// Pixels to PNG.
    package var encode = 0.0
    /// Whether the picture was on the disk already.
    package var fromDisk = false
}

extension ContinuousClock.Instant {
    /// Milliseconds from an earlier instant to this one.
    func milliseconds(since start: ContinuousClock.Instant) -> Double {
        let (seconds, attoseconds) = (self - start).components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }
}
