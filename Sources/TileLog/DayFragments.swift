/// Finds the track fragments of one day in a tile log.
public enum DayFragments {
    /// The fragments of the day that pass the filter, in log order. Costs one pass over the log up to that day.
    public static func of(_ day: Int32, in log: borrowing Span<UInt8>, _ filter: FragmentFilter) -> [FragmentOrder] {
        var found: [FragmentOrder] = []
        var reader = LogReader(log)
        while let fragment = reader.nextFragment(in: log), fragment.order.day <= day {
            if fragment.order.day == day, filter.passes(fragment.order.track) { found.append(fragment.order) }
        }
        return found
    }
}
