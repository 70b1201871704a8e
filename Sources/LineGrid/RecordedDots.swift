import Foundation
public import PieceLog
public import TileMath
public import Tracks

/// The recorded points in and round a tile, by track and day.
///
/// Points that cannot be (`PointMark`) are left out, as they are from lines; those marked by hand are told.
public struct RecordedDots: Sendable {
    private struct Part: Sendable {
        var track: Int64
        var day: Int32
        var dots: Range<Int>
    }

    private let units: RecordedUnits
    private let calendar: DayCalendar
    private let bounds: E7Box
    private var parts: [Part] = []
    private var dots = TileDots()
    private var times: [Int64] = []
    private var walked: [WalkedPoint] = []
    private var pins: Set<Int> = []
    private var firstIndex = 0
    private var stretch: (day: Int32, from: Int64, to: Int64) = (0, 0, 0)

    /// The points of a tile that has none yet.
    public init(_ tile: TileCoordinate, calendar: DayCalendar) {
        units = RecordedUnits(tile, perSide: RecordedUnits.perSide(zoom: tile.zoom))
        bounds = E7Box(round: tile)
        self.calendar = calendar
    }

    /// The field of points that chunks have to carry.
    public static let wantedField = FieldName.mark

    /// Bytes that the points take.
    public var byteCount: Int { dots.xs.count * 17 + parts.count * 32 + 256 }

    /// Adds the next chunk of a track, as `walk` decides its points; `begins` with a track's first.
    public mutating func add(_ chunk: PointChunk, ofTrack track: Int64, walk: inout TrackWalk, begins: Bool) {
        if begins {
            firstIndex = 0
            pins.removeAll(keepingCapacity: true)
        }
        notePins(chunk)
        firstIndex += chunk.count
        walked.removeAll(keepingCapacity: true)
        walk.walk(chunk, into: &walked)
        take(track)
    }

    /// Ends a track.
    public mutating func finish(track: Int64, walk: inout TrackWalk) {
        walked.removeAll(keepingCapacity: true)
        walk.finish(into: &walked)
        take(track)
    }

    private mutating func notePins(_ chunk: PointChunk) {
        guard let column = chunk.fields.first(where: { $0.name == Self.wantedField }),
            case .numbers(_, let numbers) = column.values
        else { return }
        for (index, number) in numbers.enumerated() where number != FieldColumn.absent && number != 0 {
            pins.insert(firstIndex + index)
        }
    }

    private mutating func take(_ track: Int64) {
        for point in walked where point.mark == nil && bounds.holds(point.longitude, point.latitude) {
            let place = WorldPoint(longitude: Double(point.longitude) / 1e7, latitude: Double(point.latitude) / 1e7)
            for (x, y) in units.places(of: place) {
                let day = day(at: point.time)
                if parts.last?.track != track || parts.last?.day != day {
                    parts.append(Part(track: track, day: day, dots: dots.xs.count..<dots.xs.count))
                }
                dots.append(x: x, y: y, isPin: pins.contains(point.index))
                times.append(point.time)
                let last = parts.count - 1
                parts[last].dots = parts[last].dots.lowerBound..<dots.xs.count
            }
        }
    }

    private mutating func day(at time: Int64) -> Int32 {
        guard time != Instant.none else { return PartOrder.untimedDay }
        if time < stretch.from || time >= stretch.to { stretch = calendar.stretch(around: time) }
        return stretch.day
    }

    /// The points of whole days and of parts of days, of the tracks that the filter lets pass.
    public func dots(_ days: WindowDays, filter: PartFilter) -> TileDots {
        var chosen = TileDots()
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

/// A box of coordinates that passes over what is nowhere near, without projecting it.
private struct E7Box: Sendable {
    private let longitudes: ClosedRange<Int32>
    private let latitudes: ClosedRange<Int32>
    /// Tiles at 180° know points of both sides.
    private let takesEveryLongitude: Bool

    /// A box round a tile and more than its margin.
    init(round tile: TileCoordinate) {
        let box = BoundingBox(of: tile)
        func e7(_ degrees: Double) -> Int32 { Int32(clamping: Int64((degrees * 1e7).rounded())) }
        let (wide, high) = ((box.east - box.west) / 16, (box.north - box.south) / 8)
        longitudes = e7(box.west - wide)...e7(box.east + wide)
        latitudes = e7(box.south - high)...e7(box.north + high)
        takesEveryLongitude = tile.x == 0 || tile.x == tile.zoom.tilesPerSide - 1
    }

    func holds(_ longitude: Int32, _ latitude: Int32) -> Bool {
        latitudes.contains(latitude) && (takesEveryLongitude || longitudes.contains(longitude))
    }
}
