/// A rectangle of grid points of a raster, counted from its north-western corner.
struct RasterBox {
    private(set) var left = Int.max
    private(set) var top = Int.max
    private(set) var right = -1
    private(set) var bottom = -1

    /// The empty box.
    init() {}

    /// The part of the box around two vertices, in units of the tile, that is in the raster; nil if there is none.
    @inline(__always)
    init?(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) {
        let (margin, limit) = (RasterGrid.margin, RasterGrid.side - 1)
        left = max(0, min(start.x, end.x) + margin)
        right = min(limit, max(start.x, end.x) + margin)
        top = max(0, min(start.y, end.y) + margin)
        bottom = min(limit, max(start.y, end.y) + margin)
        if left > right || top > bottom { return nil }
    }

    var isEmpty: Bool { left > right }

    @inline(__always)
    mutating func extend(to other: RasterBox) {
        (left, top) = (min(left, other.left), min(top, other.top))
        (right, bottom) = (max(right, other.right), max(bottom, other.bottom))
    }
}

/// The grid points of one line within a raster.
struct RasterLine {
    /// Whether a point is taken in each row, otherwise in each column.
    private let isSteep: Bool
    /// The first coordinate along the line's longer side.
    private let first: Int
    /// The number of coordinates along it.
    private let count: Int
    /// The coordinate across at the first point, and the direction in which it changes.
    private let across: Int
    private let direction: Int
    /// From point to point the coordinate across changes by `slope` / `whole`, of 0 ... 1; `rest` / `whole` is the part of a
    /// step that the first point has.
    private let slope: Int
    private let whole: Int
    private let rest: Int

    /// The line between two vertices in units of the tile.
    ///
    /// Source: J. E. Bresenham, "Algorithm for computer control of a digital plotter", 1965; entered at the raster's edge.
    @inline(__always)
    init(from start: (x: Int, y: Int), to end: (x: Int, y: Int)) {
        let margin = RasterGrid.margin
        isSteep = abs(end.y - start.y) > abs(end.x - start.x)
        var (fromX, fromY) = isSteep ? (start.y, start.x) : start
        var (toX, toY) = isSteep ? (end.y, end.x) : end
        // From the lower coordinate to the higher, so that both directions take the same points.
        if fromX > toX {
            swap(&fromX, &toX)
            swap(&fromY, &toY)
        }
        first = max(0, fromX + margin)
        count = max(0, min(RasterGrid.side - 1, toX + margin) - first + 1)
        let length = toX - fromX
        direction = toY < fromY ? -1 : 1
        slope = 2 * abs(toY - fromY)
        whole = max(1, 2 * length)
        // To the nearest point; in the middle of two, to the southern or eastern one.
        let half = direction < 0 ? max(0, length - 1) : length
        let before = first - margin - fromX
        guard before > 0 else {
            (across, rest) = (fromY + margin, half)
            return
        }
        let (steps, part) = (before * slope + half).quotientAndRemainder(dividingBy: whole)
        (across, rest) = (fromY + margin + direction * steps, part)
    }

    /// Calls `body` with the column and row of each point in the raster.
    @inline(__always)
    func forEachPoint(_ body: (Int, Int) -> Void) {
        if isSteep {
            forEachStep { along, across in body(across, along) }
        } else {
            forEachStep(body)
        }
    }

    /// Calls `body` with the coordinates along and across of each point in the raster.
    @inline(__always)
    private func forEachStep(_ body: (Int, Int) -> Void) {
        var (across, rest) = (across, rest)
        for along in first..<first &+ count {
            if UInt(bitPattern: across) < UInt(RasterGrid.side) { body(along, across) }
            rest &+= slope
            // Without a branch, because whether there is a step is hard to predict.
            let isStep = rest >= whole
            rest &-= isStep ? whole : 0
            across &+= isStep ? direction : 0
        }
    }

    /// Sets the points in the words of a raster and, if `isCounting`, the bits of their pixels; returns whether there is one.
    @inline(__always)
    func set(_ words: inout MutableSpan<UInt64>, pixels: inout MutableSpan<UInt64>, isCounting: Bool) -> Bool {
        // A word is written when the next one begins: most points of a flat line share a word with the one before, most of
        // any line a pixel.
        var word = -1
        var bits: UInt64 = 0
        var pixel = -1
        forEachPoint { x, y in
            let bit = x &+ RasterGrid.firstBit
            let index = y &* RasterGrid.wordsPerRow &+ bit >> 6
            if index != word {
                if word >= 0 { words[word] |= bits }
                (word, bits) = (index, 0)
            }
            bits |= 1 &<< UInt64(truncatingIfNeeded: bit)
            if isCounting, (y >> 2) << 16 | x >> 2 != pixel {
                pixel = (y >> 2) << 16 | x >> 2
                FragmentPixels.set(&pixels, column: x >> 2, row: y >> 2)
            }
        }
        guard word >= 0 else { return false }
        words[word] |= bits
        return true
    }
}
