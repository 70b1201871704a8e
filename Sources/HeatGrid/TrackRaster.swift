public import TileLog
import TileMath

/// The cells that a track passes through, by day. They are cells of zoom level 16 and, for long steps, cells of the
/// deepest zoom level at which these are drawn (`StepDetail`), with the cells of their ends at zoom level 16.
public struct TrackRaster: Sendable {
    /// Increase this when the same track gets other cells, so that older grids are rebuilt.
    public static let version = 4

    /// The distinct cells of one day.
    public struct Day: Sendable, Equatable {
        /// Days since 1970-01-01 in the library's time zone, or `FragmentOrder.untimedDay`.
        public let day: Int32
        /// Morton codes of zoom level 16 (48 bits), ascending.
        public let cells: [UInt64]
        /// Cells of long steps at coarser zoom levels, deepest first.
        public let longSteps: [ZoomLevelCells]
    }

    private let cellLimit: Int
    private var tracers: [CellTracer] = []
    /// Empty tracers for further days: their memory is in use already.
    private var idle: [CellTracer] = []
    /// The long steps of each tracer's day.
    private var longSteps: [LongStepCells] = []
    private var tracerOfDay: [Int32: Int] = [:]
    /// The number of open tiles in all tracers; `longCodeCount` is the number of codes of long steps.
    private var tileCount = 0
    private var longCodeCount = 0
    private var last: WorldPoint?
    private var lastDay = FragmentOrder.untimedDay
    private var lastTracer = -1

    /// Creates a raster of a track without steps. A day of more than `cellLimit` cells is returned in several portions.
    public init(cellLimit: Int = TrackRaster.defaultCellLimit) {
        self.cellLimit = cellLimit
    }

    /// Adds the next steps of the track. When days have grown too large for memory, all days so far are passed to
    /// `overflow`; they may occur again with the cells of later steps.
    public mutating func add(
        _ steps: [DayStep], using sorter: inout CodeSorter, overflow: (Day) throws -> Void
    ) rethrows {
        for index in steps.indices {
            let step = steps[index]
            let tracer = tracer(ofDay: step.day)
            let tilesBefore = tracers[tracer].tileCount
            if step.deepestZoom < StepDetail.deepest {
                addLong(step, to: tracer, using: &sorter)
            } else if let last, !step.begins {
                tracers[tracer].visitLine(from: last, to: step.point)
            } else {
                tracers[tracer].visit(step.point)
            }
            last = step.point
            // Negative if the tracer had to close tiles.
            tileCount += tracers[tracer].tileCount - tilesBefore
            guard
                tracers.count > Self.dayLimit || tileCount > Self.tileLimit || longCodeCount > Self.longCodeLimit
                    || tracers[tracer].spilledCount > cellLimit
            else { continue }
            for day in takeDays(using: &sorter) { try overflow(day) }
        }
    }

    /// Adds a long step: its line at the deepest zoom level at which it is drawn, and its end as a place if recorded.
    private mutating func addLong(_ step: DayStep, to tracer: Int, using sorter: inout CodeSorter) {
        if let last, !step.begins {
            let before = longSteps[tracer].codeCount
            longSteps[tracer].add(from: last, to: step.point, zoom: Int(step.deepestZoom), using: &sorter)
            longCodeCount += longSteps[tracer].codeCount - before
        }
        if step.isRecorded { tracers[tracer].visit(step.point) }
    }

    /// The default maximum of codes that a tracer holds from tiles closed early: 32 MiB.
    public static let defaultCellLimit = 4 << 20
    /// The maximum number of days in memory: some 10 MiB if each has a few tiles.
    private static let dayLimit = 400
    /// The maximum number of open tiles of all days: 32 MiB of bits.
    private static let tileLimit = 4096
    /// The maximum number of codes of long steps in memory: 8 MiB, the codes of about 200 steps.
    private static let longCodeLimit = 1 << 20

    /// The maximum number of idle tracers, and of the tiles that they have memory for together: 8 MiB. Most tracks have
    /// few days in some hundred tiles at most; making a tracer for each took a tenth of the time of rasterising, most of it
    /// for pages of the system that are cleared first.
    private static let idleLimit = 16
    private static let idleRoom = 1024

    /// The track's days in ascending order, the untimed one first. The raster can then be used for another track.
    public mutating func finish(using sorter: inout CodeSorter) -> [Day] {
        last = nil
        return takeDays(using: &sorter)
    }

    private mutating func takeDays(using sorter: inout CodeSorter) -> [Day] {
        var days: [Day] = []
        for (day, index) in tracerOfDay.sorted(by: { $0.key < $1.key }) {
            let cells = tracers[index].takeSorted(using: &sorter)
            let long = longSteps[index].take(using: &sorter)
            if !cells.isEmpty || !long.isEmpty { days.append(Day(day: day, cells: cells, longSteps: long)) }
        }
        var room = idle.reduce(0) { $0 + $1.room }
        for tracer in tracers where idle.count < Self.idleLimit && room + tracer.room <= Self.idleRoom {
            room += tracer.room
            idle.append(tracer)
        }
        tracers = []
        longSteps = []
        tileCount = 0
        longCodeCount = 0
        tracerOfDay = [:]
        lastTracer = -1
        return days
    }

    private mutating func tracer(ofDay day: Int32) -> Int {
        if lastTracer >= 0, day == lastDay { return lastTracer }
        lastDay = day
        if let index = tracerOfDay[day] {
            lastTracer = index
        } else {
            tracers.append(idle.popLast() ?? CellTracer())
            longSteps.append(LongStepCells())
            lastTracer = tracers.count - 1
            tracerOfDay[day] = lastTracer
        }
        return lastTracer
    }
}

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
                // A varint by hand: differences are below 2^16, so three bytes are enough.
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
                    // In place: coarser codes are never more than those that have been read.
                    codes[coarser] = coarse
                    coarser &+= 1
                }
            }
            fragments.append(scratch[..<length], tile: tile | UInt64(zoom) << 32, personDay: personDay)
        }
        cells.removeSubrange(coarser...)
    }
}
