public import TileMath

/// A line with places in order, along which journeys lead.
public struct JourneyRoute: Sendable, Equatable {
    public var name: String
    /// The seconds of focus that a stage, from one place to the next, costs unless its place says otherwise.
    public var level: Int
    /// Whether a stage asks for one session of its full length, instead of adding up sessions.
    public var isSingle: Bool
    /// The corners of the line; at least two.
    public var line: [GeoPoint]
    /// In the order in which they are reached; at least two.
    public var places: [JourneyPlace]

    /// Creates a route; without a line it leads straight from place to place. Throws what is wrong about it.
    public init(
        _ name: String, level: Int = JourneyLimits.defaultLevel, isSingle: Bool = false, line: [GeoPoint] = [],
        places: [JourneyPlace]
    ) throws(JourneyError) {
        self.name = name
        self.level = level
        self.isSingle = isSingle
        self.places = places.map { place in
            var place = place
            place.point = Self.stored(place.point)
            return place
        }
        self.line = line.isEmpty ? self.places.map(\.point) : line.map(Self.stored)
        try check()
    }

    /// A point to ten-millionths of a degree, a centimetre, so that a route is the same after it was written.
    private static func stored(_ point: GeoPoint) -> GeoPoint {
        func rounded(_ degrees: Double) -> Double { (degrees * 1e7).rounded() / 1e7 }
        return GeoPoint(longitude: rounded(point.longitude), latitude: rounded(point.latitude)) ?? point
    }

    /// Throws what is wrong about the route.
    public func check() throws(JourneyError) {
        guard JourneyLimits.isName(name) else { throw .name }
        guard JourneyLimits.places.contains(places.count) else { throw .placeCount(places.count) }
        guard (2...JourneyLimits.linePoints).contains(line.count) else { throw .lineLength(line.count) }
        guard places.count * line.count <= JourneyLimits.placesTimesPoints else { throw .tooLarge }
        guard JourneyLimits.seconds.contains(level) else { throw .seconds }
        for place in places {
            guard JourneyLimits.isName(place.name) else { throw .name }
            guard place.seconds.map({ JourneyLimits.seconds.contains($0) }) ?? true else { throw .seconds }
            guard JourneyLimits.fits(place.description ?? "", JourneyLimits.description),
                JourneyLimits.fits(place.credit ?? "", JourneyLimits.description)
            else { throw .description }
            guard place.tags.count <= JourneyLimits.tags,
                place.tags.allSatisfy(JourneyLimits.isName)
            else { throw .tags }
        }
    }

    /// The milliseconds of focus from the first place to each, in their order; the first is 0.
    public var milestones: [Int64] {
        var sum: Int64 = 0
        return places.indices.map { index in
            if index > 0 { sum += Int64(places[index].seconds ?? level) * 1000 }
            return sum
        }
    }
}

/// What is wrong about a route.
public enum JourneyError: Error, Equatable, Sendable {
    case name
    case placeCount(Int)
    case lineLength(Int)
    /// It has too many places for the points of its line.
    case tooLarge
    case seconds
    case description
    case tags
    /// The text is not a route; with the reason.
    case malformed(String)

    /// One sentence.
    public var reason: String {
        switch self {
        case .name: "a name has to have 1 to \(JourneyLimits.name) characters"
        case .placeCount(let count):
            "a route has to have \(JourneyLimits.places.lowerBound) to \(JourneyLimits.places.upperBound) places, not \(count)"
        case .lineLength(let count): "a line has to have 2 to \(JourneyLimits.linePoints) points, not \(count)"
        case .tooLarge:
            "the number of places times that of the line's points is more than \(JourneyLimits.placesTimesPoints)"
        case .seconds:
            "level and seconds have to be \(JourneyLimits.seconds.lowerBound) to \(JourneyLimits.seconds.upperBound)"
        case .description: "a description has at most \(JourneyLimits.description) characters"
        case .tags: "a place has at most \(JourneyLimits.tags) tags of up to \(JourneyLimits.name) characters"
        case .malformed(let reason): reason
        }
    }
}
