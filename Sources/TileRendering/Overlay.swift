import Cairo
import LineGrid
import PNG
import Styling
import TileMath

/// Lines and dots over a picture, composed by cairo.
///
/// All that has one colour is one coat, as if it had been cut from one sheet of paper: where lines lie over each other
/// nothing adds up, so neither their order nor their number shows.
final class Overlay {
    private let scale: PictureScale
    private var field: DistanceField
    private var strokes = Strokes()
    private var picture: ImageSurface
    private var group: ImageSurface
    private var mask: ImageSurface
    /// Which of the strokes the field knows; a narrower coat of the same may follow.
    private var measured: Range<Int>?

    /// One colour's part of a drawing.
    private struct Coat {
        var color: Color
        var stretches: Range<Int>
        /// Pixels from the middle of a line to its edge.
        var halfWidth: Double
    }

    /// Half a pixel belongs to an antialiased edge, and a hundredth to rounding.
    private static let edgePixels = 0.51

    /// A sheet of a size, with 13 bytes a pixel.
    init(_ scale: PictureScale) throws(CairoError) {
        self.scale = scale
        field = DistanceField(side: scale.side)
        picture = try ImageSurface(.argb32, width: scale.side, height: scale.side)
        group = try ImageSurface(.argb32, width: scale.side, height: scale.side)
        mask = try ImageSurface(.alpha8, width: scale.side, height: scale.side)
    }

    /// Begins with nothing.
    func begin() { picture.clear() }

    /// Begins with a picture of places in a palette.
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

    /// Takes the lines of a picture; false where none comes near it.
    func take(_ drawing: LineDrawing) -> Bool {
        let inks = LineColors(drawing.look, drawing.lines, partRanks: drawing.partRanks)
        let zoom = drawing.recipe.tile.zoom
        let reach = pixels(drawing.look.width, zoom) / 2 + rim(drawing.look.casing, zoom) + Self.edgePixels
        strokes.take(drawing.lines, drawing.recipe, inks, reach: reach)
        return !strokes.isEmpty
    }

    /// Draws the lines taken: their casing below all, then rank by rank.
    func drawLines(_ look: LineSymbolizer, zoom: ZoomLevel) throws(CairoError) {
        let halfWidth = pixels(look.width, zoom) / 2
        var coats: [Coat] = []
        add(look.casing, halfWidth, strokes.stretches.indices, zoom, to: &coats)
        for (rank, stretches) in strokes.ranks.enumerated() where !stretches.isEmpty {
            coats.append(Coat(color: look.palette[rank], stretches: stretches, halfWidth: halfWidth))
        }
        try lay(coats, opacity: look.opacity)
    }

    /// Takes the points of a picture; false where none comes near it.
    func take(_ drawing: PointDrawing) -> Bool {
        let reach = PointSymbolizer.mostReach * Double(scale.rawValue) + Self.edgePixels
        strokes.take(drawing.dots, drawing.recipe, reach: reach)
        return !strokes.isEmpty
    }

    /// Draws the points taken, those marked by hand larger and above the others.
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

    /// Takes the marks of a picture; false where there are none.
    func take(_ marks: TileDecorations) -> Bool {
        strokes.take(marks, scale)
        return !strokes.isEmpty
    }

    /// Draws the marks taken: light arrows with a dark rim, a green dot where a track begins, a dark ring where it ends.
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

    /// How many times as large as a dot a pin is, as far as tiles know of it.
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

    /// Lays coats over each other, and all of them, as one, over the picture.
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

    /// Makes the mask of a coat.
    private func cover(_ coat: Coat) {
        // A line lies on its casing: the distances are those that the wider coat has asked for.
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

    /// The picture as a PNG: that of nothing where nothing can be seen.
    func png(_ writer: inout PNGWriter) throws -> [UInt8] {
        let side = scale.side
        return try picture.withWords { words in try writer.png(premultiplied: words.span, width: side, height: side) }
    }

    /// A colour as cairo keeps it: multiplied by its alpha.
    private static func word(_ color: RGBA) -> UInt32 {
        func multiplied(_ channel: UInt8) -> UInt32 { (UInt32(channel) * UInt32(color.alpha) + 127) / 255 }
        return UInt32(color.alpha) << 24 | multiplied(color.red) << 16 | multiplied(color.green) << 8
            | multiplied(color.blue)
    }
}
