/// The months of the person-days in a log.
public enum LogMonths {
    /// The periods of the months in a log; 0 for the untimed person-days.
    public static func periods(of log: [UInt8]) -> Set<UInt16> {
        var periods: Set<UInt16> = []
        var lastDay: Int32?
        var reader = FragmentReader(bytes: log)
        while let order = reader.order {
            if order.day != lastDay { periods.insert(Period.month(ofDay: order.day)) }
            lastDay = order.day
            reader.advance()
        }
        return periods
    }

    /// The days of a month's period; nil for the untimed period.
    public static func days(ofPeriod period: UInt16) -> ClosedRange<Int32>? {
        period == Period.untimed ? nil : Period.days(ofMonth: period)
    }

    /// The period of the month of a day.
    public static func period(ofDay day: Int32) -> UInt16 {
        Period.month(ofDay: day)
    }
}

extension TileLog {
    /// Splits a log into one log per month, ascending, with the untimed person-days first.
    public static func months(of log: [UInt8]) -> [(period: UInt16, log: [UInt8])] {
        var result: [(period: UInt16, log: [UInt8])] = []
        var writer = LogWriter<Content>()
        var month = Period.untimed
        var monthDays = FragmentOrder.untimedDay...FragmentOrder.untimedDay
        var reader = FragmentReader(bytes: log)
        while let order = reader.order {
            if !monthDays.contains(order.day) {
                let finished = writer.finish()
                if !finished.isEmpty { result.append((month, finished)) }
                month = Period.month(ofDay: order.day)
                monthDays = Period.days(ofMonth: month)
            }
            writer.add(order, log[reader.content])
            reader.advance()
        }
        let finished = writer.finish()
        if !finished.isEmpty { result.append((month, finished)) }
        return result
    }
}

extension LogMonths {
    /// The range of month periods of a window; includes the untimed period only for all time.
    public static func periods(of window: DayWindow) -> ClosedRange<UInt16> {
        guard !window.isAllTime else { return Period.untimed...Period.all }
        guard let days = window.days else { return Period.all...Period.all }
        return Period.month(ofDay: days.lowerBound)...Period.month(ofDay: days.upperBound)
    }
}
