/// Adds up the climb of a line: the rises between its turning points.
///
/// A turning point is a highest or lowest point from which the line has come back by `turnMetres`, or the end of the line;
/// smaller ups and downs are errors of the receiver. A rise counts whole, from the lowest point to the highest one, at the
/// highest one.
struct ClimbMeter<Place: Sendable>: Sendable {
    /// A rise or descent counts when it is this high.
    static var turnMetres: Double { 5 }

    /// The lowest point since the last rise, and the highest one since the lowest.
    private var low = Double.nan
    private var high = Double.nan
    /// Where the highest point is.
    private var place: Place?

    /// Adds an elevation in metres, which must be a number; returns a rise whose end is certain now, and its place.
    @inline(__always)
    mutating func add(_ elevation: Double, at place: @autoclosure () -> Place) -> (metres: Double, place: Place)? {
        // Also true for the first elevation.
        if !(elevation <= high) {
            high = elevation
            if low.isNaN { low = elevation }
            self.place = place()
            return nil
        }
        guard elevation <= high - Self.turnMetres || elevation < low else { return nil }
        // The line goes down: either a rise has ended, or there was none.
        let rise = end()
        (low, high, self.place) = (elevation, elevation, place())
        return rise
    }

    /// Ends the line; returns its last rise. What comes next is another line.
    mutating func finish() -> (metres: Double, place: Place)? {
        defer { (low, high, place) = (.nan, .nan, nil) }
        return end()
    }

    private func end() -> (metres: Double, place: Place)? {
        guard let place, high - low >= Self.turnMetres else { return nil }
        return (high - low, place)
    }
}
