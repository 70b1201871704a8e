/// A time that a person spent at one place.
public struct Stay: Sendable, Hashable {
    /// The first and the last instant there, in milliseconds since 1970.
    public var arrive: Int64
    public var leave: Int64
    /// The mean of the points, in 1e-7°.
    public var longitude: Int32
    public var latitude: Int32
    /// The root of the mean squared distance of the points from the mean.
    public var radiusMetres: Double
    public var points: Int
    /// The time of pauses within the stay, in milliseconds.
    public var bridgedMilliseconds: Int64
}

/// The way from a stay to the next one.
public struct Trip: Sendable, Hashable {
    /// The stay before.
    public var from: Stay
    /// The stay after.
    public var to: Stay

    /// The trips between the stays of a person, which are in the order of their arrivals. Stays that
    /// overlap, because two devices were at different places, have no trip between them.
    public static func trips(between stays: [Stay]) -> [Trip] {
        var trips: [Trip] = []
        var last: Stay?
        for stay in stays {
            if let last, last.leave < stay.arrive { trips.append(Trip(from: last, to: stay)) }
            if stay.leave >= last?.leave ?? .min { last = stay }
        }
        return trips
    }
}
