/// Which months a log's pieces belong to.
public enum LogMonths {
    /// The periods of a log's months; 0 for the untimed piece.
    public static func periods(of log: [UInt8]) -> Set<UInt16> {
        var periods: Set<UInt16> = []
        var lastDay: Int32?
        var reader = PartReader(bytes: log)
        while let order = reader.order {
            if order.day != lastDay { periods.insert(Period.month(ofDay: order.day)) }
            lastDay = order.day
            reader.advance()
        }
        return periods
    }

    /// The days of a month's period; nil for the untimed piece.
    public static func days(ofPeriod period: UInt16) -> ClosedRange<Int32>? {
        period == Period.untimed ? nil : Period.days(ofMonth: period)
    }

    /// The period of a day's month.
    public static func period(ofDay day: Int32) -> UInt16 {
        Period.month(ofDay: day)
    }
}
