import Foundation
public import TileLog
public import TileMath
public import Tracks

/// The recorded points in and near a tile, by track and day.
///
/// Outliers (`OutlierReason`) are skipped, as in lines. Waypoints are flagged.
public struct RecordedTilePoints: Sendable {
    private struct Fragment: Sendable {
        var track: Int64
        var day: Int32
        var points: Range<Int>
    }

    private let units: RecordedUnits
    private let calendar: DayCalendar
    private let bounds: BufferedTileBounds
    private var fragments: [Fragment] = []
    private var points = TilePoints()
    private var times: [Int64] = []
    private var classified: [ClassifiedPoint] = []
    private var fields = ClassifiedFields()
    private var timeRange: (day: Int32, from: Int64, to: Int64) = (0, 0, 0)

    /// Creates an empty collection for a tile.
    public init(_ tile: TileCoordinate, calendar: DayCalendar) {
        units = RecordedUnits(tile, perSide: RecordedUnits.perSide(zoom: tile.zoom))
        bounds = BufferedTileBounds(round: tile)
        self.calendar = calendar
    }

    /// The size in bytes.
    public var byteCount: Int { points.xs.count * 17 + fragments.count * 32 + 256 }

    /// Adds the next chunk of a track; `detector` finds its outliers and gaps. `begins` must be true for a track's
    /// first chunk.
    public mutating func add(_ chunk: PointColumns, ofTrack track: Int64, detector: inout OutlierDetector, begins: Bool)
    {
        if begins { fields = ClassifiedFields() }
        fields.take(DrawnFields(chunk))
        classified.removeAll(keepingCapacity: true)
        detector.add(chunk, near: bounds, into: &classified)
        take(track)
    }

    /// Ends a track.
    public mutating func finish(track: Int64, detector: inout OutlierDetector) {
        classified.removeAll(keepingCapacity: true)
        detector.finish(into: &classified)
        take(track)
    }

    /// Appends the points of other tracks in the same tile.
    public mutating func append(_ other: RecordedTilePoints) {
        let count = points.xs.count
        fragments += other.fragments.map { fragment in
            Fragment(
                track: fragment.track, day: fragment.day,
                points: fragment.points.lowerBound + count..<fragment.points.upperBound + count)
        }
        points.append(other.points)
        times += other.times
    }

    private mutating func take(_ track: Int64) {
        for point in classified where point.outlierReason == nil && bounds.contains(point.longitude, point.latitude) {
            let place = WorldPoint(longitude: Double(point.longitude) / 1e7, latitude: Double(point.latitude) / 1e7)
            for (x, y) in units.positions(of: place) {
                let day = day(at: point.time)
                if fragments.last?.track != track || fragments.last?.day != day {
                    fragments.append(Fragment(track: track, day: day, points: points.xs.count..<points.xs.count))
                }
                points.append(x: x, y: y, isWaypoint: fields.isWaypoint(at: point.index))
                times.append(point.time)
                let last = fragments.count - 1
                fragments[last].points = fragments[last].points.lowerBound..<points.xs.count
            }
        }
    }

    private mutating func day(at time: Int64) -> Int32 {
        guard time != PointColumns.untimed else { return FragmentOrder.untimedDay }
        if time < timeRange.from || time >= timeRange.to { timeRange = calendar.timeRange(around: time) }
        return timeRange.day
    }

    /// The points on whole and partial days, of the tracks that pass the filter.
    public func points(_ days: WindowDays, filter: FragmentFilter) -> TilePoints {
        var chosen = TilePoints()
        for fragment in fragments where filter.passes(fragment.track) {
            let isWhole = days.whole.contains(fragment.day)
            let partial = days.partial.first { $0.day == fragment.day }
            guard isWhole || partial != nil else { continue }
            for index in fragment.points
            where isWhole || partial?.timeRanges.contains(where: { $0.contains(times[index]) }) == true {
                chosen.append(x: points.xs[index], y: points.ys[index], isWaypoint: points.areWaypoints[index])
            }
        }
        return chosen
    }
}
