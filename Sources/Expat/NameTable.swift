internal import Text

/// Numbers element and attribute names, so that a `String` is made once per name and not once per element.
struct NameTable {
    /// More different names than any track format has; a document with more is an attack on memory.
    static let limit = 4096
    /// The longest name, in bytes.
    static let nameLimit = 1024
    private static let slotBits = 14
    private static let slotCount = 1 << slotBits

    private struct Entry {
        var start: Int
        var localStart: Int
        var end: Int
        var name: XMLName
    }

    // A hash table with open addressing over `entries`, at most a quarter full; −1 is an empty slot.
    private var slots = [Int32](repeating: -1, count: NameTable.slotCount)
    private let hash = NameHash()
    private var entries: [Entry] = []
    private var pool: [UInt8] = []
    private let known: [[UInt8]: Int]

    init(known names: [String]) {
        known = Dictionary(
            names.enumerated().map { (Array($0.element.utf8), $0.offset) }, uniquingKeysWith: { first, _ in first })
    }

    /// Why a name has no number.
    enum Refusal: Error {
        /// The table is full.
        case tooMany
        /// The name has more than `nameLimit` bytes.
        case tooLong
    }

    /// The number of a name, added if it is new.
    mutating func number(of bytes: Span<UInt8>) throws(Refusal) -> XMLName {
        var slot = hash.slot(bytes, bytes.indices, slotBits: Self.slotBits)
        while slots[slot] >= 0 {
            let entry = entries[Int(slots[slot])]
            if matches(entry, bytes) { return entry.name }
            slot = (slot + 1) & (Self.slotCount - 1)
        }
        guard bytes.count <= Self.nameLimit else { throw .tooLong }
        guard entries.count < Self.limit else { throw .tooMany }
        slots[slot] = Int32(entries.count)
        return add(bytes)
    }

    func qualified(_ number: Int) -> String {
        String(decoding: pool[entries[number].start..<entries[number].end], as: UTF8.self)
    }

    func local(_ number: Int) -> String {
        String(decoding: pool[entries[number].localStart..<entries[number].end], as: UTF8.self)
    }

    private func matches(_ entry: Entry, _ bytes: Span<UInt8>) -> Bool {
        guard entry.end - entry.start == bytes.count else { return false }
        for index in bytes.indices where pool[entry.start + index] != bytes[index] { return false }
        return true
    }

    private mutating func add(_ bytes: Span<UInt8>) -> XMLName {
        let start = pool.count
        var localStart = start
        for index in bytes.indices {
            pool.append(bytes[index])
            if bytes[index] == UInt8(ascii: ":") { localStart = pool.count }
        }
        let name = XMLName(
            number: Int32(entries.count), known: known[Array(pool[localStart...])].map { Int16($0) })
        entries.append(Entry(start: start, localStart: localStart, end: pool.count, name: name))
        return name
    }
}
