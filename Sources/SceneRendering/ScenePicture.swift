public import BaseMap
internal import Cairo
internal import Colors
import Foundation
public import PNG
public import Scene
public import Styling
public import TileMath
internal import TileRendering

/// A picture of the map that lies on the ground of a scene.
public struct GroundPicture: Sendable {
    public let image: RGBAImage
    /// Of its upper left corner.
    public let place: WorldPoint
    /// Units of the map, of which the world is 2^32 wide, in a pixel.
    public let unitsPerPixel: Double
    /// 1 is opaque.
    public let alpha: Double

    public init(_ image: RGBAImage, at place: WorldPoint, unitsPerPixel: Double, alpha: Double = 1) {
        self.image = image
        self.place = place
        self.unitsPerPixel = unitsPerPixel
        self.alpha = alpha
    }
}

/// The land and water on the ground of a scene. They are drawn as outlines, which are sharp at each tilt.
public struct GroundMap: Sendable {
    /// The part of the map, and the size at which its lines have their usual width.
    public let view: MapView
    /// Of the upper left corner of the view.
    public let place: WorldPoint
    /// Units of the map, of which the world is 2^32 wide, in a pixel of the view.
    public let unitsPerPixel: Double
    public let background: any MapBackground

    public init(
        _ view: MapView, at place: WorldPoint, unitsPerPixel: Double, background: any MapBackground = BaseMap.embedded
    ) {
        self.background = background
        self.view = view
        self.place = place
        self.unitsPerPixel = unitsPerPixel
    }
}

/// A scene drawn with Cairo: the ground, shadows, curtains from far to near, hours and posts.
public struct ScenePicture: Sendable {
    private let scene: Scene
    private let map: GroundMap?
    private let ground: [GroundPicture]
    private let theme: Theme
    private let palette: ScenePalette

    /// The pictures of the ground are drawn in their order, above the map.
    public init(_ scene: Scene, map: GroundMap? = nil, ground: [GroundPicture] = [], theme: Theme = .light) {
        self.scene = scene
        self.map = map
        self.ground = ground
        self.theme = theme
        palette = ScenePalette(theme)
    }

    /// The picture as PNG; equal scenes give equal bytes. Throws if there is no memory for it.
    public func png() throws -> [UInt8] {
        var surface = try ImageSurface(.argb32, width: scene.view.width, height: scene.view.height)
        let pictures = try ground.map { HeldSurface(try ImageSurface($0.image)) }
        try surface.draw { context in
            paper(on: context)
            for (ground, picture) in zip(ground, pictures) {
                withGround(ground.place, ground.unitsPerPixel, on: context) {
                    context.paint(picture.surface, x: 0, y: 0, filter: .smooth, alpha: ground.alpha)
                }
            }
            content(on: context)
        }
        let (width, height) = (surface.width, surface.height)
        return try surface.withWords { words in
            var writer = PNGWriter()
            return try writer.png(premultiplied: words.span, width: width, height: height)
        }
    }

    /// The picture as SVG, with the pictures of the ground inside. Cairo numbers the elements through the life of the process.
    public func svg() throws -> [UInt8] {
        var document = try Document(.svg, width: Double(scene.view.width), height: Double(scene.view.height))
        try document.draw { context in paper(on: context) }
        for picture in ground {
            var writer = PNGWriter()
            let file = try writer.png(of: picture.image)
            try document.draw(png: file, width: picture.image.width, height: picture.image.height) { context, painted in
                withGround(picture.place, picture.unitsPerPixel, on: context) { context.paint(painted) }
            }
        }
        try document.draw { context in content(on: context) }
        return try document.finish()
    }

    private func paper(on context: borrowing Context) {
        context.setSource(palette.ground)
        context.paint()
        guard let map else { return }
        withGround(map.place, map.unitsPerPixel, on: context) {
            map.background.draw(map.view, .land, theme: theme, on: context)
        }
    }

    /// Runs `body` with pixels of the ground as the units: `place` is the origin.
    private func withGround(
        _ place: WorldPoint, _ unit: Double, on context: borrowing Context, _ body: () -> Void
    ) {
        let matrix = scene.projection.groundMatrix(from: place)
        context.withSavedState {
            context.transform(
                xx: matrix.xx * unit, yx: matrix.yx * unit, xy: matrix.xy * unit, yy: matrix.yy * unit, x0: matrix.x0,
                y0: matrix.y0)
            body()
        }
    }

    private func content(on context: borrowing Context) {
        let drawing = SceneDrawing(scene: scene, palette: palette)
        drawing.shadows(on: context)
        drawing.curtains(on: context)
        drawing.posts(on: context)
        drawing.north(on: context)
    }
}

/// A surface in a list.
private final class HeldSurface {
    let surface: ImageSurface

    init(_ surface: consuming ImageSurface) { self.surface = surface }
}
