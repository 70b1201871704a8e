/// The tracks of a layer, as a bit set of track numbers.
public struct LayerMembers: Sendable, Equatable {
    /// 64 tracks per word; the last word is not 0.
    @usableFromInline var words: [UInt64] = []

    /// Creates an empty set.
    public init() {}

    /// Whether a track is a member.
    @inlinable
    @inline(__always)
    public func contains(_ number: Int64) -> Bool {
        let word = UInt64(bitPattern: number) >> 6
        return word < UInt64(words.count) && words[Int(word)] >> (UInt64(bitPattern: number) & 63) & 1 == 1
    }

    /// Adds or removes a track.
    public mutating func set(_ number: Int64, to isMember: Bool) {
        precondition(number >= 0, "track numbers must not be negative")
        let word = Int(number >> 6)
        let bit = UInt64(1) << UInt64(number & 63)
        if isMember {
            while words.count <= word { words.append(0) }
            words[word] |= bit
        } else if word < words.count {
            words[word] &= ~bit
            while words.last == 0 { words.removeLast() }
        }
    }

    /// The number of members.
    public var count: Int { words.reduce(0) { $0 + $1.nonzeroBitCount } }

    /// The number of tracks in a block.
    public static let blockTracks: Int64 = 4096
    private static let blockWords = 64

    /// The number of blocks up to the last one with a member.
    public var blockCount: Int64 { Int64((words.count + Self.blockWords - 1) / Self.blockWords) }

    /// The bytes of a block up to the last one that is not 0, least significant bits first; nil if the block has no
    /// member.
    public func block(_ index: Int64) -> [UInt8]? {
        let first = Int(index) * Self.blockWords
        guard first < words.count else { return nil }
        var bytes = words[first..<min(first + Self.blockWords, words.count)].flatMap { word in
            (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) }
        }
        while bytes.last == 0 { bytes.removeLast() }
        return bytes.isEmpty ? nil : bytes
    }

    /// Adds the members from the bytes of a block.
    public mutating func add(block index: Int64, _ bytes: [UInt8]) {
        let first = Int(index) * Self.blockWords
        for (place, byte) in bytes.enumerated() where byte != 0 {
            let word = first + place / 8
            while words.count <= word { words.append(0) }
            words[word] |= UInt64(byte) << UInt64(8 * (place % 8))
        }
    }
}
