public import TileLog
import TileMath

/// Cells that a track passes through, day by day: of zoom level 16, and of long steps at the deepest zoom level at which
/// these are drawn (`StepDetail`), with the cells of their ends at zoom level 16.
public struct TrackRaster: Sendable {
    /// Counts up when the same track would get other cells, so that grids made before are made anew.
    public static let version = 4

    /// The distinct cells of one day, as Morton codes of zoom level 16 (48 bits), ascending.
    public struct Day: Sendable, Equatable {
        /// Days since 1970-01-01 in the library's zone, or `FragmentOrder.untimedDay`.
        public let day: Int32
        /// Morton codes, ascending.
        public let cells: [UInt64]
        /// Cells of long steps at coarser zoom levels, deepest first.
        public let longSteps: [LevelCells]
    }

    private let cellLimit: Int
    private var tracers: [CellTracer] = []
    /// The long steps of each tracer's day.
    private var longSteps: [LongStepCells] = []
    private var tracerOfDay: [Int32: Int] = [:]
    /// Tiles under way in all tracers, and codes of long steps.
    private var tileCount = 0
    private var longCodeCount = 0
    private var last: WorldPoint?
    private var lastDay = FragmentOrder.untimedDay
    private var lastTracer = -1

    /// A raster of a track that has no step yet; a day of more than `cellLimit` cells comes in several goes.
    public init(cellLimit: Int = TrackRaster.usualCellLimit) {
        self.cellLimit = cellLimit
    }

    /// Takes the track's next steps; days that have grown too large for memory go to `overflow` as far as they are known,
    /// and come again with what is behind.
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
            // Fewer than before where a tracer has run out of room.
            tileCount += tracers[tracer].tileCount - tilesBefore
            guard
                tracers.count > Self.dayLimit || tileCount > Self.tileLimit || longCodeCount > Self.longCodeLimit
                    || tracers[tracer].asideCount > cellLimit
            else { continue }
            for day in takeDays(using: &sorter) { try overflow(day) }
        }
    }

    /// Adds a long step: its line at the zoom level that it is drawn down to, and its end, if recorded, as a place.
    private mutating func addLong(_ step: DayStep, to tracer: Int, using sorter: inout CodeSorter) {
        if let last, !step.begins {
            let before = longSteps[tracer].codeCount
            longSteps[tracer].add(from: last, to: step.point, zoom: Int(step.deepestZoom), using: &sorter)
            longCodeCount += longSteps[tracer].codeCount - before
        }
        if step.isRecorded { tracers[tracer].visit(step.point) }
    }

    /// Cells that a tracer may hold beside those of the tiles under way, unless told otherwise: 32 MiB.
    public static let usualCellLimit = 4 << 20
    /// Days under way at once: some 10 MiB where each has a few tiles.
    private static let dayLimit = 400
    /// Tiles under way at once in all days: 32 MiB of bits.
    private static let tileLimit = 4096
    /// Codes of long steps held at once: 8 MiB, as many as 200 steps have.
    private static let longCodeLimit = 1 << 20

    /// The track's days in ascending order, the untimed one first; the raster is spent.
    public mutating func finish(using sorter: inout CodeSorter) -> [Day] {
        takeDays(using: &sorter)
    }

    private mutating func takeDays(using sorter: inout CodeSorter) -> [Day] {
        var days: [Day] = []
        for (day, index) in tracerOfDay.sorted(by: { $0.key < $1.key }) {
            let cells = tracers[index].takeSorted(using: &sorter)
            let long = longSteps[index].take(using: &sorter)
            if !cells.isEmpty || !long.isEmpty { days.append(Day(day: day, cells: cells, longSteps: long)) }
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
            tracers.append(CellTracer())
            longSteps.append(LongStepCells())
            lastTracer = tracers.count - 1
            tracerOfDay[day] = lastTracer
        }
        return lastTracer
    }
}
