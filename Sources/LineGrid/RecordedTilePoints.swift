import Foundation
public import TileLog
public import TileMath
public import Tracks

/// The recorded points in and near a tile, by track and day.
///
/// Outliers (`ExclusionReason`) are skipped, as in lines. Waypoints are flagged.
public struct RecordedTilePoints: Sendable {
    private struct Part: Sendable {
        var track: Int64
        var day: Int32
        var dots: Range<Int>
    }

    private let units: RecordedUnits
    private let calendar: DayCalendar
    private let bounds: PlaceBox
    private var parts: [Part] = []
    private var dots = TilePoints()
    private var times: [Int64] = []
    private var walked: [CleanedPoint] = []
    private var fields = CleanedFields()
    private var stretch: (day: Int32, from: Int64, to: Int64) = (0, 0, 0)

    /// Creates an empty collection for a tile.
    public init(_ tile: TileCoordinate, calendar: DayCalendar) {
        units = RecordedUnits(tile, perSide: RecordedUnits.perSide(zoom: tile.zoom))
        bounds = PlaceBox(round: tile)
        self.calendar = calendar
    }

    /// The size in bytes.
    public var byteCount: Int { dots.xs.count * 17 + parts.count * 32 + 256 }

    /// Adds the next chunk of a track; `walk` finds its outliers and gaps. `begins` must be true for a track's first chunk.
    public mutating func add(_ chunk: PointChunk, ofTrack track: Int64, walk: inout OutlierDetector, begins: Bool) {
        if begins { fields = CleanedFields() }
        fields.take(DrawnFields(chunk))
        walked.removeAll(keepingCapacity: true)
        walk.walk(chunk, near: bounds, into: &walked)
        take(track)
    }

    /// Ends a track.
    public mutating func finish(track: Int64, walk: inout OutlierDetector) {
        walked.removeAll(keepingCapacity: true)
        walk.finish(into: &walked)
        take(track)
    }

    /// Appends the points of other tracks in the same tile.
    public mutating func append(_ other: RecordedTilePoints) {
        let count = dots.xs.count
        parts += other.parts.map { part in
            Part(track: part.track, day: part.day, dots: part.dots.lowerBound + count..<part.dots.upperBound + count)
        }
        dots.append(other.dots)
        times += other.times
    }

    private mutating func take(_ track: Int64) {
        for point in walked where point.mark == nil && bounds.holds(point.longitude, point.latitude) {
            let place = WorldPoint(longitude: Double(point.longitude) / 1e7, latitude: Double(point.latitude) / 1e7)
            for (x, y) in units.places(of: place) {
                let day = day(at: point.time)
                if parts.last?.track != track || parts.last?.day != day {
                    parts.append(Part(track: track, day: day, dots: dots.xs.count..<dots.xs.count))
                }
                dots.append(x: x, y: y, isPin: fields.isMarked(at: point.index))
                times.append(point.time)
                let last = parts.count - 1
                parts[last].dots = parts[last].dots.lowerBound..<dots.xs.count
            }
        }
    }

    private mutating func day(at time: Int64) -> Int32 {
        guard time != PointChunk.untimed else { return FragmentOrder.untimedDay }
        if time < stretch.from || time >= stretch.to { stretch = calendar.stretch(around: time) }
        return stretch.day
    }

    /// The points on whole and partial days, of the tracks that pass the filter.
    public func dots(_ days: WindowDays, filter: FragmentFilter) -> TilePoints {
        var chosen = TilePoints()
        for part in parts where filter.passes(part.track) {
            let isWhole = days.whole.holds(part.day)
            let cut = days.cut.first { $0.day == part.day }
            guard isWhole || cut != nil else { continue }
            for index in part.dots
            where isWhole || cut?.stretches.contains(where: { $0.contains(times[index]) }) == true {
                chosen.append(x: dots.xs[index], y: dots.ys[index], isPin: dots.arePins[index])
            }
        }
        return chosen
    }
}
