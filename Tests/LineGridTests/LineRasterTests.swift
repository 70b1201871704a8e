import LineGrid
import TestSupport
import Testing

@Suite struct LineRasterTests {
    /// Lines of random vertices in and around a tile, some far outside, some of one vertex.
    private static func lines(seed: UInt64, count: Int = 40, shiftX: Int32 = 0, shiftY: Int32 = 0) -> TileLines {
        var random = SeededRandom(seed: seed)
        var lines = TileLines()
        for track in 0..<count {
            let first = lines.xs.count
            let reach = [8, 60, 700, 40_000][track % 4]
            var (x, y) = (random.below(1200) - 80, random.below(1200) - 80)
            for _ in 0..<(track % 7 == 3 ? 1 : 6) {
                lines.xs.append(Int32(x) + shiftX)
                lines.ys.append(Int32(y) + shiftY)
                x += random.below(2 * reach) - reach
                y += random.below(2 * reach) - reach
            }
            lines.runs.append(first..<lines.xs.count)
            lines.fragments.append(TileLines.Fragment(track: Int64(track), day: 1, runs: track..<track + 1))
        }
        lines.speeds = [UInt8](repeating: 0, count: lines.xs.count)
        lines.elevations = [Int16](repeating: TileLines.noElevation, count: lines.xs.count)
        return lines
    }

    private static func raster(_ lines: TileLines, hasRanks: Bool = false, hasCounts: Bool = false) -> LineRaster {
        var raster = LineRaster()
        raster.clear(hasRanks: hasRanks, hasCounts: hasCounts)
        raster.add(lines) { _, _, fragment in UInt8(lines.fragments[fragment].track % 17) }
        return raster
    }

    private struct Place: Hashable {
        var x: Int
        var y: Int
    }

    /// The points of a raster in units of the tile.
    private static func points(_ raster: LineRaster) -> Set<Place> {
        var points: Set<Place> = []
        for (index, word) in raster.words.enumerated() where word != 0 {
            let (row, column) = index.quotientAndRemainder(dividingBy: RasterGrid.wordsPerRow)
            for bit in 0..<64 where word >> UInt64(bit) & 1 == 1 {
                points.insert(Place(x: column * 64 + bit - 64, y: row - RasterGrid.margin))
            }
        }
        return points
    }

    /// The nearest grid points of each column or row, by division; halves are rounded up.
    private static func expected(_ lines: TileLines) -> Set<Place> {
        let inside = -RasterGrid.margin..<RasterGrid.side - RasterGrid.margin
        var points: Set<Place> = []
        func add(_ x: Int, _ y: Int) {
            if inside.contains(x), inside.contains(y) { points.insert(Place(x: x, y: y)) }
        }
        /// The coordinate, or one just outside the raster.
        func near(_ coordinate: Int) -> Int { min(max(coordinate, -40), 1100) }
        func nearest(_ numerator: Int, _ denominator: Int) -> Int {
            Int(((Double(numerator) / Double(denominator)) + 0.5).rounded(.down))
        }
        for run in lines.runs {
            for end in run {
                let start = max(run.lowerBound, end - 1)
                if start == end, run.count > 1 { continue }
                let (fromX, fromY) = (Int(lines.xs[start]), Int(lines.ys[start]))
                let (toX, toY) = (Int(lines.xs[end]), Int(lines.ys[end]))
                if fromX == toX, fromY == toY {
                    add(fromX, fromY)
                } else if abs(toY - fromY) > abs(toX - fromX) {
                    for y in near(min(fromY, toY))...near(max(fromY, toY)) {
                        let sign = toY > fromY ? 1 : -1
                        add(fromX + nearest(sign * (y - fromY) * (toX - fromX), sign * (toY - fromY)), y)
                    }
                } else {
                    for x in near(min(fromX, toX))...near(max(fromX, toX)) {
                        let sign = toX > fromX ? 1 : -1
                        add(x, fromY + nearest(sign * (x - fromX) * (toY - fromY), sign * (toX - fromX)))
                    }
                }
            }
        }
        return points
    }

    @Test(arguments: 0..<6) func `A line has the nearest point of each column or row`(seed: Int) {
        let lines = Self.lines(seed: UInt64(seed))
        let found = Self.points(Self.raster(lines))
        #expect(found.count > 1000)
        #expect(found == Self.expected(lines))
    }

    @Test(arguments: [(1024, 0), (-1024, 0), (0, 1024), (1024, -1024), (37, -501)])
    func `Adjacent tiles have the same points where their margins overlap`(east: Int, south: Int) {
        let here = Self.points(Self.raster(Self.lines(seed: 9, count: 200)))
        let there = Self.points(
            Self.raster(Self.lines(seed: 9, count: 200, shiftX: -Int32(east), shiftY: -Int32(south))))
        let inside = -RasterGrid.margin..<RasterGrid.side - RasterGrid.margin
        let moved = Set(there.map { Place(x: $0.x + east, y: $0.y + south) })
        let shared = { (place: Place) in inside.contains(place.x - east) && inside.contains(place.y - south) }
        #expect(here.filter(shared).count > 20)
        #expect(here.filter(shared) == moved.filter { inside.contains($0.x) && inside.contains($0.y) })
    }

    @Test func `Order, direction and repetition of lines change nothing`() {
        let lines = Self.lines(seed: 4)
        var other = TileLines()
        for number in lines.fragments.indices.reversed() {
            let run = lines.runs[number]
            let first = other.xs.count
            other.xs += lines.xs[run].reversed()
            other.ys += lines.ys[run].reversed()
            other.runs.append(first..<other.xs.count)
            other.fragments.append(
                TileLines.Fragment(
                    track: lines.fragments[number].track, day: 1, runs: other.runs.count - 1..<other.runs.count))
        }
        let one = Self.raster(lines, hasRanks: true, hasCounts: true)
        var two = Self.raster(other, hasRanks: true, hasCounts: true)
        #expect(one.words == two.words && one.ranks == two.ranks && one.counts == two.counts)
        #expect(one.counts.contains { $0 > 1 } && one.ranksOfPoints.count > 10)
        two.add(lines) { _, _, fragment in UInt8(lines.fragments[fragment].track % 17) }
        #expect(one.words == two.words && one.ranks == two.ranks)
        #expect(zip(one.counts, two.counts).allSatisfy { $1 == 2 * $0 })
    }

    @Test func `A raster that is used again is as a new one`() {
        var raster = Self.raster(Self.lines(seed: 1), hasRanks: true, hasCounts: true)
        raster.clear()
        #expect(raster.isEmpty && raster.words.allSatisfy { $0 == 0 } && raster.ranks.isEmpty && raster.counts.isEmpty)
        let lines = Self.lines(seed: 2)
        raster.clear(hasRanks: true, hasCounts: true)
        raster.add(lines) { _, _, fragment in UInt8(lines.fragments[fragment].track % 17) }
        let new = Self.raster(lines, hasRanks: true, hasCounts: true)
        #expect(raster.words == new.words && raster.ranks == new.ranks && raster.counts == new.counts)
    }

    @Test func `A fragment counts once in a pixel and beside it, up to 255`() {
        var lines = TileLines()
        for number in 0..<300 {
            // There and back, along the middle of a row of pixels.
            lines.xs += [40, 80, 40]
            lines.ys += [42, 42, 42]
            lines.runs.append(3 * number..<3 * number + 3)
            lines.fragments.append(TileLines.Fragment(track: Int64(number), day: 1, runs: number..<number + 1))
        }
        var raster = LineRaster()
        func counts(_ number: Int) -> (Int, Int, Int) {
            var some = lines
            some.fragments.removeLast(300 - number)
            raster.clear(hasCounts: true)
            raster.add(some) { _, _, _ in 0 }
            func at(_ x: Int, _ y: Int) -> Int {
                Int(raster.counts[(y + TileLines.marginPixels) * RasterGrid.pixelsPerRow + x + TileLines.marginPixels])
            }
            return (at(15, 10), at(15, 11), at(15, 12))
        }
        #expect(counts(1) == (1, 1, 0))
        #expect(counts(7) == (7, 7, 0))
        #expect(counts(300) == (255, 255, 0))
    }

    @Test func `The points of all ranks are the points`() {
        let raster = Self.raster(Self.lines(seed: 5), hasRanks: true)
        var all = [UInt64](repeating: 0, count: raster.words.count)
        for rank in raster.ranksOfPoints {
            var points: [UInt64] = []
            raster.copyPoints(ofRank: UInt8(rank), to: &points)
            #expect(zip(all, points).allSatisfy { $0 & $1 == 0 } && points.contains { $0 != 0 })
            all = zip(all, points).map { $0 | $1 }
        }
        #expect(all == raster.words)
    }

    @Test(arguments: [0, 1, 40, 400]) func `A raster survives its encoding`(count: Int) {
        let raster = Self.raster(Self.lines(seed: 11, count: count), hasCounts: true)
        let encoded = raster.encoded
        var other = LineRaster()
        other.clear(hasCounts: true)
        other.join(encoded.span)
        #expect(other.words == raster.words && other.counts == raster.counts && other.isEmpty == raster.isEmpty)
        #expect(other.encoded == encoded)
        // A raster without counts takes the points only.
        var points = LineRaster()
        points.join(encoded.span)
        #expect(points.words == raster.words && points.counts.isEmpty)
    }

    @Test func `Joined rasters are the raster of all lines, in any order`() {
        let parts = (0..<4).map { Self.lines(seed: UInt64(20 + $0), count: 90) }
        var all = LineRaster()
        all.clear(hasCounts: true)
        for part in parts { all.add(part) { _, _, _ in 0 } }
        for order in [[0, 1, 2, 3], [3, 1, 0, 2]] {
            var joined = LineRaster()
            joined.clear(hasCounts: true)
            for number in order { joined.join(Self.raster(parts[number], hasCounts: true).encoded.span) }
            #expect(joined.words == all.words && joined.counts == all.counts)
        }
    }

    @Test func `Any bytes can be joined`() {
        var random = SeededRandom(seed: 5)
        let valid = Self.raster(Self.lines(seed: 6), hasCounts: true).encoded
        for number in 0..<400 {
            var bytes = valid
            for _ in 0...random.below(4) { bytes[random.below(bytes.count)] = UInt8(random.below(256)) }
            if number % 3 == 0 { bytes.removeLast(random.below(bytes.count)) }
            var raster = LineRaster()
            raster.clear(hasCounts: true)
            raster.join(bytes.span)
            #expect(raster.words.count == RasterGrid.side * RasterGrid.wordsPerRow)
        }
    }
}
