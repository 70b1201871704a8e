/// Durations in option values.
public enum DurationText {
    /// Parses `500ms`, `30s`, `10m`, `2h`, `1d`, or several with the largest unit first (`1h30m`); nil if the sum is 0.
    public static func milliseconds(_ text: String) -> Int64? {
        let units: [(name: String, milliseconds: Int64)] = [
            ("d", CivilDay.milliseconds), ("h", 3_600_000), ("m", 60_000), ("s", 1000), ("ms", 1),
        ]
        var rest = text[...]
        var total: Int64 = 0
        var smallest = Int64.max
        while !rest.isEmpty {
            let digits = rest.prefix { $0.isASCII && $0.isNumber }
            rest = rest.dropFirst(digits.count)
            let name = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(name.count)
            guard let number = Int64(digits), let unit = units.first(where: { $0.name == name }),
                unit.milliseconds < smallest
            else { return nil }
            smallest = unit.milliseconds
            let (part, tooLong) = number.multipliedReportingOverflow(by: unit.milliseconds)
            let (sum, overflow) = total.addingReportingOverflow(part)
            guard !tooLong, !overflow else { return nil }
            total = sum
        }
        return total > 0 ? total : nil
    }
}
