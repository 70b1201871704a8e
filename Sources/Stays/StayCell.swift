import TileMath

/// The points of one minute in one square of 0.001°: a count and sums, which are added up over tracks.
///
/// The key, minute and square, depends on the point alone. So the sums over all tracks of a person do not depend on how
/// the points are divided into tracks, or on their order.
///
/// All numbers are integers. A point adds at most 10⁸ to a sum, so they hold more than 10¹⁰ points.
public struct StayCell: Sendable, Hashable {
    /// A place within the square, in 1e-7° from its south-western corner.
    struct Offset: Sendable, Hashable {
        var x: Int32
        var y: Int32
    }

    /// Minutes since 1970.
    var minute: Int64
    /// Squares north of the South Pole.
    var row: Int32
    /// Squares east of 180° west.
    var column: Int32
    var count: Int64 = 0
    /// The sums of the offsets.
    var x: Int64 = 0
    var y: Int64 = 0
    /// The sums of the squared offsets.
    var xx: Int64 = 0
    var yy: Int64 = 0
    /// The times of the first and the last point, in milliseconds since the beginning of the minute.
    var first: Int32 = 0
    var last: Int32 = 0
    /// The place of the first point, and that of the last one; of points at the same time the most south-western, and the
    /// most north-eastern. Rows have them only at pauses: see `StayCells.pauseMinutes`.
    var firstPlace: Offset?
    var lastPlace: Offset?

    /// The side of a square, in 1e-7°.
    @inline(__always) static var side: Int32 { 10_000 }
    @inline(__always) static var minuteMilliseconds: Int64 { 60_000 }
    /// The most western longitude and the most southern latitude, in 1e-7°.
    static var westernmost: Int64 { -1_800_000_000 }
    static var southernmost: Int64 { -900_000_000 }

    /// The south-western corner, in 1e-7°.
    var west: Int64 { Int64(column) * Int64(Self.side) + Self.westernmost }
    var south: Int64 { Int64(row) * Int64(Self.side) + Self.southernmost }

    /// The mean of the points, in 1e-7° from the corner.
    var mean: (x: Int64, y: Int64) {
        // Half of the divisor is added, so that the mean is rounded, not cut.
        count <= 1 ? (x, y) : ((x &+ count / 2) / count, (y &+ count / 2) / count)
    }

    /// A place within the square, in 1e-7°.
    func position(_ x: Int64, _ y: Int64) -> (longitude: Int32, latitude: Int32) {
        (E7Longitude.wrapped(west + x), Int32(truncatingIfNeeded: south + y))
    }

    /// Milliseconds since 1970.
    var arrive: Int64 { minute &* Self.minuteMilliseconds &+ Int64(first) }
    var leave: Int64 { minute &* Self.minuteMilliseconds &+ Int64(last) }

    func isSameSquare(_ other: StayCell) -> Bool { row == other.row && column == other.column }

    /// Adds the points of the same minute and square.
    mutating func add(_ other: StayCell) {
        count &+= other.count
        x &+= other.x
        y &+= other.y
        xx &+= other.xx
        yy &+= other.yy
        if other.first < first {
            (first, firstPlace) = (other.first, other.firstPlace)
        } else if other.first == first {
            firstPlace = Self.joined(firstPlace, other.firstPlace, isFirst: true)
        }
        if other.last > last {
            (last, lastPlace) = (other.last, other.lastPlace)
        } else if other.last == last {
            lastPlace = Self.joined(lastPlace, other.lastPlace, isFirst: false)
        }
    }

    /// The first point and the others; nil if there are no others, or if its place is not known.
    var withoutFirst: (point: StayCell, rest: StayCell)? { firstPlace.flatMap { without($0, at: first) } }

    /// The last point and the others; nil if there are no others, or if its place is not known.
    var withoutLast: (point: StayCell, rest: StayCell)? { lastPlace.flatMap { without($0, at: last) } }

    private func without(_ place: Offset, at time: Int32) -> (point: StayCell, rest: StayCell)? {
        guard count > 1 else { return nil }
        var point = StayCell(minute: minute, row: row, column: column)
        (point.count, point.first, point.last) = (1, time, time)
        (point.x, point.y) = (Int64(place.x), Int64(place.y))
        (point.xx, point.yy) = (point.x &* point.x, point.y &* point.y)
        var rest = self
        rest.count &-= 1
        rest.x &-= point.x
        rest.y &-= point.y
        rest.xx &-= point.xx
        rest.yy &-= point.yy
        return (point, rest)
    }

    private static func joined(_ one: Offset?, _ other: Offset?, isFirst: Bool) -> Offset? {
        guard let one, let other else { return one ?? other }
        return (one < other) == isFirst ? one : other
    }
}

extension StayCell.Offset: Comparable {
    static func < (one: Self, other: Self) -> Bool { (one.y, one.x) < (other.y, other.x) }
}
