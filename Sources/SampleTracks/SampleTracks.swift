/// The parameters of a sample.
public struct SampleSpec: Hashable, Sendable {
    /// The size of a sample.
    public enum Size: Hashable, Sendable {
        /// Exactly this many points; the last track is truncated.
        case points(Int)
        /// Exactly this many tracks, of about 2,800 points each.
        case tracks(Int)
    }

    public var size: Size
    /// Equal seeds give equal samples on every machine.
    public var seed: UInt64
    /// The approximate number of years that the sample covers, at least 1.
    public var years: Int
    /// The first day, in days since 1970-01-01.
    public var firstDay: Int
    /// The longitude of the city's centre in degrees.
    public var longitude: Double
    /// The latitude of the city's centre in degrees, −70…70.
    public var latitude: Double

    /// By default the recordings begin on 2017-01-01.
    public init(
        size: Size, seed: UInt64 = 1, years: Int = 8, firstDay: Int = 17_167, longitude: Double = 9.2,
        latitude: Double = 51.1
    ) {
        precondition(abs(longitude) <= 180 && abs(latitude) <= 70, "a city lies on Earth and not at its poles")
        precondition(years >= 1, "a sample lasts a year or more")
        self.size = size
        self.seed = seed
        self.years = years
        self.firstDay = firstDay
        self.longitude = longitude
        self.latitude = latitude
    }
}

/// Generates the tracks of a synthetic city's residents, day by day and on demand, so that they are never all in
/// memory.
///
/// Residents have homes and habits, so that the same streets are used repeatedly. There are commutes, rides, runs,
/// walks, drives, trips by train and plane, holidays, red lights, pauses, tunnels and lone points. Cost: about 5
/// million points a second.
public struct SampleTracks: Sequence, IteratorProtocol {
    private let spec: SampleSpec
    private var residents: [Resident] = []
    private var planner: OutingPlanner
    /// The probability that a resident makes a trip on a day.
    private let outingProbability: Double
    private var day: Int
    private var nextResident = 0
    /// Generated tracks that are not yet returned, the next one last.
    private var waiting: [SampleTrack] = []
    private var tracksMade = 0
    private var pointsMade = 0

    /// Averages; the number of residents is derived from them.
    private static let pointsPerTrack = 2_800
    private static let tracksPerOuting = 1.38
    /// The number of tracks for which another resident is added.
    private static let tracksPerResident = 200

    /// The sample with these parameters.
    public init(_ spec: SampleSpec) {
        self.spec = spec
        let tracks =
            switch spec.size {
            case .points(let points): points / Self.pointsPerTrack
            case .tracks(let tracks): tracks
            }
        let count = Swift.max(4, tracks / Self.tracksPerResident)
        let days = Double(spec.years) * 365.25
        outingProbability = Swift.min(0.95, Double(Swift.max(1, tracks)) / Self.tracksPerOuting / days / Double(count))
        day = spec.firstDay
        var random = SampleRandom(seed: spec.seed, stream: 1)
        let streets = Streets(random: &random)
        planner = OutingPlanner(
            streets: streets, projection: LocalProjection(longitude: spec.longitude, latitude: spec.latitude),
            seed: spec.seed)
        for number in 0..<count {
            residents.append(Resident(number: number, streets: streets, random: &random))
        }
    }

    /// The next track; nil when the sample is complete.
    public mutating func next() -> SampleTrack? {
        guard !isComplete else { return nil }
        while waiting.isEmpty { planNextOuting() }
        var track = waiting.removeLast()
        if case .points(let wanted) = spec.size { track.truncate(to: wanted - pointsMade) }
        tracksMade += 1
        pointsMade += track.count
        track.number = tracksMade
        return track
    }

    private var isComplete: Bool {
        switch spec.size {
        case .points(let wanted): pointsMade >= wanted
        case .tracks(let wanted): tracksMade >= wanted
        }
    }

    private mutating func planNextOuting() {
        let stream = UInt64(day) &* 4_096 &+ UInt64(nextResident) &+ 2
        var random = SampleRandom(seed: spec.seed, stream: stream)
        let today = day
        let resident = residents[nextResident]
        nextResident += 1
        if nextResident == residents.count {
            nextResident = 0
            day += 1
        }
        guard random.chance(outingProbability) else { return }
        // 1970-01-01 was a Thursday; the approximate month is enough for the seasons.
        let dayOfYear = today % 365
        let outing =
            resident.isOnHoliday(dayOfYear: dayOfYear)
            ? Outing.holiday : .likely(weekday: (today + 3) % 7, month: dayOfYear / 31, random: &random)
        // The city uses local solar time, an hour for 15°.
        let midnight = Int64(today) * 86_400 - Int64(spec.longitude * 240)
        waiting = planner.tracks(of: outing, resident: resident, midnight: midnight, random: &random).reversed()
    }
}
