internal import Cairo
internal import Colors
import Styling

/// Draws a plan with Cairo.
struct JourneyDrawing {
    let plan: JourneyPlan
    let colors: JourneyColors
    let density: Int

    /// Pixels of a screen of the halo of letters.
    private static let halo = 3.0

    /// Throws if there is no memory.
    func draw(on context: borrowing Context) throws {
        drawLines(on: context)
        for disc in plan.discs { draw(disc, on: context) }
        for name in plan.names { try draw(name, on: context) }
        for figure in plan.figures { try draw(figure, on: context) }
    }

    private func drawLines(on context: borrowing Context) {
        let pixels = Double(density)
        let whole = plan.lines.flatMap(\.whole)
        let lit = plan.lines.flatMap(\.lit)
        context.setSource(colors.casing)
        stroke(whole, width: (plan.widths.ahead + 2 * JourneyPlan.casing) * pixels, cap: .round, on: context)
        stroke(lit.map(\.points), width: (plan.widths.lit + 2 * JourneyPlan.casing) * pixels, on: context)
        context.setSource(colors.ahead)
        stroke(whole, width: plan.widths.ahead * pixels, cap: .round, on: context)
        for color in Set(lit.map(\.color)).sorted() {
            context.setSource(colors.step(color))
            stroke(lit.filter { $0.color == color }.map(\.points), width: plan.widths.lit * pixels, on: context)
        }
    }

    /// All lines in one stroke, so that they do not add up where they cross.
    private func stroke(
        _ lines: [[DrawnPoint]], width: Double, cap: Context.LineCap = .butt, on context: borrowing Context
    ) {
        guard !lines.isEmpty else { return }
        for line in lines {
            for (index, point) in line.enumerated() {
                if index == 0 { context.move(x: point.x, y: point.y) } else { context.line(x: point.x, y: point.y) }
            }
        }
        context.setLine(width: width, cap: cap, join: .round)
        context.stroke()
    }

    private func draw(_ disc: JourneyPlan.Disc, on context: borrowing Context) {
        let pixels = Double(density)
        let color = disc.part.map { colors.color(at: $0) } ?? colors.ahead
        context.circle(x: disc.center.x, y: disc.center.y, radius: disc.radius + JourneyPlan.casing * pixels)
        context.setSource(colors.casing)
        context.fill()
        context.circle(x: disc.center.x, y: disc.center.y, radius: disc.radius)
        context.setSource(color)
        context.fill()
        guard disc.part == nil else { return }
        // A ring: the place is still to be filled.
        context.circle(x: disc.center.x, y: disc.center.y, radius: disc.radius * 0.45)
        context.setSource(colors.casing)
        context.fill()
    }

    /// Draws a picture of its own, which is put down at whole pixels of the world: so its parts in neighbouring tiles fit.
    private func onPicture(
        _ box: DrawnBox, _ context: borrowing Context, _ body: (borrowing Context) throws -> Void
    ) throws {
        var picture = try ImageSurface(
            .argb32, width: Int((box.right - box.left).rounded()), height: Int((box.bottom - box.top).rounded()))
        var failure: (any Error)?
        try picture.draw { context in
            context.scale(x: Double(density), y: Double(density))
            do { try body(context) } catch { failure = error }
        }
        if let failure { throw failure }
        context.paint(picture, x: box.left, y: box.top)
    }

    private func draw(_ name: JourneyPlan.Name, on context: borrowing Context) throws {
        try onPicture(name.box, context) { context in
            let (text, margin) = (name.name.text, PlaceName.margin)
            let y = margin + name.name.size.baseline
            context.addOutlines(of: text, PlaceName.style, x: margin, y: y)
            context.setSource(colors.casing, alpha: 0.9)
            context.setLine(width: Self.halo, cap: .round, join: .round)
            context.stroke()
            context.setSource(name.isReached ? colors.letters : colors.lockedLetters)
            context.show(text, PlaceName.style, x: margin, y: y)
        }
    }

    private func draw(_ figure: JourneyPlan.Figure, on context: borrowing Context) throws {
        try onPicture(figure.box, context) { context in
            try figure.figure.draw(colors.color(at: figure.part), colors, density: density, on: context)
        }
    }
}
