import BaseMap
import Colors
import Foundation
import Geography
import PNG
import Styling
import Testing
import TileMath

@Suite struct BaseMapTests {
    private func image(
        _ zoom: Int, _ x: Int, _ y: Int, scale: TileScale = .single, _ content: BaseMap.Content = .all,
        _ theme: Theme = .light
    ) throws -> RGBAImage {
        let tile = try #require(ZoomLevel(zoom).flatMap { TileCoordinate(zoom: $0, x: x, y: y) })
        return try PNGReader.image(of: BaseMap.embedded.png(of: MapView(tile, scale), content, theme: theme))
    }

    private func pixel(_ image: RGBAImage, _ x: Int, _ y: Int) -> [UInt8] {
        Array(image.bytes[4 * (y * image.width + x)..<4 * (y * image.width + x) + 4])
    }

    @Test(arguments: Theme.allCases) func `Everything but names has a contrast below 1.6, and names are legible`(
        theme: Theme
    ) {
        let colors = BaseMapColors(theme)
        for muted in [colors.land, colors.river, colors.coast, colors.border] {
            #expect(muted.contrast(to: colors.water) < 1.6)
            #expect(muted.contrast(to: colors.land) < 1.6)
        }
        #expect(colors.land.contrast(to: colors.water) > 1.08)
        for text in [colors.town, colors.country] { #expect(text.contrast(to: colors.land) >= 3) }
        #expect(colors.town.contrast(to: colors.land) >= 4.5)
    }

    @Test func `Land and sea are where they are, in the colours of the theme`() throws {
        for theme in Theme.allCases {
            let world = try image(0, 0, 0, .land, theme)
            let sahara = pixel(world, 140, 113)
            let atlantic = pixel(world, 104, 108)
            #expect(sahara != atlantic)
            #expect(pixel(world, 200, 90) == sahara, "Siberia")
            #expect(pixel(world, 20, 128) == atlantic, "the Pacific")
            #expect(pixel(world, 128, 254) == sahara, "Antarctica")
            #expect(pixel(world, 1, 254) == sahara, "Antarctica at 180°")
        }
        let (light, dark) = (try image(3, 4, 2), try image(3, 4, 2, .all, .dark))
        #expect(light != dark)
    }

    @Test func `A border within a country's land leaves no seam in the fill`() throws {
        // The middle of Europe at a zoom level with a border in the tile: only land, border and water colours occur.
        let colors = Set(
            try image(5, 16, 11, .land).bytes.chunked(into: 4).map { $0[0...2].map { Int($0) / 8 } })
        // Water would shine through the edges of neighbours that are filled one by one.
        #expect(colors.count < 60)
    }

    @Test(arguments: [(3, 4, 2), (4, 8, 5), (5, 16, 10), (6, 33, 22), (8, 134, 89)])
    func `Names cross the edges of tiles without a cut`(zoom: Int, x: Int, y: Int) throws {
        // The left tile and the right one, drawn apart, equal one picture of both that is drawn at once.
        let left = try image(zoom, x, y)
        let right = try image(zoom, x + 1, y)
        let tile = try #require(ZoomLevel(zoom).flatMap { TileCoordinate(zoom: $0, x: x, y: y) })
        var view = MapView(tile, .single)
        view.width *= 2
        let both = try BaseMap.embedded.image(of: view, .all, theme: .light)
        for row in 0..<256 {
            for column in 0..<512 {
                let single = column < 256 ? pixel(left, column, row) : pixel(right, column - 256, row)
                let differs = zip(single, pixel(both, column, row)).contains { abs(Int($0) - Int($1)) > 12 }
                #expect(!differs, "\(column) \(row)")
                if differs { return }
            }
        }
    }

    @Test func `Names near 180° are drawn on both sides`() throws {
        let east = try image(6, 63, 39, .names)
        let west = try image(6, 0, 39, .names)
        // Suva, at 178.4° E, and its neighbours: letters in the eastern tile.
        #expect(stride(from: 3, to: east.bytes.count, by: 4).contains { east.bytes[$0] > 0 })
        var view = MapView(try #require(ZoomLevel(6).flatMap { TileCoordinate(zoom: $0, x: 0, y: 39) }), .single)
        view.originX += view.worldPixels
        #expect(try BaseMap.embedded.image(of: view, .names, theme: .light) == west)
    }

    @Test func `Names alone are transparent, and with the land they make the whole map`() throws {
        let names = try image(5, 16, 10, .names)
        let opaque = stride(from: 3, to: names.bytes.count, by: 4).count { names.bytes[$0] > 0 }
        #expect(opaque > 200)
        #expect(opaque < 256 * 256 / 3)
        #expect(try image(5, 16, 10) != (try image(5, 16, 10, .land)))
    }

    @Test func `Tiles of double resolution show the same at twice the size`() throws {
        let single = try image(4, 8, 5, .land)
        let double = try image(4, 8, 5, scale: .double, .land)
        #expect(double.width == 512)
        let same = (0..<256 * 256).count { index in
            let (x, y) = (index % 256, index / 256)
            return zip(pixel(single, x, y), pixel(double, 2 * x, 2 * y)).allSatisfy { abs(Int($0) - Int($1)) < 24 }
        }
        #expect(same > 256 * 256 * 9 / 10)
    }

    @Test func `The deepest tiles can be drawn`() throws {
        let image = try image(22, 2_195_000, 1_468_000)
        #expect(image.width == 256)
    }
}

extension Array {
    fileprivate func chunked(into size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}

extension Color {
    /// The relative luminance of WCAG 2.2.
    private var luminance: Double {
        let linear = [red, green, blue].map { byte in
            let channel = Double(byte) / 255
            return channel <= 0.040_45 ? channel / 12.92 : pow((channel + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    }

    /// The contrast ratio of WCAG 2.2: 1…21.
    fileprivate func contrast(to other: Color) -> Double {
        let (lighter, darker) = (max(luminance, other.luminance), min(luminance, other.luminance))
        return (lighter + 0.05) / (darker + 0.05)
    }
}
