internal import Cairo
internal import Text

/// A text with its measures in pixels of a screen. Letters are as wide at every density of pixels, because the text is
/// laid out without hints.
struct LabelText: Sendable {
    /// The lines with their widths.
    let lines: [(text: String, width: Double)]
    let style: TextStyle
    let lineHeight: Double
    let baseline: Double

    /// Pixels around the letters, for the halo and for a distance to other labels.
    static let margin = 3

    /// The box with its margins.
    var width: Int { Int((lines.map(\.width).max() ?? 0).rounded(.up)) + 2 * Self.margin }
    var height: Int { Int((Double(lines.count) * lineHeight).rounded(.up)) + 2 * Self.margin }
}

/// Measures texts; a text is measured once.
struct LabelMeasurer: ~Copyable {
    private var surface: ImageSurface
    private var known: [Key: TextSize] = [:]

    private struct Key: Hashable {
        let text: String
        let style: TextStyle
    }

    /// Texts are cut after this many letters: longer ones fit nowhere.
    private static let longest = 60

    init() throws {
        surface = try ImageSurface(.argb32, width: 1, height: 1)
    }

    private mutating func size(_ text: String, _ style: TextStyle) throws -> TextSize {
        let key = Key(text: text, style: style)
        if let size = known[key] { return size }
        var size = TextSize.zero
        try surface.draw { context in size = context.size(of: text, style) }
        known[key] = size
        return size
    }

    /// A text in one line, and one in two lines of about the same length if it has several words.
    mutating func variants(_ text: String, _ style: TextStyle) throws -> [LabelText] {
        // Names of broken files have line breaks and tabs.
        let line = text.prefix(Self.longest).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        guard !line.isEmpty else { return [] }
        var found = [try measured([line], style)]
        if let (first, second) = line.inTwoLines() {
            found.append(try measured([first, second], style))
        }
        return found
    }

    private mutating func measured(_ lines: [String], _ style: TextStyle) throws -> LabelText {
        var sizes: [TextSize] = []
        for line in lines { sizes.append(try size(line, style)) }
        return LabelText(
            lines: zip(lines, sizes).map { ($0, $1.width) }, style: style, lineHeight: sizes.map(\.height).max() ?? 0,
            baseline: sizes.map(\.baseline).max() ?? 0)
    }
}
