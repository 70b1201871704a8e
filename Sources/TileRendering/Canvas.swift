public import Cairo
import Colors
public import HeatGrid
import PNG
public import TileMath

/// Draws tiles one after another with reused cairo surfaces and PNG buffers.
///
/// Palette indices of the counts are written directly into the memory of cairo's alpha surfaces, and the PNG is
/// encoded from there: colours are never mixed, so no colour has to be mapped back to an index. A canvas serves one
/// drawing at a time.
public final class Canvas {
    var cells: ImageSurface
    var enlarged: ImageSurface
    var double: ImageSurface
    private var paletteIndex = PaletteIndex()
    private var widening = LineWidening()
    private var kernelField = KernelField()
    private var differenceField = DifferenceField()
    private var writer = PNGWriter()

    /// The content of the picture, which `png()` encodes.
    enum PictureContent {
        case nothing(TileScale)
        case cells([Color])
        case enlarged([Color])
        case double([Color])
        case overlay(TileScale)
    }

    var content = PictureContent.nothing(.single)
    /// Created when the first lines are drawn.
    var overlays: [TileScale: Overlay] = [:]

    /// A canvas for tiles of both sizes; uses about 1.1 MiB of memory.
    public init() throws(CairoError) {
        cells = try ImageSurface(.alpha8, width: TileScale.single.side, height: TileScale.single.side)
        enlarged = try ImageSurface(.alpha8, width: TileScale.single.side, height: TileScale.single.side)
        double = try ImageSurface(.alpha8, width: TileScale.double.side, height: TileScale.double.side)
    }

    /// Draws the counts of a layout; `counts` holds the cells of each of its `tilesNeeded`, in their order.
    public func draw(_ layout: HeatTileLayout, counts: [CellCounts], colorMapper: ColorMapper) {
        precondition(counts.count == layout.tilesNeeded.count, "counts for each tile needed")
        content = .nothing(layout.scale)
        let paletteMapper = PaletteMapper(colorMapper)
        if let field = layout.field {
            draw(layout, field, counts, paletteMapper)
            return
        }
        switch layout.mapping {
        case .cells:
            guard
                let palette = Self.drawCells(
                    counts[0], in: counts[0].cells.indices, codes: TileCoordinate.cellCount,
                    paletteMapper: paletteMapper,
                    paletteIndex: &paletteIndex, on: &cells)
            else { return }
            content = .cells(palette)
        case .enlarged(let codes, let factor):
            let first = CellLayout.firstIndex(notBelow: codes.lowerBound, in: counts[0].cells)
            let end = CellLayout.firstIndex(notBelow: codes.upperBound, in: counts[0].cells)
            guard
                let palette = Self.drawCells(
                    counts[0], in: first..<end, codes: codes.count, paletteMapper: paletteMapper,
                    paletteIndex: &paletteIndex, on: &cells)
            else { return }
            enlarge(layout.scale, by: factor, palette)
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
        _ layout: HeatTileLayout, _ field: HeatField, _ counts: [CellCounts], _ paletteMapper: PaletteMapper
    ) {
        let used: UInt64
        if case .differences(let palette) = paletteMapper {
            guard differenceField.draw(field, counts: counts, palette: palette) else { return }
            used = differenceField.used
        } else {
            guard kernelField.draw(field, counts: counts, paletteMapper: paletteMapper) else { return }
            used = kernelField.used
        }
        paletteIndex.clear()
        paletteIndex.use(used)
        let order = paletteIndex.order(of: paletteMapper)
        let palette = paletteIndex.palette(of: paletteMapper)
        switch layout.scale {
        case .single:
            copyField(paletteMapper, side: layout.scale.side, order, to: &cells)
            content = .cells(palette)
        case .double:
            copyField(paletteMapper, side: layout.scale.side, order, to: &double)
            content = .double(palette)
        }
    }

    private func copyField(
        _ paletteMapper: PaletteMapper, side: Int, _ order: [UInt8], to surface: inout ImageSurface
    ) {
        if case .differences = paletteMapper {
            Self.copy(differenceField.indices, differenceField.blocks, side: side, order, to: &surface)
        } else {
            Self.copy(kernelField.indices, kernelField.blocks, side: side, order, to: &surface)
        }
    }

    /// Writes a field's palette indices to a surface, translated into the palette of the picture.
    private static func copy(
        _ indices: [UInt8], _ blocks: [UInt64], side: Int, _ order: [UInt8], to surface: inout ImageSurface
    ) {
        surface.clear()
        let bytesPerRow = surface.bytesPerRow
        let (source, blocks, order) = (indices.span, blocks.span, order.span)
        surface.withBytes { bytes in
            for y in 0..<side {
                var rest = blocks[y]
                while rest != 0 {
                    let west = rest.trailingZeroBitCount * HeatField.blockPixels
                    rest &= rest &- 1
                    // Bounds are checked once a block.
                    let from = source.extracting(y * side + west..<y * side + west + HeatField.blockPixels)
                    let start = y * bytesPerRow + west
                    var to = bytes._mutatingExtracting(start..<start + HeatField.blockPixels)
                    for pixel in from.indices { to[pixel] = order[Int(from[pixel])] }
                }
            }
        }
    }

    /// Enlarges the cells in the north-western corner of `cells` to a whole picture.
    private func enlarge(_ scale: TileScale, by factor: Int, _ palette: [Color]) {
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

    /// Encodes what was drawn as a PNG.
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
        of surface: inout ImageSurface, palette: [Color], writer: inout PNGWriter
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
    private static func drawCells(
        _ counts: CellCounts, in range: Range<Int>, codes: Int, paletteMapper: PaletteMapper,
        paletteIndex: inout PaletteIndex,
        on cells: inout ImageSurface
    ) -> [Color]? {
        guard !range.isEmpty else { return nil }
        paletteIndex.clear()
        paletteIndex.add(counts, in: range, paletteMapper: paletteMapper)
        let order = paletteIndex.order(of: paletteMapper)
        let indices = paletteIndex.indices.span
        let codesHere = counts.cells.span.extracting(range)
        let byteTable = CellLayout.table
        let bytePositions = byteTable.span
        // The length of the run is a power of 4 and it starts at a multiple of it, so the low bits are the position in
        // the square.
        let mask = UInt16(codes - 1)
        cells.clear()
        cells.withBytes { bytes in
            for index in codesHere.indices {
                let at = CellLayout.position(of: codesHere[index] & mask, bytePositions)
                bytes[at] = order[Int(indices[index])]
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
