/// Collects track fragments of many tracks for all zoom levels.
///
/// Memory is `byteCount`: the content of the fragments and 48 bytes per fragment, half of them for its place in a run.
/// It grows by blocks: an array that doubles would copy everything it holds, and hold it twice meanwhile.
public struct FragmentArena: Sendable {
    fileprivate private(set) var entries = BlockList<Entry>()
    fileprivate private(set) var personDays: [FragmentOrder] = []
    /// The contents of the fragments, each within one block.
    private var blocks: [[UInt8]] = []
    private var contentBytes = 0

    fileprivate struct Entry: Sendable {
        var tile: UInt64
        var personDay: Int32
        var length: Int32
        /// The content's block, and its offset there.
        var block: Int32
        var offset: Int32
    }

    /// Just below the size from which on the C library maps memory separately, with the header of the array.
    private static let blockBytes = 1 << 20 - 64

    /// An empty arena.
    public init() {}

    /// Approximate memory in use, in bytes.
    public var byteCount: Int { contentBytes + entries.count * MemoryLayout<Entry>.stride * 2 }
    /// Whether nothing has been added.
    public var isEmpty: Bool { entries.count == 0 }

    /// Begins the contribution of a track to a person-day. Returns the number to pass to `append`.
    public mutating func beginPersonDay(day: Int32, person: Int64, track: Int64) -> Int32 {
        personDays.append(FragmentOrder(day: day, person: person, track: track))
        return Int32(personDays.count - 1)
    }

    /// Adds a fragment for the tile with this packed key.
    public mutating func append(_ content: ArraySlice<UInt8>, tile: UInt64, personDay: Int32) {
        var last = blocks.count - 1
        if last < 0 || blocks[last].count + content.count > Self.blockBytes {
            blocks.append([])
            last += 1
            // The first block grows by itself, because most changes are small.
            if last > 0 { blocks[last].reserveCapacity(max(Self.blockBytes, content.count)) }
        }
        entries.append(
            Entry(
                tile: tile, personDay: personDay, length: Int32(content.count), block: Int32(last),
                offset: Int32(blocks[last].count)))
        blocks[last].append(contentsOf: content)
        contentBytes += content.count
    }

    fileprivate func content(_ place: FragmentPlace) -> ArraySlice<UInt8> {
        blocks[Int(place.block)][Int(place.offset)..<Int(place.offset) + Int(place.length)]
    }
}

/// Where the content of a fragment is in its arena.
private struct FragmentPlace {
    var block: Int32
    var offset: Int32
    var length: Int32
}

/// A list that grows by blocks.
private struct BlockList<Element: Sendable>: Sendable {
    private var blocks: [[Element]] = []
    private(set) var count = 0

    private static var blockBits: Int { 15 }
    private static var blockCount: Int { 1 << blockBits }

    mutating func append(_ element: Element) {
        let block = count >> Self.blockBits
        if block == blocks.count {
            blocks.append([])
            if block > 0 { blocks[block].reserveCapacity(Self.blockCount) }
        }
        blocks[block].append(element)
        count += 1
    }

    subscript(index: Int) -> Element {
        blocks[index >> Self.blockBits][index & (Self.blockCount - 1)]
    }
}

/// A source of tile logs in ascending order of tiles, from memory or from disk.
public protocol GridRun {
    /// The packed key of the tile whose log comes next; nil at the end.
    var nextTile: UInt64? { get }
    /// Returns that log and moves to the next tile.
    mutating func takeLog() throws -> [UInt8]
}

/// A fragment of a tile in one of several arenas.
private struct PlacedFragment: Sendable {
    var order: FragmentOrder
    var arena: Int
    var place: FragmentPlace
}

/// The tile logs of several arenas; fragments of the same tile are combined.
public struct ArenaRun<Content: FragmentContent>: GridRun, Sendable {
    private let arenas: [FragmentArena]
    /// For each arena the number of entries in the arenas before it.
    private let starts: [Int]
    /// The numbers of the entries, in the order of tiles and person-days. Numbers instead of fragments, because those of
    /// all tiles took as much memory as their content.
    private let entries: [UInt32]
    private var position = 0
    /// The fragments of one tile; kept for its memory.
    private var fragments: [PlacedFragment] = []

    /// A run of the contents of arenas.
    public init(_ arenas: [FragmentArena]) {
        self.arenas = arenas
        let personDays = arenas.enumerated().flatMap { arena, content in
            content.personDays.indices.map { (arena: arena, index: $0, order: content.personDays[$0]) }
        }
        var rankOfPersonDay = arenas.map { [UInt64](repeating: 0, count: $0.personDays.count) }
        // If a track added to one day several times, the contributions stay in the order in which they came.
        let ranked = personDays.sorted { ($0.order, $0.arena, $0.index) < ($1.order, $1.arena, $1.index) }
        for (rank, personDay) in ranked.enumerated() {
            rankOfPersonDay[personDay.arena][personDay.index] = UInt64(rank)
        }
        // 38 bits for the tile (or its long steps) and 26 for the rank: one number sorts both.
        precondition(personDays.count < 1 << 26, "arenas are taken before they hold 2^26 person-days")
        var keys: [UInt64] = []
        keys.reserveCapacity(arenas.reduce(0) { $0 + $1.entries.count })
        var starts: [Int] = []
        for (arena, content) in arenas.enumerated() {
            starts.append(keys.count)
            for index in 0..<content.entries.count {
                let entry = content.entries[index]
                keys.append(entry.tile << 26 | rankOfPersonDay[arena][Int(entry.personDay)])
            }
        }
        self.starts = starts
        precondition(keys.count <= UInt32.max, "arenas are taken before they hold 2^32 fragments")
        entries = CodeSorter.order(of: &keys)
    }

    /// The arena of an entry, and its index there.
    @inline(__always)
    private func place(_ position: Int) -> (arena: Int, index: Int) {
        let entry = Int(entries[position])
        var arena = starts.count - 1
        while starts[arena] > entry { arena -= 1 }
        return (arena, entry - starts[arena])
    }

    private func tile(_ position: Int) -> UInt64 {
        let (arena, index) = place(position)
        return arenas[arena].entries[index].tile
    }

    public var nextTile: UInt64? {
        position < entries.count ? tile(position) : nil
    }

    /// Whether a track occurs several times in a person-day, as for a day too large for memory.
    private func hasRepeatedTracks(_ range: Range<Int>) -> Bool {
        range.count > 1 && range.dropFirst().contains { fragments[$0].order == fragments[$0 - 1].order }
    }

    public mutating func takeLog() -> [UInt8] {
        takeFragments()
        var writer = LogWriter<Content>()
        var next = 0
        while next < fragments.count {
            let first = fragments[next].order
            var end = next + 1
            while end < fragments.count, fragments[end].order.day == first.day,
                fragments[end].order.person == first.person
            {
                end += 1
            }
            if hasRepeatedTracks(next..<end) {
                for fragment in fragments[next..<end] {
                    writer.add(fragment.order, arenas[fragment.arena].content(fragment.place))
                }
                writer.endPersonDay()
            } else {
                writer.beginPersonDay(day: first.day, person: first.person, fragmentCount: end - next)
                for fragment in fragments[next..<end] {
                    writer.addFragment(
                        track: fragment.order.track, arenas[fragment.arena].content(fragment.place))
                }
            }
            next = end
        }
        return writer.finish()
    }

    /// Moves the fragments of the next tile to `fragments`.
    private mutating func takeFragments() {
        fragments.removeAll(keepingCapacity: true)
        guard let next = nextTile else { return }
        while position < entries.count {
            let (arena, index) = place(position)
            let entry = arenas[arena].entries[index]
            guard entry.tile == next else { return }
            fragments.append(
                PlacedFragment(
                    order: arenas[arena].personDays[Int(entry.personDay)], arena: arena,
                    place: FragmentPlace(block: entry.block, offset: entry.offset, length: entry.length)))
            position += 1
        }
    }
}

/// Merges several runs; the logs of a tile are merged. Fragments of the same track and day stay in the order of the
/// runs.
public struct MergedRuns<Content: FragmentContent>: GridRun {
    private var runs: [any GridRun]

    /// Creates a merge of runs; each run must have a tile at most once.
    public init(_ runs: [any GridRun]) {
        self.runs = runs
    }

    public var nextTile: UInt64? {
        runs.compactMap { $0.nextTile }.min()
    }

    public mutating func takeLog() throws -> [UInt8] {
        let tile = nextTile
        var logs: [[UInt8]] = []
        for index in runs.indices where runs[index].nextTile == tile {
            logs.append(try runs[index].takeLog())
        }
        return TileLog<Content>.merged(logs)
    }
}
