import Cairo
import PNG
public import Pins
public import Styling
public import TileMath

/// Draws pins: clusters with their counts, and single pins.
public struct PinPicture: ~Copyable {
    private var writer = PNGWriter()

    /// Increased when the pictures change.
    public static let version = 1

    private struct Colors {
        var cluster: (Double, Double, Double)
        var text: (Double, Double, Double)
        var pin: (Double, Double, Double)
        var rim: (Double, Double, Double)
    }

    /// For light maps: dark clusters with white numbers.
    private static let light = Colors(
        cluster: (0.10, 0.34, 0.63), text: (1, 1, 1), pin: (0.85, 0.29, 0.07), rim: (1, 1, 1))
    /// For dark maps: light clusters with dark numbers.
    private static let dark = Colors(
        cluster: (0.55, 0.79, 1), text: (0.04, 0.09, 0.16), pin: (1, 0.62, 0.26), rim: (0.04, 0.09, 0.16))

    /// Pixels of the rim, which is within the diameter.
    private static let rim = 1.5
    private static let clusterAlpha = 0.92
    /// The largest font, and the share of a cluster's diameter that a number may fill.
    private static let fontSize = 13.0
    private static let textShare = 0.84

    public init() {}

    /// The PNG of a tile.
    public mutating func png(_ tile: PinTile, scale: TileScale, theme: Theme) throws -> [UInt8] {
        guard !tile.isEmpty else { return scale.emptyPicture }
        var surface = try ImageSurface(.argb32, width: scale.side, height: scale.side)
        try surface.draw { context in
            context.scale(x: Double(scale.rawValue), y: Double(scale.rawValue))
            Self.draw(tile, theme == .dark ? Self.dark : Self.light, on: context)
        }
        return try surface.withWords { words in
            try writer.png(premultiplied: words.span, width: scale.side, height: scale.side)
        }
    }

    private static func draw(_ tile: PinTile, _ colors: Colors, on context: borrowing Context) {
        // In an order that both tiles at an edge have: from north to south.
        let pins = (tile.pins + tile.neighbours).sorted { ($0.y, $0.x) < ($1.y, $1.x) }
        for pin in pins {
            disc(pin.x, pin.y, PinTile.smallestDiameter, colors.pin, 1, colors.rim, on: context)
        }
        for cluster in tile.clusters {
            disc(cluster.x, cluster.y, cluster.diameter, colors.cluster, clusterAlpha, colors.rim, on: context)
            number(cluster, colors.text, on: context)
        }
    }

    private static func disc(
        _ x: Double, _ y: Double, _ diameter: Double, _ fill: (Double, Double, Double), _ alpha: Double,
        _ rimColor: (Double, Double, Double), on context: borrowing Context
    ) {
        context.newPath()
        context.circle(x: x, y: y, radius: diameter / 2)
        context.setSource(red: rimColor.0, green: rimColor.1, blue: rimColor.2, alpha: alpha)
        context.fill()
        context.circle(x: x, y: y, radius: diameter / 2 - rim)
        context.setSource(red: fill.0, green: fill.1, blue: fill.2, alpha: alpha)
        context.fill()
    }

    /// Draws a count with all its digits, smaller if they are many.
    private static func number(
        _ cluster: PinTile.PinCluster, _ color: (Double, Double, Double), on context: borrowing Context
    ) {
        let text = "\(cluster.count)"
        var style = TextStyle(size: fontSize, weight: .bold)
        var size = context.size(of: text, style)
        let room = cluster.diameter * textShare
        if size.width > room {
            style.size *= room / size.width
            size = context.size(of: text, style)
        }
        context.setSource(red: color.0, green: color.1, blue: color.2)
        context.show(
            text, style, x: cluster.x - size.width / 2, y: cluster.y - size.height / 2 + size.baseline)
    }
}
