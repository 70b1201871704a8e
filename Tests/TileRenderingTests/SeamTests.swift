import Colors
import Foundation
import HeatGrid
import PNG
import Styling
import Testing
import TileMath
import TileRendering

/// The ways to spread and to colour counts, with a symbolizer for each.
enum Symbolizer: String, CaseIterable, Sendable {
    case local, kernel, wideKernel, kernelInMetres, localKernel

    func heat() throws -> HeatSymbolizer {
        let ramp = try #require(NamedRamp.named("heat")).ramp
        let kernel: KernelRadius? =
            switch self {
            case .local: nil
            case .kernel, .localKernel: .pixels(3)
            case .wideKernel: .pixels(9)
            case .kernelInMetres: .metres(40)
            }
        let isLocal = self == .local || self == .localKernel
        return HeatSymbolizer(scale: isLocal ? .local : .log, colors: 40, ramp: ramp, kernel: kernel)
    }
}

/// A world with high counts, as in towns, around the corners and centres of tiles, and low counts, as in woods,
/// elsewhere.
struct Patches {
    func count(zoom: Int, x: Int, y: Int) -> UInt32 {
        let count = World(share: 3).count(zoom: zoom, x: x, y: y)
        return (x >> 7 ^ y >> 7) & 1 == 0 ? count * count * count : count
    }

    func counts(of tile: TileCoordinate) -> CellCounts {
        var counts = World(share: 3).counts(of: tile)
        for index in counts.cells.indices {
            let code = UInt64(counts.cells[index])
            counts.counts[index] = count(
                zoom: tile.zoom.number, x: tile.x * 256 + Int(Morton.x(of: code)),
                y: tile.y * 256 + Int(Morton.y(of: code)))
        }
        return counts
    }
}

/// A reference implementation: the colour of a cell of a zoom level, computed from the counts around it alone.
final class WholeWorld {
    private let world = Patches()
    private let heat: HeatSymbolizer
    private let zoom: Int
    private let table: ColorTable
    private let local: LocalTable
    private var known: [TileCoordinate: CellCounts] = [:]
    private var neighbourhoods: [TileCoordinate: [UInt32]] = [:]

    init(_ heat: HeatSymbolizer, zoom: Int) {
        self.heat = heat
        self.zoom = zoom
        table = ColorTable(symbolizer: heat, histogram: Self.histogram)
        local = LocalTable(symbolizer: heat, histogram: Self.histogram)
    }

    static let histogram: CountHistogram = {
        var histogram = CountHistogram()
        for count in 1...400 as ClosedRange<UInt32> { histogram.add(count: count, cells: 4_000 / Int(count)) }
        return histogram
    }()

    /// The cells of a tile, cached.
    func counts(of tile: TileCoordinate) -> CellCounts {
        if let counts = known[tile] { return counts }
        let counts = world.counts(of: tile)
        known[tile] = counts
        return counts
    }

    /// The palette indices that a pixel may have; the pixel's cell is (x, y), and `phase` its place in the cell.
    func places(x: Int, y: Int, phase: (x: Int, y: Int) = (0, 0), kernel: Kernel?) throws -> ClosedRange<Int> {
        guard let kernel else {
            let count = world.count(zoom: zoom, x: x, y: y)
            let place = count == 0 ? 0 : try localPlace(count, x: x, y: y)
            return place...place
        }
        var sum = 0.0
        for dy in -kernel.reach...kernel.reach {
            for dx in -kernel.reach...kernel.reach {
                let (across, down) = (
                    kernel.weights[phase.x * kernel.taps + dx + kernel.reach],
                    kernel.weights[phase.y * kernel.taps + dy + kernel.reach]
                )
                guard across > 0, down > 0 else { continue }
                sum += Double(world.count(zoom: zoom, x: x + dx, y: y + dy)) * Double(across) * Double(down)
            }
        }
        // A colour begins at its bound or up to 1/32 below it; single precision has an error of less than 1/65,536.
        let value = sum / Double(kernel.unit)
        return try place(value * (1 - 1 / 65_536), x, y)...place(value * (1 + 1 / 32) * (1 + 1 / 65_536), x, y)
    }

    /// The palette index of a number of counts.
    private func place(_ value: Double, _ x: Int, _ y: Int) throws -> Int {
        let bounds = table.lowerBounds.map { Double($0) / 64 }
        guard heat.scale == .local, value >= 1 else { return bounds.prefix { $0 <= min(value, 1e9) }.count }
        return try localPlace(UInt32(min(value, 1e9)), x: x, y: y) + 5
    }

    /// The palette, the transparent colour first.
    var colors: [Color] { heat.scale == .local ? local.colors : table.colors }

    private func localPlace(_ count: UInt32, x: Int, y: Int) throws -> Int {
        let knot = try #require(CountKnots.bounds.lastIndex { $0 <= count })
        let (west, north) = (
            Int((Double(x) - 128) / 256, rounding: .down), Int((Double(y) - 128) / 256, rounding: .down)
        )
        var sum = 0
        for (column, row) in [(west, north), (west + 1, north), (west, north + 1), (west + 1, north + 1)] {
            let (centreX, centreY) = (column * 256 + 128, row * 256 + 128)
            let share = (256 - abs(x - centreX)) * (256 - abs(y - centreY))
            sum += share * Int(try levels(column, row)[knot])
        }
        return 1 + sum / 65_536 / LocalTable.levelsPerStep
    }

    private func levels(_ column: Int, _ row: Int) throws -> [UInt32] {
        let side = 1 << zoom
        let place = try tile(zoom, (column % side + side) % side, min(max(row, 0), side - 1))
        if let known = neighbourhoods[place] { return known }
        let levels = local.levels(in: CountDistribution(counts(of: place)))
        neighbourhoods[place] = levels
        return levels
    }
}

extension Int {
    fileprivate init(_ value: Double, rounding rule: FloatingPointRoundingRule) { self = Int(value.rounded(rule)) }
}

@Suite struct SeamTests {
    private func picture(
        _ tile: TileCoordinate, _ scale: TileScale, _ heat: HeatSymbolizer, _ canvas: Canvas, _ whole: WholeWorld
    ) throws -> RGBAImage {
        let layout = HeatTileLayout(tile: tile, scale: scale, kernel: heat.kernel, isLocal: heat.scale == .local)
        let colorMapper =
            heat.scale == .local
            ? ColorMapper.local(
                LocalTable(symbolizer: heat, histogram: WholeWorld.histogram),
                layout.neighbourhoodTiles.map { CountDistribution(whole.counts(of: $0)) },
                hasKernel: heat.kernel != nil)
            : .table(ColorTable(symbolizer: heat, histogram: WholeWorld.histogram))
        let counts = layout.tilesNeeded.map { whole.counts(of: $0) }
        return try PNGReader.image(of: canvas.picture(layout, counts: counts, colorMapper: colorMapper))
    }

    /// The kernel for a row of a world that is `cellsAcross` cells wide.
    private func kernel(_ heat: HeatSymbolizer, _ scale: TileScale, zoom: Int, row: Int, cellsAcross: Int) throws
        -> Kernel?
    {
        switch heat.kernel {
        case nil: return nil
        case .pixels(let pixels):
            let level = try #require(ZoomLevel(zoom))
            return Kernel(extent: (pixels[level] + 1) * Double(scale.rawValue), factor: 1)
        case .metres(let metres):
            let ordinate = Double.pi * (1 - 2 * (Double(row) + 0.5) / Double(cellsAcross))
            let metresPerCell = 40_075_016.6856 / Double(cellsAcross) / cosh(ordinate)
            let cells = max(Double(scale.rawValue) - 1, (metres / metresPerCell).rounded())
            return Kernel(extent: min(65, cells + 1), factor: 1)
        }
    }

    /// Pixels along all edges, and some inside.
    private static func sampledPixels(side: Int) -> [(Int, Int)] {
        let edges = stride(from: 0, to: side, by: 17).flatMap { [(0, $0), (side - 1, $0), ($0, 0), ($0, side - 1)] }
        return edges + (0..<30).map { ($0 * 37 % side, $0 * 101 % side) }
    }

    @Test(arguments: Symbolizer.allCases, TileScale.allCases)
    func `Every tile matches the reference picture`(symbolizer: Symbolizer, scale: TileScale) throws {
        let heat = try symbolizer.heat()
        let canvas = try Canvas()
        // Four tiles that touch, and a corner of the world. For metres, tiles in which the radius differs between
        // rows.
        let places = symbolizer == .kernelInMetres ? [(13, 4_000, 2_000), (13, 4_000, 2_001), (11, 0, 0)] : Self.places
        var worlds: [Int: WholeWorld] = [:]
        for (zoom, x, y) in places {
            let gridZoom = zoom + scale.rawValue - 1
            let whole = worlds[gridZoom] ?? WholeWorld(heat, zoom: gridZoom)
            worlds[gridZoom] = whole
            let image = try picture(try tile(zoom, x, y), scale, heat, canvas, whole)
            var wrong = 0
            for (column, row) in Self.sampledPixels(side: scale.side) {
                let (cellX, cellY) = (x * scale.side + column, y * scale.side + row)
                let kernel = try kernel(heat, scale, zoom: zoom, row: cellY, cellsAcross: 256 << gridZoom)
                var places = try whole.places(x: cellX, y: cellY, kernel: kernel)
                if kernel == nil, scale == .double {
                    // The expected colour is the greatest of four: later colours of the palette are greater.
                    let around = try [(1, 0), (0, 1), (1, 1)].map { dx, dy in
                        try whole.places(x: cellX - dx, y: cellY - dy, kernel: nil).lowerBound
                    }
                    let most = around.reduce(places.lowerBound, max)
                    places = most...most
                }
                if !places.contains(where: { image[column, row] == whole.colors[$0] }) { wrong += 1 }
            }
            #expect(wrong == 0, "\(zoom)/\(x)/\(y)")
        }
    }

    private static let places = [(9, 200, 100), (9, 201, 100), (9, 200, 101), (9, 201, 101), (2, 0, 0), (2, 3, 3)]

    /// A kernel in pixels has the same size on every zoom level, so only metres and no kernel can be compared.
    @Test func `Enlarged tiles match their ancestor`() throws {
        let heat = try Symbolizer.local.heat()
        let canvas = try Canvas()
        let parent = try tile(16, 34_567, 22_222)
        let world = WholeWorld(heat, zoom: 16)
        let whole = try picture(parent, .double, heat, canvas, world)
        for (index, child) in parent.children.enumerated() {
            let part = try picture(child, .single, heat, canvas, world)
            let (west, north) = (index % 2 * 256, index / 2 * 256)
            let differing = (0..<65_536).count {
                part[$0 % 256, $0 / 256] != whole[west + $0 % 256, north + $0 / 256]
            }
            #expect(differing == 0, "\(index)")
        }
    }

    /// From the ancestor's tile and its neighbours alone, so that tiles side by side show parts of one picture.
    @Test(arguments: [17, 18, 20, 22], TileScale.allCases)
    func `Enlarged tiles with a kernel match the reference picture`(zoom: Int, scale: TileScale) throws {
        for symbolizer in [Symbolizer.kernel, .localKernel] {
            let heat = try symbolizer.heat()
            let canvas = try Canvas()
            let world = WholeWorld(heat, zoom: 16)
            let (factor, cells) = (scale.rawValue << (zoom - 16), 256 >> (zoom - 16))
            let kernel = Kernel(extent: 4 * Double(scale.rawValue) / Double(factor), factor: factor)
            // A tile at the corner of four tiles of zoom level 16, and the one south-east of the corner.
            let corner = 1_000 << (zoom - 16)
            for place in [corner - 1, corner] {
                let image = try picture(try tile(zoom, place, place), scale, heat, canvas, world)
                var wrong = 0
                for (column, row) in Self.sampledPixels(side: scale.side) {
                    let places = try world.places(
                        x: place * cells + column / factor, y: place * cells + row / factor,
                        phase: (column % factor, row % factor), kernel: kernel)
                    if !places.contains(where: { image[column, row] == world.colors[$0] }) { wrong += 1 }
                }
                #expect(wrong == 0, "\(symbolizer) \(place)")
            }
        }
    }

    @Test func `Counts that overflow 32-bit sums are spread`() throws {
        let heat = try Symbolizer.kernel.heat()
        let table = ColorTable(symbolizer: heat, histogram: WholeWorld.histogram)
        let layout = HeatTileLayout(tile: try tile(9, 5, 5), scale: .single, kernel: heat.kernel)
        let canvas = try Canvas()
        for count in [3_000_000, UInt32.max] {
            let one = CellCounts(cells: [0xC000], counts: [count])
            let counts = layout.tilesNeeded.map { $0 == layout.tile ? one : CellCounts() }
            let image = try PNGReader.image(of: canvas.picture(layout, counts: counts, colorMapper: .table(table)))
            let most = try #require(table.colors.last)
            #expect(image[128, 128] == most)
        }
    }
}

@Suite struct KernelTests {
    @Test(arguments: [1, 1.5, 2.2, 4, 7, 33, 65], [1, 2, 8, 64])
    func `A line keeps its count at its centre, and fades to its sides`(extent: Double, factor: Int) {
        let kernel = Kernel(extent: extent, factor: factor)
        #expect(kernel.weights.count == kernel.taps * factor && kernel.unit > 0)
        var sums: [Float] = []
        for phase in 0..<factor {
            let weights = Array(kernel.weights[phase * kernel.taps..<(phase + 1) * kernel.taps])
            sums.append(weights.reduce(0, +))
            // The same from both sides.
            let other = factor - 1 - phase
            #expect(weights == kernel.weights[other * kernel.taps..<(other + 1) * kernel.taps].reversed())
            let near = weights[kernel.reach...]
            #expect(zip(near, near.dropFirst()).allSatisfy { $0 >= $1 })
        }
        let middle = kernel.weights[factor / 2 * kernel.taps + kernel.reach]
        let along = sums.map { $0 * middle / kernel.unit }
        // Enlarged cells cannot be seen in a line: its value is the same everywhere along it.
        #expect(along.allSatisfy { $0 >= 1 && $0 < 1.01 }, "\(along)")
    }

    @Test(arguments: 0...8) func `A single visit is at least three pixels wide at low zoom levels`(zoom: Int) throws {
        let heat = try #require(StyleSheet.builtIn["heat"]?.heat)
        let table = ColorTable(symbolizer: heat, histogram: WholeWorld.histogram)
        for scale in TileScale.allCases {
            let layout = HeatTileLayout(tile: try tile(zoom, 0, 0), scale: scale, kernel: heat.kernel)
            // A cell near the middle of the tile, or of its first child.
            let cell = Int(Morton.code(x: 99, y: 101))
            let first = scale == .single ? layout.tile : try #require(layout.tile.children.first)
            let counts = layout.tilesNeeded.map { place in
                place == first ? CellCounts(cells: [UInt16(cell)], counts: [1]) : CellCounts()
            }
            let image = try PNGReader.image(of: Canvas().picture(layout, counts: counts, colorMapper: .table(table)))
            let full = table.colors[table.colors.count - table.legend.count]
            // Three pixels of 256 across in each direction are at least half as opaque as the colour of one visit.
            for direction in 0..<2 {
                let visible = (0..<scale.side).count { place in
                    let pixel = direction == 0 ? image[place, 101] : image[99, place]
                    return Int(pixel.alpha) * 2 >= Int(full.alpha)
                }
                #expect(visible >= 3 * scale.rawValue, "\(scale) \(visible)")
            }
            #expect(image[99, 101] == full)
        }
    }
}
