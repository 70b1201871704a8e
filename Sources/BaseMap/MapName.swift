import Cairo
import Geography

/// A name on the map.
struct MapName: Sendable {
    enum Kind: Sendable { case country, capital, town }
    /// Where the text is, seen from the place.
    enum Side: Sendable { case middle, right, left }

    /// The distance of a town's dot to its name, in pixels of a screen.
    private static let gap = 5.0

    let text: String
    let kind: Kind
    /// The place; beyond 0…1 for a name of the neighbouring world.
    var place: MapVertex
    /// The size of the letters, in pixels of a screen.
    let letters: Double
    var side = Side.middle
    /// An upper estimate of the width in pixels of a screen. Names are placed by it and not by the font, so that the
    /// same names are shown wherever the map is drawn.
    let estimatedWidth: Double

    init(_ text: String, _ kind: Kind, at place: MapVertex, letters: Double) {
        self.text = text
        self.kind = kind
        self.place = place
        self.letters = letters
        estimatedWidth = text.reduce(0) { width, letter in
            width + letters * (letter.isUppercase ? 0.72 : "iljtfr.,' ".contains(letter) ? 0.36 : 0.62)
        }
    }

    /// The text style, with `scale` pixels in a pixel of a screen.
    func style(scale: Double) -> TextStyle {
        TextStyle(size: letters * scale, weight: kind == .capital ? .medium : .regular)
    }

    /// Where the dot is drawn.
    func dot(in view: MapView) -> (x: Double, y: Double) {
        (place.x * view.worldPixels - view.originX, place.y * view.worldPixels - view.originY)
    }

    /// Where the baseline of a text of this size begins.
    func baseline(_ size: TextSize, in view: MapView) -> (x: Double, y: Double) {
        let dot = dot(in: view)
        let y = dot.y - size.height / 2 + size.baseline
        return switch side {
        case .middle: (dot.x - size.width / 2, y)
        case .right: (dot.x + Self.gap * view.scale, y)
        case .left: (dot.x - Self.gap * view.scale - size.width, y)
        }
    }

    /// The box around dot and text at a size of the world, in pixels of a screen.
    func box(worldPixels: Double) -> NameBox {
        let (x, y) = (place.x * worldPixels, place.y * worldPixels)
        let half = letters * 0.7
        let (west, east) =
            switch side {
            case .middle: (-estimatedWidth / 2, estimatedWidth / 2)
            case .right: (-Self.gap, Self.gap + estimatedWidth)
            case .left: (-Self.gap - estimatedWidth, Self.gap)
            }
        return NameBox(minX: x + west, maxX: x + east, minY: y - half, maxY: y + half)
    }
}

/// The box around a name, in pixels of a screen.
struct NameBox {
    var minX: Double
    var maxX: Double
    var minY: Double
    var maxY: Double

    func grown(x: Double, y: Double) -> NameBox {
        NameBox(minX: minX - x, maxX: maxX + x, minY: minY - y, maxY: maxY + y)
    }

    func shifted(x: Double) -> NameBox { NameBox(minX: minX + x, maxX: maxX + x, minY: minY, maxY: maxY) }

    func intersects(_ other: NameBox) -> Bool {
        minX <= other.maxX && maxX >= other.minX && minY <= other.maxY && maxY >= other.minY
    }
}
