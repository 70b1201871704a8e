import TileLog

/// Logs of months before and after a change.
struct MonthEdits {
    struct Edit {
        var period: UInt16
        var old: [UInt8]?
        var new: [UInt8]?
    }

    private(set) var list: [Edit] = []

    init(_ months: [MonthLog], removing removed: Set<Int64>, adding added: [UInt8]?) {
        var addedMonths: [UInt16: [UInt8]] = [:]
        for month in added.map({ TileLog<CellDeltas>.months(of: $0) }) ?? [] { addedMonths[month.period] = month.log }
        for month in months {
            // A track may return with the same cells and another activity: that is a change too.
            let kept = removed.isEmpty ? nil : TileLog<CellDeltas>.removing(removed, from: month.log)
            let added = addedMonths.removeValue(forKey: month.period)
            guard kept != nil || added != nil else { continue }
            let logs = [kept ?? month.log, added ?? []].filter { !$0.isEmpty }
            list.append(
                Edit(period: month.period, old: month.log, new: logs.isEmpty ? nil : TileLog<CellDeltas>.merged(logs)))
        }
        for (period, log) in addedMonths { list.append(Edit(period: period, old: nil, new: log)) }
        list.sort { $0.period < $1.period }
    }

    /// All months after the change, ascending.
    func applied(to months: [MonthLog]) -> [MonthLog] {
        var logs: [UInt16: [UInt8]] = [:]
        for month in months { logs[month.period] = month.log }
        for edit in list { logs[edit.period] = edit.new }
        return logs.sorted { $0.key < $1.key }.map { MonthLog(period: $0.key, log: $0.value) }
    }
}
