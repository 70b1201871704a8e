import BaseMap
import Cairo
import PNG
package import TileDrawing
import TileMath

/// Draws posters: a map with title, figures and scale, as PDF, SVG or PNG.
package struct Poster {
    private let request: PosterRequest
    private let layout: PosterLayout
    private let caption: PosterCaption
    private let map: PosterMap
    private let baseMap: any MapBackground
    private let isCancelled: @Sendable () -> Bool

    /// Millimetres of an inch.
    private static let inch = 25.4
    /// Millimetres of a pixel of a screen with 96 dots per inch: lines and letters of the base map are as large as there.
    private static let screenPixel = inch / 96
    /// Points of an inch in PDF and SVG.
    private static let pointsPerInch = 72.0
    /// Rows of pixels that are drawn at a time, which bounds the memory: 6,000 × 512 pixels take 12 MB.
    private static let bandRows = 512

    /// Prepares a poster; throws `PosterError` for an impossible request, and `TileError` for an unknown style or layer.
    package init(
        _ request: PosterRequest, renderer: TileRenderer, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws {
        try request.check()
        self.request = request
        baseMap = renderer.baseMap
        self.isCancelled = isCancelled
        layout = PosterLayout(request)
        if let first = TileCoordinate(zoom: layout.zoom, x: 0, y: 0) {
            try renderer.check(TileRequest(style: request.style, selection: request.selection, tile: first))
        }
        let figures = try PosterFigures(request, in: renderer.library, isCancelled: isCancelled)
        caption = PosterCaption(
            request: request, layout: layout, figures: figures.text,
            credit: request.base == .map && baseMap.hasStreets ? baseMap.credit : nil)
        map = PosterMap(request, layout, renderer, isCancelled: isCancelled)
    }

    /// The bytes of the file. Throws `CancellationError` when nobody needs it any more.
    package func bytes() throws -> [UInt8] {
        switch request.format {
        case .png: try png()
        case .pdf: try document(.pdf)
        case .svg: try document(.svg)
        }
    }

    /// The pixels of the page, in bands from top to bottom.
    private func png() throws -> [UInt8] {
        let scale = Double(request.dpi) / Self.inch
        let width = Int((layout.page.width * scale).rounded())
        let height = Int((layout.page.height * scale).rounded())
        let writer = try PNGBandWriter(width: width, height: height, dpi: request.dpi)
        for top in stride(from: 0, to: height, by: Self.bandRows) {
            if isCancelled() { throw CancellationError() }
            let rows = min(Self.bandRows, height - top)
            var band = try ImageSurface(.argb32, width: width, height: rows)
            let source = try mapBand(fromPage: Double(top) / scale, toPage: Double(top + rows) / scale)
            try band.draw { context in
                context.translate(x: 0, y: Double(-top))
                context.scale(x: scale, y: scale)
                drawPage(on: context, source)
            }
            try band.withWords { try writer.add($0.span, rows: rows) }
        }
        return try writer.finish()
    }

    /// A document whose text and lines are vectors. The map is a picture in bands, which overlap by a row, so that no
    /// viewer shows a seam. The bands wait as PNG until the document is written, which bounds the memory: an empty or
    /// sparse map takes a few MB instead of 4 bytes a pixel.
    private func document(_ format: Document.Format) throws -> [UInt8] {
        let scale = Self.pointsPerInch / Self.inch
        var document = try Document(
            format, width: layout.page.width * scale, height: layout.page.height * scale, title: request.title)
        try document.draw { context in
            context.setSource(request.theme.background)
            context.paint()
            context.scale(x: scale, y: scale)
            drawBase(.land, on: context)
        }
        var writer = PNGWriter()
        for top in stride(from: 0, to: map.rows, by: Self.bandRows) {
            if isCancelled() { throw CancellationError() }
            let rows = top..<min(map.rows, top + Self.bandRows + 1)
            var pixels = try map.band(rows)
            let png = try pixels.withWords { words in
                try writer.png(premultiplied: words.span, width: map.columns, height: rows.count)
            }
            try document.draw(png: png, width: map.columns, height: rows.count) { context, picture in
                context.scale(x: scale, y: scale)
                withMapPixels(from: top, on: context) { context.paint(picture) }
            }
        }
        try document.draw { context in
            context.scale(x: scale, y: scale)
            drawBase(.names, on: context)
            drawLines(on: context)
        }
        return try document.finish()
    }

    /// Some rows of the map's pixels.
    private struct MapBand: ~Copyable {
        /// The first row, counted from the map's first.
        var first: Int
        var surface: ImageSurface
    }

    /// The rows of the map that a part of the page needs, in millimetres from the top; nil if it has none.
    private func mapBand(fromPage top: Double, toPage bottom: Double) throws -> MapBand? {
        let area = layout.map
        guard bottom > area.y, top < area.y + area.height else { return nil }
        let row = { (y: Double) in (layout.top + (y - area.y) / layout.pixelMillimetres) - Double(map.firstRow) }
        // Two more rows at each edge, because pixels at the edges are interpolated.
        let first = max(0, Int(row(top).rounded(.down)) - 2)
        let end = min(map.rows, Int(row(bottom).rounded(.up)) + 2)
        return MapBand(first: first, surface: try map.band(first..<max(first + 1, end)))
    }

    /// Draws a part of the page, in millimetres.
    private func drawPage(on context: borrowing Context, _ band: borrowing MapBand?) {
        context.setSource(request.theme.background)
        context.paint()
        drawBase(.land, on: context)
        switch band {
        case .some(let band): draw(band, on: context)
        case .none: break
        }
        drawBase(.names, on: context)
        drawLines(on: context)
    }

    /// Draws the base map in the area of the map, in millimetres.
    private func drawBase(_ content: BaseMap.Content, on context: borrowing Context) {
        guard request.base == .map else { return }
        let (area, pixel) = (layout.map, layout.pixelMillimetres)
        let view = MapView(
            worldPixels: Double(PosterLayout.tileSide * layout.zoom.tilesPerSide) * pixel, originX: layout.left * pixel,
            originY: layout.top * pixel, width: area.width, height: area.height, scale: Self.screenPixel)
        context.withClip(x: area.x, y: area.y, width: area.width, height: area.height) {
            context.translate(x: area.x, y: area.y)
            baseMap.draw(view, content, theme: request.theme, on: context)
        }
    }

    private func draw(_ band: borrowing MapBand, on context: borrowing Context) {
        withMapPixels(from: band.first, on: context) { context.paint(band.surface, x: 0, y: 0, filter: .smooth) }
    }

    /// Runs `body`, which draws only in the map's area, with the origin at the map's first pixel of a row, and the pixel
    /// as the unit.
    private func withMapPixels(from row: Int, on context: borrowing Context, _ body: () -> Void) {
        let area = layout.map
        let pixel = layout.pixelMillimetres
        context.withClip(x: area.x, y: area.y, width: area.width, height: area.height) {
            context.translate(
                x: area.x + (Double(map.firstColumn) - layout.left) * pixel,
                y: area.y + (Double(map.firstRow + row) - layout.top) * pixel)
            context.scale(x: pixel, y: pixel)
            body()
        }
    }

    private func drawLines(on context: borrowing Context) {
        caption.drawGraticule(on: context)
        caption.draw(on: context)
    }
}
