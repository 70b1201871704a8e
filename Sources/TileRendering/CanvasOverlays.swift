public import Cairo
public import LineGrid
public import TileMath

extension Canvas {
    /// Draws lines over the picture. If no line comes near it, its bytes do not change.
    public func draw(_ drawing: LineDrawing) throws(CairoError) {
        let scale = drawing.layout.scale
        let overlay = try overlay(scale)
        guard drawing.method == .distances else {
            return try overlay.drawRaster(drawing) { begin(overlay, scale) }
        }
        guard overlay.load(drawing) else { return }
        begin(overlay, scale)
        try overlay.drawLines(drawing.symbolizer, zoom: drawing.layout.tile.zoom)
    }

    /// Draws recorded points over the picture. If no point comes near it, its bytes do not change.
    public func draw(_ drawing: PointDrawing) throws(CairoError) {
        let scale = drawing.layout.scale
        let overlay = try overlay(scale)
        guard overlay.load(drawing) else { return }
        begin(overlay, scale)
        try overlay.drawPoints(drawing.symbolizer, zoom: drawing.layout.tile.zoom)
    }

    /// Draws the decorations of single tracks over the picture. If there are none, its bytes do not change.
    public func draw(_ decorations: TileDecorations, scale: TileScale) throws(CairoError) {
        let overlay = try overlay(scale)
        guard overlay.load(decorations) else { return }
        begin(overlay, scale)
        try overlay.drawDecorations()
    }

    /// The overlay of a size, created at its first use.
    func overlay(_ scale: TileScale) throws(CairoError) -> Overlay {
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
}
