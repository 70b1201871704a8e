import Foundation
public import TileLog
public import TileMath
import Tracks

/// Lines through all recorded points of tracks, in and near a tile; used where the simplified lines are too coarse.
///
/// The fragments correspond to those of the tile's log, in the order in which tracks were added. A track's day may
/// occur in several fragments.
public struct RecordedLines: Sendable {
    private let box: RecordedUnits
    private let metresPerUnit: Double
    private var lines = TileLines()
    private var last: DayStep?
    /// Whether the last place begins a line that may continue.
    private var isWaiting = false
    private var isOpen = false

    /// Creates the lines of a tile, with `unitsPerSide` units along its side.
    public init(_ tile: TileCoordinate, unitsPerSide: Int) {
        box = RecordedUnits(tile, perSide: unitsPerSide)
        metresPerUnit = box.metresPerUnit
    }

    /// The size in bytes.
    public var byteCount: Int { lines.xs.count * 11 + lines.runs.count * 16 + lines.fragments.count * 32 + 256 }

    /// Adds the next steps of a track.
    public mutating func add(_ steps: [DayStep], ofTrack track: Int64) {
        for step in steps {
            if step.begins {
                finishPlace(track)
                isWaiting = true
                isOpen = false
            } else if let last {
                addSegment(from: last, to: step, track)
                isWaiting = false
            }
            last = step
        }
    }

    /// Ends a track.
    public mutating func finish(track: Int64) {
        finishPlace(track)
        last = nil
        isOpen = false
    }

    /// Adds the last place as a single place if it is connected to no other.
    private mutating func finishPlace(_ track: Int64) {
        defer { isWaiting = false }
        guard isWaiting, let last else { return }
        for (x, y) in box.positions(of: last.point) {
            beginRun(track, last.day)
            append(x: x, y: y, speed: 0, elevation: last.elevation)
        }
        isOpen = false
    }

    private mutating func addSegment(from start: DayStep, to end: DayStep, _ track: Int64) {
        let found = box.segments(from: start.point, to: end.point)
        guard found.count == 1 else {
            // Nothing near, or a line round the world that passes the tile twice.
            isOpen = false
            for segment in found { addRun(segment, start, end, track) }
            return
        }
        let segment = found[0]
        let isJoined =
            isOpen && lines.fragments.last?.day == end.day && lines.xs.last == segment.startX
            && lines.ys.last == segment.startY
        if isJoined {
            // Two places with the same coordinates become one vertex.
            guard segment.startX != segment.endX || segment.startY != segment.endY else { return }
            append(
                x: segment.endX, y: segment.endY, speed: speed(start, end, segment), elevation: end.elevation)
        } else {
            addRun(segment, start, end, track)
        }
        isOpen = true
    }

    private mutating func addRun(
        _ segment: RecordedUnits.Segment, _ start: DayStep, _ end: DayStep, _ track: Int64
    ) {
        beginRun(track, end.day)
        append(x: segment.startX, y: segment.startY, speed: 0, elevation: start.elevation)
        append(x: segment.endX, y: segment.endY, speed: speed(start, end, segment), elevation: end.elevation)
    }

    /// Appends the lines of other tracks in the same tile; both must be finished.
    public mutating func append(_ other: RecordedLines) {
        lines.append(other.lines)
    }

    private mutating func beginRun(_ track: Int64, _ day: Int32) {
        let run = lines.runs.count
        lines.runs.append(lines.xs.count..<lines.xs.count)
        if let fragment = lines.fragments.last, fragment.track == track, fragment.day == day {
            lines.fragments[lines.fragments.count - 1].runs = fragment.runs.lowerBound..<run + 1
        } else {
            lines.fragments.append(TileLines.Fragment(track: track, day: day, runs: run..<run + 1))
        }
    }

    private mutating func append(x: Int32, y: Int32, speed: UInt8, elevation: Int16) {
        lines.xs.append(x)
        lines.ys.append(y)
        lines.speeds.append(speed)
        lines.elevations.append(elevation)
        let run = lines.runs.count - 1
        lines.runs[run] = lines.runs[run].lowerBound..<lines.xs.count
    }

    private func speed(_ start: DayStep, _ end: DayStep, _ segment: RecordedUnits.Segment) -> UInt8 {
        guard start.time != PointColumns.untimed, end.time != PointColumns.untimed, start.time != end.time else {
            return 0
        }
        let east = Double(start.point.eastwards(to: end.point))
        let south = Double(end.point.y - start.point.y)
        let metres = (east * east + south * south).squareRoot() * metresPerUnit
        return SpeedCode.code(metresPerSecond: metres * 1000 / abs(Double(end.time) - Double(start.time)))
    }

    /// The lines on the window's days that pass the filter.
    public func lines(window: DayWindow, filter: FragmentFilter) -> TileLines {
        var chosen = lines
        chosen.fragments = lines.fragments.filter { window.contains($0.day) && filter.passes($0.track) }
        return chosen
    }

    /// All lines.
    public var allLines: TileLines { lines }
}

extension DayWindow {
    /// Whether the window contains a day or `FragmentOrder.untimedDay`.
    func contains(_ day: Int32) -> Bool {
        isAllTime || days?.contains(day) == true
    }
}
