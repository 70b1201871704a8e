internal import Database
public import Pins
import Text
public import Tracks

/// A page of a list of pins.
public struct PinPage: Sendable {
    /// Newest first; those without a time last.
    public var pins: [Pin]
    /// The value of `after` for the next page; nil on the last page.
    public var next: String?
}

extension TrackSnapshot {
    /// Pins newest first, those without a time last. `after` is the `next` of the previous page; nil is returned if it
    /// is invalid. `now` leaves out pins that are expired at this time, in milliseconds since 1970.
    public func pins(
        _ filter: PinFilter = PinFilter(), limit: Int, after: String? = nil, now: Int64? = nil,
        isIncluded: (PinFacts) -> Bool = { _ in true }
    ) throws -> PinPage? {
        var cursor = TrackCursor.beginning
        if let after {
            guard let given = TrackCursor(after) else { return nil }
            cursor = given
        }
        let calendar = DayCalendar(zone: try zone())
        func admits(_ pin: PinFacts) -> Bool {
            if let now, pin.isExpired(at: now) { return false }
            return isIncluded(pin) && filter.admits(pin) { LocalTime.parts(of: $0, in: calendar) }
        }
        var page = PinPage(pins: [], next: nil)
        if case .timed(let time, let number) = cursor {
            try gather(
                """
                SELECT \(Pin.columns) FROM \(Pin.tables) WHERE p.state = 0 AND p.time IS NOT NULL
                AND (p.time, p.number) < ($1, $2) AND p.time >= $3 AND p.time < $4
                ORDER BY p.time DESC, p.number DESC
                """,
                [.integer(time), .integer(number), .integer(filter.from ?? .min), .integer(filter.to ?? .max)],
                admits, limit, &page)
            // The pins with a time are all listed: the page continues with the first of those without.
            cursor = .untimed(number: .max)
        }
        if page.next == nil, case .untimed(let number) = cursor, !filter.needsTime {
            try gather(
                """
                SELECT \(Pin.columns) FROM \(Pin.tables) WHERE p.state = 0 AND p.time IS NULL AND p.number < $1
                ORDER BY p.number DESC
                """, [.integer(number)], admits, limit, &page)
        }
        return page
    }

    private func gather(
        _ sql: String, _ values: [Value], _ admits: (PinFacts) -> Bool, _ limit: Int, _ page: inout PinPage
    ) throws {
        var last: TrackCursor?
        try session.forEachWhile(sql, values) { row in
            // The texts are decoded only if they are needed.
            guard let facts = Pin.facts(of: row), admits(facts), let pin = Pin(row: row) else { return true }
            guard page.pins.count < limit else {
                page.next = last?.description
                return false
            }
            page.pins.append(pin)
            last = pin.time.map { .timed(start: $0, number: row.integer(0)) } ?? .untimed(number: row.integer(0))
            return true
        }
    }
}

/// Hours and months of instants in a library's zone.
public enum LocalTime {
    /// The hour (0–23) and the month (0–11) of an instant; in UTC without a calendar.
    public static func parts(of instant: Int64, in calendar: DayCalendar?) -> (hour: Int, month: Int) {
        let local = instant &+ (calendar?.offsetMilliseconds(at: instant) ?? 0)
        let day = local.floorDivided(by: CivilDay.milliseconds)
        let hour = Int((local - day * CivilDay.milliseconds) / 3_600_000)
        return (hour, CivilDay(daysSince1970: Int32(clamping: day)).month - 1)
    }
}
