/// Adds up the climb of a line: the rises between its turning points.
///
/// A turning point is a highest or lowest point from which the line has come back by `turnMetres`, or the end of the line;
/// smaller ups and downs are errors of the receiver. A rise counts whole, from the lowest point to the highest one: at the
/// places where its highest point has grown.
struct ClimbMeter<Place: Sendable & Equatable>: Sendable {
    /// What a rise has grown at a place, in metres.
    typealias Growth = (metres: Double, place: Place)

    /// A rise or descent counts when it is this high.
    static var turnMetres: Double { 5 }

    /// The lowest point since the last rise, and the highest one since the lowest.
    private var low = Double.nan
    private var high = Double.nan
    private var growth: [Growth] = []

    /// Adds an elevation in metres, which must be a number; returns a rise whose end is certain now.
    @inline(__always)
    mutating func add(_ elevation: Double, at place: @autoclosure () -> Place) -> [Growth] {
        // Also true for the first elevation.
        if !(elevation <= high) {
            grow(to: elevation, at: place())
            return []
        }
        guard elevation <= high - Self.turnMetres || elevation < low else { return [] }
        // The line goes down: either a rise has ended, or there was none.
        let rise = end()
        (low, high) = (elevation, elevation)
        return rise
    }

    private mutating func grow(to elevation: Double, at place: Place) {
        if low.isNaN { (low, high) = (elevation, elevation) }
        let metres = elevation - high
        high = elevation
        if let last = growth.last, last.place == place {
            growth[growth.count - 1].metres += metres
        } else {
            growth.append((metres, place))
        }
    }

    /// Ends the line; returns its last rise. What comes next is another line.
    mutating func finish() -> [Growth] {
        defer { (low, high) = (.nan, .nan) }
        return end()
    }

    private mutating func end() -> [Growth] {
        defer { growth.removeAll(keepingCapacity: true) }
        return high - low >= Self.turnMetres ? growth : []
    }
}
