public import TileMath

/// A planned way through a venue.
public struct Route: Sendable, Equatable {
    public let legs: [RouteLeg]
    /// Along the lines of all legs; stairs and lifts have none.
    public let metres: Double
    public let seconds: Double
    /// Whether it passes through a wall whose door the source does not have, or outdoors where no path is mapped.
    public let isApproximate: Bool
    /// The place at the end, if it is one.
    public let destination: FeatureID?

    /// What it takes and where it leads, of all parts of a route with several stops.
    init(joining routes: [Route]) {
        legs = routes.flatMap(\.legs)
        metres = routes.reduce(0) { $0 + $1.metres }
        seconds = routes.reduce(0) { $0 + $1.seconds }
        isApproximate = routes.contains(where: \.isApproximate)
        destination = routes.last?.destination
    }

    init(legs: [RouteLeg], seconds: Double, isApproximate: Bool, destination: FeatureID?) {
        self.legs = legs
        metres = legs.reduce(0) { $0 + $1.metres }
        self.seconds = seconds
        self.isApproximate = isApproximate
        self.destination = destination
    }
}

/// A part of a route with one instruction.
public struct RouteLeg: Sendable, Equatable {
    public enum Mode: String, Sendable {
        case walk, stairs, lift, escalator, outdoors
    }

    /// The position of its level in the venue's list; nil outdoors. For stairs and lifts it is the level where they begin.
    public let level: Int?
    /// Where stairs or a lift lead to; else the same as `level`.
    public let endLevel: Int?
    public let mode: Mode
    public let metres: Double
    public let seconds: Double
    /// At least one point; one only for stairs and lifts.
    public let line: [GeoPoint]
    /// In plain English: `Go straight 20 m.`
    public let instruction: String
    /// What limits access to where it leads through, in the word of the source: `employeesonly`.
    public let access: String?

    init(place: LegPlace, metres: Double, seconds: Double, line: [GeoPoint], instruction: String, access: String?) {
        level = place.level
        endLevel = place.endLevel
        mode = place.mode
        self.metres = metres
        self.seconds = seconds
        self.line = line
        self.instruction = instruction
        self.access = access
    }
}

/// Where a leg is, and how it is walked.
struct LegPlace {
    let level: Int?
    let endLevel: Int?
    let mode: RouteLeg.Mode
}
