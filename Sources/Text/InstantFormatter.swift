/// Formats instants as text.
package enum InstantFormatter {
    /// RFC 3339 in UTC: `2025-03-30T08:00:00Z`, with milliseconds if they are not 0.
    package static func utc(_ instant: Int64) -> String {
        let (day, ofDay) = parts(instant, offset: 0)
        let milliseconds = ofDay % 1000
        let fraction = milliseconds == 0 ? "" : "." + padded(milliseconds, 3)
        return "\(text(day))T\(clock(ofDay)):\(padded(ofDay / 1000 % 60, 2))\(fraction)Z"
    }

    /// Local time of a zone whose clocks are `offset` milliseconds ahead of UTC: `2025-03-30 10:00`.
    package static func local(_ instant: Int64, offset: Int64) -> String {
        let (day, ofDay) = parts(instant, offset: offset)
        return "\(text(day)) \(clock(ofDay))"
    }

    private static func parts(_ instant: Int64, offset: Int64) -> (day: CivilDay, ofDay: Int64) {
        let (local, overflow) = instant.addingReportingOverflow(offset)
        let clamped = overflow ? instant : local
        let (quotient, rest) = clamped.quotientAndRemainder(dividingBy: CivilDay.milliseconds)
        let isBefore = rest < 0
        return (
            CivilDay(daysSince1970: Int32(clamping: isBefore ? quotient - 1 : quotient)),
            isBefore ? rest + CivilDay.milliseconds : rest
        )
    }

    /// `2025-03-30`.
    package static func text(_ day: CivilDay) -> String {
        "\(padded(Int64(day.year), 4))-\(padded(Int64(day.month), 2))-\(padded(Int64(day.day), 2))"
    }

    private static func clock(_ ofDay: Int64) -> String {
        "\(padded(ofDay / 3_600_000, 2)):\(padded(ofDay / 60_000 % 60, 2))"
    }

    private static func padded(_ number: Int64, _ digits: Int) -> String {
        let text = String(number.magnitude)
        return (number < 0 ? "-" : "") + String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
