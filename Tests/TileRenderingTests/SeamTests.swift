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

    /// `radius` is the kernel's radius for the cell's row.
    func color(x: Int, y: Int, radius: Int) throws -> Color {
        guard heat.kernel != nil else {
            let count = world.count(zoom: zoom, x: x, y: y)
            return count == 0 ? .transparent : local.colors[try localPlace(count, x: x, y: y)]
        }
        let kernel = Kernel(radius: radius)
        var sum: UInt64 = 0
        for dy in -radius...radius {
            for dx in -radius...radius {
                let count = world.count(zoom: zoom, x: x + dx, y: y + dy)
                sum += UInt64(count) * UInt64(kernel.weights[abs(dx)]) * UInt64(kernel.weights[abs(dy)])
            }
        }
        let value = UInt32(clamping: sum >> UInt64(kernel.shift))
        guard heat.scale == .local, value > 0 else { return table.scaled(toUnit: kernel.unit).color(of: value) }
        guard value >= kernel.unit else { return local.colors[Int(ColorTable.fade(of: value, unit: kernel.unit))] }
        return local.colors[try localPlace(value / kernel.unit, x: x, y: y) + ColorTable.fades.count]
    }

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

    /// The kernel's radius in cells for a row of a world that is `cellsAcross` cells wide.
    private func radius(_ heat: HeatSymbolizer, _ scale: TileScale, row: Int, cellsAcross: Int) -> Int {
        switch heat.kernel {
        case nil: return 0
        case .pixels(let pixels): return Int(pixels) * scale.rawValue
        case .metres(let metres):
            let ordinate = Double.pi * (1 - 2 * (Double(row) + 0.5) / Double(cellsAcross))
            let metresPerCell = 40_075_016.6856 / Double(cellsAcross) / cosh(ordinate)
            return min(64, max(scale.rawValue - 1, Int((metres / metresPerCell).rounded())))
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
                let reach = radius(heat, scale, row: cellY, cellsAcross: 256 << gridZoom)
                var color = try whole.color(x: cellX, y: cellY, radius: reach)
                if heat.kernel == nil, scale == .double {
                    // The expected colour is the greatest of four: later colours of the palette are greater.
                    let around = try [(1, 0), (0, 1), (1, 1)].map { dx, dy in
                        try whole.color(x: cellX - dx, y: cellY - dy, radius: 0)
                    }
                    let order = LocalTable(symbolizer: heat, histogram: WholeWorld.histogram).colors
                    color =
                        ([color] + around).max {
                            (order.firstIndex(of: $0) ?? 0) < (order.firstIndex(of: $1) ?? 0)
                        } ?? color
                }
                let expected = RGBA(red: color.red, green: color.green, blue: color.blue, alpha: color.alpha)
                if image[column, row] != expected { wrong += 1 }
            }
            #expect(wrong == 0, "\(zoom)/\(x)/\(y)")
        }
    }

    private static let places = [(9, 200, 100), (9, 201, 100), (9, 200, 101), (9, 201, 101), (2, 0, 0), (2, 3, 3)]

    /// A kernel in pixels has the same size on every zoom level, so only metres and no kernel can be compared.
    @Test func `Enlarged tiles match their ancestor`() throws {
        for symbolizer in [Symbolizer.local, .kernelInMetres] {
            let heat = try symbolizer.heat()
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
                #expect(differing == 0, "\(symbolizer) \(index)")
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
            #expect(image[128, 128] == RGBA(red: most.red, green: most.green, blue: most.blue, alpha: most.alpha))
        }
    }
}

@Suite struct KernelTests {
    @Test(arguments: 0...64)
    func `A line keeps its count at its centre`(radius: Int) throws {
        let kernel = Kernel(radius: radius)
        #expect(kernel.weights.count == radius + 1 && (64..<128).contains(kernel.unit))
        #expect(zip(kernel.weights, kernel.weights.dropFirst()).allSatisfy { $0 >= $1 })
        let table = ColorTable(symbolizer: try kernelSymbolizer, histogram: WholeWorld.histogram)
        let scaled = table.scaled(toUnit: kernel.unit)
        for entry in table.legend {
            let sum = UInt64(entry.from) * UInt64(kernel.across) * UInt64(kernel.weights[0])
            #expect(scaled.color(of: UInt32(clamping: sum >> UInt64(kernel.shift))) == entry.color)
        }
    }

    private var kernelSymbolizer: HeatSymbolizer {
        get throws {
            HeatSymbolizer(colors: 32, ramp: try #require(NamedRamp.named("heat")).ramp, kernel: .pixels(3))
        }
    }
}
