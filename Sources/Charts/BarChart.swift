import Cairo
import PNG
package import Styling

/// A bar chart of values over time, as SVG or PNG.
///
/// The title and a line with the total are at the top, the value axis is on the left, and the greatest bar has its value
/// above it. Lengths are in pixels of a picture with scale 1.
package struct BarChart: Sendable {
    /// A name of a period below a bar.
    package struct Label: Sendable, Equatable {
        package var text: String
        /// Its number within the coarser period: 0 for January and for the first day. If not all labels have room, those
        /// with multiples of a number are shown.
        package var ordinal: Int

        package init(_ text: String, ordinal: Int) {
            self.text = text
            self.ordinal = ordinal
        }
    }

    /// A bar.
    package struct Bar: Sendable, Equatable {
        /// The value, at least 0, in the unit of the axis.
        package var value: Double
        /// From the coarsest to the finest: a year, a month, a week or day.
        package var labels: [Label]

        package init(value: Double, labels: [Label]) {
            self.value = value
            self.labels = labels
        }
    }

    package var title: String
    /// Such as `7,302 km in 391 tracks`.
    package var subtitle: String
    /// The unit of the axis, such as `km`.
    package var unit: String
    package var bars: [Bar]
    package var theme = Theme.light
    package var width = BarChart.defaultSize.width
    package var height = BarChart.defaultSize.height

    package static let defaultSize = (width: 960, height: 400)
    /// The widths and heights that a chart may have.
    package static let sides = 200...4096

    /// Creates a chart for light backgrounds, of the default size.
    package init(title: String, subtitle: String, unit: String, bars: [Bar]) {
        self.title = title
        self.subtitle = subtitle
        self.unit = unit
        self.bars = bars
    }

    /// The chart as SVG.
    package func svg() throws -> [UInt8] {
        // SVG documents are measured in points.
        let point = 0.75
        var document = try Document(.svg, width: Double(width) * point, height: Double(height) * point, title: title)
        try document.draw { context in
            context.scale(x: point, y: point)
            draw(on: context)
        }
        return try document.finish()
    }

    /// Pixels of a picture that is drawn as a whole, in 16 MiB.
    package static let wholePixels = 4 << 20
    /// Rows of a larger picture that are drawn at a time: at most 8 MiB.
    private static let bandRows = 256

    /// Whether a picture with `scale` pixels a unit takes long to draw, as 67 million pixels do.
    package static func isLarge(width: Int, height: Int, scale: Int) -> Bool {
        width * scale * height * scale > wholePixels
    }

    /// The chart as PNG with `scale` pixels a unit. A picture of more than `wholePixels` is drawn in bands, so that its
    /// memory does not grow with its height.
    package func png(scale: Int, wholePixels: Int = wholePixels) throws -> [UInt8] {
        let (pixelWidth, pixelHeight) = (width * scale, height * scale)
        guard pixelWidth * pixelHeight <= wholePixels else {
            return try bandedPNG(width: pixelWidth, height: pixelHeight, scale)
        }
        var surface = try ImageSurface(.argb32, width: pixelWidth, height: pixelHeight)
        try surface.draw { context in
            context.scale(x: Double(scale), y: Double(scale))
            draw(on: context)
        }
        var writer = PNGWriter()
        return try surface.withWords { try writer.png(premultiplied: $0.span, width: pixelWidth, height: pixelHeight) }
    }

    private func bandedPNG(width: Int, height: Int, _ scale: Int) throws -> [UInt8] {
        let writer = try PNGBandWriter(width: width, height: height, dpi: Self.screenDPI * scale)
        for top in stride(from: 0, to: height, by: Self.bandRows) {
            let rows = min(Self.bandRows, height - top)
            var band = try ImageSurface(.argb32, width: width, height: rows)
            try band.draw { context in
                context.translate(x: 0, y: Double(-top))
                context.scale(x: Double(scale), y: Double(scale))
                draw(on: context)
            }
            try band.withWords { try writer.add($0.span, rows: rows) }
        }
        return try writer.finish()
    }

    // MARK: Drawing

    /// Of CSS.
    private static let screenDPI = 96
    private static let margin = 24.0
    private static let titleSize = 19.0
    private static let textSize = 13.0
    private static let labelSize = 12.0
    /// From the top to the highest grid line.
    private static let headHeight = 96.0
    /// Below the axis.
    private static let footHeight = 52.0
    /// Of the space of a bar, what remains free between bars of more than 3 pixels.
    private static let gapShare = 0.22
    private static let widestBar = 64.0

    private func draw(on context: borrowing Context) {
        let colors = ChartColors(theme)
        context.setSource(colors.background)
        context.paint()
        context.setSource(colors.title)
        context.show(
            title, TextStyle(size: Self.titleSize, weight: .bold), x: Self.margin, y: Self.margin + Self.titleSize)
        context.setSource(colors.text)
        context.show(
            subtitle, TextStyle(size: Self.textSize), x: Self.margin, y: Self.margin + Self.titleSize + 22)
        let most = bars.map(\.value).max() ?? 0
        guard most > 0 else { return drawNothing(on: context, colors) }
        let axis = ValueAxis(upTo: most, unit: unit)
        let style = TextStyle(size: Self.labelSize)
        let labelWidth = axis.ticks.map { context.size(of: $0.text, style).width }.max() ?? 0
        let plot = PlotArea(
            left: Self.margin + labelWidth + 10, top: Self.headHeight, right: Double(width) - Self.margin,
            bottom: Double(height) - Self.footHeight)
        drawGrid(axis, plot, on: context, colors)
        drawBars(axis, plot, on: context, colors)
        drawTimeLabels(plot, on: context, colors)
    }

    private func drawNothing(on context: borrowing Context, _ colors: ChartColors) {
        let text = "Nothing was recorded in this time"
        let style = TextStyle(size: Self.textSize)
        let size = context.size(of: text, style)
        context.setSource(colors.text)
        context.show(text, style, x: (Double(width) - size.width) / 2, y: Double(height) / 2)
    }

    private func drawGrid(_ axis: ValueAxis, _ plot: PlotArea, on context: borrowing Context, _ colors: ChartColors) {
        let style = TextStyle(size: Self.labelSize)
        context.setLine(width: 1)
        for tick in axis.ticks {
            let y = (plot.y(of: tick.value / axis.top)).rounded() + 0.5
            context.setSource(tick.value == 0 ? colors.axis : colors.grid)
            context.move(x: plot.left, y: y)
            context.line(x: plot.right, y: y)
            context.stroke()
            let size = context.size(of: tick.text, style)
            context.setSource(colors.text)
            context.show(tick.text, style, x: plot.left - 8 - size.width, y: y + Self.labelSize * 0.36)
        }
    }

    private func drawBars(_ axis: ValueAxis, _ plot: PlotArea, on context: borrowing Context, _ colors: ChartColors) {
        let space = plot.width / Double(bars.count)
        let barWidth = min(Self.widestBar, space > 3 ? space * (1 - Self.gapShare) : space)
        let greatest = bars.indices.max { (bars[$0].value, $1) < (bars[$1].value, $0) }
        for (index, bar) in bars.enumerated() where bar.value > 0 {
            // A small value is visible, too.
            let barHeight = max(1, plot.height * bar.value / axis.top)
            let x = plot.left + (Double(index) + 0.5) * space - barWidth / 2
            context.setSource(index == greatest ? colors.greatestBar : colors.bar)
            context.rectangle(x: x, y: plot.bottom - barHeight, width: barWidth, height: barHeight)
            context.fill()
        }
        guard let greatest else { return }
        let text = ValueAxis.text(bars[greatest].value, unit: unit)
        let style = TextStyle(size: Self.labelSize, weight: .bold)
        let size = context.size(of: text, style)
        let centre = plot.left + (Double(greatest) + 0.5) * space
        let x = min(max(centre - size.width / 2, plot.left), plot.right - size.width)
        context.setSource(colors.title)
        context.show(text, style, x: x, y: plot.y(of: bars[greatest].value / axis.top) - 6)
    }

    /// The steps between labels of which not all have room.
    private static let labelSteps = [1, 2, 3, 5, 6, 10, 20, 50]
    private static let labelGap = 10.0

    /// Labels the bars with the finest names that have room, and below them the coarser names where these change.
    private func drawTimeLabels(_ plot: PlotArea, on context: borrowing Context, _ colors: ChartColors) {
        let style = TextStyle(size: Self.labelSize)
        context.setSource(colors.text)
        for depth in stride(from: (bars.first?.labels.count ?? 0) - 1, through: 0, by: -1) {
            let starts = bars.indices.filter { changes(at: $0, depth: depth) }
            for step in depth == 0 ? Self.labelSteps : Array(Self.labelSteps.prefix(6)) {
                let labelled = starts.filter { bars[$0].labels[depth].ordinal % step == 0 }
                let widest = labelled.map { context.size(of: bars[$0].labels[depth].text, style).width }.max() ?? 0
                guard !labelled.isEmpty, Double(labelled.count) * (widest + Self.labelGap) <= plot.width else {
                    continue
                }
                draw(labelled.map { ($0, bars[$0].labels[depth].text) }, line: 0, plot, style, on: context)
                guard depth > 0 else { return }
                let coarser = bars.indices.filter { self.changes(at: $0, depth: depth - 1) }.map { index in
                    (index, bars[index].labels.prefix(depth).reversed().map(\.text).joined(separator: " "))
                }
                draw(coarser, line: 1, plot, style, on: context)
                return
            }
        }
    }

    /// Whether a name of a bar, or a coarser one, is another than that of the bar before.
    private func changes(at index: Int, depth: Int) -> Bool {
        index == 0 || bars[index].labels.prefix(depth + 1) != bars[index - 1].labels.prefix(depth + 1)
    }

    /// Draws texts below bars, from left to right; those without room are left out.
    private func draw(
        _ texts: [(bar: Int, text: String)], line: Int, _ plot: PlotArea, _ style: TextStyle,
        on context: borrowing Context
    ) {
        let space = plot.width / Double(bars.count)
        let y = plot.bottom + 18 + Double(line) * (Self.labelSize + 4)
        var free = -Double.infinity
        for (bar, text) in texts {
            let width = context.size(of: text, style).width
            // In the middle of a wide bar, else from its left edge.
            let inset = line == 0 && space >= width ? (space - width) / 2 : 0
            let x = plot.left + Double(bar) * space + inset
            guard x >= free, x + width <= plot.right + Self.margin else { continue }
            context.show(text, style, x: x, y: y)
            free = x + width + Self.labelGap
        }
    }
}

/// The area of the bars.
private struct PlotArea {
    var left: Double
    var top: Double
    var right: Double
    var bottom: Double

    var width: Double { right - left }
    var height: Double { bottom - top }

    /// The vertical place of a share of the axis.
    func y(of share: Double) -> Double { bottom - height * share }
}
