internal import Cairo
public import Digest
internal import PNG
public import TileMath

/// Draws tiles of floors.
public struct FloorTile: Sendable {
    /// Increased when the pictures change.
    public static let version = 1

    public let tile: TileCoordinate
    public let scale: TileScale
    public let style: FloorStyle
    public var route: FloorRoute?

    public init(_ tile: TileCoordinate, _ scale: TileScale = .single, style: FloorStyle, route: FloorRoute? = nil) {
        self.tile = tile
        self.scale = scale
        self.style = style
        self.route = route
    }

    /// The PNG of scenes, one above the other in the order of their digests; nil if nothing of them is in the tile, and below
    /// `FloorScene.zooms`. Throws if there is no memory for it.
    public func draw(_ scenes: [FloorScene]) throws -> [UInt8]? {
        guard FloorScene.zooms.contains(tile.zoom.number) else { return nil }
        return try png(try surface(FloorView(tile, scale), scenes))
    }

    /// The PNG of outlines and names; nil if nothing of them is in the tile. Throws if there is no memory for it.
    public func draw(_ overview: FloorOverview) throws -> [UInt8]? {
        try png(try surface(FloorView(tile, scale), overview))
    }

    /// Whether something of a venue with these bounds may be in the tile: they touch it or a tile beside it, because names reach
    /// beyond a venue. The scenes of other venues need not be made for it.
    public func reaches(_ bounds: BoundingBox) -> Bool { tile.isNear(bounds) }

    /// Identifies the picture that `draw` makes of the scenes.
    public func digest(of scenes: [FloorScene]) -> ContentDigest {
        digest(of: scenes.map(\.digest).sorted())
    }

    /// Identifies the picture that `draw` makes of the overview.
    public func digest(of overview: FloorOverview) -> ContentDigest { digest(of: [overview.digest]) }

    private func digest(of contents: [ContentDigest]) -> ContentDigest {
        var digester = Digester()
        digester.update("floor tile")
        digester.update(Self.version)
        digester.update(tile.zoom.number)
        digester.update(tile.x)
        digester.update(tile.y)
        digester.update(scale.rawValue)
        style.add(to: &digester)
        digester.update(contents.count)
        for content in contents { digester.update(content) }
        digester.update(route == nil ? 0 : 1)
        route?.add(to: &digester)
        return digester.finish()
    }

    private func png(_ surface: consuming ImageSurface) throws -> [UInt8]? {
        let (width, height) = (surface.width, surface.height)
        return try surface.withWords { words -> [UInt8]? in
            guard words.span.indices.contains(where: { words[$0] != 0 }) else { return nil }
            var writer = PNGWriter()
            return try writer.png(premultiplied: words.span, width: width, height: height)
        }
    }

    /// The picture of a view.
    func surface(_ view: FloorView, _ scenes: [FloorScene]) throws -> ImageSurface {
        let scenes = scenes.sorted { $0.digest < $1.digest }
        let route = route.flatMap { WorldRoute($0) }
        return try surface(view) { view, context throws in
            let drawing = FloorDrawing(view: view, style: style)
            for scene in scenes { drawing.drawPlan(scene, on: context) }
            if let route { drawing.drawRoute(route, on: context) }
            let marks = MarkDrawing(view: view, style: style)
            for scene in scenes { try marks.draw(scene.marks(zoom: view.zoom), on: context) }
            if let route { drawing.drawEnds(route, on: context) }
        }
    }

    /// The names and symbols of a view only.
    func marks(_ view: FloorView, _ scene: FloorScene) throws -> ImageSurface {
        try surface(view) { view, context throws in
            try MarkDrawing(view: view, style: style).draw(scene.marks(zoom: view.zoom), on: context)
        }
    }

    /// The picture of a view.
    func surface(_ view: FloorView, _ overview: FloorOverview) throws -> ImageSurface {
        try surface(view) { view, context throws in
            overview.draw(view, style, on: context)
            try MarkDrawing(view: view, style: style).draw(overview.marks(zoom: view.zoom), on: context)
        }
    }

    private func surface(
        _ view: FloorView, _ body: (FloorView, borrowing Context) throws -> Void
    ) throws -> ImageSurface {
        var surface = try ImageSurface(.argb32, width: view.width, height: view.height)
        var failure: (any Error)?
        try surface.draw { context in
            // Shapes near 180° go on in the next copy of the world.
            for turn in [-1, 0, 1] {
                do {
                    try body(view.turned(turn), context)
                } catch {
                    failure = error
                }
            }
        }
        if let failure { throw failure }
        return surface
    }
}

extension TileCoordinate {
    /// Whether a box touches the tile or a tile beside it.
    func isNear(_ bounds: BoundingBox) -> Bool {
        (-1...1).contains { dx in
            (-1...1).contains { dy in
                neighbour(dx: dx, dy: dy).map { BoundingBox(of: $0).intersects(bounds) } ?? false
            }
        }
    }
}
