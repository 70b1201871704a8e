import HTTPCore
import Pins
import RequestHandling
import Tracks

/// The query parameters of lists and tiles of pins. A parameter that is malformed or sent twice is a `400`; unknown
/// ones are ignored.
struct PinParameters {
    private let parameters: QueryParameters
    private let filter: PinFilter
    private let layer: String?

    init(_ target: RequestTarget) throws(Problem) {
        parameters = try QueryParameters(target)
        var filter = PinFilter()
        filter.bounds = try parameters.box("bbox").map { E7Bounds($0) }
        filter.category = try parameters.value("category", "a name") { PinText.category($0) }
        filter.person = parameters["person"]
        filter.source = try parameters.choice("source")
        filter.hours = try parameters.value("hours", "hours such as 6-9,22-4") { PinPeriods.hours($0) }
        filter.months = try parameters.value("months", "months such as 5-8 or 12-2") { PinPeriods.months($0) }
        layer = try parameters.layer()
        _ = try parameters.date("from")
        _ = try parameters.date("to")
        self.filter = filter
    }

    /// The filter; days are those of the calendar.
    func filter(_ calendar: DayCalendar, _ layers: PinLayers) throws -> PinFilter {
        var filter = filter
        (filter.from, filter.to) = try parameters.window(calendar)
        return try layers.limited(filter, to: layer)
    }

    func limit(in range: ClosedRange<Int>) throws(Problem) -> Int? { try parameters.number("limit", in: range) }

    /// The cursor of a page.
    var after: String? { parameters["after"] }
}
