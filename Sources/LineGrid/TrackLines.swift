import Foundation
public import TileLog
import TileMath
import Tracks

/// The lines of a track, by day, simplified for every zoom level.
///
/// Vertices are on quarter pixels of zoom level 16. A coarser zoom level uses a subset of them, rounded to its own
/// quarter pixels, and no recorded place is farther than one of these (plus the rounding) from the line at that zoom
/// level. Next to a long step (`StepDetail`) it may be two, because the ends of such a step are vertices at all zoom
/// levels at which the step is not part of the polyline.
public struct TrackLines: Sendable {
    /// Increase this when the same track gets other lines, so that older grids are rebuilt.
    public static let version = 2

    private let track: Int64
    private let person: Int64
    private let vertexLimit: Int
    private(set) var vertices = LineVertices()
    private(set) var runs: [LineRun] = []
    private var levels: [UInt8] = []
    private var simplifier = LineSimplifier()
    private var last: DayStep?
    /// Whether the last run continues at `last`.
    private var isOpen = false
    /// The eastward position of the last step in world units, not wrapped within the open run.
    private var east: Int64 = 0
    private var metres = 0.0
    private var scale = GroundResolution()

    /// The packed keys of all tiles that received lines, at every zoom level, possibly with duplicates.
    public private(set) var tiles: [UInt64] = []
    /// The range of days that received lines, without the untimed one; nil if there is none.
    public private(set) var days: ClosedRange<Int32>?
    /// The periods of the months of all days.
    public private(set) var months: Set<UInt16> = []

    /// The default maximum of vertices held at once: 8 MiB. A larger track is written in several batches.
    public static let defaultVertexLimit = 1 << 18
    /// A polyline that goes round the world more often than this in one direction is cut.
    private static let turnLimit: Int64 = 8
    /// A world unit is 2^-32 of the world; a quarter pixel of zoom level 16 is 2^-26.
    private static let unitShift: Int64 = 6

    /// Creates the lines of a track without steps.
    ///
    /// Batches end at steps that depend only on the track's steps and `vertexLimit`, so that the same track gives the
    /// same bytes for any chunk boundaries.
    public init(track: Int64, person: Int64, vertexLimit: Int = TrackLines.defaultVertexLimit) {
        self.track = track
        self.person = person
        self.vertexLimit = vertexLimit
    }

    /// Adds the next steps of the track. When they have grown too large for memory, they are written to the arena, and
    /// then `afterBatch` may empty that.
    public mutating func add(
        _ steps: [DayStep], into arena: inout LineArena, afterBatch: (inout LineArena) throws -> Void
    ) rethrows {
        for index in steps.indices {
            take(steps[index])
            guard vertices.count >= vertexLimit || runs.count >= vertexLimit else { continue }
            writeBatch(into: &arena)
            try afterBatch(&arena)
        }
    }

    /// Writes the rest to the arena. The lines must not be used afterwards.
    public mutating func finish(into arena: inout LineArena) {
        writeBatch(into: &arena)
    }

    private mutating func take(_ step: DayStep) {
        defer { last = step }
        guard let last, !step.begins else { return begin(at: step, day: step.day) }
        if !isOpen { begin(at: last, day: step.day) }
        let eastwards = last.point.eastwards(to: step.point)
        metres += scale.metres(from: last.point.y, to: step.point.y, eastwards: eastwards)
        east += eastwards
        append(step, deepestZoom: StepDetail.deepestZoomOfLines(heatDownTo: step.deepestZoom))
        if abs(east) > Self.turnLimit * WorldPoint.side { isOpen = false }
    }

    private mutating func begin(at step: DayStep, day: Int32) {
        runs.append(LineRun(day: day, vertices: vertices.count..<vertices.count))
        isOpen = true
        east = step.point.x
        metres = 0
        append(step, deepestZoom: StepDetail.deepest)
    }

    private mutating func append(_ step: DayStep, deepestZoom: UInt8) {
        let half: Int64 = 1 << (Self.unitShift - 1)
        let x = Int32(truncatingIfNeeded: (east + half) >> Self.unitShift)
        let y = Int32(truncatingIfNeeded: (step.point.y + half) >> Self.unitShift)
        let end = vertices.count
        let run = runs.count - 1
        if runs[run].vertices.count > 0, vertices.xs[end - 1] == x, vertices.ys[end - 1] == y { return }
        vertices.xs.append(x)
        vertices.ys.append(y)
        vertices.times.append(step.time)
        vertices.metres.append(metres)
        vertices.elevations.append(step.elevation)
        vertices.deepestZooms.append(deepestZoom)
        if deepestZoom < StepDetail.deepest { runs[run].longStepZooms |= 1 << UInt32(deepestZoom) }
        runs[run].vertices = runs[run].vertices.lowerBound..<end + 1
        if step.elevation != DayStep.noElevation { runs[run].hasElevations = true }
    }

    /// Simplifies the vertices in memory and writes them to the arena, day by day.
    private mutating func writeBatch(into arena: inout LineArena) {
        levels.removeAll(keepingCapacity: true)
        levels.append(contentsOf: repeatElement(0, count: vertices.count))
        for run in runs {
            simplifier.findLevels(of: vertices, range: run.vertices, into: &levels)
            if run.longStepZooms != 0 { keepEndsOfLongSteps(run) }
        }
        let order = runs.indices.sorted { (runs[$0].day, $0) < (runs[$1].day, $1) }
        let sorted = order.map { runs[$0] }
        var first = 0
        while first < sorted.count {
            let day = sorted[first].day
            let end = sorted[first...].firstIndex { $0.day != day } ?? sorted.count
            let tilesBefore = tiles.count
            arena.add(
                sorted[first..<end], of: vertices, levels: levels, track: track, person: person, tiles: &tiles)
            // There are no tiles beyond the map edges.
            if tiles.count > tilesBefore { addDay(day) }
            first = end
        }
        vertices.removeAll()
        runs.removeAll(keepingCapacity: true)
        isOpen = false
    }

    /// Keeps both ends of each long step at the zoom levels at which the step is not part of the polyline.
    private mutating func keepEndsOfLongSteps(_ run: LineRun) {
        for index in run.vertices.dropFirst() where vertices.deepestZooms[index] < StepDetail.deepest {
            let level = vertices.deepestZooms[index] + 1
            levels[index - 1] = min(levels[index - 1], level)
            levels[index] = min(levels[index], level)
        }
    }

    private mutating func addDay(_ day: Int32) {
        months.insert(LogMonths.period(ofDay: day))
        guard day != FragmentOrder.untimedDay else { return }
        days = min(days?.lowerBound ?? day, day)...max(days?.upperBound ?? day, day)
    }
}

/// Converts distances on the map to metres on the ground.
private struct GroundResolution: Sendable {
    private var band = Int64.min
    private var metresPerUnit = 0.0

    /// A band of the map, a 4,096th of its height or 10 km at the equator, has one scale; the error is at most 0.3 % at
    /// 65°.
    private static let bandShift: Int64 = 20

    /// The length of a short step, with the scale at its end.
    mutating func metres(from startY: Int64, to endY: Int64, eastwards: Int64) -> Double {
        if endY >> Self.bandShift != band {
            band = endY >> Self.bandShift
            let middle = Double(band << Self.bandShift + 1 << (Self.bandShift - 1)) / Double(WorldPoint.side)
            // The cosine of the latitude in Mercator's projection.
            let cosine = 1 / cosh(Double.pi * (1 - 2 * middle))
            metresPerUnit = 2 * Double.pi * Geodesy.radiusMetres * cosine / Double(WorldPoint.side)
        }
        let (dx, dy) = (Double(eastwards), Double(endY - startY))
        return (dx * dx + dy * dy).squareRoot() * metresPerUnit
    }
}
