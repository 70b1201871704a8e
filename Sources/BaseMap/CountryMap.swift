import Cairo
public import Colors
public import Geography
import PNG
public import Styling
public import TileMath

/// Draws countries filled by how somebody was there, on a transparent background.
public struct CountryMap: Sendable {
    /// How a country is filled; the later ones are stronger.
    public enum Fill: Int, Sendable, CaseIterable {
        case overflown
        case transited
        case visited

        /// The colour of the land. Those who cannot see red or green can distinguish the colours (Okabe and Ito).
        public func color(_ theme: Theme) -> Color {
            let isDark = theme == .dark
            return switch self {
            case .overflown: Color(red: 0x8C, green: 0x94, blue: 0xA0, alpha: isDark ? 120 : 100)
            case .transited: Color(red: 0xE6, green: 0x9F, blue: 0x00, alpha: isDark ? 150 : 130)
            case .visited:
                isDark
                    ? Color(red: 0x2F, green: 0x9B, blue: 0xDC, alpha: 170)
                    : Color(red: 0x00, green: 0x72, blue: 0xB2, alpha: 150)
            }
        }
    }

    /// The last zoom level with tiles of its own: deeper, the outlines are plainly too coarse.
    public static let deepestZoom = 10
    /// The last zoom level for which vertices are selected; deeper tiles have all vertices.
    private static let deepestLevel = 8.0
    /// The outlines of filled countries, in pixels of a screen.
    private static let outlinePixels = 1.0
    private static let outlineAlpha = 0.9

    private let geography: Geography
    /// For each country of the geography.
    private let fills: [Fill?]

    /// A map with a fill for each country of `geography`, nil for those that are not drawn.
    public init(_ fills: [Fill?], of geography: Geography = .embedded) {
        precondition(fills.count == geography.countries.count, "a fill for each country")
        self.geography = geography
        self.fills = fills
    }

    /// A tile as a PNG. Throws if there is no memory for it.
    public func png(of tile: TileCoordinate, _ scale: TileScale, theme: Theme) throws -> [UInt8] {
        let view = MapView(tile, scale)
        var surface = try ImageSurface(.argb32, width: scale.side, height: scale.side)
        try surface.draw { context in draw(view, theme, on: context) }
        return try surface.withWords { words throws(PNGError) in
            var writer = PNGWriter()
            return try writer.png(premultiplied: words.span, width: scale.side, height: scale.side)
        }
    }

    private func draw(_ view: MapView, _ theme: Theme, on context: borrowing Context) {
        var tracer = OutlineTracer(geography.vertices, view)
        tracer.level = view.zoom >= Self.deepestLevel + 0.5 ? 15 : UInt8(max(0, view.zoom.rounded()))
        for fill in Fill.allCases where fills.contains(fill) {
            // One path for all countries of a fill: neighbours have no seam.
            for ring in geography.rings where fills[ring.country] == fill && tracer.isVisible(ring.bounds) {
                for (index, isReversed) in ring.arcs { tracer.add(geography.arcs[index].line, isReversed: isReversed) }
                tracer.closeRing(on: context)
            }
            context.setSource(fill.color(theme))
            context.fill()
        }
        for fill in Fill.allCases where fills.contains(fill) {
            for arc in geography.arcs where !arc.isMapEdge && self.fill(of: arc) == fill {
                guard tracer.isVisible(arc.line.bounds) else { continue }
                tracer.traceLine(arc.line, on: context)
            }
            context.setSource(fill.color(theme), alpha: Self.outlineAlpha)
            context.setLine(width: Self.outlinePixels * view.scale, cap: .round, join: .round)
            context.stroke()
        }
    }

    /// The stronger fill of both sides; nil if both are not drawn.
    private func fill(of arc: Geography.Arc) -> Fill? {
        let sides = [arc.left, arc.right].compactMap { $0.flatMap { fills[$0] } }
        return sides.max { $0.rawValue < $1.rawValue }
    }
}
