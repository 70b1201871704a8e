public import Digest
import Foundation
public import Text

/// Converts between instants and days of a time zone.
///
/// Days are counted from 1970-01-01 in the zone. The transitions of the zone are read once, so that a lookup is a
/// binary search in a short list.
public struct DayCalendar: Sendable {
    /// The IANA name of the zone.
    public let zone: String
    /// A digest of the zone name and its transitions; a different tzdata version may give a different digest.
    public let digest: ContentDigest

    /// Milliseconds since 1970 from which each offset is valid; ascending, the first is `Int64.min`.
    private let starts: [Int64]
    /// Milliseconds to add to UTC.
    private let offsets: [Int64]

    /// Transitions are read from 1900 to 2100; after that the last offset stays valid.
    private static let transitionYears = (first: -2_208_988_800.0, last: 4_102_444_800.0)

    /// nil if the system knows no zone with that IANA name.
    public init?(zone name: String) {
        guard let timeZone = TimeZone(identifier: name) else { return nil }
        zone = name
        var starts = [Int64.min]
        var at = Date(timeIntervalSince1970: Self.transitionYears.first)
        var offsets = [Int64(timeZone.secondsFromGMT(for: at)) * 1000]
        while let next = timeZone.nextDaylightSavingTimeTransition(after: at), next > at,
            next.timeIntervalSince1970 < Self.transitionYears.last
        {
            let offset = Int64(timeZone.secondsFromGMT(for: next)) * 1000
            if offset != offsets[offsets.count - 1] {
                starts.append(Int64((next.timeIntervalSince1970 * 1000).rounded()))
                offsets.append(offset)
            }
            at = next
        }
        self.starts = starts
        self.offsets = offsets
        var digester = Digester()
        digester.update(name)
        for (start, offset) in zip(starts, offsets) {
            digester.update(start)
            digester.update(offset)
        }
        digest = digester.finish()
    }

    /// Milliseconds that the clocks of the zone are ahead of UTC at an instant.
    public func offsetMilliseconds(at instant: Int64) -> Int64 {
        offsets[interval(of: instant)]
    }

    /// The day of an instant given in milliseconds since 1970.
    public func day(of instant: Int64) -> Int32 {
        Self.floorDay(instant, offset: offsetMilliseconds(at: instant))
    }

    /// The range of instants around `instant` that are on the same day and have the same UTC offset.
    public func timeRange(around instant: Int64) -> (day: Int32, from: Int64, to: Int64) {
        let index = interval(of: instant)
        let offset = offsets[index]
        let day = Self.floorDay(instant, offset: offset)
        let begin = Int64(day) * CivilDay.milliseconds - offset
        let upper = index + 1 < starts.count ? starts[index + 1] : Int64.max
        let from = min(max(begin, starts[index]), instant)
        let end = min(begin + CivilDay.milliseconds, upper)
        // The last day that an Int32 can count has no end.
        return (day, from, end > instant ? end : .max)
    }

    /// All instants of a day, earliest first, split at clock changes; empty for a day that the zone skipped.
    public func timeRanges(ofDay day: Int32) -> [Range<Int64>] {
        let local = Int64(day) * CivilDay.milliseconds
        // No zone is more than a day away from UTC.
        let nearby = interval(of: local - 2 * CivilDay.milliseconds)...interval(of: local + 3 * CivilDay.milliseconds)
        return nearby.compactMap { index in
            let begin = max(local - offsets[index], starts[index])
            let next = index + 1 < starts.count ? starts[index + 1] : Int64.max
            let end = min(local - offsets[index] + CivilDay.milliseconds, next)
            return begin < end ? begin..<end : nil
        }
    }

    /// The instant at which a day begins: midnight, or the first instant after a clock change that skips midnight.
    public func start(ofDay day: Int32) -> Int64 {
        let local = Int64(day) * CivilDay.milliseconds
        var best = local - offsets[interval(of: local - offsets[interval(of: local)])]
        for index in starts.indices where starts[index] > best - 2 * CivilDay.milliseconds {
            guard starts[index] < best + 2 * CivilDay.milliseconds else { break }
            let candidate = max(local - offsets[index], starts[index])
            if self.day(of: candidate) >= day, candidate < best || self.day(of: best) < day { best = candidate }
        }
        return best
    }

    private func interval(of instant: Int64) -> Int {
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= instant { low = middle } else { high = middle }
        }
        return low
    }

    private static func floorDay(_ instant: Int64, offset: Int64) -> Int32 {
        let (local, overflow) = instant.addingReportingOverflow(offset)
        let clamped = overflow ? instant : local
        return Int32(clamping: clamped.floorDivided(by: CivilDay.milliseconds))
    }
}

extension InstantFormatter {
    /// Local time in the calendar's zone: `2025-03-30 10:00`.
    package static func local(_ instant: Int64, _ calendar: DayCalendar) -> String {
        local(instant, offset: calendar.offsetMilliseconds(at: instant))
    }
}

extension DateText {
    /// The first instant in the window that starts here.
    public func begin(in calendar: DayCalendar) -> Int64 {
        switch self {
        case .day(let day): calendar.start(ofDay: day.daysSince1970)
        case .instant(let instant): instant
        }
    }

    /// The first instant after the window that ends here: a day is included as a whole, an instant is excluded.
    public func end(in calendar: DayCalendar) -> Int64 {
        switch self {
        case .day(let day): calendar.start(ofDay: day.daysSince1970 + 1)
        case .instant(let instant): instant
        }
    }
}
