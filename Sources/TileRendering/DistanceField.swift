/// A line segment in pixels of a picture, from the north-western corner eastwards and southwards. It is a point if
/// both ends are equal.
struct LineSegment: Hashable, Sendable {
    var startX: Float
    var startY: Float
    var endX: Float
    var endY: Float

    /// The greatest distance of an end from the picture's corner, in pixels; up to it `Float` resolves 1/2,048 pixel.
    private static let maxCoordinate = 4096.0

    /// The segment between two positions; nil if it lies completely outside the range of coordinates.
    ///
    /// Ends thousands of pixels outside the picture are clipped, so that the rest lies on the same line.
    init?(fromX: Double, _ fromY: Double, toX: Double, _ toY: Double) {
        let maxCoordinate = Self.maxCoordinate
        // Nested calls, because `max` with four arguments creates an array.
        if max(max(abs(fromX), abs(fromY)), max(abs(toX), abs(toY))) <= maxCoordinate {
            (startX, startY, endX, endY) = (Float(fromX), Float(fromY), Float(toX), Float(toY))
            return
        }
        // Source: Liang and Barsky, "A new concept and method for line clipping", 1984.
        let (alongX, alongY) = (toX - fromX, toY - fromY)
        var (enter, leave) = (0.0, 1.0)
        for (along, coordinate) in [(alongX, fromX), (alongY, fromY)] {
            guard along != 0 else {
                if abs(coordinate) > maxCoordinate { return nil }
                continue
            }
            let (first, second) = ((-maxCoordinate - coordinate) / along, (maxCoordinate - coordinate) / along)
            enter = max(enter, min(first, second))
            leave = min(leave, max(first, second))
        }
        guard enter <= leave else { return nil }
        startX = Float(fromX + enter * alongX)
        startY = Float(fromY + enter * alongY)
        endX = Float(fromX + leave * alongX)
        endY = Float(fromY + leave * alongY)
    }

    /// Whether a pixel within `reach` pixels of the segment may lie in the picture.
    func mayTouch(side: Int, reach: Float) -> Bool {
        let far = Float(side) + reach
        return max(startX, endX) >= -reach && max(startY, endY) >= -reach && min(startX, endX) <= far
            && min(startY, endY) <= far
    }
}

/// For each pixel of a picture the distance of its centre from the nearest of some lines, within their reach.
///
/// The order of the lines does not matter, nor whether a line is added twice. A pixel's distance depends only on the
/// lines near it, wherever the edges of the picture are. So adjacent tiles join, and the same lines give the same
/// bytes. A short segment costs about 100 ns, a tenth of a stroke by cairo.
struct DistanceField {
    /// Pixels along one side of the picture.
    let side: Int

    /// The squared distance of each pixel; `far` where no line reaches.
    private var squares: [Float]
    /// For each row the range of columns that lines have reached.
    private var reached: [Range<Int32>]
    /// 0, 1, 2 … as `Float`: a conversion inside the loop would prevent its vectorisation.
    private let columns: [Float]

    private static let far = Float.greatestFiniteMagnitude

    /// An empty field; uses 4 bytes a pixel.
    init(side: Int) {
        self.side = side
        squares = Array(repeating: Self.far, count: side * side)
        reached = Array(repeating: 0..<0, count: side)
        columns = (0..<side).map { Float($0) }
    }

    /// Removes all lines.
    mutating func clear() {
        for row in reached.indices where !reached[row].isEmpty {
            let first = row * side + Int(reached[row].lowerBound)
            Self.reset(&squares, first..<first + reached[row].count)
            reached[row] = 0..<0
        }
    }

    private static func reset(_ squares: inout [Float], _ positions: Range<Int>) {
        var all = squares.mutableSpan
        for position in positions { all[position] = far }
    }

    /// Adds lines. Distances farther than `reach` pixels from a line, and a little more, stay as they are.
    mutating func add(_ segments: ArraySlice<LineSegment>, reach: Float) {
        // Checks once whether the arrays are shared, instead of once for each row of each segment.
        let columns = columns
        Self.add(segments.span, reach: reach, side: side, columns.span, &squares, &reached)
    }

    private static func add(
        _ segments: Span<LineSegment>, reach: Float, side: Int, _ columns: Span<Float>, _ squaresArray: inout [Float],
        _ reachedArray: inout [Range<Int32>]
    ) {
        var squares = squaresArray.mutableSpan
        var reached = reachedArray.mutableSpan
        for index in segments.indices {
            let segment = segments[index]
            // The centre of pixel n is at n + 0.5.
            let top = max(0, PixelRounding.ceiling(min(segment.startY, segment.endY) - reach - 0.5))
            let bottom = min(side - 1, PixelRounding.floor(max(segment.startY, segment.endY) + reach - 0.5))
            guard top <= bottom else { continue }
            let (alongX, alongY) = (segment.endX - segment.startX, segment.endY - segment.startY)
            let square = alongX * alongX + alongY * alongY
            let inverse: Float = square > 0 ? 1 / square : 0
            // All rows of a narrow box are computed whole: clipping the segment to each row costs more.
            let isNarrow = abs(alongX) <= narrowPixels || alongY == 0
            let inverseY: Float = isNarrow ? 0 : 1 / alongY
            var (one, other) = (segment.startX, segment.endX)
            for row in top...bottom {
                let y = Float(row) + 0.5 - segment.startY
                if !isNarrow {
                    let (first, second) = ((y - reach) * inverseY, (y + reach) * inverseY)
                    let (from, to) = (max(0, min(first, second)), min(1, max(first, second)))
                    guard from <= to else { continue }
                    (one, other) = (segment.startX + from * alongX, segment.startX + to * alongX)
                }
                let left = max(0, PixelRounding.ceiling(min(one, other) - reach - 0.5))
                let right = min(side - 1, PixelRounding.floor(max(one, other) + reach - 0.5))
                guard left <= right else { continue }
                let known = reached[row]
                let (start, end) = (Int32(truncatingIfNeeded: left), Int32(truncatingIfNeeded: right) + 1)
                if known.isEmpty {
                    reached[row] = start..<end
                } else if start < known.lowerBound || end > known.upperBound {
                    reached[row] = min(known.lowerBound, start)..<max(known.upperBound, end)
                }
                lower(
                    &squares, from: row * side + left, columns.extracting(left...right), x: 0.5 - segment.startX, y: y,
                    alongX: alongX, alongY: alongY, inverse: inverse)
            }
        }
    }

    /// For segments that extend less than this sideways, the bounding box is only a few pixels wider than the reach.
    private static let narrowPixels: Float = 3

    /// Lowers pixels of a row to their squared distance from a segment that starts at (0, 0).
    @inline(__always)
    private static func lower(
        _ squares: inout MutableSpan<Float>, from start: Int, _ columns: Span<Float>, x: Float, y: Float, alongX: Float,
        alongY: Float, inverse: Float
    ) {
        var pixels = squares._mutatingExtracting(start..<start + columns.count)
        let (shareX, shareY) = (alongX * inverse, y * alongY * inverse)
        for at in 0..<pixels.count {
            let east = columns[at] + x
            var share = east * shareX + shareY
            share = share < 0 ? 0 : share
            share = share > 1 ? 1 : share
            let (toX, toY) = (east - share * alongX, y - share * alongY)
            // Squares are compared; the root is taken once for each pixel, when it is covered.
            let square = toX * toX + toY * toY
            let known = pixels[at]
            pixels[at] = square < known ? square : known
        }
    }

    /// Writes for each pixel the part of it that lies within `halfWidth` pixels of a line, 0…255; `mask` must be
    /// clear.
    ///
    /// The coverage is that of a cross-section of the line one pixel long, as if the line's edges were straight there.
    func cover(_ mask: inout MutableSpan<UInt8>, bytesPerRow: Int, halfWidth: Float) {
        let squares = squares.span
        for row in 0..<side where !reached[row].isEmpty {
            let first = Int(reached[row].lowerBound)
            let count = reached[row].count
            let distances = squares.extracting(row * side + first..<row * side + first + count)
            var pixels = mask._mutatingExtracting(row * bytesPerRow + first..<row * bytesPerRow + first + count)
            for at in 0..<pixels.count {
                let distance = distances[at].squareRoot()
                let covered = min(distance + 0.5, halfWidth) - max(distance - 0.5, -halfWidth)
                pixels[at] = UInt8(max(covered, 0) * 255 + 0.5)
            }
        }
    }
}

/// Rounds coordinates of pictures, which lie within ±4,096: truncation is one instruction, rounding is a function call.
enum PixelRounding {
    @inline(__always)
    static func floor(_ value: Float) -> Int { Int(value + 8192) - 8192 }

    @inline(__always)
    static func ceiling(_ value: Float) -> Int { 8192 - Int(8192 - value) }
}
