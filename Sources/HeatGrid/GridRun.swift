/// Gathers the parts of many tracks for all zoom levels, and gives them out tile by tile.
///
/// Memory is `byteCount`: about a byte for each visit (a cell on a track-day) and 32 for each part.
public struct PartArena: Sendable {
    fileprivate private(set) var bytes: [UInt8] = []
    fileprivate private(set) var entries: [Entry] = []
    fileprivate private(set) var pieces: [PartOrder] = []
    /// Where a part is written before its length is known: 65,536 cells take less than two bytes each.
    private var scratch = [UInt8](repeating: 0, count: 1 << 17)

    fileprivate struct Entry: Sendable {
        var tile: UInt64
        var piece: Int32
        var length: Int32
        var start: Int
    }

    /// An empty arena.
    public init() {}

    /// Bytes of memory in use, roughly.
    public var byteCount: Int { bytes.count + entries.count * MemoryLayout<Entry>.stride * 2 }
    /// Whether nothing has been added.
    public var isEmpty: Bool { entries.isEmpty }

    /// Adds what a track visited on one day, at every zoom level; gives the keys of the tiles of zoom level 16 it touched.
    public mutating func add(_ day: TrackRaster.Day, track: Int64, person: Int64) -> [UInt64] {
        let piece = Int32(pieces.count)
        pieces.append(PartOrder(day: day.day, person: person, track: track))
        var cells = day.cells
        var deepest: [UInt64] = []
        for zoom in stride(from: 16, through: 0, by: -1) {
            addLevel(&cells, zoom: zoom, piece: piece, deepest: &deepest)
        }
        return deepest
    }

    /// Writes one level's parts and leaves the codes of the next coarser level in `cells`.
    private mutating func addLevel(_ cells: inout [UInt64], zoom: Int, piece: Int32, deepest: inout [UInt64]) {
        let count = cells.count
        var position = 0
        var coarser = 0
        var lastCoarse = UInt64.max
        while position < count {
            let tile = cells[position] >> 16
            if zoom == 16 { deepest.append(tile) }
            var length = 0
            var last = -1
            var codes = cells.mutableSpan
            var part = scratch.mutableSpan
            while position < count {
                let code = codes[position]
                guard code >> 16 == tile else { break }
                position &+= 1
                let cell = Int(code & 0xFFFF)
                let delta = cell &- last &- 1
                last = cell
                if delta < 0x80 {
                    part[length] = UInt8(truncatingIfNeeded: delta)
                    length &+= 1
                } else if delta < 0x4000 {
                    part[length] = UInt8(truncatingIfNeeded: delta) | 0x80
                    part[length + 1] = UInt8(truncatingIfNeeded: delta >> 7)
                    length &+= 2
                } else {
                    part[length] = UInt8(truncatingIfNeeded: delta) | 0x80
                    part[length + 1] = UInt8(truncatingIfNeeded: delta >> 7) | 0x80
                    part[length + 2] = UInt8(truncatingIfNeeded: delta >> 14)
                    length &+= 3
                }
                let coarse = code >> 2
                if coarse != lastCoarse {
                    lastCoarse = coarse
                    codes[coarser] = coarse
                    coarser &+= 1
                }
            }
            entries.append(
                Entry(tile: tile | UInt64(zoom) << 32, piece: piece, length: Int32(length), start: bytes.count))
            bytes.append(contentsOf: scratch[..<length])
        }
        cells.removeSubrange(coarser...)
    }
}

/// Logs in ascending order of their tiles, from memory or from disk.
public protocol GridRun {
    /// The packed key of the tile whose log comes next; nil at the end.
    var nextTile: UInt64? { get }
    /// That log; the run goes on to the next tile.
    mutating func takeLog() throws -> [UInt8]
}

/// The logs of arenas, a tile's parts in all of them together.
public struct ArenaRun: GridRun, Sendable {
    private struct Part: Sendable {
        var tile: UInt64
        var order: PartOrder
        var arena: Int
        var cells: Range<Int>
    }

    private let bytes: [[UInt8]]
    private let parts: [Part]
    private var position = 0

    /// Takes what arenas hold; the arenas may be forgotten.
    public init(_ arenas: [PartArena]) {
        bytes = arenas.map(\.bytes)
        let pieces = arenas.enumerated().flatMap { arena, content in
            content.pieces.indices.map { (arena: arena, index: $0, order: content.pieces[$0]) }
        }
        var rankOfPiece = arenas.map { [UInt64](repeating: 0, count: $0.pieces.count) }
        for (rank, piece) in pieces.sorted(by: { $0.order < $1.order }).enumerated() {
            rankOfPiece[piece.arena][piece.index] = UInt64(rank)
        }
        // 37 bits of tile and 27 of rank: one number sorts both.
        precondition(pieces.count < 1 << 27, "arenas are taken before they hold 2^27 person-days")
        var keys: [UInt64] = []
        keys.reserveCapacity(arenas.reduce(0) { $0 + $1.entries.count })
        for (arena, content) in arenas.enumerated() {
            for entry in content.entries { keys.append(entry.tile << 27 | rankOfPiece[arena][Int(entry.piece)]) }
        }
        var starts = [0]
        for arena in arenas { starts.append(starts[starts.count - 1] + arena.entries.count) }
        parts = CodeSorter.order(of: keys).map { place in
            let arena = (starts.firstIndex { $0 > place } ?? starts.count) - 1
            let entry = arenas[arena].entries[place - starts[arena]]
            return Part(
                tile: entry.tile, order: arenas[arena].pieces[Int(entry.piece)], arena: arena,
                cells: entry.start..<entry.start + Int(entry.length))
        }
    }

    /// Bytes of cells in all.
    public var byteCount: Int { bytes.reduce(0) { $0 + $1.count } }

    public var nextTile: UInt64? {
        position < parts.count ? parts[position].tile : nil
    }

    /// Whether a track has come in several goes, as a day too large for memory does.
    private func hasPartsInPieces(_ range: Range<Int>) -> Bool {
        range.count > 1 && range.dropFirst().contains { parts[$0].order == parts[$0 - 1].order }
    }

    public mutating func takeLog() -> [UInt8] {
        let tile = parts[position].tile
        var writer = LogWriter()
        while position < parts.count, parts[position].tile == tile {
            let first = parts[position].order
            var end = position + 1
            while end < parts.count, parts[end].tile == tile, parts[end].order.day == first.day,
                parts[end].order.person == first.person
            {
                end += 1
            }
            if hasPartsInPieces(position..<end) {
                for part in parts[position..<end] { writer.add(part.order, cells: bytes[part.arena][part.cells]) }
                writer.endPiece()
            } else {
                writer.beginPiece(day: first.day, person: first.person, partCount: end - position)
                for part in parts[position..<end] {
                    writer.addPart(track: part.order.track, cells: bytes[part.arena][part.cells])
                }
            }
            position = end
        }
        return writer.finish()
    }
}

/// Several runs as one: a tile's logs are merged.
public struct MergedRuns: GridRun {
    private var runs: [any GridRun]

    /// Merges runs; each has a tile at most once.
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
        return TileLog.merged(logs)
    }
}
