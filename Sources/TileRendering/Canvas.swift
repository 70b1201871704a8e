public import Cairo
public import HeatGrid
public import LineGrid
import PNG
import Styling
public import TileMath

/// Draws tiles one after another with reused cairo surfaces and PNG buffers.
///
/// Palette indices of the counts are written directly into the memory of cairo's alpha surfaces, and the PNG is
/// encoded from there: colours are never mixed, so no colour has to be mapped back to an index. A canvas serves one
/// drawing at a time.
public final class Canvas {
    private var cells: ImageSurface
    private var enlarged: ImageSurface
    private var double: ImageSurface
    private var paletteIndex = PaletteIndex()
    private var widening = LineWidening()
    private var kernelField = KernelField()
    private var writer = PNGWriter()

    /// The content of the picture, which `png()` encodes.
    private enum PictureContent {
        case nothing(TileScale)
        case cells([RGBA])
        case enlarged([RGBA])
        case double([RGBA])
        case overlay(TileScale)
    }

    private var content = PictureContent.nothing(.single)
    /// Created when the first lines are drawn.
    private var overlays: [TileScale: Overlay] = [:]

    /// A canvas for tiles of both sizes; uses about 1.1 MiB of memory.
    public init() throws(CairoError) {
        cells = try ImageSurface(.alpha8, width: TileScale.single.side, height: TileScale.single.side)
        enlarged = try ImageSurface(.alpha8, width: TileScale.single.side, height: TileScale.single.side)
        double = try ImageSurface(.alpha8, width: TileScale.double.side, height: TileScale.double.side)
    }

    /// The PNG of a recipe; `counts` holds the cells of each of its `tilesNeeded`, in their order.
    public func picture(_ recipe: HeatRecipe, counts: [CellCounts], colorMapper: ColorMapper) throws -> [UInt8] {
        draw(recipe, counts: counts, colorMapper: colorMapper)
        return try png()
    }

    /// Draws the counts of a recipe; the first half of `picture`.
    public func draw(_ recipe: HeatRecipe, counts: [CellCounts], colorMapper: ColorMapper) {
        precondition(counts.count == recipe.tilesNeeded.count, "counts for each tile needed")
        content = .nothing(recipe.scale)
        let paletteMapper = PaletteMapper(colorMapper)
        if let field = recipe.field {
            draw(recipe, field, counts, paletteMapper)
            return
        }
        switch recipe.mapping {
        case .cells:
            guard
                let palette = Self.place(
                    counts[0], in: counts[0].cells.indices, codes: TileCoordinate.cellCount,
                    paletteMapper: paletteMapper,
                    paletteIndex: &paletteIndex, on: &cells)
            else { return }
            content = .cells(palette)
        case .enlarged(let codes, let factor):
            let first = CellLayout.firstIndex(notBelow: codes.lowerBound, in: counts[0].cells)
            let end = CellLayout.firstIndex(notBelow: codes.upperBound, in: counts[0].cells)
            guard
                let palette = Self.place(
                    counts[0], in: first..<end, codes: codes.count, paletteMapper: paletteMapper,
                    paletteIndex: &paletteIndex, on: &cells)
            else { return }
            enlarge(recipe.scale, by: factor, palette)
        case .children(let placedTiles):
            guard
                let palette = widening.draw(
                    placedTiles, counts: counts, paletteMapper: paletteMapper, paletteIndex: &paletteIndex, on: &double)
            else {
                return
            }
            content = .double(palette)
        }
    }

    /// Draws counts that are spread by a kernel.
    private func draw(
        _ recipe: HeatRecipe, _ field: HeatRecipe.Field, _ counts: [CellCounts], _ paletteMapper: PaletteMapper
    ) {
        guard kernelField.draw(field, counts: counts, paletteMapper: paletteMapper) else { return }
        paletteIndex.clear()
        paletteIndex.use(kernelField.used)
        let order = paletteIndex.order(of: paletteMapper)
        let palette = paletteIndex.palette(of: paletteMapper)
        switch recipe.mapping {
        case .cells:
            Self.copy(kernelField, side: field.side, order, to: &cells)
            content = .cells(palette)
        case .children:
            Self.copy(kernelField, side: field.side, order, to: &double)
            content = .double(palette)
        case .enlarged(_, let factor):
            Self.copy(kernelField, side: field.side, order, to: &cells)
            enlarge(recipe.scale, by: factor, palette)
        }
    }

    /// Writes a field's palette indices to the north-western corner of a surface, translated into the palette of the
    /// picture.
    private static func copy(_ field: KernelField, side: Int, _ order: [UInt8], to surface: inout ImageSurface) {
        surface.clear()
        let bytesPerRow = surface.bytesPerRow
        let (source, blocks, order) = (field.places.span, field.blocks.span, order.span)
        surface.withBytes { bytes in
            for y in 0..<side {
                var rest = blocks[y]
                while rest != 0 {
                    let west = rest.trailingZeroBitCount * KernelField.blockCells
                    rest &= rest &- 1
                    for x in west..<min(west + KernelField.blockCells, side) {
                        bytes[y * bytesPerRow + x] = order[Int(source[y * side + x])]
                    }
                }
            }
        }
    }

    /// Enlarges the cells in the north-western corner of `cells` to a whole picture.
    private func enlarge(_ scale: TileScale, by factor: Int, _ palette: [RGBA]) {
        switch scale {
        case .single:
            Self.enlarge(&cells, by: factor, to: &enlarged)
            content = .enlarged(palette)
        case .double:
            Self.enlarge(&cells, by: factor, to: &double)
            content = .double(palette)
        }
    }

    /// Starts a picture without heat.
    public func draw(nothing scale: TileScale) { content = .nothing(scale) }

    /// Draws lines over the picture. If no line comes near it, its bytes do not change.
    public func draw(_ drawing: LineDrawing) throws(CairoError) {
        let scale = drawing.recipe.scale
        let overlay = try overlay(scale)
        guard overlay.load(drawing) else { return }
        begin(overlay, scale)
        try overlay.drawLines(drawing.symbolizer, zoom: drawing.recipe.tile.zoom)
    }

    /// Draws recorded points over the picture. If no point comes near it, its bytes do not change.
    public func draw(_ drawing: PointDrawing) throws(CairoError) {
        let scale = drawing.recipe.scale
        let overlay = try overlay(scale)
        guard overlay.load(drawing) else { return }
        begin(overlay, scale)
        try overlay.drawPoints(drawing.symbolizer, zoom: drawing.recipe.tile.zoom)
    }

    /// Draws the decorations of single tracks over the picture. If there are none, its bytes do not change.
    public func draw(_ decorations: TileDecorations, scale: TileScale) throws(CairoError) {
        let overlay = try overlay(scale)
        guard overlay.load(decorations) else { return }
        begin(overlay, scale)
        try overlay.drawDecorations()
    }

    private func overlay(_ scale: TileScale) throws(CairoError) -> Overlay {
        if let known = overlays[scale] { return known }
        let made = try Overlay(scale)
        overlays[scale] = made
        return made
    }

    /// Copies the picture drawn so far to the overlay, below the lines to be drawn.
    private func begin(_ overlay: Overlay, _ scale: TileScale) {
        switch content {
        case .nothing: overlay.begin()
        case .cells(let palette): overlay.begin(with: &cells, palette: palette)
        case .enlarged(let palette): overlay.begin(with: &enlarged, palette: palette)
        case .double(let palette): overlay.begin(with: &double, palette: palette)
        case .overlay: break
        }
        content = .overlay(scale)
    }

    /// Encodes the picture as a PNG; the second half of `picture`.
    public func png() throws -> [UInt8] {
        switch content {
        case .nothing(let scale): scale.emptyPicture
        case .cells(let palette): try Self.png(of: &cells, palette: palette, writer: &writer)
        case .enlarged(let palette): try Self.png(of: &enlarged, palette: palette, writer: &writer)
        case .double(let palette): try Self.png(of: &double, palette: palette, writer: &writer)
        case .overlay(let scale): try overlay(scale).png(&writer)
        }
    }

    private static func png(
        of surface: inout ImageSurface, palette: [RGBA], writer: inout PNGWriter
    ) throws -> [UInt8] {
        let (side, bytesPerRow) = (surface.width, surface.bytesPerRow)
        return try surface.withBytes { bytes in
            try writer.png(
                indices: bytes.span, bytesPerRow: bytesPerRow, width: side, height: side, palette: palette)
        }
    }

    /// Writes the cells of a square to the north-western corner of `cells` and returns the palette; nil if there are
    /// no cells.
    ///
    /// The square is one run of `codes` Morton codes. Each cell is written as its index in the returned palette.
    private static func place(
        _ counts: CellCounts, in range: Range<Int>, codes: Int, paletteMapper: PaletteMapper,
        paletteIndex: inout PaletteIndex,
        on cells: inout ImageSurface
    ) -> [RGBA]? {
        guard !range.isEmpty else { return nil }
        paletteIndex.clear()
        paletteIndex.add(counts, in: range, paletteMapper: paletteMapper)
        let order = paletteIndex.order(of: paletteMapper)
        let places = paletteIndex.places.span
        let codesHere = counts.cells.span.extracting(range)
        let byteTable = CellLayout.table
        let bytePlaces = byteTable.span
        // The length of the run is a power of 4 and it starts at a multiple of it, so the low bits are the position in
        // the square.
        let mask = UInt16(codes - 1)
        cells.clear()
        cells.withBytes { bytes in
            for index in codesHere.indices {
                let at = CellLayout.place(of: codesHere[index] & mask, bytePlaces)
                bytes[at] = order[Int(places[index])]
            }
        }
        return paletteIndex.palette(of: paletteMapper)
    }

    /// Enlarges each cell to a block of `factor` × `factor` pixels; `factor` is a power of two.
    ///
    /// The bytes are the same as those of a scaled pattern with cairo's nearest filter, in a tenth of the time: cairo
    /// converts each byte to a colour and back.
    private static func enlarge(_ cells: inout ImageSurface, by factor: Int, to surface: inout ImageSurface) {
        let (side, bytesPerRow, cellsPerRow) = (surface.width, surface.bytesPerRow, cells.bytesPerRow)
        let shift = factor.trailingZeroBitCount
        cells.withBytes { cells in
            surface.withBytes { bytes in
                for row in 0..<side / factor {
                    let first = row * factor * bytesPerRow
                    for x in 0..<side { bytes[first + x] = cells[row * cellsPerRow + (x >> shift)] }
                    for copy in 1..<factor {
                        let target = first + copy * bytesPerRow
                        for x in 0..<side { bytes[target + x] = bytes[first + x] }
                    }
                }
            }
        }
    }
}
