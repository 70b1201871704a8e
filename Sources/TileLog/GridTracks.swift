public import Tracks

/// What the grid must know of tracks to read and write tiles; indexed by the track's number.
public struct GridTracks: Sendable, Equatable {
    @usableFromInline var seeds: [UInt64] = []
    @usableFromInline var activityNumbers: [UInt8] = []
    private var starts: [Int64] = []
    /// The tracks of each of the operator's layers, by the layers' numbers, which no activity has.
    public var layers: [UInt8: LayerMembers] = [:]

    /// No track.
    public init() {}

    /// Names a track: `seed` is a digest of all that its cells and layers follow from, `activity` its activity's number
    /// (0 where it has none; 1–254, as 255 stands for no layer), `start` its first instant (`PointChunk.untimed` where it has none).
    public mutating func set(_ number: Int64, seed: UInt64, activity: UInt8, start: Int64 = PointChunk.untimed) {
        let index = Int(number)
        precondition(index >= 0, "numbers of tracks count from 0")
        while seeds.count <= index {
            seeds.append(0)
            activityNumbers.append(0)
            starts.append(PointChunk.untimed)
        }
        seeds[index] = seed
        activityNumbers[index] = activity
        starts[index] = start
    }

    /// What orders tracks where they are drawn: the first instant (untimed tracks first), then a digest of the content,
    /// whatever their numbers are.
    public func drawOrder(of number: Int64) -> (start: Int64, seed: UInt64) {
        let index = Int(number)
        return index < seeds.count ? (starts[index], seeds[index]) : (PointChunk.untimed, 0)
    }

    /// Whose parts a layer counts: 0 is every track's, the number of an operator's layer its members', another an activity's.
    public func filter(ofLayer layer: UInt8) -> FragmentFilter {
        if layer == 0 { return .all }
        return layers[layer].map { .members($0) } ?? .activity(layer, self)
    }

    /// The digest of what a layer has in a log: the sum of its parts' digests, 0 for nothing.
    public func contentDigest(of log: borrowing Span<UInt8>, layer: UInt8) -> UInt64 {
        let filter = filter(ofLayer: layer)
        var digest: UInt64 = 0
        var reader = LogReader(log)
        while let part = reader.nextPart(in: log) {
            if filter.passes(part.order.track) { digest &+= partDigest(part.order) }
        }
        return digest
    }

    /// The number of a track's activity; 0 for none.
    @inlinable
    public func activity(of number: Int64) -> UInt8 {
        Int(number) < activityNumbers.count ? activityNumbers[Int(number)] : 0
    }

    /// A digest of all that a track's cells and layers follow from; 0 for one that is not there.
    public func seed(of number: Int64) -> UInt64 {
        number >= 0 && number < Int64(seeds.count) ? seeds[Int(number)] : 0
    }

    /// One more than the greatest number set.
    @inlinable
    public var count: Int { seeds.count }

    /// What a track's part of a day adds to the digest of each tile it touches.
    @inlinable
    public func partDigest(_ order: FragmentOrder) -> UInt64 {
        let seed = Int(order.track) < seeds.count ? seeds[Int(order.track)] : 0
        return SplitMix.mixed(seed ^ (UInt64(UInt32(bitPattern: order.day)) &* SplitMix.step))
    }
}

/// The generator splitmix64 (Steele, Lea, Flood 2014).
@usableFromInline
enum SplitMix {
    @usableFromInline static let step: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Its finaliser: every bit of the result depends on every bit of the word.
    @inlinable
    static func mixed(_ word: UInt64) -> UInt64 {
        var bits = word
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }
}
