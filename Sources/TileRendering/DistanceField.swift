/// A straight piece of a line in pixels of a picture, from the north-west corner eastwards and southwards; a dot where
/// both ends are the same.
struct Stretch: Hashable, Sendable {
    var startX: Float
    var startY: Float
    var endX: Float
    var endY: Float

    /// How far from the picture's corner an end may lie, in pixels: what `Float` tells apart to 1/2,048 pixel.
    private static let farthest = 4096.0

    /// The stretch between two places, whose ends are cut off where they lie thousands of pixels outside, so that what is
    /// left lies on the same line; nil where nothing is left.
    init?(fromX: Double, _ fromY: Double, toX: Double, _ toY: Double) {
        let farthest = Self.farthest
        // Two by two: `max` of four makes an array of them.
        if max(max(abs(fromX), abs(fromY)), max(abs(toX), abs(toY))) <= farthest {
            (startX, startY, endX, endY) = (Float(fromX), Float(fromY), Float(toX), Float(toY))
            return
        }
        // Liang and Barsky, "A new concept and method for line clipping", 1984.
        let (alongX, alongY) = (toX - fromX, toY - fromY)
        var (enter, leave) = (0.0, 1.0)
        for (along, place) in [(alongX, fromX), (alongY, fromY)] {
            guard along != 0 else {
                if abs(place) > farthest { return nil }
                continue
            }
            let (first, second) = ((-farthest - place) / along, (farthest - place) / along)
            enter = max(enter, min(first, second))
            leave = min(leave, max(first, second))
        }
        guard enter <= leave else { return nil }
        startX = Float(fromX + enter * alongX)
        startY = Float(fromY + enter * alongY)
        endX = Float(fromX + leave * alongX)
        endY = Float(fromY + leave * alongY)
    }

    /// Whether something within `reach` pixels of it may lie in a picture.
    func comesNear(side: Int, reach: Float) -> Bool {
        let far = Float(side) + reach
        return max(startX, endX) >= -reach && max(startY, endY) >= -reach && min(startX, endX) <= far
            && min(startY, endY) <= far
    }
}

/// For each pixel of a picture how far its middle is from the nearest of some lines, as far as they reach.
///
/// The order of the lines does not matter, and neither does how often one comes; and a pixel's distance follows from the
/// lines near it alone, wherever the picture's edges are. So tiles side by side join, and the same lines give the same
/// bytes. A short stretch costs some 100 ns, a tenth of what a stroke of cairo's takes for it.
struct DistanceField {
    /// Pixels along a side of the picture.
    let side: Int

    /// Squares of pixels; `far` where no line reaches.
    private var squares: [Float]
    /// For each row the columns that lines have reached.
    private var reached: [Range<Int32>]
    /// 0, 1, 2 … as numbers to reckon with: to turn each into one keeps the loop from taking several pixels at once.
    private let columns: [Float]

    private static let far = Float.greatestFiniteMagnitude

    /// A field without lines, with 4 bytes a pixel.
    init(side: Int) {
        self.side = side
        squares = Array(repeating: Self.far, count: side * side)
        reached = Array(repeating: 0..<0, count: side)
        columns = (0..<side).map { Float($0) }
    }

    /// Forgets all lines.
    mutating func clear() {
        for row in reached.indices where !reached[row].isEmpty {
            let first = row * side + Int(reached[row].lowerBound)
            Self.forget(&squares, first..<first + reached[row].count)
            reached[row] = 0..<0
        }
    }

    private static func forget(_ squares: inout [Float], _ places: Range<Int>) {
        var all = squares.mutableSpan
        for place in places { all[place] = far }
    }

    /// Takes lines; beyond `reach` pixels and a little from them distances stay as they are.
    mutating func add(_ stretches: ArraySlice<Stretch>, reach: Float) {
        // One look whether the arrays are shared, instead of one for each row of each stretch.
        let columns = columns
        Self.add(stretches.span, reach: reach, side: side, columns.span, &squares, &reached)
    }

    private static func add(
        _ stretches: Span<Stretch>, reach: Float, side: Int, _ columns: Span<Float>, _ squaresArray: inout [Float],
        _ reachedArray: inout [Range<Int32>]
    ) {
        var squares = squaresArray.mutableSpan
        var reached = reachedArray.mutableSpan
        for index in stretches.indices {
            let stretch = stretches[index]
            let top = max(0, ceiling(min(stretch.startY, stretch.endY) - reach - 0.5))
            let bottom = min(side - 1, floor(max(stretch.startY, stretch.endY) + reach - 0.5))
            guard top <= bottom else { continue }
            let (alongX, alongY) = (stretch.endX - stretch.startX, stretch.endY - stretch.startY)
            let square = alongX * alongX + alongY * alongY
            let inverse: Float = square > 0 ? 1 / square : 0
            // A narrow box is walked whole: to ask of each row which share of the stretch it is near costs more.
            let isNarrow = abs(alongX) <= narrowPixels || alongY == 0
            let inverseY: Float = isNarrow ? 0 : 1 / alongY
            var (one, other) = (stretch.startX, stretch.endX)
            for row in top...bottom {
                let y = Float(row) + 0.5 - stretch.startY
                if !isNarrow {
                    let (first, second) = ((y - reach) * inverseY, (y + reach) * inverseY)
                    let (from, to) = (max(0, min(first, second)), min(1, max(first, second)))
                    guard from <= to else { continue }
                    (one, other) = (stretch.startX + from * alongX, stretch.startX + to * alongX)
                }
                let left = max(0, ceiling(min(one, other) - reach - 0.5))
                let right = min(side - 1, floor(max(one, other) + reach - 0.5))
                guard left <= right else { continue }
                let known = reached[row]
                let (start, end) = (Int32(truncatingIfNeeded: left), Int32(truncatingIfNeeded: right) + 1)
                if known.isEmpty {
                    reached[row] = start..<end
                } else if start < known.lowerBound || end > known.upperBound {
                    reached[row] = min(known.lowerBound, start)..<max(known.upperBound, end)
                }
                lower(
                    &squares, from: row * side + left, columns.extracting(left...right), x: 0.5 - stretch.startX, y: y,
                    alongX: alongX, alongY: alongY, inverse: inverse)
            }
        }
    }

    /// Stretches that go no farther to the side than this have a box of a few pixels more than they reach.
    private static let narrowPixels: Float = 3

    /// Lowers some pixels of a row to their squared distance from a stretch that begins at 0,0.
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
            let square = toX * toX + toY * toY
            let known = pixels[at]
            pixels[at] = square < known ? square : known
        }
    }

    /// Writes for each pixel how much of it lies within `halfWidth` pixels of the lines, 0…255; the mask is clear before.
    ///
    /// As if a line's edges went straight through the pixel: what a pixel's width of the line's cross-section holds.
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

    /// Ends lie within ±4,096, and truncation is an instruction where rounding is a call.
    @inline(__always)
    private static func floor(_ value: Float) -> Int { Int(value + 8192) - 8192 }

    @inline(__always)
    private static func ceiling(_ value: Float) -> Int { 8192 - Int(8192 - value) }
}
