/// The lines of a tile as a set of points of the grid of quarter pixels, in the tile and its margin.
///
/// A line between two vertices takes the nearest grid point of each column if it is rather horizontal, of each row
/// otherwise. These points depend on the vertices only, so adjacent tiles have the same ones where their margins overlap.
/// Lines added in another order or twice give the same raster; the raster of a union is the union of the rasters.
public struct LineRaster: Sendable {
    /// The points: row by row from the north, the lowest bit westernmost.
    public internal(set) var words = [UInt64](repeating: 0, count: RasterGrid.side * RasterGrid.wordsPerRow)
    /// For each pixel the greatest rank of its points, row by row from the north-western corner of the margin; empty if
    /// all lines have one rank.
    public internal(set) var ranks: [UInt8] = []
    /// For each pixel the number of fragments (a track's lines of a day) with points in it or in a pixel beside it, at
    /// most 255; in the order of `ranks`, empty if they are not counted.
    public internal(set) var counts: [UInt8] = []
    /// The rows that may have points; empty without points.
    public internal(set) var rows = 0..<0
    /// Whether the raster has no points.
    public var isEmpty: Bool { rows.isEmpty }

    private var fragmentPixels = FragmentPixels()

    /// A raster without points; uses 153 KiB, and 72 KiB more with ranks, 83 KiB more with counts.
    public init() {}

    /// Removes all points. `hasRanks` says whether the next lines have different ranks, `hasCounts` whether their
    /// fragments are counted.
    public mutating func clear(hasRanks: Bool = false, hasCounts: Bool = false) {
        Self.clear(&words, usedWords)
        Self.clear(&ranks, usedPixels, isUsed: hasRanks)
        Self.clear(&counts, usedPixels, isUsed: hasCounts)
        rows = 0..<0
        if hasCounts { fragmentPixels.prepare() }
    }

    /// The indices of the words of `rows`.
    private var usedWords: Range<Int> {
        rows.lowerBound * RasterGrid.wordsPerRow..<rows.upperBound * RasterGrid.wordsPerRow
    }

    /// The indices of the pixels in and beside `rows`.
    private var usedPixels: Range<Int> {
        guard !isEmpty else { return 0..<0 }
        let first = max(0, rows.lowerBound / 4 - 1)
        let end = min(RasterGrid.pixelsPerRow, (rows.upperBound + 3) / 4 + 1)
        return first * RasterGrid.pixelsPerRow..<end * RasterGrid.pixelsPerRow
    }

    /// Makes numbers of pixels zero, which may be others in a range only; empties them if they are not used.
    private static func clear(_ numbers: inout [UInt8], _ range: Range<Int>, isUsed: Bool) {
        if !isUsed {
            numbers.removeAll(keepingCapacity: true)
        } else if numbers.isEmpty {
            numbers.append(contentsOf: repeatElement(0, count: RasterGrid.pixelsPerRow * RasterGrid.pixelsPerRow))
        } else {
            clear(&numbers, range)
        }
    }

    private static func clear<Number: FixedWidthInteger>(_ numbers: inout [Number], _ range: Range<Int>) {
        var span = numbers.mutableSpan
        for index in range { span[index] = 0 }
    }

    /// The greatest count of a pixel; 0 without counts.
    public var greatestCount: UInt8 {
        let counts = counts.span
        guard !counts.isEmpty else { return 0 }
        var greatest: UInt8 = 0
        for index in usedPixels { greatest = max(greatest, counts[index]) }
        return greatest
    }

    /// Notes that rows may have points.
    mutating func touch(_ others: Range<Int>) {
        rows = isEmpty ? others : min(rows.lowerBound, others.lowerBound)..<max(rows.upperBound, others.upperBound)
    }

    /// Adds lines. `rank` gives the rank of the line that ends at a vertex, from the vertex, its run and the index of its
    /// fragment; it is not called if the raster has no ranks.
    public mutating func add(_ lines: TileLines, rank: (Int, Range<Int>, Int) -> UInt8) {
        for (number, fragment) in lines.fragments.enumerated() {
            let isCounting = !counts.isEmpty
            guard let touched = Self.set(lines, fragment.runs, &words, &fragmentPixels, isCounting: isCounting) else {
                continue
            }
            touch(touched)
            if isCounting { fragmentPixels.count(&counts) }
            if !ranks.isEmpty { Self.raise(lines, fragment.runs, &ranks) { rank($0, $1, number) } }
        }
    }

    /// Sets the points of runs, and the bits of their pixels; returns the rows that may have got points, nil for none.
    private static func set(
        _ lines: TileLines, _ runs: Range<Int>, _ wordArray: inout [UInt64], _ pixels: inout FragmentPixels,
        isCounting: Bool
    ) -> Range<Int>? {
        var words = wordArray.mutableSpan
        var bits = pixels.words.mutableSpan
        var box = RasterBox()
        forEachLine(lines, runs) { line, lineBox, _, _ in
            if line.set(&words, pixels: &bits, isCounting: isCounting) { box.extend(to: lineBox) }
        }
        guard !box.isEmpty else { return nil }
        if isCounting { pixels.touch(columns: box.left >> 2...box.right >> 2, rows: box.top >> 2...box.bottom >> 2) }
        return box.top..<box.bottom + 1
    }

    /// Raises the ranks of the pixels of runs.
    private static func raise(
        _ lines: TileLines, _ runs: Range<Int>, _ rankArray: inout [UInt8], _ rank: (Int, Range<Int>) -> UInt8
    ) {
        var ranks = rankArray.mutableSpan
        forEachLine(lines, runs) { line, _, vertex, run in
            let rank = rank(vertex, run)
            guard rank > 0 else { return }
            line.forEachPoint { x, y in
                let pixel = (y >> 2) * RasterGrid.pixelsPerRow + x >> 2
                ranks[pixel] = max(ranks[pixel], rank)
            }
        }
    }

    /// Calls `body` with each line of runs that may have points in the raster, its box, the vertex at its end and the run.
    @inline(__always)
    static func forEachLine(
        _ lines: TileLines, _ runs: Range<Int>, _ body: (RasterLine, RasterBox, Int, Range<Int>) -> Void
    ) {
        let (xs, ys, allRuns) = (lines.xs.span, lines.ys.span, lines.runs.span)
        for number in runs {
            let run = allRuns[number]
            // A run of one vertex is a line without length.
            for vertex in run.count == 1 ? run : run.lowerBound + 1..<run.upperBound {
                let last = run.count == 1 ? vertex : vertex - 1
                let (start, end) = ((Int(xs[last]), Int(ys[last])), (Int(xs[vertex]), Int(ys[vertex])))
                guard let box = RasterBox(from: start, to: end) else { continue }
                body(RasterLine(from: start, to: end), box, vertex, run)
            }
        }
    }
}

extension LineRaster {
    /// The ranks of the points, ascending.
    public var ranksOfPoints: [Int] {
        var known = [Bool](repeating: false, count: 256)
        let ranks = ranks.span
        forEachWord { at, word in
            Self.forEachPixel(of: word, at) { pixel, _ in known[Int(ranks[pixel])] = true }
        }
        return known.indices.filter { known[$0] }
    }

    /// Replaces `points` by the points in the pixels of a rank, in the form of `words`.
    public func copyPoints(ofRank rank: UInt8, to points: inout [UInt64]) {
        if points.isEmpty { points = [UInt64](repeating: 0, count: words.count) }
        Self.clear(&points, points.indices)
        var kept = points.mutableSpan
        let ranks = ranks.span
        forEachWord { at, word in
            Self.forEachPixel(of: word, at) { pixel, bits in
                if ranks[pixel] == rank { kept[at] |= word & bits }
            }
        }
    }

    /// Calls `body` with the index of each word that has points, and the word.
    @inline(__always)
    private func forEachWord(_ body: (Int, UInt64) -> Void) {
        let words = words.span
        for at in usedWords where words[at] != 0 { body(at, words[at]) }
    }

    /// Calls `body` with each pixel that has points in a word, and the pixel's bits.
    @inline(__always)
    private static func forEachPixel(of word: UInt64, _ at: Int, _ body: (Int, UInt64) -> Void) {
        let (row, column) = at.quotientAndRemainder(dividingBy: RasterGrid.wordsPerRow)
        let first = (row >> 2) * RasterGrid.pixelsPerRow + (column * UInt64.bitWidth - RasterGrid.firstBit) >> 2
        for number in 0..<16 {
            let bits: UInt64 = 0xF << UInt64(4 * number)
            if word & bits != 0 { body(first + number, bits) }
        }
    }
}
