public import TileMath
public import Tracks

/// Finds out when and where photos were taken, from their metadata and from tracks.
public struct PhotoLocator {
    /// What is known about one photo.
    public struct Question: Sendable {
        public var metadata: PhotoMetadata
        /// The clock of its camera, if it is known how it goes.
        public var clock: CameraClock?
        /// Milliseconds that the camera's clock is ahead of UTC, as the user says.
        public var givenAhead: Int64?
        /// The place, as the user says.
        public var givenPlace: GeoPoint?

        public init(
            _ metadata: PhotoMetadata, clock: CameraClock? = nil, givenAhead: Int64? = nil, givenPlace: GeoPoint? = nil
        ) {
            self.metadata = metadata
            self.clock = clock
            self.givenAhead = givenAhead
            self.givenPlace = givenPlace
        }
    }

    /// The timelines of all persons in a range of time, each with the last point before and the first one after it.
    public typealias Timelines = (ClosedRange<Int64>) throws -> [PersonTimeline]

    private let timelines: Timelines
    private let zone: (GeoPoint) -> DayCalendar?
    private let libraryZone: DayCalendar

    /// Zones are from 12 h behind to 14 h ahead of UTC, in quarters of an hour; in milliseconds.
    private static let zoneOffsets = stride(from: Int64(-43_200_000), through: 50_400_000, by: 900_000)
    /// A place that the photo or the user names without its accuracy.
    private static let namedPlaceMetres = 10.0
    /// The standard deviation of a time that counts whole seconds, in milliseconds: that of numbers spread evenly over
    /// a second, 1/√12 s.
    private static let wholeSecondDeviation = 300.0
    /// The standard deviation of a receiver's time, in milliseconds: its fix may be some seconds old.
    private static let stampDeviation = 1000.0

    public init(
        libraryZone: DayCalendar, zone: @escaping (GeoPoint) -> DayCalendar?, timelines: @escaping Timelines
    ) {
        self.libraryZone = libraryZone
        self.zone = zone
        self.timelines = timelines
    }

    private struct Time {
        var instant: Int64
        var deviation: Double
        var source: LocatedPhoto.TimeSource
    }

    /// When and where a photo was taken.
    public func locate(_ question: Question) throws -> LocatedPhoto {
        let named = Self.namedPlace(question)
        if let times = try knownTimes(question, named) {
            guard !times.isEmpty else {
                return LocatedPhoto(candidates: named.map { [candidate(nil, named: $0)] } ?? [])
            }
            return LocatedPhoto(candidates: try times.flatMap { try candidates($0, named: named) })
        }
        guard let reading = Self.reading(question.metadata) else { return LocatedPhoto(candidates: []) }
        let deduced = try deducedCandidates(reading.shown)
        if !deduced.isEmpty {
            let others = try Self.alternatives(reading, to: deduced.compactMap(\.instant)).flatMap {
                try candidates($0, named: nil)
            }
            return LocatedPhoto(candidates: deduced + others)
        }
        let times = Self.instants(showing: reading.shown, in: libraryZone).map {
            Time(instant: $0, deviation: Self.deviation(reading.shown), source: .library)
        }
        let found = try (times + Self.alternatives(reading, to: times.map(\.instant))).flatMap {
            try candidates($0, named: nil)
        }
        // The tracks show which reading is possible; the library's zone alone is not enough.
        return LocatedPhoto(
            candidates: found.filter { $0.estimate != nil } + found.filter { $0.estimate == nil })
    }

    /// The moment at which a photo was taken at a place that the user names: when the tracks passed there at a time that
    /// fits best to the clock; nil if they did not within three days.
    public func anchor(shown: Int64, at place: GeoPoint) throws -> ClockAnchor? {
        let range = (shown - Self.anchorMilliseconds)...(shown + Self.anchorMilliseconds)
        let calendar = zone(place) ?? libraryZone
        var best: (error: Int64, instant: Int64)?
        for path in try timelines(range).flatMap(\.paths) {
            for passage in Passage.all(of: path, at: place) where passage.from <= range.upperBound {
                let expected = shown - calendar.offsetMilliseconds(at: passage.nearest)
                let instant = passage.instant(nearestTo: expected)
                let error = abs(expected - instant)
                if error < best?.error ?? .max { best = (error, instant) }
            }
        }
        return best.map { ClockAnchor(shown: shown, instant: $0.instant, isGiven: true) }
    }

    private static let anchorMilliseconds: Int64 = 3 * 86_400_000

    // MARK: Times

    /// The moment at which a photo with the time of a receiver was taken; nil if that does not show how the clock of its
    /// camera goes.
    public static func anchor(_ metadata: PhotoMetadata) -> ClockAnchor? {
        guard let reading = reading(metadata), reading.meaning != .utc, reading.isOfCamera,
            let instant = metadata.stamp.instant
        else { return nil }
        return ClockAnchor(shown: reading.shown, instant: instant)
    }

    /// The reading that counts: the first one, or another one of the same time that names its zone.
    public static func reading(_ metadata: PhotoMetadata) -> ClockReading? {
        guard let first = metadata.readings.first, first.meaning == .local else { return metadata.readings.first }
        let zoned = metadata.readings.first {
            guard case .offset = $0.meaning else { return false }
            return $0.shown / 1000 == first.shown / 1000
        }
        return zoned.map {
            ClockReading(shown: first.shown, meaning: $0.meaning, field: $0.field, origin: first.origin)
        } ?? first
    }

    /// The possible times, if the zone need not be deduced from tracks; empty if the photo has no time.
    private func knownTimes(_ question: Question, _ named: PlaceEstimate?) throws -> [Time]? {
        let stamped = question.metadata.stamp.instant.map {
            [Time(instant: $0, deviation: Self.stampDeviation, source: .gps)]
        }
        guard let reading = Self.reading(question.metadata) else { return stamped ?? [] }
        if let stamped, !reading.isOfCamera { return stamped }
        let shown = reading.shown
        let deviation = Self.deviation(shown)
        if reading.meaning == .utc { return [Self.utc(reading)] }
        if let ahead = question.givenAhead {
            return [Time(instant: shown - ahead, deviation: deviation, source: .given)]
        }
        if case .offset(let seconds) = reading.meaning {
            return [Time(instant: shown - Int64(seconds) * 1000, deviation: deviation, source: .offset)]
        }
        if let estimates = question.clock?.estimates(at: shown), !estimates.isEmpty {
            return estimates.map { Time(instant: $0.instant, deviation: $0.deviation, source: .camera) }
                + Self.alternatives(reading, to: estimates.map(\.instant))
        }
        if let named, let calendar = zone(named.place) {
            let instants = Self.instants(showing: shown, in: calendar)
            return instants.map { Time(instant: $0, deviation: deviation, source: .place) }
                + Self.alternatives(reading, to: instants)
        }
        return nil
    }

    private static func utc(_ reading: ClockReading) -> Time {
        Time(instant: reading.shown, deviation: deviation(reading.shown), source: .utc)
    }

    /// The time in UTC if the reading may be either, unless it is one of these instants.
    private static func alternatives(_ reading: ClockReading, to instants: [Int64]) -> [Time] {
        reading.meaning == .utcOrLocal && !instants.contains(reading.shown) ? [utc(reading)] : []
    }

    private static func deviation(_ shown: Int64) -> Double { shown % 1000 == 0 ? wholeSecondDeviation : 0 }

    /// The instants at which the clocks of a zone show a time: one, two in the hour that is repeated, and the one with
    /// the earlier offset in the hour that is skipped.
    static func instants(showing shown: Int64, in calendar: DayCalendar) -> [Int64] {
        let day: Int64 = 86_400_000
        // The offsets before and after a change of the clocks near this time. `shown` is used as if it were UTC, which
        // is at most 14 h wrong.
        let offsets = [calendar.offsetMilliseconds(at: shown - day), calendar.offsetMilliseconds(at: shown + day)]
        var found: [Int64] = []
        for offset in offsets where calendar.offsetMilliseconds(at: shown - offset) == offset {
            if !found.contains(shown - offset) { found.append(shown - offset) }
        }
        return found.isEmpty ? [shown - offsets[0]] : found
    }

    /// The offsets from UTC that agree with the zone of the place at which the person then was.
    private func deducedCandidates(_ shown: Int64) throws -> [LocatedPhoto.Candidate] {
        let offsets = Array(Self.zoneOffsets)
        guard let least = offsets.first, let most = offsets.last else { return [] }
        let people = try timelines((shown - most)...(shown - least))
        let deviation = Self.deviation(shown)
        var found: [LocatedPhoto.Candidate] = []
        for person in people {
            for offset in offsets {
                let instant = shown - offset
                guard case .success(let place) = person.place(at: instant, deviation: deviation),
                    let calendar = zone(place.place), calendar.offsetMilliseconds(at: instant) == offset
                else { continue }
                found.append(
                    LocatedPhoto.Candidate(
                        instant: instant, timeSource: .place, zone: calendar.zone, zoneAhead: offset,
                        place: .success(place), person: person.person))
            }
        }
        return found.sorted { Self.rank($0) < Self.rank($1) }
    }

    /// Tracks before stays, exact places first; then the earlier time, so that the order does not depend on chance.
    private static func rank(_ candidate: LocatedPhoto.Candidate) -> (Int, Double, Int64) {
        guard case .success(let place) = candidate.place else { return (2, 0, candidate.instant ?? 0) }
        return (place.method == .stay ? 1 : 0, place.radiusMetres, candidate.instant ?? 0)
    }

    // MARK: Places

    private static func namedPlace(_ question: Question) -> PlaceEstimate? {
        if let given = question.givenPlace {
            return PlaceEstimate(place: given, radiusMetres: namedPlaceMetres, method: .hand)
        }
        guard let place = question.metadata.stamp.place else { return nil }
        let radius = question.metadata.stamp.accuracyMetres ?? namedPlaceMetres
        return PlaceEstimate(place: place, radiusMetres: radius, method: .exif)
    }

    private func candidates(_ time: Time, named: PlaceEstimate?) throws -> [LocatedPhoto.Candidate] {
        if let named { return [candidate(time, named: named)] }
        var found: [LocatedPhoto.Candidate] = []
        var missing = MissingPlace.noTracks
        for person in try timelines(time.instant...time.instant) {
            switch person.place(at: time.instant, deviation: time.deviation) {
            case .success(let place):
                found.append(candidate(time, .success(place), person.person))
            case .failure(let reason):
                if reason.rank > missing.rank { missing = reason }
            }
        }
        guard !found.isEmpty else { return [candidate(time, .failure(missing), nil)] }
        return found.sorted { Self.rank($0) < Self.rank($1) }
    }

    private func candidate(_ time: Time?, named: PlaceEstimate) -> LocatedPhoto.Candidate {
        candidate(time, .success(named), nil)
    }

    private func candidate(
        _ time: Time?, _ place: Result<PlaceEstimate, MissingPlace>, _ person: String?
    ) -> LocatedPhoto.Candidate {
        let calendar = (try? place.get()).flatMap { zone($0.place) } ?? libraryZone
        return LocatedPhoto.Candidate(
            instant: time?.instant, timeSource: time?.source, zone: calendar.zone,
            zoneAhead: time.map { calendar.offsetMilliseconds(at: $0.instant) } ?? 0, place: place, person: person)
    }
}

extension MissingPlace {
    /// How specific the reason is: a gap between two points is more specific than a beginning or an end.
    fileprivate var rank: Int {
        switch self {
        case .noTracks: 0
        case .before, .after: 1
        case .gap: 2
        }
    }
}
