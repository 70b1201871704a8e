public import PieceLog
import TileMath
public import Tracks

/// Cells of zoom level 16 that a track passes through, day by day.
///
/// Lines join the unmarked points in their order, except over gaps; a line over midnight is cut there, by time; a line
/// with an untimed end belongs to no day.
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

    private let calendar: DayCalendar
    private let cellLimit: Int
    private var walk: TrackWalk
    private var walked: [WalkedPoint] = []
    private var tracers: [CellTracer] = []
    private var tracerOfDay: [Int32: Int] = [:]
    private var last: TimedPlace?
    private var stretch: (day: Int32, from: Int64, to: Int64) = (0, 0, 0)
    private var stretchTracer = -1
    private var usedTracer = 0

    /// A raster of a track that has no point yet; a day of more than `cellLimit` cells comes in several goes.
    public init(
        calendar: DayCalendar, gap: GapRule, kind: TrackWalk.Kind, cellLimit: Int = TrackRaster.usualCellLimit
    ) {
        self.calendar = calendar
        self.cellLimit = cellLimit
        walk = TrackWalk(gap: gap, kind: kind)
    }

    /// Takes the track's next chunk; days that have grown too large for memory go to `overflow` as far as they are known,
    /// and come again with what is behind.
    public mutating func add(
        _ chunk: PointChunk, using sorter: inout CodeSorter, overflow: (Day) throws -> Void
    ) rethrows {
        walked.removeAll(keepingCapacity: true)
        walk.walk(chunk, into: &walked)
        for point in walked {
            trace(point)
            guard tracers.count > Self.dayLimit || isLarge else { continue }
            for day in takeDays(using: &sorter) { try overflow(day) }
        }
    }

    /// Cells that a tracer may hold beside those of the tiles under way, unless told otherwise: 32 MiB.
    public static let usualCellLimit = 4 << 20
    /// Days under way at once: some 10 MiB where each has a few tiles.
    private static let dayLimit = 400

    /// Whether the tracer used last holds too much.
    private var isLarge: Bool {
        usedTracer < tracers.count && tracers[usedTracer].asideCount > cellLimit
    }

    /// The track's days in ascending order, the untimed one first; the raster is spent.
    public mutating func finish(using sorter: inout CodeSorter) -> [Day] {
        walked.removeAll(keepingCapacity: true)
        walk.finish(into: &walked)
        for point in walked { trace(point) }
        return takeDays(using: &sorter)
    }

    private mutating func takeDays(using sorter: inout CodeSorter) -> [Day] {
        var days: [Day] = []
        for (day, index) in tracerOfDay.sorted(by: { $0.key < $1.key }) {
            let cells = tracers[index].takeSorted(using: &sorter)
            if !cells.isEmpty { days.append(Day(day: day, cells: cells)) }
        }
        tracers = []
        tracerOfDay = [:]
        stretchTracer = -1
        return days
    }

    private mutating func trace(_ point: WalkedPoint) {
        guard point.mark == nil else { return }
        let place = TimedPlace(point)
        if let last, point.connection != .begins {
            traceLine(from: last, to: place)
        } else {
            tracers[tracer(at: point.time)].visit(place.point)
        }
        last = place
    }

    private mutating func traceLine(from start: TimedPlace, to end: TimedPlace) {
        guard start.time != Instant.none, end.time != Instant.none else {
            tracers[tracer(at: Instant.none)].visitLine(from: start.point, to: end.point)
            if end.time != Instant.none { tracers[tracer(at: end.time)].visit(end.point) }
            return
        }
        var index = tracer(at: end.time)
        if start.time >= stretch.from, start.time < stretch.to {
            tracers[index].visitLine(from: start.point, to: end.point)
            return
        }
        let (early, late) = start.time <= end.time ? (start, end) : (end, start)
        var here = early
        while true {
            index = tracer(at: here.time)
            guard stretch.to <= late.time else { break }
            let cut = TimedPlace.between(early, late, at: stretch.to)
            tracers[index].visitLine(from: here.point, to: cut.point)
            here = cut
        }
        tracers[index].visitLine(from: here.point, to: late.point)
    }

    /// The tracer of the day that an instant falls on; `stretch` is that day's afterwards.
    private mutating func tracer(at time: Int64) -> Int {
        guard time != Instant.none else {
            usedTracer = tracer(ofDay: PartOrder.untimedDay)
            return usedTracer
        }
        if stretchTracer < 0 || time < stretch.from || time >= stretch.to {
            stretch = calendar.stretch(around: time)
            stretchTracer = tracer(ofDay: stretch.day)
        }
        usedTracer = stretchTracer
        return stretchTracer
    }

    private mutating func tracer(ofDay day: Int32) -> Int {
        if let index = tracerOfDay[day] { return index }
        tracers.append(CellTracer())
        tracerOfDay[day] = tracers.count - 1
        return tracers.count - 1
    }
}
