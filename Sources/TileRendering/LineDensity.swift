import Styling

/// For each pixel of a picture the number of lines that pass it.
///
/// A segment counts for the pixels beside it: those between the perpendiculars at its ends, at most half a line's width
/// away. So a line counts about once at each of its pixels, however many segments it has; where it bends, some pixels
/// count it twice or not at all. The order of the segments does not matter, and a pixel's number depends only on the
/// lines near it, so adjacent tiles join.
struct LineDensity {
    private let side: Int
    private var numbers: [Float]
    /// For each row the range of columns that may be non-zero.
    private var reached: [Range<Int>]
    /// 0, 1, 2 … as `Float`: a conversion inside the loop would prevent its vectorisation.
    private let columns: [Float]

    /// The part of the dense colour for each number of lines; the last one is also that of all greater numbers.
    private static let shares: [Float] = {
        var shares: [Float] = []
        while shares.last != 1 { shares.append(LineSymbolizer.denseShare(lines: Float(shares.count))) }
        return shares
    }()

    /// A density of zero; uses 4 bytes a pixel.
    init(side: Int) {
        self.side = side
        numbers = Array(repeating: 0, count: side * side)
        reached = Array(repeating: 0..<0, count: side)
        columns = (0..<side).map { Float($0) }
    }

    /// Removes all lines.
    mutating func clear() {
        for row in reached.indices where !reached[row].isEmpty {
            let first = row * side
            Self.reset(&numbers, first + reached[row].lowerBound..<first + reached[row].upperBound)
            reached[row] = 0..<0
        }
    }

    private static func reset(_ numbers: inout [Float], _ positions: Range<Int>) {
        var all = numbers.mutableSpan
        for position in positions { all[position] = 0 }
    }

    /// Counts segments for the pixels that are at most `halfWidth` pixels away.
    mutating func add(_ segments: ArraySlice<LineSegment>, halfWidth: Float) {
        // Checks once whether the arrays are shared, instead of once for each row of each segment.
        let columns = columns
        Self.add(segments.span, halfWidth, side, columns.span, &numbers, &reached)
    }

    private static func add(
        _ segments: Span<LineSegment>, _ halfWidth: Float, _ side: Int, _ columns: Span<Float>,
        _ numbersArray: inout [Float], _ reachedArray: inout [Range<Int>]
    ) {
        var numbers = numbersArray.mutableSpan
        var reached = reachedArray.mutableSpan
        for index in segments.indices {
            let segment = segments[index]
            let (alongX, alongY) = (segment.endX - segment.startX, segment.endY - segment.startY)
            let square = alongX * alongX + alongY * alongY
            guard square > 0 else { continue }
            let top = max(0, PixelRounding.ceiling(min(segment.startY, segment.endY) - halfWidth - 0.5))
            let bottom = min(side - 1, PixelRounding.floor(max(segment.startY, segment.endY) + halfWidth - 0.5))
            guard top <= bottom else { continue }
            let length = square.squareRoot()
            let (normalX, normalY) = (alongY / length, alongX / length)
            let (shareX, shareY) = (alongX / square, alongY / square)
            let (west, east) = (min(segment.startX, segment.endX), max(segment.startX, segment.endX))
            // Along a row, the line's strip reaches this far from its middle.
            let halfSpan = abs(normalX) > 0 ? halfWidth / abs(normalX) : Float.infinity
            for row in top...bottom {
                let y = Float(row) + 0.5 - segment.startY
                var (low, high) = (west - halfWidth, east + halfWidth)
                if halfSpan < east - west {
                    let middle = segment.startX + y / alongY * alongX
                    (low, high) = (max(low, middle - halfSpan), min(high, middle + halfSpan))
                }
                let left = max(0, PixelRounding.ceiling(low - 0.5))
                let right = min(side - 1, PixelRounding.floor(high - 0.5))
                guard left <= right else { continue }
                let known = reached[row]
                reached[row] =
                    known.isEmpty
                    ? left..<right + 1 : min(known.lowerBound, left)..<max(known.upperBound, right + 1)
                count(
                    &numbers, from: row * side + left, columns.extracting(left...right), x: 0.5 - segment.startX,
                    share: (shareX, y * shareY), across: (normalX, y * normalY), halfWidth: halfWidth)
            }
        }
    }

    /// Counts a segment for pixels of a row; `share` and `across` are the position along it and the distance from it,
    /// as factors of x and constants.
    @inline(__always)
    private static func count(
        _ numbers: inout MutableSpan<Float>, from start: Int, _ columns: Span<Float>, x: Float,
        share: (Float, Float), across: (Float, Float), halfWidth: Float
    ) {
        var pixels = numbers._mutatingExtracting(start..<start + columns.count)
        for at in 0..<pixels.count {
            let east = columns[at] + x
            let along = east * share.0 + share.1
            let distance = east * across.0 - across.1
            // One condition after the other: && would prevent the vectorisation of the loop.
            var one: Float = distance <= halfWidth ? 1 : 0
            one = distance >= -halfWidth ? one : 0
            one = along >= 0 ? one : 0
            one = along < 1 ? one : 0
            pixels[at] += one
        }
    }

    /// Multiplies a mask by the part of the dense colour at each pixel.
    func scale(_ mask: inout MutableSpan<UInt8>, bytesPerRow: Int) {
        let shares = Self.shares.span
        for row in 0..<side {
            for column in 0..<side where mask[row * bytesPerRow + column] > 0 {
                let lines = min(Int(numbers[row * side + column]), shares.count - 1)
                let position = row * bytesPerRow + column
                mask[position] = UInt8(Float(mask[position]) * shares[lines] + 0.5)
            }
        }
    }
}
