import Text
import Tracks

/// The days or instants that `--from` and `--to` name; both belong to the window, and either may be missing.
struct DateWindow: Equatable {
    let from: DateText?
    let to: DateText?

    init(_ given: CommandLineArguments) throws(UsageError) {
        from = try given.value(CommonOptions.from, .date) { DateText($0) }
        to = try given.value(CommonOptions.to, .date) { DateText($0) }
    }

    /// Whether everything is within the window.
    var isEverything: Bool { from == nil && to == nil }

    /// The begin, and the end that is not in the window any more, in milliseconds since 1970; days are those of the
    /// calendar. Throws `emptyWindow` if no instant is in the window.
    func instants(in calendar: DayCalendar) throws(UsageError) -> (from: Int64?, to: Int64?) {
        let (begin, end) = (from?.begin(in: calendar), to?.end(in: calendar))
        if let begin, let end, begin >= end { throw .emptyWindow }
        return (begin, end)
    }
}
