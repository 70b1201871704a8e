/// The months of the person-days in a log.
public enum LogMonths {
    /// The periods of the months in a log; 0 for the untimed person-days.
    public static func periods(of log: [UInt8]) -> Set<UInt16> {
        var periods: Set<UInt16> = []
        var lastDay: Int32?
        var reader = FragmentReader(bytes: log)
        while let order = reader.order {
            if order.day != lastDay { periods.insert(StoredPeriod.month(ofDay: order.day)) }
            lastDay = order.day
            reader.advance()
        }
        return periods
    }

    /// The days of a month's period; nil for the untimed period.
    public static func days(ofPeriod period: UInt16) -> ClosedRange<Int32>? {
        period == StoredPeriod.untimed ? nil : StoredPeriod.days(ofMonth: period)
    }

    /// The period of the month of a day.
    public static func period(ofDay day: Int32) -> UInt16 {
        StoredPeriod.month(ofDay: day)
    }
}

/// The log of one month.
public struct MonthLog: Sendable, Equatable {
    /// The month, see `StoredPeriod`.
    public let period: UInt16
    /// The person-days of the month, as a log.
    public let log: [UInt8]

    /// Creates a month's log from stored bytes.
    public init(period: UInt16, log: [UInt8]) {
        self.period = period
        self.log = log
    }
}

extension TileLog {
    /// Splits a log into one log per month, ascending, with the untimed person-days first.
    public static func months(of log: [UInt8]) -> [MonthLog] {
        var result: [MonthLog] = []
        var writer = LogWriter<Content>()
        var month = StoredPeriod.untimed
        var monthDays = FragmentOrder.untimedDay...FragmentOrder.untimedDay
        var reader = FragmentReader(bytes: log)
        while let order = reader.order {
            if !monthDays.contains(order.day) {
                let finished = writer.finish()
                if !finished.isEmpty { result.append(MonthLog(period: month, log: finished)) }
                month = StoredPeriod.month(ofDay: order.day)
                monthDays = StoredPeriod.days(ofMonth: month)
            }
            writer.add(order, log[reader.content])
            reader.advance()
        }
        let finished = writer.finish()
        if !finished.isEmpty { result.append(MonthLog(period: month, log: finished)) }
        return result
    }
}

extension LogMonths {
    /// The range of month periods of a window; includes the untimed period only for all time.
    public static func periods(of window: DayWindow) -> ClosedRange<UInt16> {
        guard !window.isAllTime else { return StoredPeriod.untimed...StoredPeriod.all }
        guard let days = window.days else { return StoredPeriod.all...StoredPeriod.all }
        return StoredPeriod.month(ofDay: days.lowerBound)...StoredPeriod.month(ofDay: days.upperBound)
    }
}
