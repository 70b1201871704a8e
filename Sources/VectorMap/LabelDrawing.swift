import BaseMap
import Cairo
import Colors

/// Draws labels.
struct LabelDrawing {
    let colors: MapColors
    /// Pixels in a pixel of a screen.
    let scale: Double

    /// Pixels of a screen around letters.
    private static let halo = 2.4

    /// Draws a label with its anchor at a place, in pixels of the view.
    func draw(_ label: MapLabel, x: Double, y: Double, on context: borrowing Context) {
        context.withSavedState {
            context.translate(x: x, y: y)
            context.scale(x: scale, y: scale)
            switch label.style {
            case .place(let kind): letters(label.outline, colors.name(kind), halo: colors.base.land, on: context)
            case .road: letters(label.outline, colors.roadName, halo: colors.base.land, on: context)
            case .shield(let width, let height):
                plate(width: width, height: height, on: context)
                letters(label.outline, colors.roadName, halo: nil, on: context)
            }
        }
    }

    private func letters(_ outline: TextOutline, _ color: Color, halo: Color?, on context: borrowing Context) {
        if let halo {
            context.add(outline)
            context.setLine(width: Self.halo, cap: .round, join: .round)
            context.setSource(halo, alpha: 0.82)
            context.stroke()
        }
        context.add(outline)
        context.setSource(color)
        context.fill()
    }

    private func plate(width: Double, height: Double, on context: borrowing Context) {
        context.rectangle(x: -width / 2, y: -height / 2, width: width, height: height)
        context.setSource(colors.casing(.primary))
        context.setLine(width: 2, cap: .round, join: .round)
        context.stroke()
        context.rectangle(x: -width / 2, y: -height / 2, width: width, height: height)
        context.setSource(colors.shield)
        context.fill()
    }
}
