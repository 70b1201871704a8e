/// The largest number E for which there are E days with at least E units of length each.
public struct EddingtonNumber: Sendable, Equatable {
    /// E.
    public var number: Int
    /// How many more days of at least E + 1 units are needed for E + 1.
    public var missing: Int

    /// Millimetres of a kilometre.
    public static let kilometre: Int64 = 1_000_000
    /// Millimetres of an international mile.
    public static let mile: Int64 = 1_609_344

    /// The number of some days, from the length of each.
    public init(millimetresOfDays lengths: [Int64], unit: Int64) {
        // A number above the count of days cannot be reached, so longer days need not be distinguished.
        let limit = lengths.count + 1
        var days = [Int](repeating: 0, count: limit + 1)
        for length in lengths where length > 0 { days[Int(min(length / unit, Int64(limit)))] += 1 }
        var count = 0
        var reached = 0
        var counts = days
        for units in stride(from: limit, through: 0, by: -1) {
            count += days[units]
            counts[units] = count
            if reached == 0, count >= units { reached = units }
        }
        number = reached
        missing = reached + 1 - counts[reached + 1]
    }
}

/// The Eddington numbers of some days in both units.
public struct EddingtonNumbers: Sendable, Equatable {
    public var kilometres: EddingtonNumber
    public var miles: EddingtonNumber

    /// The numbers, from the length of each day.
    init(millimetresOfDays lengths: [Int64]) {
        kilometres = EddingtonNumber(millimetresOfDays: lengths, unit: EddingtonNumber.kilometre)
        miles = EddingtonNumber(millimetresOfDays: lengths, unit: EddingtonNumber.mile)
    }
}
