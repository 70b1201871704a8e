public import TileLog
import TileMath
import Tracks

/// Finds the tiles of zoom level 17 that a track visits, from its steps in the order of the track.
///
/// A tile is visited if a point or a line of the track is in it. Two kinds of lines visit only the tiles of their ends:
/// those over steps so long that the deepest grid does not draw them (some kilometres, see `StepDetail`). A flight visits
/// its first and its last tile only: a flight is a run of steps of at least `flightMetresPerSecond` for
/// `flightMilliseconds` in all, widened at both ends to the first step slower than `landingMetresPerSecond`. A flight
/// goes on over a silence that is itself a flight (`isFlight`), so the tiles at both ends of the silence are not visited.
public struct TileVisitsBuilder: Sendable {
    /// Above this speed, it is an aircraft.
    public static let flightMetresPerSecond = 100.0
    /// A flight has this speed for at least this time. Cars and trains with a wrong point do not.
    public static let flightMilliseconds: Int64 = 60_000
    /// Below this speed it is on the ground.
    public static let landingMetresPerSecond = 45.0
    /// A silence in which somebody flew takes at most the time of an airliner, slower than it cruises, and some hours in
    /// airports. One that takes longer includes something else.
    private static let airlinerMetresPerSecond = 180.0
    private static let airportMilliseconds = 6 * 3_600_000.0

    private static let shift = Int64(32 - TileVisit.zoom)
    private static let mask = Int64(1) << Int64(TileVisit.zoom) - 1

    private var visits: [TileVisit] = []
    /// The visits since the last step slower than the speed of landing, while it is not known whether it is a flight.
    private var fast: [TileVisit] = []
    /// Whether visits are added to `fast`: since a fast step, or since the beginning of a line.
    private var isFast = false
    private var fastMilliseconds: Int64 = 0
    /// Whether a flight that begins now has its first tile in `fast`: not on the ground, where the tile is visited
    /// anyway, and not after a silence in flight.
    private var beginsInAir = false
    private var last: DayStep?
    private var current: (x: Int64, y: Int64) = (-1, -1)

    /// Creates the visits of a track without steps.
    public init() {}

    /// Adds the next steps of the track.
    public mutating func add(_ steps: [DayStep]) {
        for index in steps.indices {
            let step = steps[index]
            let tile = (x: step.point.x >> Self.shift, y: step.point.y >> Self.shift)
            guard let start = last, !step.begins else {
                // A line that was cut at midnight goes on.
                if step.begins, !step.isRecorded, last != nil { continue }
                let isFlown = last.map { Self.isFlown($0, step) } ?? false
                endRun(visitsEnd: !isFlown)
                isFast = true
                beginsInAir = !isFlown
                arrive(at: step, tile)
                continue
            }
            let milliseconds = Self.milliseconds(start, step)
            let reach = abs(start.point.eastwards(to: step.point)) + abs(step.point.y - start.point.y)
            // Far below the speed of landing, as nearly all steps are: 45 m/s are at least 4 world units a millisecond.
            if reach > 4 &* milliseconds {
                if milliseconds > 0 { changeSpeed(start, step, milliseconds) }
            } else if isFast, milliseconds > 0 {
                endRun(visitsEnd: true)
            }
            if tile == current {
                last = step
                extend(to: step.time)
            } else if step.deepestZoom < StepDetail.deepest {
                arrive(at: step, tile)
            } else {
                cross(from: start, to: step, tile)
            }
        }
    }

    /// The visits of the track. The builder must not be used afterwards.
    public mutating func finish() -> [TileVisit] {
        endRun(visitsEnd: true)
        return visits
    }

    /// Whether somebody flew in a silence: whether its average speed is that of an aircraft, and it is not so long that
    /// only a part of it can have been a flight.
    public static func isFlight(metres: Double, milliseconds: Int64) -> Bool {
        let duration = Double(milliseconds)
        return metres * 1000 >= landingMetresPerSecond * duration
            && duration <= metres * 1000 / airlinerMetresPerSecond + airportMilliseconds
    }

    private static func milliseconds(_ start: DayStep, _ end: DayStep) -> Int64 {
        // Without times nothing is known to be fast: slower than anything, and a multiple of it does not overflow.
        guard start.time != PointColumns.untimed, end.time != PointColumns.untimed else { return .max >> 3 }
        return abs(end.time &- start.time)
    }

    // MARK: Flights

    private mutating func changeSpeed(_ start: DayStep, _ end: DayStep, _ milliseconds: Int64) {
        let metres = Self.metres(start, end)
        let speed = metres * 1000 / Double(milliseconds)
        guard speed >= Self.landingMetresPerSecond else {
            if isFast { endRun(visitsEnd: true) }
            return
        }
        if !isFast {
            isFast = true
            beginsInAir = false
            if let visit = visit(of: current, from: start.time, to: start.time) { fast.append(visit) }
        }
        if speed >= Self.flightMetresPerSecond { fastMilliseconds += milliseconds }
    }

    private static func metres(_ start: DayStep, _ end: DayStep) -> Double {
        func units(_ degrees: Double) -> Int32 { Int32((degrees * 1e7).rounded()) }
        return Geodesy.sphereMetres(
            units(start.point.longitude), units(start.point.latitude), units(end.point.longitude),
            units(end.point.latitude))
    }

    /// Whether the silence between two lines was spent in flight.
    private static func isFlown(_ start: DayStep, _ end: DayStep) -> Bool {
        isFlight(metres: metres(start, end), milliseconds: milliseconds(start, end))
    }

    /// Ends a fast run: what it visited counts unless it was a flight, of which only the first and the last tile count.
    private mutating func endRun(visitsEnd: Bool) {
        guard isFast else { return }
        isFast = false
        if fastMilliseconds < Self.flightMilliseconds {
            for visit in fast { Self.append(visit, to: &visits) }
        } else {
            if beginsInAir, let first = fast.first {
                // It lasts as long as the first point, whatever `extend` has added.
                Self.append(TileVisit(tile: first.tile, enter: first.enter, exit: first.enter), to: &visits)
            }
            if visitsEnd, let last { Self.append(visit(of: current, from: last.time, to: last.time), to: &visits) }
        }
        fast.removeAll(keepingCapacity: true)
        fastMilliseconds = 0
    }

    // MARK: Tiles

    /// Visits the tile of a step without those on the way.
    private mutating func arrive(at step: DayStep, _ tile: (x: Int64, y: Int64)) {
        last = step
        current = tile
        add(visit(of: tile, from: step.time, to: step.time))
    }

    private func visit(of tile: (x: Int64, y: Int64), from enter: Int64, to exit: Int64) -> TileVisit? {
        // Beyond the northern and southern edge of the map there are no tiles.
        guard tile.y >= 0, tile.y <= Self.mask else { return nil }
        let isTimed = enter != PointColumns.untimed && exit != PointColumns.untimed
        return TileVisit(
            tile: ExplorerTile(x: Int(tile.x & Self.mask), y: Int(tile.y)), enter: isTimed ? min(enter, exit) : nil,
            exit: isTimed ? max(enter, exit) : nil)
    }

    private mutating func add(_ visit: TileVisit?) {
        guard let visit else { return }
        if isFast { Self.append(visit, to: &fast) } else { Self.append(visit, to: &visits) }
    }

    /// The current tile is visited until an instant.
    @inline(__always)
    private mutating func extend(to time: Int64) {
        guard time != PointColumns.untimed, current.y >= 0, current.y <= Self.mask else { return }
        if isFast { Self.extend(&fast, to: time) } else { Self.extend(&visits, to: time) }
    }

    @inline(__always)
    private static func extend(_ visits: inout [TileVisit], to time: Int64) {
        guard let index = visits.indices.last else { return }
        if let exit = visits[index].exit {
            if time > exit { visits[index].exit = time }
            if let enter = visits[index].enter, time < enter { visits[index].enter = time }
        } else {
            (visits[index].enter, visits[index].exit) = (time, time)
        }
    }

    private static func append(_ visit: TileVisit?, to visits: inout [TileVisit]) {
        guard let visit else { return }
        // A later stay in the same tile is one with this one only if nothing was between them.
        guard let last = visits.last, last.tile == visit.tile, let exit = last.exit, exit == visit.enter else {
            return visits.append(visit)
        }
        visits[visits.count - 1].exit = visit.exit
    }

    /// Visits all tiles of a line, in order, with the instants at which it crosses their borders.
    private mutating func cross(from start: DayStep, to end: DayStep, _ tile: (x: Int64, y: Int64)) {
        let width = start.point.eastwards(to: end.point)
        let height = end.point.y - start.point.y
        let isTimed = start.time != PointColumns.untimed && end.time != PointColumns.untimed
        let duration = isTimed ? Double(end.time) - Double(start.time) : 0
        func time(_ share: Double) -> Int64 {
            isTimed ? start.time + Int64((duration * share).rounded()) : PointColumns.untimed
        }
        // Columns are counted from that of the start, without wrapping round the world.
        var x = start.point.x >> Self.shift
        var y = start.point.y >> Self.shift
        let endX = (start.point.x + width) >> Self.shift
        let endY = tile.y
        let (stepX, stepY): (Int64, Int64) = (width < 0 ? -1 : 1, height < 0 ? -1 : 1)
        var enter = start.time
        var isFirst = true
        while x != endX || y != endY {
            // The distances to the next border in either direction.
            let borderX = abs((x + (stepX > 0 ? 1 : 0)) << Self.shift - start.point.x)
            let borderY = abs((y + (stepY > 0 ? 1 : 0)) << Self.shift - start.point.y)
            // Which border comes first, compared without fractions.
            let (columns, rows) = (borderX * abs(height), borderY * abs(width))
            let crossesColumn = x != endX && (y == endY || columns < rows || columns == rows && stepX > 0)
            // A tile has its western and northern edges, so a corner belongs to the south-eastern tile.
            let crossesCorner = x != endX && y != endY && columns == rows && stepX == stepY
            let share = crossesColumn ? Double(borderX) / Double(abs(width)) : Double(borderY) / Double(abs(height))
            let exit = time(min(share, 1))
            if isFirst { extend(to: exit) } else { add(visit(of: (x, y), from: enter, to: exit)) }
            isFirst = false
            enter = exit
            if crossesColumn || crossesCorner { x += stepX }
            if !crossesColumn || crossesCorner { y += stepY }
        }
        last = end
        current = tile
        add(visit(of: tile, from: enter, to: end.time))
    }
}
