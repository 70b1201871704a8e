import Pins
import PrimaryStore
import Text
import TileMath
import TileService
import TrackExport
import TrackStore
import Tracks

/// The options that select pins.
struct PinSelection {
    private static let bounds = Option("bbox", "W,S,E,N", "only pins in this box; it crosses 180° if W > E")
    private static let category = Option("category", "NAME", "only pins of this category")
    private static let person = Option("person", "NAME", "only pins of this person")
    private static let source = Option("source", "KIND", "only pins from waypoint, mark, photo or hand")
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
        let kinds = PinSource.allCases.map(\.rawValue)
        filter.source = try given.value(Self.source, .oneOf(kinds)) { PinSource(rawValue: $0.lowercased()) }
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
        guard let layer, layer != LayerDefinition.everything else { return filter }
        guard let times = try PinLayers(library).times(of: layer) else {
            throw SelectionError.noSuchLayer(layer)
        }
        filter.during = times
        return filter
    }
}

/// `tileserve pins list`: lists pins.
struct PinListCommand: Command {
    static let name = "pins list"
    static let operands = Operands.none

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists pins: waypoints, marked points, photos",
        about: """
            Lists pins, newest first; pins without a time are at the end. Hours and months are in the library's time \
            zone, include both ends and may wrap around.
            """,
        options: [LibraryOption.option] + PinSelection.options + [CommonOptions.json],
        examples: [
            ("tileserve pins list --category summit", "lists the pins of a category"),
            ("tileserve pins list --hours 22-4 --json", "lists pins of the night, one object per line"),
        ])

    let folder: String
    let selection: PinSelection
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        selection = try PinSelection(given)
        isJSON = given.has(CommonOptions.json)
    }
}

/// `tileserve pins show`: shows details of pins.
struct PinShowCommand: Command {
    static let name = "pins show"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "shows details of pins",
        about: "Shows all details of pins. For their ids see 'tileserve pins list'.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve pins show 0f3c9a7be41d2268a5b0c1d2e3f40516", "shows one pin")])

    let folder: String
    let ids: [String]
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        isJSON = given.has(CommonOptions.json)
    }
}

/// `tileserve pins add`: adds a pin.
struct PinAddCommand: Command {
    static let name = "pins add"
    static let operands = Operands.none

    private static let place = Option("at", "LON,LAT", "the place, in degrees")
    private static let time = Option("time", "INSTANT", "the time, such as 2025-03-30T08:00:00Z")
    private static let category = Option("category", "NAME", "the category")
    private static let caption = Option("caption", "TEXT", "the caption, up to 2000 characters")
    private static let person = Option("person", "NAME", "the author (default: the library's owner)")
    private static let visibility = Option(
        "visibility", "WHO",
        "who may read it: open (everybody, the default), here (members within 100 m now), been (members who were there)"
    )
    private static let expires = Option("expires", "INSTANT", "when it disappears")

    static let screen = HelpScreen(
        usage: "--at LON,LAT [OPTION]…",
        summary: "adds a pin",
        about: "Adds a pin at a place and prints its id.",
        options: [
            LibraryOption.option, place, time, category, caption, person, visibility, expires, CommonOptions.json,
        ],
        examples: [
            ("tileserve pins add --at 8.5417,47.3769 --caption Ice --category food", "adds a pin")
        ])

    let folder: String
    let content: PinContent
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        guard let place = try given.value(Self.place, .place, Self.place) else { throw .missingOption(Self.place) }
        var content = PinContent(place, source: .hand, located: .hand)
        content.time = try given.value(Self.time, .instant, Self.instant)
        content.category = try given.value(Self.category, .notEmpty) { PinText.category($0) }
        content.caption = try given.value(Self.caption, .caption) {
            $0.unicodeScalars.count <= PinText.captionLimit ? PinText.caption($0) : nil
        }
        content.person = try given.text(Self.person)
        let kinds = PinVisibility.allCases.map(\.rawValue)
        content.visibility =
            try given.value(Self.visibility, .oneOf(kinds)) { PinVisibility(rawValue: $0.lowercased()) } ?? .open
        content.expires = try given.value(Self.expires, .instant, Self.instant)
        self.content = content
        isJSON = given.has(CommonOptions.json)
    }

    private static func place(_ text: String) -> PinPlace? {
        GeoPoint(text: text).flatMap { PinPlace(longitude: $0.longitude, latitude: $0.latitude) }
    }

    private static func instant(_ text: String) -> Int64? {
        guard case .instant(let instant)? = DateText(text) else { return nil }
        return instant
    }
}

/// `tileserve pins remove`: deletes pins.
struct PinRemoveCommand: Command {
    static let name = "pins remove"
    static let operands = Operands.any

    static let screen = HelpScreen(
        usage: "[OPTION]… [ID…]",
        summary: "deletes pins permanently",
        about: """
            Deletes the given pins, or all that the options select: from the library, the map and every running \
            server. There is no confirmation, and it cannot be undone. A marked point stays in its track. With \
            '--person' alone, the votes, reports and comments of the person are deleted, too.
            """,
        options: [LibraryOption.option] + PinSelection.options,
        examples: [
            ("tileserve pins remove 0f3c9a7be41d2268a5b0c1d2e3f40516", "deletes one pin"),
            ("tileserve pins remove --person bea --to 2024-12-31", "deletes the pins of a person and a time"),
        ])

    let folder: String
    let ids: [String]
    let selection: PinSelection

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        selection = try PinSelection(given)
        // Without both, all pins would be deleted.
        if ids.isEmpty, selection.isEmpty { throw .missingOperand("ID") }
    }
}

/// `tileserve pins export`: writes pins to a file for other programs.
struct PinExportCommand: Command {
    static let name = "pins export"
    static let operands = Operands.none

    private static let formats = ExportFormat.allCases.filter(\.supportsPins).map(\.rawValue)
    private static let format = Option("format", "FORMAT", "gpx, geojson or kml")

    static let screen = HelpScreen(
        usage: "--format FORMAT [OPTION]…",
        summary: "writes pins for other programs",
        about: """
            Writes all pins, or those that the options select, to the standard output. Importing the file again \
            adds no pins.
            """,
        options: [LibraryOption.option, format] + PinSelection.options,
        examples: [("tileserve pins export --format gpx", "writes all pins as waypoints")])

    let folder: String
    let format: ExportFormat
    let selection: PinSelection

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        let format = try given.value(Self.format, .oneOf(Self.formats)) { text in
            ExportFormat(rawValue: text.lowercased()).flatMap { $0.supportsPins ? $0 : nil }
        }
        guard let format else { throw .missingOption(Self.format) }
        self.format = format
        selection = try PinSelection(given)
    }
}
