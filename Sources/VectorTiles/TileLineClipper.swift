/// Cuts lines at the border of a tile with its buffer.
///
/// A line that leaves and comes back becomes several. Places that are rounded to the one before are left out.
public struct TileLineClipper: Sendable {
    /// The places of all lines, one line after the other.
    public private(set) var places: [TilePlace] = []
    /// The ends of the lines in `places`.
    public private(set) var ends: [Int] = []
    /// The last place that was added, within the border or not.
    private var last: Place?
    /// Whether all places of the line that is being added are one.
    private var isOnePlace = true
    private var start = 0

    /// A place that may be far away from the tile: ends of lines can be half the world away at the deepest zoom level.
    private struct Place: Equatable {
        var x: Int64
        var y: Int64

        /// nil if it is not within the border.
        var inTile: TilePlace? {
            let isInside = x >= low && x <= high && y >= low && y <= high
            return isInside ? TilePlace(Int32(truncatingIfNeeded: x), Int32(truncatingIfNeeded: y)) : nil
        }
    }

    private static let low = Int64(-VectorTile.buffer)
    private static let high = Int64(VectorTile.extent + VectorTile.buffer)

    public init() {}

    /// The lines.
    public var lines: [ArraySlice<TilePlace>] {
        zip([0] + ends, ends).map { places[$0..<$1] }
    }

    public var isEmpty: Bool { ends.isEmpty }

    /// Removes all lines.
    public mutating func removeAll() {
        places.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        last = nil
        start = 0
        isOnePlace = true
    }

    /// Adds the next place of the line, in units of `VectorTile.extent` from the north-western corner of the tile.
    public mutating func add(x: Int64, y: Int64) {
        let place = Place(x: x, y: y)
        guard let from = last else {
            last = place
            if let inTile = place.inTile { places.append(inTile) }
            return
        }
        guard from != place else { return }
        last = place
        isOnePlace = false
        if let inTile = place.inTile, from.inTile != nil {
            append(inTile)
        } else {
            addCut(from, place)
        }
    }

    /// Adds a line of places in other units.
    public mutating func addLine(xs: Span<Int32>, ys: Span<Int32>, _ units: LineUnits) {
        for index in xs.indices {
            let (x, y) = units.place(xs[index], ys[index])
            add(x: x, y: y)
        }
        endLine()
    }

    /// Ends the line. One that is a single place becomes the shortest line there is, a 16th of a pixel, because maps draw no
    /// lines without length, and no points in layers of lines.
    public mutating func endLine() {
        if isOnePlace, let place = places.last, places.count == start + 1 {
            places.append(TilePlace(place.x + 1, place.y))
        }
        close()
        last = nil
        isOnePlace = true
    }

    private mutating func append(_ place: TilePlace) {
        if places.count > start, places.last == place { return }
        places.append(place)
    }

    /// Ends the part of the line that is within the border.
    private mutating func close() {
        if places.count > start + 1 {
            ends.append(places.count)
        } else {
            places.removeSubrange(start...)
        }
        start = places.count
    }

    /// Adds the part of a segment that is within the border.
    private mutating func addCut(_ from: Place, _ to: Place) {
        guard let part = Self.part(of: from, to) else { return close() }
        if part.begin > 0 { close() }
        append(Self.place(from, to, part.begin))
        append(Self.place(from, to, part.end))
        if part.end < 1 { close() }
    }

    /// The part of a segment within the border by the algorithm of Liang and Barsky, as shares of its length; nil if none
    /// is.
    private static func part(of from: Place, _ to: Place) -> (begin: Double, end: Double)? {
        var (begin, end) = (0.0, 1.0)
        for (start, target) in [(from.x, to.x), (from.y, to.y)] {
            let along = Double(target - start)
            guard along != 0 else {
                if start < low || start > high { return nil }
                continue
            }
            begin = max(begin, Double((along > 0 ? low : high) - start) / along)
            end = min(end, Double((along > 0 ? high : low) - start) / along)
        }
        return begin < end ? (begin, end) : nil
    }

    private static func place(_ from: Place, _ to: Place, _ share: Double) -> TilePlace {
        func between(_ one: Int64, _ other: Int64) -> Int32 {
            let number = share >= 1 ? other : one + Int64((Double(other - one) * share).rounded())
            return Int32(min(max(number, low), high))
        }
        return TilePlace(between(from.x, to.x), between(from.y, to.y))
    }
}
