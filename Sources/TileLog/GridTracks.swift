public import Digest

/// What the grid needs to know about tracks to read and write tiles, indexed by track number.
public struct GridTracks: Sendable, Equatable {
    @usableFromInline var digests: [UInt64] = []
    @usableFromInline var activityNumbers: [UInt8] = []
    /// The tracks of each operator's layer, by layer number. These numbers are never used for activities.
    public var layers: [UInt8: LayerMembers] = [:]

    /// Creates an empty table.
    public init() {}

    /// Sets the entry of a track. `digest` is a digest of everything that determines its cells and layers. `activity` is
    /// the number of its activity: 0 for none, 1–254 otherwise (255 means no layer).
    public mutating func set(_ number: Int64, digest: UInt64, activity: UInt8) {
        let index = Int(number)
        precondition(index >= 0, "track numbers must not be negative")
        while digests.count <= index {
            digests.append(0)
            activityNumbers.append(0)
        }
        digests[index] = digest
        activityNumbers[index] = activity
    }

    /// The number of a track's activity; 0 for none.
    @inlinable
    public func activity(of number: Int64) -> UInt8 {
        Int(number) < activityNumbers.count ? activityNumbers[Int(number)] : 0
    }

    /// A digest of everything that determines a track's cells and layers; 0 for an unknown track.
    public func digest(of number: Int64) -> UInt64 {
        number >= 0 && number < Int64(digests.count) ? digests[Int(number)] : 0
    }

    /// The numbers of the tracks whose digests fulfil a condition.
    public func numbers(where isIncluded: (_ digest: UInt64) -> Bool) -> [Int64] {
        digests.indices.filter { digests[$0] != 0 && isIncluded(digests[$0]) }.map { Int64($0) }
    }

    /// The digest that a track's fragment of a day adds to each tile it touches.
    @inlinable
    public func fragmentDigest(_ order: FragmentOrder) -> UInt64 {
        let digest = Int(order.track) < digests.count ? digests[Int(order.track)] : 0
        // Mixed, because a tile's digest is the sum of these: sums of similar numbers would often be equal.
        return SplitMix64.mixed(digest ^ (UInt64(UInt32(bitPattern: order.day)) &* SplitMix64.increment))
    }
}
