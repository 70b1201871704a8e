public import TileMath

/// A place of a route, where a journey stops.
public struct JourneyPlace: Sendable, Equatable {
    /// What the place is called: 1 to `JourneyLimits.name` characters.
    public var name: String
    public var point: GeoPoint
    /// What is shown when the place is reached.
    public var description: String?
    public var tags: [String]
    /// Who made the picture and the texts, and under which licence.
    public var credit: String?
    /// The seconds of focus that lead to the place from the one before; nil for those of the route.
    public var seconds: Int?

    public init(
        _ name: String, at point: GeoPoint, description: String? = nil, tags: [String] = [], credit: String? = nil,
        seconds: Int? = nil
    ) {
        self.name = name
        self.point = point
        self.description = description
        self.tags = tags
        self.credit = credit
        self.seconds = seconds
    }
}

/// The limits of what routes and journeys have.
public enum JourneyLimits {
    public static let places = 2...1000
    /// Corners of a line.
    public static let linePoints = 100_000
    /// Places times corners: each place is looked for beside each step of the line, with 12 bytes for each.
    public static let placesTimesPoints = 5_000_000
    /// Characters.
    public static let name = 200
    /// Characters.
    public static let description = 4000
    /// Bytes for each character of a text. A character of Unicode may consist of any number of marks.
    private static let bytesPerCharacter = 8
    /// Of a place.
    public static let tags = 20
    /// Seconds of a session, and of the way from one place to the next: up to a day.
    public static let seconds = 1...86_400
    /// Seconds of a stage of a route that does not say otherwise: half an hour.
    public static let defaultLevel = 1800

    /// Whether a text can be a name, or a tag.
    public static func isName(_ text: String) -> Bool { !text.isEmpty && fits(text, name) }

    /// Whether a text has at most so many characters.
    public static func fits(_ text: String, _ characters: Int) -> Bool {
        text.utf8.count <= bytesPerCharacter * characters && text.count <= characters
    }
}
