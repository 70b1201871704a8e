public import Text
public import TileMath

/// How somebody moves.
public enum RouteProfile: String, Sendable, CaseIterable {
    case walk
    /// Without stairs, steps and escalators, and without doors and rooms that the source calls impassable.
    case wheelchair
    /// Without lifts.
    case withoutLift = "nolift"
}

/// Where a route begins, ends or stops.
public enum RouteStop: Sendable, Equatable {
    /// A place of the venue, or one of its units.
    case place(FeatureID)
    /// A point on a level, by its position in the venue's list. Without one: on the ground floor if it is in a building, else
    /// outdoors.
    case point(GeoPoint, level: Int?)
    /// The nearest place of a category; for the end of a route.
    case nearest(category: String)
}

/// What is closed until when.
public struct VenueClosure: Sendable, Hashable {
    /// The id of a unit or of an opening.
    public let feature: FeatureID
    /// From this instant on it is open again; nil for a closure without an end.
    public let until: Instant?

    public init(feature: FeatureID, until: Instant?) {
        self.feature = feature
        self.until = until
    }

    /// Whether it is still closed.
    public func isClosed(at now: Instant) -> Bool { until.map { now < $0 } ?? true }
}

extension Sequence where Element == VenueClosure {
    /// What is closed at an instant.
    public func features(closedAt now: Instant) -> Set<FeatureID> {
        Set(filter { $0.isClosed(at: now) }.map(\.feature))
    }
}

/// Why there is no route.
public enum RouteFailure: Error, Equatable, Sendable {
    /// No place and no unit of the venue has this id.
    case unknownPlace(FeatureID)
    /// No place has this category.
    case unknownCategory(String)
    /// A stop is where nobody can stand: in a wall, or off the map.
    case unreachableStop
    /// A stop is closed; with its name.
    case closedStop(String)
    /// There is a way, but with stairs or steps.
    case notStepFree
    /// There is a way, but only by lift.
    case onlyByLift
    /// There is a way, but it is closed now.
    case closedWay
    /// Nothing leads from one stop to the next.
    case noWay
    /// A route has too few or too many stops.
    case stopCount

    /// One sentence.
    public var reason: String {
        switch self {
        case .unknownPlace: "There is no such place in this venue."
        case .unknownCategory(let name): "There is no place of the category \(name) here."
        case .unreachableStop: "A stop is not on walkable ground."
        case .closedStop(let name): "\(name) is closed now."
        case .notStepFree: "There is no step-free route."
        case .onlyByLift: "There is no route without a lift."
        case .closedWay: "All ways there are closed now."
        case .noWay: "There is no way from one stop to the next."
        case .stopCount: "A route has 2 to \(VenueLimits.stopsOfRoute) stops."
        }
    }
}
