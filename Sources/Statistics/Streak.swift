/// Runs of days in a row on which something was recorded.
public struct Streak: Sendable, Equatable {
    /// The number of days of the longest run; 0 without days.
    public var longest = 0
    /// The first day of the longest run; of equal ones, the latest. nil without days.
    public var firstDay: Int32?
    /// The last day of the longest run.
    public var lastDay: Int32?
    /// The number of days of the run that lasts until today or yesterday; 0 if there is none.
    public var current = 0

    /// The runs of some days, in any order. `today` is the current day.
    public init(ofDays days: [Int32], today: Int32) {
        var run = 0
        var last: Int32?
        for day in days.sorted() where day != last {
            // Not `last + 1`, which overflows at the last day.
            run = last.map { Int64(day) - Int64($0) == 1 } == true ? run + 1 : 1
            last = day
            if run >= longest {
                longest = run
                firstDay = day - Int32(run - 1)
                lastDay = day
            }
            if (0...1).contains(Int64(today) - Int64(day)) { current = run }
        }
    }
}
