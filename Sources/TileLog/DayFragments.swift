/// Finds the parts of one day in a log.
public enum DayFragments {
    /// Those that a filter lets pass, in order; the days before are skipped over.
    public static func of(_ day: Int32, in log: borrowing Span<UInt8>, _ filter: FragmentFilter) -> [FragmentOrder] {
        var found: [FragmentOrder] = []
        var reader = LogReader(log)
        while let part = reader.nextPart(in: log), part.order.day <= day {
            if part.order.day == day, filter.passes(part.order.track) { found.append(part.order) }
        }
        return found
    }
}
