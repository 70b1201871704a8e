import Tracks

/// A name that a user gave to a place where somebody stayed. The place is known by its position only, so the name stays
/// when stays are found again, with other points.
public struct StayName: Sendable, Hashable {
    /// The position, in 1e-7°.
    public var longitude: Int32
    public var latitude: Int32
    public var name: String

    /// Creates a name of a position.
    public init(longitude: Int32, latitude: Int32, name: String) {
        self.longitude = longitude
        self.latitude = latitude
        self.name = name
    }

    /// The longest name, in Unicode scalars: one character can have any number of them.
    public static let limit = 100

    /// A text as a name: on one line, without control characters and white space at its ends. nil if nothing is left, or
    /// if it is too long.
    public static func text(_ text: String) -> String? {
        let words = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        let isPrintable = words.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        return words.isEmpty || !isPrintable || words.unicodeScalars.count > limit ? nil : words
    }

    /// The name of the nearest named position within `StayPlace.radiusMetres`; of equally near ones the south-western.
    public static func nearest(toLongitude longitude: Int32, latitude: Int32, of names: [StayName]) -> StayName? {
        var best: (metres: Double, name: StayName)?
        for name in names where StayPlace.isNear(latitude, name.latitude) {
            let metres = StayPlace.metres(longitude, latitude, name.longitude, name.latitude)
            guard metres <= StayPlace.radiusMetres else { continue }
            if let best,
                (best.metres, best.name.latitude, best.name.longitude) < (metres, name.latitude, name.longitude)
            {
                continue
            }
            best = (metres, name)
        }
        return best?.name
    }
}

/// A place where a person stayed, once or more often.
public struct StayPlace: Sendable, Hashable {
    /// In 1e-7°: the position that was named, or that of the longest stay.
    public var longitude: Int32
    public var latitude: Int32
    public var name: String?
    /// The time of all stays, in milliseconds; of stays that overlap, because two devices were there, both.
    public var milliseconds: Int64 = 0
    /// The number of stays.
    public var count = 0
    /// The first arrival and the last departure, in milliseconds since 1970; nil without stays.
    public var span: ClosedRange<Int64>?
    /// The longest stay; nil without stays.
    public var longest: Stay?

    /// Stays that are this near to a named position, or to the longest stay of a place, are at this place.
    public static var radiusMetres: Double { 50 }
    /// As a difference of latitudes in 1e-7°, rounded up.
    private static var radiusUnits: Int64 { 4600 }

    static func isNear(_ latitude: Int32, _ other: Int32) -> Bool {
        abs(Int64(latitude) - Int64(other)) <= radiusUnits
    }

    static func metres(_ longitude: Int32, _ latitude: Int32, _ other: Int32, _ otherLatitude: Int32) -> Double {
        Geodesy.sphereMetres(longitude, latitude, other, otherLatitude)
    }

    /// The places of a person by the time spent there, the longest first; named ones that have no stays are the last.
    ///
    /// Each stay is at one place: at the nearest named position, else at that of the longest stay that is near and at no
    /// place yet. The order of `stays` and `names` does not matter.
    public static func places(of stays: [Stay], names: [StayName]) -> [StayPlace] {
        let longest = stays.sorted(by: isLonger)
        var places: [StayPlace] = []
        var named: [StayName: Int] = [:]
        for name in names {
            named[name] = places.count
            places.append(StayPlace(longitude: name.longitude, latitude: name.latitude, name: name.name))
        }
        for stay in longest {
            let name = StayName.nearest(toLongitude: stay.longitude, latitude: stay.latitude, of: names)
            if let index = name.flatMap({ named[$0] }) {
                places[index].add(stay)
                continue
            }
            let index = places.indices.dropFirst(names.count).first { index in
                isNear(stay.latitude, places[index].latitude)
                    && metres(stay.longitude, stay.latitude, places[index].longitude, places[index].latitude)
                        <= radiusMetres
            }
            if let index {
                places[index].add(stay)
            } else {
                var place = StayPlace(longitude: stay.longitude, latitude: stay.latitude)
                place.add(stay)
                places.append(place)
            }
        }
        return places.sorted {
            ($1.milliseconds, $0.latitude, $0.longitude) < ($0.milliseconds, $1.latitude, $1.longitude)
        }
    }

    private init(longitude: Int32, latitude: Int32, name: String? = nil) {
        self.longitude = longitude
        self.latitude = latitude
        self.name = name
    }

    private static func isLonger(_ one: Stay, _ other: Stay) -> Bool {
        let (time, second) = (one.leave - one.arrive, other.leave - other.arrive)
        if time != second { return time > second }
        return (one.arrive, one.latitude, one.longitude) < (other.arrive, other.latitude, other.longitude)
    }

    private mutating func add(_ stay: Stay) {
        milliseconds += stay.leave - stay.arrive
        count += 1
        span = min(span?.lowerBound ?? stay.arrive, stay.arrive)...max(span?.upperBound ?? stay.leave, stay.leave)
        longest = longest ?? stay
    }
}
