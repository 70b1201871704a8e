import Cairo
public import Colors
import PNG

/// Draws a legend: colours on a light and on a dark background, with their texts.
public enum LegendPicture {
    private static let rowHeight = 18
    private static let margin = 8
    private static let swatchWidth = 48
    private static let textStyle = TextStyle(size: 12)
    private static let titleStyle = TextStyle(size: 12, weight: .bold)
    private static let leastTextWidth = 72

    /// A PNG with a title row and one row for each colour.
    public static func png(title: String, entries: [(color: Color, text: String)]) throws -> [UInt8] {
        let width = try width(of: [title] + entries.map(\.text))
        let height = 2 * margin + (entries.count + 1) * rowHeight
        var surface = try ImageSurface(.argb32, width: width, height: height)
        try surface.draw { context in
            context.setSource(red: 1, green: 1, blue: 1)
            context.paint()
            context.setSource(red: 0.13, green: 0.13, blue: 0.13)
            context.show(title, titleStyle, x: Double(margin), y: baseline(ofRow: 0))
            for (index, entry) in entries.enumerated() { draw(entry, row: index + 1, on: context) }
        }
        var writer = PNGWriter()
        return try surface.withWords { words in
            try writer.png(premultiplied: words.span, width: width, height: height)
        }
    }

    private static func baseline(ofRow row: Int) -> Double { Double(margin + (row + 1) * rowHeight - 5) }

    private static func draw(_ entry: (color: Color, text: String), row: Int, on context: borrowing Context) {
        let top = Double(margin + row * rowHeight)
        let half = Double(swatchWidth) / 2
        for (column, background) in [0.95, 0.15].enumerated() {
            let left = Double(margin) + Double(column) * half
            context.setSource(red: background, green: background, blue: background)
            context.rectangle(x: left, y: top, width: half, height: Double(rowHeight))
            context.fill()
        }
        context.setSource(entry.color)
        context.rectangle(
            x: Double(margin), y: top + 3, width: Double(swatchWidth), height: Double(rowHeight) - 6)
        context.fill()
        context.setSource(red: 0.13, green: 0.13, blue: 0.13)
        context.show(entry.text, textStyle, x: Double(margin + swatchWidth + 8), y: baseline(ofRow: row))
    }

    /// The width for the widest text in the style of the title, at least `leastTextWidth`.
    private static func width(of texts: [String]) throws -> Int {
        var probe = try ImageSurface(.alpha8, width: 1, height: 1)
        var widest = Double(leastTextWidth)
        try probe.draw { context in
            for text in texts { widest = max(widest, context.size(of: text, titleStyle).width) }
        }
        return 2 * margin + swatchWidth + 8 + Int(widest.rounded(.up))
    }
}
