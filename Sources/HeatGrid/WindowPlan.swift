import TileLog

/// How to compute a dense tile's counts over a window: which sums and logs to add or subtract.
struct WindowPlan: Sendable {
    /// One read.
    enum Step: Sendable, Equatable {
        /// The sum of a period.
        case sum(period: UInt16, subtracting: Bool)
        /// The person-days of a month's log on `days` (nil for all).
        case log(month: UInt16, days: ClosedRange<Int32>?, subtracting: Bool)
    }

    /// The reads.
    private(set) var steps: [Step] = []
    /// The number of visits and cells to read.
    private(set) var cost = 0

    static func + (left: WindowPlan, right: WindowPlan) -> WindowPlan {
        var plan = left
        plan.steps += right.steps
        plan.cost += right.cost
        return plan
    }

    /// The cheapest plan for the counts of `days` in `layer`.
    init(days: ClosedRange<Int32>, layer: UInt8, directory: TileDirectory, allTimeCells: Int?) {
        self = PeriodTree(layer: layer, directory: directory, allTimeCells: allTimeCells).inside(days)
    }

    init() {}

    fileprivate init(_ step: Step, cost: Int) {
        steps = [step]
        // Every read is a separate row, which costs about as much as some hundred visits.
        self.cost = cost + 200
    }
}

/// The periods of a dense tile: all time → years → months, with the sums that exist.
private struct PeriodTree {
    private struct Month {
        var period: UInt16
        var bytes: Int
        var sumCells: Int?
        var days: ClosedRange<Int32>?
    }

    private struct Year {
        var period: UInt16
        var sumCells: Int?
        var months: [Month] = []
    }

    private let allSumCells: Int?
    private var years: [Year] = []

    init(layer: UInt8, directory: TileDirectory, allTimeCells: Int?) {
        var sums: [UInt16: Int] = [:]
        for sum in directory.sums where sum.layer == layer { sums[sum.period] = sum.cells }
        allSumCells = allTimeCells ?? sums[StoredPeriod.all]
        for month in directory.months {
            let isUntimed = month.period == StoredPeriod.untimed
            // The untimed log is a year of its own, which is in no window of days.
            let year = StoredPeriod.year(ofMonth: month.period)
            let entry = Month(
                period: month.period, bytes: month.bytes, sumCells: isUntimed ? nil : sums[month.period],
                days: isUntimed ? nil : StoredPeriod.days(ofMonth: month.period))
            if let last = years.last, last.period == year, last.months[0].period != StoredPeriod.untimed {
                years[years.count - 1].months.append(entry)
            } else {
                years.append(
                    Year(period: year, sumCells: year == StoredPeriod.untimed ? nil : sums[year], months: [entry]))
            }
        }
    }

    func inside(_ days: ClosedRange<Int32>) -> WindowPlan {
        let added = years.reduce(WindowPlan()) { $0 + inside(days, $1) }
        guard let allSumCells else { return added }
        let taken = years.reduce(WindowPlan(.sum(period: StoredPeriod.all, subtracting: false), cost: allSumCells)) {
            $0 + outside(days, $1)
        }
        return taken.cost < added.cost ? taken : added
    }

    /// The part of a year inside the window, added.
    private func inside(_ days: ClosedRange<Int32>, _ year: Year) -> WindowPlan {
        let added = year.months.reduce(WindowPlan()) { $0 + read($1, days, inside: true, subtracting: false) }
        guard let cells = year.sumCells, !added.steps.isEmpty else { return added }
        let taken = year.months.reduce(WindowPlan(.sum(period: year.period, subtracting: false), cost: cells)) {
            $0 + read($1, days, inside: false, subtracting: true)
        }
        return taken.cost < added.cost ? taken : added
    }

    /// The part of a year outside the window, subtracted.
    private func outside(_ days: ClosedRange<Int32>, _ year: Year) -> WindowPlan {
        let parts = year.months.reduce(WindowPlan()) { $0 + read($1, days, inside: false, subtracting: true) }
        guard let cells = year.sumCells, !parts.steps.isEmpty else { return parts }
        let whole = year.months.reduce(WindowPlan(.sum(period: year.period, subtracting: true), cost: cells)) {
            $0 + read($1, days, inside: true, subtracting: false)
        }
        return whole.cost < parts.cost ? whole : parts
    }

    private func read(_ month: Month, _ days: ClosedRange<Int32>, inside: Bool, subtracting: Bool) -> WindowPlan {
        guard let monthDays = month.days else {
            return inside
                ? WindowPlan()
                : WindowPlan(.log(month: month.period, days: nil, subtracting: subtracting), cost: month.bytes)
        }
        let shared = monthDays.overlaps(days) ? monthDays.clamped(to: days) : nil
        if shared == monthDays || shared == nil {
            guard (shared != nil) == inside else { return WindowPlan() }
            if let cells = month.sumCells, cells < month.bytes {
                return WindowPlan(.sum(period: month.period, subtracting: subtracting), cost: cells)
            }
            return WindowPlan(.log(month: month.period, days: nil, subtracting: subtracting), cost: month.bytes)
        }
        guard let shared else { return WindowPlan() }
        if inside {
            return WindowPlan(.log(month: month.period, days: shared, subtracting: subtracting), cost: month.bytes)
        }
        var plan = WindowPlan()
        if shared.lowerBound > monthDays.lowerBound {
            let before = monthDays.lowerBound...(shared.lowerBound - 1)
            plan =
                plan + WindowPlan(.log(month: month.period, days: before, subtracting: subtracting), cost: month.bytes)
        }
        if shared.upperBound < monthDays.upperBound {
            let after = (shared.upperBound + 1)...monthDays.upperBound
            plan =
                plan + WindowPlan(.log(month: month.period, days: after, subtracting: subtracting), cost: month.bytes)
        }
        return plan
    }
}
