/// A name, with its number if it has one.
public struct InternedName: Sendable {
    public let text: String
    /// Counted from 0; nil if the name is too long, or if there are too many names.
    public let number: Int?
}

/// Numbers repeated names, so that the `String` of each is created once.
public final class NameInterner {
    public init() {}

    /// Maximum length of a name in bytes; longer texts get no number.
    private static let lengthLimit = 64
    /// Maximum number of names; at most half of the slots are used.
    private static let limit = 512
    private static let slotBits = 10
    private static let slotCount = 1 << slotBits

    private struct Entry {
        let start: Int
        let count: Int
        let name: InternedName
    }

    // An open-addressing hash table over `entries`; −1 is empty.
    private var slots: [Int16] = []
    private let hash = NameHash()
    private var entries: [Entry] = []
    private var pool: [UInt8] = []

    public func name(_ bytes: Span<UInt8>, _ range: Range<Int>) -> InternedName {
        guard range.count <= Self.lengthLimit else {
            return InternedName(text: ByteText.string(bytes, range), number: nil)
        }
        if slots.isEmpty { slots = Array(repeating: -1, count: Self.slotCount) }
        // At least half of the slots are free: the search ends.
        var slot = hash.slot(bytes, range, slotBits: Self.slotBits)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if isSame(entries[number], bytes, range) { return entries[number].name }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        let text = ByteText.string(bytes, range)
        guard entries.count < Self.limit else { return InternedName(text: text, number: nil) }
        let name = InternedName(text: text, number: entries.count)
        slots[slot] = Int16(entries.count)
        entries.append(Entry(start: pool.count, count: range.count, name: name))
        pool += ByteText.array(bytes, range)
        return name
    }

    @inline(__always)
    private func isSame(_ entry: Entry, _ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
        guard entry.count == range.count else { return false }
        for index in 0..<entry.count where pool[entry.start + index] != bytes[range.lowerBound + index] { return false }
        return true
    }
}
