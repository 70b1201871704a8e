import Foundation
public import TileMath

/// Finds the country of a place.
///
/// The world is divided into cells of a quarter of a degree. A cell that no outline touches has one country; for the
/// others, the parities of crossings between the place and the cell's center decide. Places and outlines are plain
/// degrees (no great circles), as in the source.
public struct CountryIndex: Sendable {
    private static let columns = 1440
    private static let rows = 720
    /// Units of 0.0001° in a cell.
    private static let cellUnits = 2500.0
    /// Centers are not in the middle, and on no multiple of a unit, so that no outline runs through one.
    private static let centerUnits = 1234.567_89
    /// Metres in a unit of latitude, on a sphere of the mean radius of the Earth.
    private static let metresPerUnit = 11.1195

    private struct Segment {
        var ax: Int32
        var ay: Int32
        var bx: Int32
        var by: Int32
        /// The country plus 1 on each side; 0 is the sea.
        var left: UInt16
        var right: UInt16
    }

    /// The country plus 1 at the center of each cell.
    private let centers: [UInt16]
    /// Where the segments of each cell begin in `cellSegments`; one more entry than cells.
    private let starts: [UInt32]
    private let cellSegments: [UInt32]
    private let segments: [Segment]

    /// The index of the embedded map data, made at the first use.
    public static let embedded = CountryIndex(Geography.embeddedOutlines.arcs, Geography.embeddedOutlines.vertices)

    /// Builds the index.
    public init(_ geography: Geography) { self.init(geography.arcs, geography.vertices) }

    private init(_ arcs: [Geography.Arc], _ vertices: MapVertices) {
        let segments = Self.segments(arcs, vertices)
        let (starts, cellSegments) = Self.cells(of: segments)
        self.segments = segments
        self.starts = starts
        self.cellSegments = cellSegments
        centers = Self.centers(segments)
    }

    /// The index of the country in `Geography.countries`; nil at sea.
    public func country(at place: GeoPoint) -> Int? {
        let (x, y) = Self.units(place)
        let cell = Self.cell(x, y)
        let range = Int(starts[cell])..<Int(starts[cell + 1])
        guard !range.isEmpty else { return Self.index(centers[cell]) }
        let centerX = Double(cell % Self.columns) * Self.cellUnits + Self.centerUnits - 1_800_000
        let centerY = Double(cell / Self.columns) * Self.cellUnits + Self.centerUnits - 900_000
        var parities = Parities(centers[cell])
        for entry in range {
            let segment = segments[Int(cellSegments[entry])]
            // From the place along its latitude to the center's longitude, then along that to the center.
            if Self.crossesRow(segment, y, from: x, to: centerX)
                != Self.crossesColumn(segment, centerX, from: y, to: centerY)
            {
                parities.toggle(segment.left, segment.right)
            }
        }
        return Self.index(parities.result)
    }

    /// The countries with a border or coast within a distance, and the country of the place itself.
    public func countries(within metres: Double, of place: GeoPoint) -> Set<Int> {
        var found: Set<Int> = []
        if let own = country(at: place) { found.insert(own) }
        forEachOutline(within: metres, of: place) { left, right, _ in
            if let left { found.insert(left) }
            if let right { found.insert(right) }
        }
        return found
    }

    /// The distance to the nearest border or coast, in metres; nil if it is more than `limit`.
    public func distanceToOutline(of place: GeoPoint, limit: Double) -> Double? {
        var best: Double?
        forEachOutline(within: limit, of: place) { _, _, distance in best = min(best ?? distance, distance) }
        return best
    }

    /// The distances to the nearest outline and to the two nearest countries other than `country`, nearest first; those
    /// farther than `limit` metres, at most 100 km, are left out. Costs about a microsecond.
    public func outlines(
        within limit: Double, of place: GeoPoint, except country: Int?
    ) -> (any: Double?, countries: [(country: Int, metres: Double)]) {
        var any = Double.infinity
        var first = (country: -1, metres: Double.infinity)
        var second = first
        forEachOutline(within: limit, of: place) { left, right, metres in
            any = min(any, metres)
            guard metres < second.metres else { return }
            for side in [left, right] {
                guard let side, side != country else { continue }
                if side == first.country {
                    first.metres = min(first.metres, metres)
                } else if metres < first.metres {
                    (first, second) = ((side, metres), first)
                } else if metres < second.metres {
                    second = (side, metres)
                }
            }
        }
        return (any.isFinite ? any : nil, [first, second].filter { $0.metres.isFinite })
    }

    /// The distance of a place to a country, in metres: 0 within it; nil if it is more than `limit`, at most 100 km.
    public func distance(of place: GeoPoint, to country: Int, limit: Double) -> Double? {
        if self.country(at: place) == country { return 0 }
        var best = Double.infinity
        forEachOutline(within: limit, of: place) { left, right, metres in
            if left == country || right == country { best = min(best, metres) }
        }
        return best.isFinite ? best : nil
    }

    /// Calls `body` with the countries on both sides and the distance in metres of each segment of an outline within a
    /// distance of at most 100 km. A segment may come more than once. Distances are computed in the plane, with the
    /// scale at the place.
    private func forEachOutline(
        within metres: Double, of place: GeoPoint, _ body: (_ left: Int?, _ right: Int?, _ metres: Double) -> Void
    ) {
        precondition(metres >= 0 && metres <= 100_000)
        let (x, y) = Self.units(place)
        // Near the poles a degree of longitude has no length; the bound keeps the range of columns finite.
        let narrow = max(0.01, cos(place.latitude * .pi / 180))
        let reach = metres / Self.metresPerUnit
        let firstRow = max(0, Int(((y - reach + 900_000) / Self.cellUnits).rounded(.down)))
        let lastRow = min(Self.rows - 1, Int(((y + reach + 900_000) / Self.cellUnits).rounded(.down)))
        let firstColumn = Int(((x - reach / narrow + 1_800_000) / Self.cellUnits).rounded(.down))
        let lastColumn = min(
            Int(((x + reach / narrow + 1_800_000) / Self.cellUnits).rounded(.down)), firstColumn + Self.columns - 1)
        guard firstRow <= lastRow else { return }
        for row in firstRow...lastRow {
            for column in firstColumn...lastColumn {
                let turns = (Double(column) / Double(Self.columns)).rounded(.down)
                let cell = row * Self.columns + column - Int(turns) * Self.columns
                for entry in Int(starts[cell])..<Int(starts[cell + 1]) {
                    let segment = segments[Int(cellSegments[entry])]
                    let distance = Self.distance(segment, x - turns * 3_600_000, y, narrow) * Self.metresPerUnit
                    if distance <= metres { body(Self.index(segment.left), Self.index(segment.right), distance) }
                }
            }
        }
    }

    private static func index(_ code: UInt16) -> Int? { code == 0 ? nil : Int(code) - 1 }

    private static func units(_ place: GeoPoint) -> (x: Double, y: Double) {
        // 180° E is 180° W; the South Pole and the North Pole belong to the outermost rows.
        (place.longitude >= 180 ? -1_800_000 : place.longitude * 10_000, place.latitude * 10_000)
    }

    private static func cell(_ x: Double, _ y: Double) -> Int {
        let column = min(columns - 1, max(0, Int(((x + 1_800_000) / cellUnits).rounded(.down))))
        let row = min(rows - 1, max(0, Int(((y + 900_000) / cellUnits).rounded(.down))))
        return row * columns + column
    }

    /// Whether a segment crosses latitude `y` between two longitudes.
    private static func crossesRow(_ segment: Segment, _ y: Double, from: Double, to: Double) -> Bool {
        let (ay, by) = (Double(segment.ay), Double(segment.by))
        guard (ay > y) != (by > y) else { return false }
        let x = Double(segment.ax) + (y - ay) / (by - ay) * (Double(segment.bx) - Double(segment.ax))
        return (x > from) != (x > to)
    }

    /// Whether a segment crosses longitude `x` between two latitudes.
    private static func crossesColumn(_ segment: Segment, _ x: Double, from: Double, to: Double) -> Bool {
        let (ax, bx) = (Double(segment.ax), Double(segment.bx))
        guard (ax > x) != (bx > x) else { return false }
        let y = Double(segment.ay) + (x - ax) / (bx - ax) * (Double(segment.by) - Double(segment.ay))
        return (y > from) != (y > to)
    }

    /// The distance of a place from a segment, in units of latitude.
    private static func distance(_ segment: Segment, _ x: Double, _ y: Double, _ narrow: Double) -> Double {
        let (ax, ay) = ((Double(segment.ax) - x) * narrow, Double(segment.ay) - y)
        let (dx, dy) = (Double(segment.bx - segment.ax) * narrow, Double(segment.by - segment.ay))
        let length = dx * dx + dy * dy
        let t = length == 0 ? 0 : min(1, max(0, -(ax * dx + ay * dy) / length))
        return ((ax + t * dx) * (ax + t * dx) + (ay + t * dy) * (ay + t * dy)).squareRoot()
    }

    private static func segments(_ arcs: [Geography.Arc], _ vertices: MapVertices) -> [Segment] {
        var segments: [Segment] = []
        segments.reserveCapacity(vertices.longitudes.count)
        let (longitudes, latitudes) = (vertices.longitudes.span, vertices.latitudes.span)
        for arc in arcs where !arc.line.range.isEmpty {
            let (left, right) = (UInt16((arc.left ?? -1) + 1), UInt16((arc.right ?? -1) + 1))
            for index in arc.line.range.dropLast() {
                segments.append(
                    Segment(
                        ax: longitudes[index], ay: latitudes[index], bx: longitudes[index + 1],
                        by: latitudes[index + 1],
                        left: left, right: right))
            }
        }
        return segments
    }

    /// The segments of each cell: those whose bounds touch a cell that the segment passes, row by row.
    private static func cells(of segments: [Segment]) -> (starts: [UInt32], segments: [UInt32]) {
        var counts = [UInt32](repeating: 0, count: columns * rows + 1)
        // The only cell of each segment, or −1.
        var onlyCells: [Int32] = []
        onlyCells.reserveCapacity(segments.count)
        for segment in segments {
            if let cell = onlyCell(of: segment) {
                counts[cell + 1] += 1
                onlyCells.append(Int32(cell))
            } else {
                forEachCell(of: segment) { counts[$0 + 1] += 1 }
                onlyCells.append(-1)
            }
        }
        for cell in 0..<columns * rows { counts[cell + 1] += counts[cell] }
        var next = counts
        var entries = [UInt32](repeating: 0, count: Int(counts[columns * rows]))
        for index in segments.indices {
            func enter(_ cell: Int) {
                entries[Int(next[cell])] = UInt32(index)
                next[cell] += 1
            }
            let cell = Int(onlyCells[index])
            if cell >= 0 { enter(cell) } else { forEachCell(of: segments[index], enter) }
        }
        return (counts, entries)
    }

    private static func forEachCell(of segment: Segment, _ body: (Int) -> Void) {
        let (low, high) = segment.ay <= segment.by ? (segment.ay, segment.by) : (segment.by, segment.ay)
        let firstRow = cell(-1_800_000, Double(low)) / columns
        let lastRow = cell(-1_800_000, Double(high)) / columns
        for row in firstRow...lastRow {
            // The stretch of the segment within the row.
            let bottom = max(Double(low), Double(row) * cellUnits - 900_000)
            let top = min(Double(high), Double(row + 1) * cellUnits - 900_000)
            let (x0, x1) = (longitude(of: segment, at: bottom), longitude(of: segment, at: top))
            let level = segment.ay == segment.by
            let west = level ? Double(min(segment.ax, segment.bx)) : min(x0, x1)
            let east = level ? Double(max(segment.ax, segment.bx)) : max(x0, x1)
            // A unit more on both sides, for rounding.
            let first = cell(west - 1, bottom) % columns
            let last = cell(east + 1, bottom) % columns
            for column in first...last { body(row * columns + column) }
        }
    }

    /// The cell of a segment that is in one cell with a unit more on both sides, as nearly all are; nil for others.
    private static func onlyCell(of segment: Segment) -> Int? {
        let side = Int(cellUnits)
        let row = min(rows - 1, (Int(segment.ay) + 900_000) / side)
        guard min(rows - 1, (Int(segment.by) + 900_000) / side) == row else { return nil }
        let west = (Int(min(segment.ax, segment.bx)) + 1_800_000 - 1) / side
        let east = min(columns - 1, (Int(max(segment.ax, segment.bx)) + 1_800_000 + 1) / side)
        return west == east ? row * columns + west : nil
    }

    private static func longitude(of segment: Segment, at y: Double) -> Double {
        guard segment.ay != segment.by else { return Double(segment.ax) }
        let t = (y - Double(segment.ay)) / Double(segment.by - segment.ay)
        return Double(segment.ax) + t * Double(segment.bx - segment.ax)
    }

    /// The number, from 0 on, of the rows of centers below a latitude: a segment with equal ones crosses none.
    private static func rowBelow(_ latitude: Int32) -> Int {
        (Int(latitude) + 900_000 + Int(cellUnits) - Int(centerUnits.rounded(.up))) / Int(cellUnits)
    }

    /// The country plus 1 at each center, by crossings from 180° W eastwards.
    private static func centers(_ segments: [Segment]) -> [UInt16] {
        var crossings = [[(x: Double, left: UInt16, right: UInt16)]](repeating: [], count: rows)
        for segment in segments where rowBelow(segment.ay) != rowBelow(segment.by) {
            let (low, high) = (Double(min(segment.ay, segment.by)), Double(max(segment.ay, segment.by)))
            let first = max(0, Int(((low + 900_000 - centerUnits) / cellUnits).rounded(.up)))
            let last = min(rows - 1, Int(((high + 900_000 - centerUnits) / cellUnits).rounded(.down)))
            guard first <= last else { continue }
            for row in first...last {
                let y = Double(row) * cellUnits + centerUnits - 900_000
                crossings[row].append((longitude(of: segment, at: y), segment.left, segment.right))
            }
        }
        var centers = [UInt16](repeating: 0, count: columns * rows)
        for row in 0..<rows {
            var parities = Parities(0)
            var next = 0
            let sorted = crossings[row].sorted { $0.x < $1.x }
            for column in 0..<columns {
                let x = Double(column) * cellUnits + centerUnits - 1_800_000
                while next < sorted.count, sorted[next].x <= x {
                    parities.toggle(sorted[next].left, sorted[next].right)
                    next += 1
                }
                centers[row * columns + column] = parities.result
            }
        }
        return centers
    }
}

/// For each country how often, modulo 2, its outline was crossed on the way to a place; the countries with an odd
/// number contain it.
private struct Parities {
    /// The countries plus 1 with an odd number. More than one only where generalised outlines cross each other.
    private var odd: (UInt16, UInt16, UInt16, UInt16) = (0, 0, 0, 0)

    /// Inside a country plus 1; 0 is the sea.
    init(_ country: UInt16) { odd.0 = country }

    mutating func toggle(_ left: UInt16, _ right: UInt16) {
        toggle(left)
        toggle(right)
    }

    private mutating func toggle(_ country: UInt16) {
        guard country != 0 else { return }
        if odd.0 == country {
            odd = (odd.1, odd.2, odd.3, 0)
        } else if odd.1 == country {
            odd = (odd.0, odd.2, odd.3, 0)
        } else if odd.2 == country {
            odd = (odd.0, odd.1, odd.3, 0)
        } else if odd.3 == country {
            odd.3 = 0
        } else {
            odd = (country, odd.0, odd.1, odd.2)
        }
    }

    var result: UInt16 { odd.0 }
}
