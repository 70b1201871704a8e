internal import Cairo
public import Digest
internal import PNG
public import Styling
public import TileMath

/// A tile with journeys on a transparent ground: what is left of their lines in grey, what is done in the colours of a ramp,
/// places, names where there is room, and figures.
///
/// It is planned first, which costs as much as there is near the tile, and drawn if its digest is another one than the client
/// has. The positions of journeys are rounded to half a pixel, so a journey changes a tile only when that is seen.
public struct JourneyTile {
    /// Increased when the pictures change.
    private static let version = 1

    private let plan: JourneyPlan
    private let scale: TileScale
    private let theme: Theme

    public init(
        _ tile: TileCoordinate, _ scale: TileScale = .single, theme: Theme = .light, of journeys: [DrawnJourney]
    ) {
        self.scale = scale
        self.theme = theme
        plan = JourneyPlan(journeys, in: JourneyView(tile, scale))
    }

    /// Whether nothing is drawn.
    public var isEmpty: Bool { plan.isEmpty }

    /// Identifies the picture.
    public var digest: ContentDigest {
        var digester = Digester()
        digester.update("journey tile")
        digester.update(Self.version)
        digester.update(scale.rawValue)
        digester.update(theme.rawValue)
        plan.add(to: &digester)
        return digester.finish()
    }

    /// The picture as PNG; nil if the tile is empty. Throws if there is no memory for it.
    public func png() throws -> [UInt8]? {
        guard !isEmpty else { return nil }
        var surface = try ImageSurface(.argb32, width: scale.side, height: scale.side)
        try JourneyPicture.draw(plan, JourneyColors(theme), density: scale.rawValue, on: &surface)
        let side = scale.side
        return try surface.withWords { words -> [UInt8]? in
            // A line may pass in the margin only.
            guard words.span.indices.contains(where: { words[$0] != 0 }) else { return nil }
            var writer = PNGWriter()
            return try writer.png(premultiplied: words.span, width: side, height: side)
        }
    }
}

enum JourneyPicture {
    /// Draws a plan on a surface.
    static func draw(
        _ plan: JourneyPlan, _ colors: JourneyColors, density: Int, on surface: inout ImageSurface
    ) throws {
        var failure: (any Error)?
        try surface.draw { context in
            do {
                try JourneyDrawing(plan: plan, colors: colors, density: density).draw(on: context)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}

extension JourneyPlan {
    /// Adds everything that the picture depends on.
    fileprivate func add(to digester: inout Digester) {
        func whole(_ number: Double) -> Int { Int((number * 256).rounded()) }
        func add(_ points: [DrawnPoint], to digester: inout Digester) {
            digester.update(points.count)
            for point in points {
                digester.update(whole(point.x))
                digester.update(whole(point.y))
            }
        }
        func add(_ box: DrawnBox, to digester: inout Digester) {
            for number in [box.left, box.top, box.right, box.bottom] { digester.update(whole(number)) }
        }
        func add(_ part: Double?, to digester: inout Digester) {
            digester.update(part.map { Int(($0 * 4096).rounded()) } ?? -1)
        }
        digester.update(whole(widths.lit))
        digester.update(lines.count)
        for line in lines {
            digester.update(line.whole.count)
            for points in line.whole { add(points, to: &digester) }
            digester.update(line.lit.count)
            for (color, points) in line.lit {
                digester.update(color)
                add(points, to: &digester)
            }
        }
        digester.update(discs.count)
        for disc in discs {
            add([disc.center], to: &digester)
            digester.update(whole(disc.radius))
            add(disc.part, to: &digester)
        }
        digester.update(names.count)
        for name in names {
            digester.update(name.name.text)
            add(name.box, to: &digester)
            digester.update(name.isReached ? 1 : 0)
        }
        digester.update(figures.count)
        for figure in figures {
            digester.update(figure.figure.digest)
            add(figure.box, to: &digester)
            add(figure.part, to: &digester)
        }
    }
}
