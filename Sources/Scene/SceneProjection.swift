import Foundation
public import TileMath

/// The parallel projection of a scene: from the map and a height to pixels.
///
/// The ground is Web Mercator, so that at a tilt of 90° and an azimuth of 0 the picture is a map.
public struct SceneProjection: Sendable {
    /// A point of the picture, in pixels from its upper left corner.
    public struct Pixel: Sendable, Equatable {
        public var x: Double
        public var y: Double

        public init(x: Double, y: Double) {
            self.x = x
            self.y = y
        }
    }

    /// The place on the ground that is in the middle of what is shown, at height 0.
    public let centre: WorldPoint
    /// Pixels for a unit of the map, of which the world is 2^32 wide.
    public let scale: Double
    /// Of the projected centre in the picture.
    public let origin: Pixel
    private let right: (east: Double, north: Double)
    private let forward: (east: Double, north: Double)
    private let groundFactor: Double
    private let heightFactor: Double

    init(_ view: SceneView, centre: WorldPoint, scale: Double, origin: Pixel) {
        self.centre = centre
        self.scale = scale
        self.origin = origin
        let azimuth = view.azimuth * .pi / 180
        let tilt = view.tilt * .pi / 180
        right = (cos(azimuth), -sin(azimuth))
        forward = (sin(azimuth), cos(azimuth))
        groundFactor = sin(tilt)
        // cos(90°) is not exactly 0 as a number.
        heightFactor = view.tilt == 90 ? 0 : cos(tilt)
    }

    /// The pixel of a place at a height, which is in units of the map.
    public func pixel(_ place: WorldPoint, height: Double = 0) -> Pixel {
        let (across, away) = ground(place)
        return Pixel(x: origin.x + across * scale, y: origin.y - (away * groundFactor + height * heightFactor) * scale)
    }

    /// How far away a place is, in units of the map: what is farther is drawn first.
    public func depth(_ place: WorldPoint) -> Double { ground(place).away }

    private func ground(_ place: WorldPoint) -> (across: Double, away: Double) {
        let east = Double(centre.eastwards(to: place))
        let north = Double(centre.y - place.y)
        return (east * right.east + north * right.north, east * forward.east + north * forward.north)
    }

    /// The affine map from the map's units, counted eastwards and southwards from a place, to pixels: x' = xx·x + xy·y + x0,
    /// y' = yx·x + yy·y + y0.
    public func groundMatrix(from place: WorldPoint) -> (
        xx: Double, yx: Double, xy: Double, yy: Double, x0: Double, y0: Double
    ) {
        let start = pixel(place)
        return (
            xx: right.east * scale, yx: -forward.east * groundFactor * scale, xy: -right.north * scale,
            yy: forward.north * groundFactor * scale, x0: start.x, y0: start.y
        )
    }

    /// The box of the ground that the picture can show, in units of the map from the centre: eastwards and southwards.
    public func groundBox(width: Double, height: Double) -> (west: Double, north: Double, east: Double, south: Double) {
        let corners = [(0.0, 0.0), (width, 0), (0, height), (width, height)].map { corner in
            let across = (corner.0 - origin.x) / scale
            let away = (origin.y - corner.1) / scale / groundFactor
            return (
                east: across * right.east + away * forward.east, south: -(across * right.north + away * forward.north)
            )
        }
        return (
            corners.map(\.east).min() ?? 0, corners.map(\.south).min() ?? 0, corners.map(\.east).max() ?? 0,
            corners.map(\.south).max() ?? 0
        )
    }
}
