public import PieceLog
import TileMath

/// Cells of zoom level 16 that a track passes through, day by day.
public struct TrackRaster: Sendable {
    /// Counts up when the same track would get other cells, so that grids made before are made anew.
    public static let version = 3

    /// The distinct cells of one day, as Morton codes of zoom level 16 (48 bits), ascending.
    public struct Day: Sendable, Equatable {
        /// Days since 1970-01-01 in the library's zone, or `PartOrder.untimedDay`.
        public let day: Int32
        /// Morton codes, ascending.
        public let cells: [UInt64]
    }

    private let cellLimit: Int
    private var tracers: [CellTracer] = []
    private var tracerOfDay: [Int32: Int] = [:]
    private var last: WorldPoint?
    private var lastDay = PartOrder.untimedDay
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
            if let last, !step.begins {
                tracers[tracer].visitLine(from: last, to: step.point)
            } else {
                tracers[tracer].visit(step.point)
            }
            last = step.point
            guard tracers.count > Self.dayLimit || tracers[tracer].asideCount > cellLimit else { continue }
            for day in takeDays(using: &sorter) { try overflow(day) }
        }
    }

    /// Cells that a tracer may hold beside those of the tiles under way, unless told otherwise: 32 MiB.
    public static let usualCellLimit = 4 << 20
    /// Days under way at once: some 10 MiB where each has a few tiles.
    private static let dayLimit = 400

    /// The track's days in ascending order, the untimed one first; the raster is spent.
    public mutating func finish(using sorter: inout CodeSorter) -> [Day] {
        takeDays(using: &sorter)
    }

    private mutating func takeDays(using sorter: inout CodeSorter) -> [Day] {
        var days: [Day] = []
        for (day, index) in tracerOfDay.sorted(by: { $0.key < $1.key }) {
            let cells = tracers[index].takeSorted(using: &sorter)
            if !cells.isEmpty { days.append(Day(day: day, cells: cells)) }
        }
        tracers = []
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
            lastTracer = tracers.count - 1
            tracerOfDay[day] = lastTracer
        }
        return lastTracer
    }
}
