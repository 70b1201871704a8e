import Cairo
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
    private var strokes = Strokes()
    private var picture: ImageSurface
    private var group: ImageSurface
    private var mask: ImageSurface
    /// The strokes that the field holds; a narrower layer of the same strokes can reuse their distances.
    private var measured: Range<Int>?

    /// The part of a drawing that has one colour.
    private struct Coat {
        var color: Color
        var stretches: Range<Int>
        /// Pixels from the centre line to the edge.
        var halfWidth: Double
    }

    /// Half a pixel for the antialiased edge, and a hundredth for rounding.
    private static let edgePixels = 0.51

    /// An overlay of one size; uses 13 bytes a pixel.
    init(_ scale: TileScale) throws(CairoError) {
        self.scale = scale
        field = DistanceField(side: scale.side)
        picture = try ImageSurface(.argb32, width: scale.side, height: scale.side)
        group = try ImageSurface(.argb32, width: scale.side, height: scale.side)
        mask = try ImageSurface(.alpha8, width: scale.side, height: scale.side)
    }

    /// Starts with a transparent picture.
    func begin() { picture.clear() }

    /// Starts with a picture of palette indices.
    func begin(with indices: inout ImageSurface, palette: [RGBA]) {
        let words = palette.map(Self.word)
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
    func take(_ drawing: LineDrawing) -> Bool {
        let inks = LineColors(drawing.look, drawing.lines, partRanks: drawing.partRanks)
        let zoom = drawing.recipe.tile.zoom
        let reach = pixels(drawing.look.width, zoom) / 2 + rim(drawing.look.casing, zoom) + Self.edgePixels
        strokes.take(drawing.lines, drawing.recipe, inks, reach: reach)
        return !strokes.isEmpty
    }

    /// Draws the loaded lines: first the casing of all, then the lines in order of rank.
    func drawLines(_ look: LineSymbolizer, zoom: ZoomLevel) throws(CairoError) {
        let halfWidth = pixels(look.width, zoom) / 2
        var coats: [Coat] = []
        add(look.casing, halfWidth, strokes.stretches.indices, zoom, to: &coats)
        for (rank, stretches) in strokes.ranks.enumerated() where !stretches.isEmpty {
            coats.append(Coat(color: look.palette[rank], stretches: stretches, halfWidth: halfWidth))
        }
        try lay(coats, opacity: look.opacity)
    }

    /// Loads the points of a picture; false if none comes near it.
    func take(_ drawing: PointDrawing) -> Bool {
        let reach = PointSymbolizer.mostReach * Double(scale.rawValue) + Self.edgePixels
        strokes.take(drawing.dots, drawing.recipe, reach: reach)
        return !strokes.isEmpty
    }

    /// Draws the loaded points; waypoints are larger and above recorded points.
    func drawDots(_ look: PointSymbolizer, zoom: ZoomLevel) throws(CairoError) {
        let radius = pixels(look.radius, zoom)
        let most = PointSymbolizer.mostReach * Double(scale.rawValue) - rim(look.outline, zoom)
        let sizes = [(look.color, radius), (look.pin, min(radius * Self.pinSize, max(radius, most)))]
        var coats: [Coat] = []
        for ((color, radius), dots) in zip(sizes, strokes.ranks) where !dots.isEmpty {
            add(look.outline, radius, dots, zoom, to: &coats)
            coats.append(Coat(color: color, stretches: dots, halfWidth: radius))
        }
        try lay(coats, opacity: look.opacity)
    }

    /// Loads the decorations of a picture; false if there are none.
    func take(_ marks: TileDecorations) -> Bool {
        strokes.take(marks, scale)
        return !strokes.isEmpty
    }

    /// Draws the loaded decorations: light arrows with a dark outline, a green dot at a track's start, a dark ring at
    /// its end.
    func drawMarks() throws(CairoError) {
        let (arrows, starts, ends) = (strokes.ranks[0], strokes.ranks[1], strokes.ranks[2])
        let arrow = DecorationSymbolizer.arrowWidth / 2
        let coats = [
            (DecorationSymbolizer.dark, arrows, arrow + DecorationSymbolizer.rim),
            (DecorationSymbolizer.light, arrows, arrow),
            (DecorationSymbolizer.light, ends, DecorationSymbolizer.dotRadius + DecorationSymbolizer.rim),
            (DecorationSymbolizer.dark, ends, DecorationSymbolizer.dotRadius),
            (DecorationSymbolizer.light, ends, DecorationSymbolizer.holeRadius),
            (DecorationSymbolizer.light, starts, DecorationSymbolizer.dotRadius + DecorationSymbolizer.rim),
            (DecorationSymbolizer.start, starts, DecorationSymbolizer.dotRadius),
        ]
        let scale = Double(scale.rawValue)
        try lay(
            coats.filter { !$0.1.isEmpty }.map { Coat(color: $0.0, stretches: $0.1, halfWidth: $0.2 * scale) },
            opacity: 1)
    }

    /// The size of a waypoint relative to a recorded point, limited by the margin of tiles.
    private static let pinSize = 1.5

    private func add(
        _ rim: Casing?, _ halfWidth: Double, _ stretches: Range<Int>, _ zoom: ZoomLevel, to coats: inout [Coat]
    ) {
        guard let rim, rim.width[zoom] > 0 else { return }
        coats.append(
            Coat(color: rim.color, stretches: stretches, halfWidth: halfWidth + pixels(rim.width, zoom)))
    }

    private func pixels(_ numbers: ZoomNumbers, _ zoom: ZoomLevel) -> Double {
        numbers[zoom] * Double(scale.rawValue)
    }

    private func rim(_ rim: Casing?, _ zoom: ZoomLevel) -> Double {
        rim.map { pixels($0.width, zoom) } ?? 0
    }

    /// Draws layers over each other, and all of them over the picture with one opacity.
    private func lay(_ coats: [Coat], opacity: Double) throws(CairoError) {
        measured = nil
        guard opacity < 1 else {
            for coat in coats {
                cover(coat)
                try picture.draw { self.paint(coat.color, $0) }
            }
            return
        }
        group.clear()
        for coat in coats {
            cover(coat)
            try group.draw { self.paint(coat.color, $0) }
        }
        try picture.draw { $0.paint(self.group, x: 0, y: 0, alpha: opacity) }
    }

    private func paint(_ color: Color, _ context: borrowing Context) {
        context.setSource(
            red: Double(color.red) / 255, green: Double(color.green) / 255, blue: Double(color.blue) / 255,
            alpha: Double(color.alpha) / 255)
        context.paintSource(through: mask, x: 0, y: 0)
    }

    /// Computes the mask of a layer.
    private func cover(_ coat: Coat) {
        // A casing and its line have the same strokes: the line reuses the distances of the casing, which is wider.
        if measured != coat.stretches {
            field.clear()
            field.add(strokes.stretches[coat.stretches], reach: Float(coat.halfWidth + Self.edgePixels))
            measured = coat.stretches
        }
        mask.clear()
        let bytesPerRow = mask.bytesPerRow
        mask.withBytes { bytes in
            field.cover(&bytes, bytesPerRow: bytesPerRow, halfWidth: Float(coat.halfWidth))
        }
    }

    /// Encodes the picture as a PNG; a transparent picture gives the PNG of an empty tile.
    func png(_ writer: inout PNGWriter) throws -> [UInt8] {
        let side = scale.side
        return try picture.withWords { words in try writer.png(premultiplied: words.span, width: side, height: side) }
    }

    /// A colour in cairo's format: premultiplied by its alpha.
    private static func word(_ color: RGBA) -> UInt32 {
        func multiplied(_ channel: UInt8) -> UInt32 { (UInt32(channel) * UInt32(color.alpha) + 127) / 255 }
        return UInt32(color.alpha) << 24 | multiplied(color.red) << 16 | multiplied(color.green) << 8
            | multiplied(color.blue)
    }
}
