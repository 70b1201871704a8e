import Cairo
import Colors
import LineGrid
import PNG
import Styling
import TileMath

/// Lines and points over a picture, composited by cairo.
///
/// Everything of one colour is drawn through one mask. Overlapping lines do not add up, so their order and number do
/// not matter.
final class Overlay {
    private let scale: TileScale
    private var field: DistanceField
    private var density: LineDensity
    private var strokes = Strokes()
    private var picture: ImageSurface
    private var group: ImageSurface
    private var mask: ImageSurface
    /// The strokes that the field holds; a narrower layer of the same strokes can reuse their distances.
    private var fieldSegments: Range<Int>?

    /// The part of a drawing that has one colour.
    private struct Layer {
        var color: Color
        var segments: Range<Int>
        /// Pixels from the centre line to the edge.
        var halfWidth: Double
        /// Whether the colour covers pixels by the number of lines at them.
        var showsDensity = false
    }

    /// The lines of pictures that are drawn through a raster; created at the first use.
    private var rasterMasks: RasterMasks?

    /// Half a pixel for the antialiased edge, and a hundredth for rounding.
    private static let edgePixels = 0.51

    /// An overlay of one size; uses 17 bytes a pixel.
    init(_ scale: TileScale) throws(CairoError) {
        self.scale = scale
        field = DistanceField(side: scale.side)
        density = LineDensity(side: scale.side)
        picture = try ImageSurface(.argb32, width: scale.side, height: scale.side)
        group = try ImageSurface(.argb32, width: scale.side, height: scale.side)
        mask = try ImageSurface(.alpha8, width: scale.side, height: scale.side)
    }

    /// Starts with a transparent picture.
    func begin() { picture.clear() }

    /// Starts with a picture of palette indices.
    func begin(with indices: inout ImageSurface, palette: [Color]) {
        let words = palette.map(\.premultiplied)
        let (side, bytesPerRow) = (scale.side, indices.bytesPerRow)
        indices.withBytes { bytes in
            picture.withWords { pixels in
                for y in 0..<side {
                    for x in 0..<side { pixels[y * side + x] = words[Int(bytes[y * bytesPerRow + x])] }
                }
            }
        }
    }

    /// Loads the lines of a picture; false if none comes near it.
    func load(_ drawing: LineDrawing) -> Bool {
        let lineColors = LineColors(drawing.symbolizer, drawing.lines, fragmentRanks: drawing.fragmentRanks)
        let zoom = drawing.layout.tile.zoom
        let reach = pixels(drawing.symbolizer.width, zoom) / 2 + rim(drawing.symbolizer.casing, zoom) + Self.edgePixels
        strokes.load(drawing.lines, drawing.layout, lineColors, reach: reach)
        return !strokes.isEmpty
    }

    /// Draws the loaded lines: first the casing of all, then the lines in order of rank.
    func drawLines(_ symbolizer: LineSymbolizer, zoom: ZoomLevel) throws(CairoError) {
        let halfWidth = pixels(symbolizer.width, zoom) / 2
        var layers: [Layer] = []
        add(symbolizer.casing, halfWidth, strokes.segments.indices, zoom, to: &layers)
        for (rank, segments) in strokes.ranks.enumerated() where !segments.isEmpty {
            layers.append(Layer(color: symbolizer.palette[rank], segments: segments, halfWidth: halfWidth))
        }
        // One or two lines show no density (`LineSymbolizer.denseShare`), so the pass over the pixels is spared.
        if let dense = symbolizer.dense, strokes.lineCount > 2 {
            layers.append(
                Layer(
                    color: dense, segments: strokes.segments.indices, halfWidth: halfWidth, showsDensity: true))
        }
        try composite(layers, opacity: symbolizer.opacity)
    }

    /// Draws lines through a raster: first the casing of all, then the lines in order of rank, then the dense colour.
    /// Calls `begin` before the first change of the picture, and not if there are no lines.
    func drawRaster(_ drawing: LineDrawing, begin: () -> Void) throws(CairoError) {
        var masks = rasterMasks.take() ?? RasterMasks()
        defer { rasterMasks = masks }
        let (symbolizer, zoom) = (drawing.symbolizer, drawing.layout.tile.zoom)
        masks.load(drawing)
        guard !masks.isEmpty else { return }
        begin()
        let width = symbolizer.width[zoom]
        try withOpacity(symbolizer.opacity) { (inGroup) throws(CairoError) in
            if let casing = symbolizer.casing, casing.width[zoom] > 0 {
                masks.draw(LineBrush(width: width + 2 * casing.width[zoom]))
                try draw(casing.color, inGroup: inGroup) { masks.cover(&$0, bytesPerRow: $1) }
            }
            let brush = LineBrush(width: width)
            for rank in masks.ranks {
                masks.draw(brush, rank: rank)
                try draw(symbolizer.palette[rank], inGroup: inGroup) { masks.cover(&$0, bytesPerRow: $1) }
            }
            if let dense = symbolizer.dense, masks.hasDensity {
                try draw(dense, inGroup: inGroup) { masks.coverByCount(&$0, bytesPerRow: $1) }
            }
        }
    }

    /// Loads the points of a picture; false if none comes near it.
    func load(_ drawing: PointDrawing) -> Bool {
        let reach = PointSymbolizer.maxReach * Double(scale.rawValue) + Self.edgePixels
        strokes.load(drawing.points, drawing.layout, reach: reach)
        return !strokes.isEmpty
    }

    /// Draws the loaded points; waypoints are larger and above recorded points.
    func drawPoints(_ symbolizer: PointSymbolizer, zoom: ZoomLevel) throws(CairoError) {
        let radius = pixels(symbolizer.radius, zoom)
        let most = PointSymbolizer.maxReach * Double(scale.rawValue) - rim(symbolizer.outline, zoom)
        let sizes = [(symbolizer.color, radius), (symbolizer.pin, min(radius * Self.pinScale, max(radius, most)))]
        var layers: [Layer] = []
        for ((color, radius), points) in zip(sizes, strokes.ranks) where !points.isEmpty {
            add(symbolizer.outline, radius, points, zoom, to: &layers)
            layers.append(Layer(color: color, segments: points, halfWidth: radius))
        }
        try composite(layers, opacity: symbolizer.opacity)
    }

    /// Loads the decorations of a picture; false if there are none.
    func load(_ decorations: TileDecorations) -> Bool {
        strokes.load(decorations, scale)
        return !strokes.isEmpty
    }

    /// Draws the loaded decorations: light arrows with a dark outline, a green dot at a track's start, a dark ring at
    /// its end. Where both are at one place, as on loops, the ring has a green centre.
    func drawDecorations() throws(CairoError) {
        let (arrows, starts, ends) = (strokes.ranks[0], strokes.ranks[1], strokes.ranks[2])
        let arrow = DecorationSymbolizer.arrowWidth / 2
        let layers = [
            (DecorationSymbolizer.dark, arrows, arrow + DecorationSymbolizer.rim),
            (DecorationSymbolizer.light, arrows, arrow),
            (DecorationSymbolizer.light, starts, DecorationSymbolizer.dotRadius + DecorationSymbolizer.rim),
            (DecorationSymbolizer.start, starts, DecorationSymbolizer.dotRadius),
            (DecorationSymbolizer.light, ends, DecorationSymbolizer.dotRadius + DecorationSymbolizer.rim),
            (DecorationSymbolizer.dark, ends, DecorationSymbolizer.dotRadius),
            (DecorationSymbolizer.light, ends, DecorationSymbolizer.holeRadius),
            (DecorationSymbolizer.start, starts, DecorationSymbolizer.holeRadius),
        ]
        let scale = Double(scale.rawValue)
        try composite(
            layers.filter { !$0.1.isEmpty }.map { Layer(color: $0.0, segments: $0.1, halfWidth: $0.2 * scale) },
            opacity: 1)
    }

    /// The size of a waypoint relative to a recorded point, limited by the margin of tiles.
    private static let pinScale = 1.5

    private func add(
        _ rim: Casing?, _ halfWidth: Double, _ segments: Range<Int>, _ zoom: ZoomLevel, to layers: inout [Layer]
    ) {
        guard let rim, rim.width[zoom] > 0 else { return }
        layers.append(
            Layer(color: rim.color, segments: segments, halfWidth: halfWidth + pixels(rim.width, zoom)))
    }

    private func pixels(_ numbers: ZoomNumbers, _ zoom: ZoomLevel) -> Double {
        numbers[zoom] * Double(scale.rawValue)
    }

    private func rim(_ rim: Casing?, _ zoom: ZoomLevel) -> Double {
        rim.map { pixels($0.width, zoom) } ?? 0
    }

    /// Draws layers over each other, and all of them over the picture with one opacity.
    private func composite(_ layers: [Layer], opacity: Double) throws(CairoError) {
        // Other strokes may have been loaded into the same range since the last drawing.
        fieldSegments = nil
        try withOpacity(opacity) { (inGroup) throws(CairoError) in
            for layer in layers {
                try draw(layer.color, inGroup: inGroup) { cover(layer, &$0, bytesPerRow: $1) }
            }
        }
    }

    /// Runs `body`, which draws layers on the picture or, if they are not opaque, in the group.
    ///
    /// Opaque layers are drawn first, and made transparent together: drawn one by one, a casing would show through the
    /// line above it.
    private func withOpacity(
        _ opacity: Double, _ body: (_ inGroup: Bool) throws(CairoError) -> Void
    ) throws(CairoError) {
        guard opacity < 1 else { return try body(false) }
        group.clear()
        try body(true)
        try picture.draw { $0.paint(self.group, x: 0, y: 0, alpha: opacity) }
    }

    /// Draws a colour through a mask that `cover` writes, on the picture or in the group.
    private func draw(
        _ color: Color, inGroup: Bool, cover: (inout MutableSpan<UInt8>, Int) -> Void
    ) throws(CairoError) {
        mask.clear()
        let bytesPerRow = mask.bytesPerRow
        mask.withBytes { cover(&$0, bytesPerRow) }
        if inGroup {
            try group.draw { self.paint(color, $0) }
        } else {
            try picture.draw { self.paint(color, $0) }
        }
    }

    private func paint(_ color: Color, _ context: borrowing Context) {
        context.setSource(color)
        context.paintSource(through: mask, x: 0, y: 0)
    }

    /// Writes the mask of a layer; `bytes` must be clear.
    private func cover(_ layer: Layer, _ bytes: inout MutableSpan<UInt8>, bytesPerRow: Int) {
        // A casing and its line have the same strokes: the line reuses the distances of the casing, which is wider.
        if fieldSegments != layer.segments {
            field.clear()
            field.add(strokes.segments[layer.segments], reach: Float(layer.halfWidth + Self.edgePixels))
            fieldSegments = layer.segments
        }
        field.cover(&bytes, bytesPerRow: bytesPerRow, halfWidth: Float(layer.halfWidth))
        guard layer.showsDensity else { return }
        density.clear()
        density.add(strokes.segments[layer.segments], halfWidth: Float(layer.halfWidth))
        density.scale(&bytes, bytesPerRow: bytesPerRow)
    }

    /// Encodes the picture as a PNG; a transparent picture gives the PNG of an empty tile.
    func png(_ writer: inout PNGWriter) throws -> [UInt8] {
        let side = scale.side
        return try picture.withWords { words in try writer.png(premultiplied: words.span, width: side, height: side) }
    }
}
