internal import PinService
import Pins
internal import PrimaryStore
import TileMath
import TrackStore
import Tracks

extension Library {
    /// The pins that have some ids.
    func pins(named ids: [String], _ terminal: Terminal) throws -> NamedItems<Pin> {
        try NamedItems(ids, "pin", id: \.id, terminal) { try PinID($0).flatMap { try database.pin($0) } }
    }
}

/// The options that select pins.
struct PinSelection {
    private static let bounds = Option("bbox", "W,S,E,N", "only pins in this box; it crosses 180° if W > E")
    private static let category = Option("category", "NAME", "only pins of this category")
    private static let person = Option("person", "NAME", "only pins of this person")
    private static let source = Option(
        "source", "KIND", "only pins from waypoint, mark, photo or hand", choices: PinSource.allCases.map(\.rawValue))
    private static let hours = Option("hours", "LIST", "only pins of these hours of the day: 6-9,22-4")
    private static let months = Option("months", "LIST", "only pins of these months: 5-8 or 12-2")

    private static let layer = Option(
        "layer", "NAME", "only pins at times when their author recorded a track of this layer")

    static let options = [CommonOptions.from, CommonOptions.to, bounds, category, person, source, hours, months, layer]

    let window: DateWindow
    private let filter: PinFilter
    private let layer: String?

    init(_ given: CommandLineArguments) throws(UsageError) {
        window = try DateWindow(given)
        var filter = PinFilter()
        filter.bounds = try given.value(Self.bounds, .box) { BoundingBox(text: $0) }.map { E7Bounds($0) }
        filter.category = try given.value(Self.category, .notEmpty) { PinText.category($0) }
        filter.person = try given.text(Self.person)
        filter.source = try given.choice(Self.source)
        filter.hours = try given.value(Self.hours, .hours) { PinPeriods.hours($0) }
        filter.months = try given.value(Self.months, .months) { PinPeriods.months($0) }
        self.filter = filter
        layer = try given.text(Self.layer)
    }

    /// The person, if the pins of a person are selected, and all of them.
    var wholePerson: String? {
        var plain = PinFilter()
        plain.person = filter.person
        return window.isEverything && layer == nil && filter == plain ? filter.person : nil
    }

    /// Whether every pin is selected.
    var isEmpty: Bool { window.isEverything && layer == nil && filter.isEmpty }

    /// The filter; days are those of the library's zone.
    func filter(of library: Library) throws -> PinFilter {
        let calendar = try library.calendar()
        var filter = filter
        (filter.from, filter.to) = try window.instants(in: calendar)
        return try PinLayers(library).limited(filter, to: layer)
    }
}
