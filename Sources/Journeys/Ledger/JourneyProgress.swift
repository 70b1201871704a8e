/// How far a journey is: a fold over what was credited to it, never a state that is kept.
public struct JourneyProgress: Sendable, Equatable {
    /// A place that was reached.
    public struct Unlock: Sendable, Equatable {
        /// The position of the place in the route's list.
        public let place: Int
        /// When it was reached, in milliseconds since 1970; nil for the first place, and for journeys by metres.
        public let instant: Int64?

        public init(place: Int, instant: Int64?) {
            self.place = place
            self.instant = instant
        }
    }

    /// The metres since the first place, at most those to the last.
    public let metres: Double
    /// The places that are reached, in the route's order; the first always is.
    public let unlocked: [Unlock]

    public init(metres: Double, unlocked: [Unlock]) {
        self.metres = metres
        self.unlocked = unlocked
    }

    /// Whether all places are reached.
    public func isDone(on route: JourneyRoute) -> Bool { unlocked.count == route.places.count }

    /// The progress of a journey by metres that were recorded.
    public init(metres credited: Double, on measure: RouteMeasure) {
        let done = min(max(0, credited), measure.journeyMetres)
        let start = measure.placeMetres.first ?? 0
        metres = done
        // Sums of metres are not exact: a millimetre is none.
        let reached = measure.placeMetres.indices.prefix { measure.placeMetres[$0] - start <= done + 0.001 }
        unlocked = reached.map { Unlock(place: $0, instant: nil) }
    }
}
