internal import Cairo

/// Draws names and symbols in their places.
///
/// Each is drawn on a picture of its own, which is put down at whole pixels of the world: so its parts in neighbouring tiles
/// fit, whatever cairo does at an edge.
struct MarkDrawing {
    let view: FloorView
    let style: FloorStyle

    /// Pixels of a screen of the halo of letters.
    private static let halo = 2.6

    func draw(_ marks: [PlacedMark], on context: borrowing Context) throws {
        let box = view.pixelBox
        for mark in marks where mark.box.intersects(box) {
            var picture = try ImageSurface(
                .argb32, width: mark.box.width * view.density, height: mark.box.height * view.density)
            try picture.draw { context in
                context.scale(x: Double(view.density), y: Double(view.density))
                switch mark.content {
                case .symbol(let symbol):
                    let scale = Double(mark.box.width) / 16
                    context.scale(x: scale, y: scale)
                    FloorSymbolDrawing.draw(symbol, style, on: context)
                case .text(let text): draw(text, width: mark.box.width, on: context)
                }
            }
            context.paint(
                picture, x: Double((mark.box.x - view.originX) * view.density),
                y: Double((mark.box.y - view.originY) * view.density))
        }
    }

    private func draw(_ text: LabelText, width: Int, on context: borrowing Context) {
        func eachLine(_ body: (String, Double, Double) -> Void) {
            for (index, line) in text.lines.enumerated() {
                let y = Double(LabelText.margin) + Double(index) * text.lineHeight + text.baseline
                body(line.text, (Double(width) - line.width) / 2, y)
            }
        }
        eachLine { line, x, y in context.addOutlines(of: line, text.style, x: x, y: y) }
        context.setSource(style[.halo], alpha: 0.85)
        context.setLine(width: Self.halo, cap: .round, join: .round)
        context.stroke()
        context.setSource(style[.label])
        eachLine { line, x, y in context.show(line, text.style, x: x, y: y) }
    }
}
