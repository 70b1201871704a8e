import Statistics
import Tracks

/// Divides one person's rows, in the order of time, into presences on the ground of one country (or region) and flights
/// above it, and finds their status.
struct PresenceBuilder {
    /// Which area a row counts for.
    struct Key: Hashable {
        var country: Int
        var region: Int?
    }

    /// A presence: intervals by region.
    private struct Presence {
        var key: Key
        var intervals: [CountryInterval]
        /// The last row, by its end.
        var last: LedgerRow
        var box: LedgerBox
        var stayMilliseconds: Int64
        var groundMilliseconds: Int64
        /// Where a flight ended directly before.
        var landing: LedgerPlace?
        /// Where a flight began directly afterwards.
        var start: LedgerPlace?
        /// The silence in flight directly before.
        var silence: Silence?
        /// Whether it was between two flights and near both airports.
        var isAtAirport = false
    }

    /// A time without points in which somebody flew.
    private struct Silence {
        var start: LedgerPlace
        var landing: LedgerPlace
        var metres: Double
        var milliseconds: Int64

        /// Whether there was no time for a landing between this silence and the next one.
        func isAbove(_ next: Silence) -> Bool {
            (metres + next.metres) * 1000
                >= TileVisitsBuilder.flightMetresPerSecond * Double(milliseconds &+ next.milliseconds)
        }
    }

    /// A pause longer than this divides presences, unless the place is the same after it.
    private static let longestPauseMilliseconds: Int64 = 86_400_000
    /// A silence in which somebody flew is at least this long.
    private static let hiddenFlightMetres = 50_000.0

    private let rule: StatusRule
    private let grouping: LedgerGrouping
    private let countries: CountryList
    private let calendar: LocalCalendar
    private var presences: [Presence] = []
    private var flights: [CountryInterval] = []
    private var untimed: [CountryInterval] = []
    private var current: Presence?
    /// Where the last flight ended, if nothing was recorded since.
    private var landing: LedgerPlace?
    private var flight: CountryInterval?
    private var flightDates = LocalDates()
    private var dates = LocalDates()
    /// The last row with points, by its end.
    private var lastRow: LedgerRow?
    /// Whether the route since `lastRow` is unknown.
    private var isRouteUnknown = false

    init(
        _ rule: StatusRule, _ grouping: LedgerGrouping, _ countries: CountryList, _ calendar: @escaping LocalCalendar
    ) {
        self.rule = rule
        self.grouping = grouping
        self.countries = countries
        self.calendar = calendar
    }

    /// Adds the next row of the person, in the order of time; those without time come at any point.
    mutating func add(_ entry: LedgerEntry) {
        let row = entry.row
        guard let time = row.time else { return addUntimed(entry) }
        if row.kind != .flight { closeFlight() }
        guard row.kind != .unknown else {
            isRouteUnknown = true
            return
        }
        defer {
            if time.upperBound >= lastRow?.time?.upperBound ?? .min { lastRow = row }
            isRouteUnknown = false
        }
        let hidden = hiddenFlight(before: row)
        if let hidden {
            if let silence = current?.silence, silence.isAbove(hidden) { closeOverflown() }
            closePresence(start: hidden.start)
            landing = hidden.landing
        } else if isRouteUnknown {
            closePresence(start: nil)
            landing = nil
        }
        switch row.kind {
        case .ground:
            addGround(entry, time, after: hidden)
        case .flight:
            closePresence(start: row.first)
            landing = row.last
            addFlight(entry, time)
        case .coastal, .sea, .unknown:
            closePresence(start: nil)
            landing = nil
        }
    }

    /// The intervals in the order of time, those without time first.
    mutating func finish() -> [CountryInterval] {
        closePresence(start: nil)
        closeFlight()
        var ground: [Key: Int64] = [:]
        for presence in presences where !presence.isAtAirport {
            ground[presence.key, default: 0] += presence.groundMilliseconds
        }
        var intervals = untimed + flights
        for presence in presences {
            let isVisit =
                !presence.isAtAirport
                && (presence.stayMilliseconds >= rule.stayMilliseconds
                    || ground[presence.key] ?? 0 >= rule.groundMilliseconds
                    || presence.intervals.contains { !$0.nights.isEmpty })
            for var interval in presence.intervals {
                interval.status = isVisit ? .visited : .transited
                intervals.append(interval)
            }
        }
        return intervals.sorted {
            ($0.time?.lowerBound ?? .min, $0.time?.upperBound ?? .min, $0.country, $0.region ?? -1)
                < ($1.time?.lowerBound ?? .min, $1.time?.upperBound ?? .min, $1.country, $1.region ?? -1)
        }
    }

    // MARK: On the ground

    private func key(of row: LedgerRow) -> Key {
        let country = countries.country(of: row.country ?? 0)
        return Key(country: country, region: grouping == .region ? row.region : nil)
    }

    private func interval(_ entry: LedgerEntry, _ status: CountryStatus) -> CountryInterval {
        CountryInterval(
            person: entry.person, country: countries.country(of: entry.row.country ?? 0),
            region: status == .overflown ? nil : entry.row.region, time: entry.row.time, status: status,
            millimetres: entry.row.millimetres, tracks: [entry.track])
    }

    private mutating func addGround(_ entry: LedgerEntry, _ time: ClosedRange<Int64>, after silence: Silence?) {
        let row = entry.row
        let key = key(of: row)
        let calendar = calendar(row.first)
        if var presence = current, presence.key == key, let pause = Self.pause(presence.last, row),
            let end = presence.last.time?.upperBound
        {
            if pause.isBridged, pause.milliseconds > 0 {
                presence.groundMilliseconds += pause.milliseconds
                presence.stayMilliseconds = max(presence.stayMilliseconds, pause.milliseconds)
                dates.add(end...time.lowerBound, calendar, nightHour: rule.nightHour)
            }
            // What was recorded twice counts once.
            presence.groundMilliseconds += max(0, time.upperBound - max(time.lowerBound, end))
            presence.stayMilliseconds = max(presence.stayMilliseconds, row.stayMilliseconds)
            presence.box.formUnion(row.box)
            if time.upperBound >= end { presence.last = row }
            let count = presence.intervals.count
            if presence.intervals[count - 1].region == row.region {
                presence.intervals[count - 1].add(entry)
            } else {
                presence.intervals[count - 1].set(dates)
                dates = LocalDates()
                presence.intervals.append(interval(entry, .transited))
            }
            dates.add(time, calendar, nightHour: rule.nightHour)
            current = presence
        } else {
            closePresence(start: nil)
            current = Presence(
                key: key, intervals: [interval(entry, .transited)], last: row, box: row.box,
                stayMilliseconds: row.stayMilliseconds, groundMilliseconds: time.upperBound - time.lowerBound,
                landing: landing)
            current?.silence = silence
            dates = LocalDates()
            dates.add(time, calendar, nightHour: rule.nightHour)
        }
        landing = nil
    }

    /// The pause between two rows of the same area; nil if it divides presences.
    private static func pause(_ before: LedgerRow, _ after: LedgerRow) -> (milliseconds: Int64, isBridged: Bool)? {
        guard let end = before.time?.upperBound, let begin = after.time?.lowerBound else { return nil }
        let milliseconds = begin - end
        guard milliseconds > 0 else { return (0, false) }
        guard milliseconds <= PlaceStay.bridgedMilliseconds else { return nil }
        let isNear = metres(before.last, after.first) <= OutlierDetector.farMetres
        return isNear || milliseconds <= longestPauseMilliseconds ? (milliseconds, isNear) : nil
    }

    private static func metres(_ one: LedgerPlace, _ other: LedgerPlace) -> Double {
        Geodesy.sphereMetres(one.longitude, one.latitude, other.longitude, other.latitude)
    }

    /// Ends a presence that is nothing but points of a moment between two silences in flight: somebody was above.
    private mutating func closeOverflown() {
        guard let presence = current, let begin = presence.intervals.first?.time?.lowerBound,
            let end = presence.last.time?.upperBound, end - begin < TileVisitsBuilder.flightMilliseconds
        else { return }
        current = nil
        for var interval in presence.intervals {
            (interval.status, interval.region) = (.overflown, nil)
            interval.set(dates)
            interval.nights = []
            flights.append(interval)
        }
        dates = LocalDates()
    }

    private mutating func closePresence(start: LedgerPlace?) {
        guard var presence = current else { return }
        current = nil
        presence.intervals[presence.intervals.count - 1].set(dates)
        dates = LocalDates()
        if let landing = presence.landing, let start {
            let reach = max(Self.reach(presence.box, from: landing), Self.reach(presence.box, from: start))
            presence.isAtAirport = reach <= rule.airportMetres
        }
        presences.append(presence)
    }

    /// The distance of the farthest corner of a box.
    private static func reach(_ box: LedgerBox, from place: LedgerPlace) -> Double {
        var farthest = 0.0
        for longitude in [box.west, box.east] {
            for latitude in [box.south, box.north] {
                farthest = max(farthest, metres(LedgerPlace(longitude: longitude, latitude: latitude), place))
            }
        }
        return farthest
    }

    // MARK: Flights

    /// Where a flight without points before a row began and ended; nil if there was none.
    private func hiddenFlight(before row: LedgerRow) -> Silence? {
        guard let last = lastRow, let end = last.time?.upperBound, let begin = row.time?.lowerBound, begin > end
        else { return nil }
        let metres = Self.metres(last.last, row.first)
        guard metres >= Self.hiddenFlightMetres, TileVisitsBuilder.isFlight(metres: metres, milliseconds: begin - end)
        else { return nil }
        return Silence(start: last.last, landing: row.first, metres: metres, milliseconds: begin - end)
    }

    private mutating func addFlight(_ entry: LedgerEntry, _ time: ClosedRange<Int64>) {
        guard let country = entry.row.country.map({ countries.country(of: $0) }) else { return closeFlight() }
        if var known = flight, known.country == country {
            known.add(entry)
            flight = known
        } else {
            closeFlight()
            flight = interval(entry, .overflown)
        }
        flightDates.add(time, calendar(entry.row.first), nightHour: nil)
    }

    private mutating func closeFlight() {
        guard var known = flight else { return }
        known.set(flightDates)
        flightDates = LocalDates()
        flights.append(known)
        flight = nil
    }

    private mutating func addUntimed(_ entry: LedgerEntry) {
        guard entry.row.kind == .ground else { return }
        untimed.append(interval(entry, .transited))
    }
}

extension CountryInterval {
    fileprivate mutating func add(_ entry: LedgerEntry) {
        millimetres += entry.row.millimetres
        if let next = entry.row.time {
            time = time.map { min($0.lowerBound, next.lowerBound)...max($0.upperBound, next.upperBound) } ?? next
        }
        if tracks.last != entry.track {
            tracks.append(entry.track)
            tracks = Set(tracks).sorted()
        }
    }

    fileprivate mutating func set(_ dates: LocalDates) {
        days = dates.days.sorted()
        nights = dates.nights.sorted()
    }
}
