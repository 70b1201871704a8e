public import TileLog
import TileMath

/// Collects the cells of many tracks for all zoom levels: about one byte per visit (a cell on a track-day) and 48 per
/// fragment.
public struct CellArena: Sendable {
    /// The collected fragments.
    public private(set) var fragments = FragmentArena()
    /// Holds a fragment until its length is known: 65,536 cells take less than two bytes each.
    private var scratch = [UInt8](repeating: 0, count: 1 << 17)

    /// Creates an empty arena.
    public init() {}

    /// Approximate memory in use, in bytes.
    public var byteCount: Int { fragments.byteCount }
    /// Whether nothing has been added.
    public var isEmpty: Bool { fragments.isEmpty }

    /// Adds the cells that a track visited on one day, at every zoom level. Returns the packed keys of the deepest
    /// tiles: those of zoom level 16, and those of long steps at their deepest zoom level. All other touched tiles are
    /// their ancestors.
    public mutating func add(_ day: TrackRaster.Day, track: Int64, person: Int64) -> [UInt64] {
        let personDay = fragments.beginPersonDay(day: day.day, person: person, track: track)
        var cells = day.cells
        var deepest: [UInt64] = []
        addTiles(of: cells, zoom: 16, to: &deepest)
        var longSteps = day.longSteps[...]
        for zoom in stride(from: 16, through: 0, by: -1) {
            if let long = longSteps.first, long.zoom == zoom {
                longSteps.removeFirst()
                addTiles(of: long.codes, zoom: zoom, to: &deepest)
                cells = Self.united(cells, long.codes)
            }
            addLevel(&cells, zoom: zoom, personDay: personDay)
        }
        return deepest
    }

    private func addTiles(of codes: [UInt64], zoom: Int, to tiles: inout [UInt64]) {
        var last = UInt64.max
        for code in codes where code >> 16 != last {
            last = code >> 16
            tiles.append(last | UInt64(zoom) << 32)
        }
    }

    /// The union of two ascending lists of distinct codes.
    private static func united(_ left: [UInt64], _ right: [UInt64]) -> [UInt64] {
        guard !left.isEmpty else { return right }
        var result: [UInt64] = []
        result.reserveCapacity(left.count + right.count)
        var (first, second) = (left[...], right[...])
        while let one = first.first, let other = second.first {
            result.append(min(one, other))
            if one <= other { first.removeFirst() }
            if other <= one { second.removeFirst() }
        }
        result += first
        result += second
        return result
    }

    /// Writes the fragments of one zoom level and replaces `cells` by the codes of the next coarser level.
    private mutating func addLevel(_ cells: inout [UInt64], zoom: Int, personDay: Int32) {
        let count = cells.count
        var position = 0
        var coarser = 0
        var lastCoarse = UInt64.max
        while position < count {
            let tile = cells[position] >> 16
            var length = 0
            var last = -1
            var codes = cells.mutableSpan
            var fragment = scratch.mutableSpan
            while position < count {
                let code = codes[position]
                guard code >> 16 == tile else { break }
                position &+= 1
                let cell = Int(code & 0xFFFF)
                let delta = cell &- last &- 1
                last = cell
                if delta < 0x80 {
                    fragment[length] = UInt8(truncatingIfNeeded: delta)
                    length &+= 1
                } else if delta < 0x4000 {
                    fragment[length] = UInt8(truncatingIfNeeded: delta) | 0x80
                    fragment[length + 1] = UInt8(truncatingIfNeeded: delta >> 7)
                    length &+= 2
                } else {
                    fragment[length] = UInt8(truncatingIfNeeded: delta) | 0x80
                    fragment[length + 1] = UInt8(truncatingIfNeeded: delta >> 7) | 0x80
                    fragment[length + 2] = UInt8(truncatingIfNeeded: delta >> 14)
                    length &+= 3
                }
                let coarse = code >> 2
                if coarse != lastCoarse {
                    lastCoarse = coarse
                    codes[coarser] = coarse
                    coarser &+= 1
                }
            }
            fragments.append(scratch[..<length], tile: tile | UInt64(zoom) << 32, personDay: personDay)
        }
        cells.removeSubrange(coarser...)
    }
}
