import Caching
import Cairo
import Foundation
import Text

/// A text on the map where it is drawn.
struct MapLabel: Sendable {
    enum Style: Sendable, Hashable {
        case place(NameKind)
        case road
        /// The number of a road on a plate of this size.
        case shield(width: Double, height: Double)
    }

    var text: String
    var style: Style
    /// In pixels of a screen from the north-western corner of the world at the label's zoom level.
    var anchor: MapPoint
    /// In pixels of a screen from the anchor.
    var outline: TextOutline
    var box: MapBox

    /// What tells labels of two blocks apart.
    struct Identity: Hashable {
        let text: String
        let style: Style
        let x: Double
        let y: Double
    }

    var identity: Identity { Identity(text: text, style: style, x: anchor.x, y: anchor.y) }
}

/// A text that is laid out, around the middle of its letters.
struct LaidOutText: Sendable {
    var outline: TextOutline
    var width: Double
    var height: Double
}

/// Texts that are laid out: the name of a street is in several blocks of each zoom level.
final class LaidOutTexts: Sendable {
    struct Key: Hashable, Sendable {
        let text: String
        let style: TextStyle
    }

    let cache = SharedCache<Key, LaidOutText>(costLimit: 16 << 20)
}

/// Lays out the texts of labels.
struct LabelTypesetter: ~Copyable {
    private var surface: ImageSurface
    private let known: LaidOutTexts

    /// From the baseline to the middle of small letters with an ascender, as a part of the size.
    static let middle = 0.36

    init(_ known: LaidOutTexts) throws(CairoError) {
        self.known = known
        surface = try ImageSurface(.argb32, width: 1, height: 1)
    }

    /// One line, with the baseline below the middle of the letters.
    mutating func line(_ text: String, _ style: TextStyle) throws(CairoError) -> LaidOutText {
        let key = LaidOutTexts.Key(text: text, style: style)
        if let found = known.cache.find(key) { return found }
        var (outline, size) = (TextOutline(), TextSize.zero)
        try surface.draw { context in
            size = context.size(of: text, style)
            outline = context.outline(of: text, style)
        }
        let (half, shift) = (size.width / 2, style.size * Self.middle)
        let found = LaidOutText(
            outline: outline.mapped { ($0 - half, $1 + shift) }, width: size.width, height: style.size * 1.25)
        return known.cache.value(for: key, cost: { $0.outline.byteCount + 128 }) { found }
    }

    /// A text in one line, or in two of about the same length if one were wider than `widest`.
    mutating func block(_ text: String, _ style: TextStyle, widest: Double) throws(CairoError) -> LaidOutText {
        let single = try line(text, style)
        guard single.width > widest, let (first, second) = text.inTwoLines() else { return single }
        let (upper, lower) = (try line(first, style), try line(second, style))
        let step = style.size * 1.2
        var outline = upper.outline.mapped { ($0, $1 - step / 2) }
        outline.append(lower.outline.mapped { ($0, $1 + step / 2) })
        return LaidOutText(
            outline: outline, width: max(upper.width, lower.width), height: upper.height + step)
    }
}
