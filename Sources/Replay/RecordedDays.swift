import Statistics
public import Text
public import Tracks

/// The days of a year on which something was recorded, with totals.
public struct RecordedDays: Sendable {
    /// The totals of a day.
    public struct Totals: Sendable, Equatable {
        /// Tracks with a point on the day.
        public var tracks = 0
        /// Points that have a time and are not outliers.
        public var points = 0
        /// The length of the tracks on the day: what several of a person have at the same time counts once.
        public var metres = 0.0
        /// The time between the first and last points of tracks on the day, counted once for each person.
        public var seconds = 0.0
    }

    /// By day since 1970-01-01 in the calendar.
    public private(set) var totals: [Int32: Totals] = [:]
    /// A day of the last year before this one that has a track, and one of the next such year after it.
    public private(set) var neighbours: (previous: CivilDay?, next: CivilDay?)
    private let calendar: DayCalendar

    /// The totals of a year. Only tracks that cross midnight are read; for others the stored totals are used. If the source
    /// does not know what counts, lengths and times of all tracks are added up.
    public init(year: Int, in calendar: DayCalendar, source: any ReplaySource) throws {
        self.calendar = calendar
        guard let first = CivilDay(year: year, month: 1, day: 1)?.daysSince1970,
            let next = CivilDay(year: year + 1, month: 1, day: 1)?.daysSince1970
        else { return }
        let (from, to) = (calendar.start(ofDay: first), calendar.start(ofDay: next))
        let window = ReplayQuery.Scope.window(from: from, to: to, layer: ReplayQuery.everyTrack)
        try ReplayQuery(window).forEachTrack(in: source) { try add($0, source) }
        totals = totals.filter { $0.key >= first && $0.key < next }
        if let counted = try source.countedDays(in: calendar, from: from, to: to) {
            // A line may cross a day on which it has no point.
            let crossed = counted.days.keys.filter { $0 >= first && $0 < next }
            for day in Set(totals.keys).union(crossed) {
                let own = counted.days[day] ?? CountedDays.Day()
                totals[day, default: Totals()].metres = Double(own.millimetres) / 1000
                totals[day]?.seconds = Double(own.milliseconds) / 1000
            }
        }
        neighbours = (
            try Self.day(before: calendar.start(ofDay: first), in: calendar, source),
            try Self.day(notBefore: calendar.start(ofDay: next), in: calendar, source)
        )
    }

    /// The last day before an instant that a track ends on, or the first day of a track that crosses the instant.
    private static func day(
        before instant: Int64, in calendar: DayCalendar, _ source: any ReplaySource
    ) throws -> CivilDay? {
        // A track that crosses the instant began before it.
        let crossing = try source.track(after: nil, from: instant, to: instant)?.start
        let earlier = try crossing ?? source.track(endingBefore: instant)?.end
        return earlier.map { CivilDay(daysSince1970: calendar.day(of: $0)) }
    }

    /// The first day, not before an instant, on which a track begins or continues; `instant` is the start of a day.
    private static func day(
        notBefore instant: Int64, in calendar: DayCalendar, _ source: any ReplaySource
    ) throws -> CivilDay? {
        let maxInstant = ReplayQuery(.window(from: nil, to: nil, layer: ReplayQuery.everyTrack)).window.to
        let next = try source.track(after: nil, from: instant, to: maxInstant)?.start
        return next.map { CivilDay(daysSince1970: calendar.day(of: max($0, instant))) }
    }

    private mutating func add(_ track: ReplayTrack, _ source: any ReplaySource) throws {
        guard let start = track.start, let end = track.end else { return }
        let day = calendar.day(of: start)
        guard calendar.day(of: end) != day else {
            totals[day, default: Totals()].add(
                Totals(
                    tracks: 1, points: track.playablePoints, metres: track.metres,
                    seconds: Double(end - start) / 1000))
            return
        }
        do {
            try addDays(of: track, source)
        } catch is TrackChanged {
            // The track has changed; the next request reads the new version.
        }
    }

    private mutating func addDays(of track: ReplayTrack, _ source: any ReplaySource) throws {
        var points = try PlayablePoints(of: track, from: source, fields: false)
        var previous: PlayablePoint?
        var own: [Int32: Totals] = [:]
        var timeRange: (day: Int32, from: Int64, to: Int64) = (0, 0, 0)
        while let point = try points.next() {
            if point.time < timeRange.from || point.time >= timeRange.to {
                timeRange = calendar.timeRange(around: point.time)
            }
            var totals = own[timeRange.day] ?? Totals()
            totals.tracks = 1
            totals.points += 1
            if let previous {
                if !point.begins { totals.metres += Edge(from: previous, to: point, startMetres: 0).metres }
                let began = max(previous.time, calendar.start(ofDay: timeRange.day))
                totals.seconds += Double(point.time - began) / 1000
                own[timeRange.day] = totals
                addSeconds(from: previous.time, to: began, &own)
            } else {
                own[timeRange.day] = totals
            }
            previous = point
        }
        for (day, totals) in own { self.totals[day, default: Totals()].add(totals) }
    }

    /// Adds to the first day of a step that crosses midnight its time on that day.
    private func addSeconds(from start: Int64, to end: Int64, _ own: inout [Int32: Totals]) {
        guard start < end else { return }
        let day = calendar.day(of: start)
        let dayEnd = calendar.start(ofDay: day + 1)
        own[day]?.seconds += Double(min(end, dayEnd) - start) / 1000
    }

    /// The days in ascending order as an `application/json` body.
    public func json(year: Int) -> [UInt8] {
        var json = JSONWriter()
        json.raw("{\"year\":")
        json.add(year)
        json.raw(",\"tz\":")
        json.add(calendar.zone)
        json.raw(",\"previous\":")
        json.add(neighbours.previous.map { InstantFormatter.text($0) })
        json.raw(",\"next\":")
        json.add(neighbours.next.map { InstantFormatter.text($0) })
        json.raw(",\"days\":[")
        for (index, (day, totals)) in totals.sorted(by: { $0.key < $1.key }).enumerated() {
            json.raw(index > 0 ? ",{\"day\":" : "{\"day\":")
            json.add(InstantFormatter.text(CivilDay(daysSince1970: day)))
            json.raw(",\"tracks\":")
            json.add(totals.tracks)
            json.raw(",\"points\":")
            json.add(totals.points)
            json.raw(",\"metres\":")
            json.add(metres: totals.metres)
            json.raw(",\"seconds\":")
            json.add(Int64((totals.seconds * 1000).rounded()), places: 3)
            json.raw("}")
        }
        json.raw("]}\n")
        return json.bytes
    }
}

extension RecordedDays.Totals {
    fileprivate mutating func add(_ other: Self) {
        tracks += other.tracks
        points += other.points
        metres += other.metres
        seconds += other.seconds
    }
}
