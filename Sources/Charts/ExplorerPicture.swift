import Colors
package import PNG
package import Statistics
package import Styling
package import TileMath

/// Draws the tiles of a map that show an explorer's visited tiles.
///
/// A visited tile is filled by what it is: visited, a cluster tile, or part of the largest cluster; `new` tiles have a
/// colour of their own. The largest square has an outline. Where visited tiles are smaller than a pixel, a pixel shows the
/// highest of them.
package struct ExplorerPicture: Sendable {
    private let tiles: ExplorerTiles
    /// For each tile whether it is shown as new.
    private let areNew: [Bool]
    private let theme: Theme

    /// `areNew` has an entry for each tile, or is empty if none is shown as new.
    package init(_ tiles: ExplorerTiles, areNew: [Bool], theme: Theme) {
        precondition(areNew.isEmpty || areNew.count == tiles.tiles.count, "an entry for each tile")
        self.tiles = tiles
        self.areNew = areNew
        self.theme = theme
    }

    /// The colours of the palette; of two in one pixel, the later one is shown.
    private enum Ink: UInt8, CaseIterable {
        case none, visited, clusterTile, cluster, new, visitedEdge, clusterEdge, newEdge, square

        fileprivate func color(_ theme: Theme) -> Color {
            let isDark = theme == .dark
            func color(_ light: UInt32, _ dark: UInt32, _ alpha: UInt8) -> Color {
                Color(rgb: isDark ? dark : light, alpha: isDark ? UInt8(min(255, Int(alpha) + 60)) : alpha)
            }
            switch self {
            case .none: return .transparent
            case .visited: return color(0x3E7CB1, 0x5AA0D8, 92)
            case .clusterTile: return color(0x2E9E6B, 0x3FBF85, 112)
            case .cluster: return color(0x12874F, 0x2FD08A, 150)
            case .new: return color(0xE0701A, 0xF59A5B, 160)
            case .visitedEdge: return color(0x2B5F8C, 0x8CC4F0, 150)
            case .clusterEdge: return color(0x0B5F38, 0x8AF0BF, 170)
            case .newEdge: return color(0xA84B08, 0xFFC59B, 190)
            case .square: return color(0x8A1C7C, 0xFF8AF0, 255)
            }
        }
    }

    private static let palette: [Theme: [Color]] = Dictionary(
        uniqueKeysWithValues: Theme.allCases.map { theme in (theme, Ink.allCases.map { $0.color(theme) }) })

    /// Visited tiles of at least this many pixels have edges.
    private static let leastEdgedPixels = 6
    /// The outline of the square is this many pixels of a picture with scale 1.
    private static let outlinePixels = 2

    /// The picture of a map tile of `256 × scale` pixels as PNG.
    package func png(of tile: TileCoordinate, scale: Int) throws -> [UInt8] {
        var writer = PNGWriter()
        return try writer.png(of: image(of: tile, scale: scale))
    }

    /// The picture of a map tile of `256 × scale` pixels.
    package func image(of tile: TileCoordinate, scale: Int) -> IndexedImage {
        let size = TileCoordinate.cellsPerSide * scale
        var canvas = PixelCanvas(size: size)
        let levels = tiles.zoom - tile.zoom.number
        if levels >= 0 {
            fill(&canvas, tile, levels: levels)
        } else {
            fillEnlarged(&canvas, tile, levels: -levels)
        }
        if let square = tiles.square { outline(&canvas, square, tile, width: Self.outlinePixels * scale) }
        return IndexedImage(
            width: size, height: size, palette: Self.palette[theme] ?? [.transparent], pixels: canvas.pixels)
    }

    // MARK: Visited tiles

    private func ink(of index: Int) -> Ink {
        if !areNew.isEmpty, areNew[index] { return .new }
        return switch tiles.kinds[index] {
        case .visited: .visited
        case .clusterTile: .clusterTile
        case .cluster: .cluster
        }
    }

    private static func edge(of ink: Ink) -> Ink {
        switch ink {
        case .new: .newEdge
        case .visited: .visitedEdge
        default: .clusterEdge
        }
    }

    /// Fills the visited tiles within a map tile that is not deeper than they are.
    private func fill(_ canvas: inout PixelCanvas, _ tile: TileCoordinate, levels: Int) {
        let (columns, rows) = (tile.x << levels..<(tile.x + 1) << levels, tile.y << levels..<(tile.y + 1) << levels)
        for index in tiles.indices(rows: rows, columns: columns) {
            let visited = tiles.tiles[index]
            let (x, y) = (visited.x - columns.lowerBound, visited.y - rows.lowerBound)
            let area = PixelArea(
                left: (x * canvas.size) >> levels, top: (y * canvas.size) >> levels,
                right: ((x + 1) * canvas.size) >> levels, bottom: ((y + 1) * canvas.size) >> levels)
            draw(&canvas, area, ink(of: index))
        }
    }

    /// Fills a map tile that lies within one tile of the explorer's zoom level.
    private func fillEnlarged(_ canvas: inout PixelCanvas, _ tile: TileCoordinate, levels: Int) {
        let visited = ExplorerTile(x: tile.x >> levels, y: tile.y >> levels)
        guard let index = tiles.index(of: visited) else { return }
        let side = canvas.size << levels
        let left = -((tile.x - visited.x << levels) * canvas.size)
        let top = -((tile.y - visited.y << levels) * canvas.size)
        draw(&canvas, PixelArea(left: left, top: top, right: left + side, bottom: top + side), ink(of: index))
    }

    private func draw(_ canvas: inout PixelCanvas, _ area: PixelArea, _ ink: Ink) {
        // A tile smaller than a pixel fills the pixel that it is in.
        let area = PixelArea(
            left: area.left, top: area.top, right: max(area.right, area.left + 1),
            bottom: max(area.bottom, area.top + 1))
        canvas.raise(area, to: ink.rawValue)
        guard area.right - area.left >= Self.leastEdgedPixels else { return }
        let edge = Self.edge(of: ink).rawValue
        canvas.raise(PixelArea(left: area.left, top: area.top, right: area.right, bottom: area.top + 1), to: edge)
        canvas.raise(PixelArea(left: area.left, top: area.top, right: area.left + 1, bottom: area.bottom), to: edge)
    }

    // MARK: The square

    private func outline(
        _ canvas: inout PixelCanvas, _ square: ExplorerTiles.Square, _ tile: TileCoordinate, width: Int
    ) {
        let world = 1 << tiles.zoom
        // The square may continue beyond the antimeridian.
        for turn in [-world, 0, world] {
            func pixels(_ number: Int, _ origin: Int) -> Int {
                let levels = tiles.zoom - tile.zoom.number
                return levels >= 0
                    ? ((number - origin << levels) * canvas.size) >> levels
                    : ((number << -levels) - origin) * canvas.size
            }
            let area = PixelArea(
                left: pixels(square.corner.x + turn, tile.x), top: pixels(square.corner.y, tile.y),
                right: pixels(square.corner.x + turn + square.side, tile.x),
                bottom: pixels(square.corner.y + square.side, tile.y))
            guard area.right > 0, area.left < canvas.size, area.right - area.left > 2 * width else { continue }
            let (left, top, right, bottom) = (area.left, area.top, area.right, area.bottom)
            for side in [
                PixelArea(left: left, top: top, right: right, bottom: top + width),
                PixelArea(left: left, top: bottom - width, right: right, bottom: bottom),
                PixelArea(left: left, top: top, right: left + width, bottom: bottom),
                PixelArea(left: right - width, top: top, right: right, bottom: bottom),
            ] { canvas.raise(side, to: Ink.square.rawValue) }
        }
    }
}

/// A rectangle of pixels, without its right and bottom edges; it may extend beyond the picture.
private struct PixelArea {
    var left: Int
    var top: Int
    var right: Int
    var bottom: Int
}

/// Palette indices of a square picture.
private struct PixelCanvas {
    let size: Int
    private(set) var pixels: [UInt8]

    init(size: Int) {
        self.size = size
        pixels = [UInt8](repeating: 0, count: size * size)
    }

    /// Sets the pixels of an area that have a lower index.
    mutating func raise(_ area: PixelArea, to index: UInt8) {
        let (left, right) = (max(area.left, 0), min(area.right, size))
        guard left < right else { return }
        for y in max(area.top, 0)..<max(max(area.top, 0), min(area.bottom, size)) {
            for x in left..<right where pixels[y * size + x] < index { pixels[y * size + x] = index }
        }
    }
}
