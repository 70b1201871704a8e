public import TileMath

/// A recorded point of a scene.
public struct ScenePoint: Sendable {
    public var place: WorldPoint
    /// Milliseconds since 1970; nil if unknown.
    public var time: Int64?
    /// Metres; nil if unknown.
    public var elevation: Double?
    /// Metres per second; nil if unknown.
    public var speed: Double?

    public init(_ place: WorldPoint, time: Int64? = nil, elevation: Double? = nil, speed: Double? = nil) {
        self.place = place
        self.time = time
        self.elevation = elevation
        self.speed = speed
    }
}

/// A track of a scene.
public struct SceneTrack: Sendable {
    public let id: String
    public let name: String?
    /// Unbroken parts; between two of them nothing is drawn.
    public let segments: [[ScenePoint]]

    public init(id: String, name: String?, segments: [[ScenePoint]]) {
        self.id = id
        self.name = name
        self.segments = segments
    }
}

/// Something that stands on the ground: a mark, a heading or a photo.
public struct ScenePost: Sendable, Equatable {
    public enum Kind: String, Sendable {
        case mark, heading, photo
    }

    public let kind: Kind
    public let place: WorldPoint
    public let time: Int64?
    public let label: String?

    public init(_ kind: Kind, at place: WorldPoint, time: Int64?, label: String?) {
        self.kind = kind
        self.place = place
        self.time = time
        self.label = label
    }
}

/// What stands for height.
public enum SceneHeight: String, Sendable, CaseIterable {
    case elevation = "ele"
    /// Seconds since the beginning, which untangles ways that were repeated.
    case time
    case speed
}

/// From where a scene is seen, in a parallel projection.
public struct SceneView: Sendable, Equatable {
    /// The direction in which one looks, in degrees clockwise from north: it is up in the picture.
    public var azimuth: Double
    /// Degrees above the ground from which one looks: 90 is from above, as on a map.
    public var tilt: Double
    /// How many times as high as wide heights are drawn: of metres for elevations, of seconds and metres per second times
    /// one metre for the others; nil for a relief of an eighth of the picture's width.
    public var stretch: Double?
    /// In pixels.
    public var width: Int
    public var height: Int

    /// Degrees.
    public static let tilts = 10.0...90.0
    /// Pixels.
    public static let sizes = 64...4096

    public init(
        azimuth: Double = 315, tilt: Double = 35, stretch: Double? = nil, width: Int = 1024, height: Int = 768
    ) {
        self.azimuth = azimuth
        self.tilt = tilt
        self.stretch = stretch
        self.width = width
        self.height = height
    }
}

/// The limits of a scene.
public enum SceneLimits {
    public static let tracks = 20
    /// Corners of all tracks together: of more, those that change the picture least are left out.
    public static let vertices = 20_000
    /// Marks, headings and photos: more would cover each other, and each is looked for along all corners.
    public static let posts = 500
}
