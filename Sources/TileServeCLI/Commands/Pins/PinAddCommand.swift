import PinService
import Pins
import PrimaryStore
import Text
import TileMath
import TrackStore

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
        content.time = try given.value(Self.time, .instant) { DateText.instant(in: $0) }
        content.category = try given.value(Self.category, .name(characters: PinText.categoryLimit)) {
            PinText.givenCategory($0)
        }
        content.caption = try given.value(Self.caption, .caption) { PinText.givenCaption($0) }
        content.person = try given.text(Self.person)
        content.visibility = try given.choice(Self.visibility) ?? .open
        content.expires = try given.value(Self.expires, .instant) { DateText.instant(in: $0) }
        self.content = content
        isJSON = given.has(CommonOptions.json)
    }

    private static func place(_ text: String) -> PinPlace? {
        GeoPoint(text: text).flatMap { PinPlace(longitude: $0.longitude, latitude: $0.latitude) }
    }
}

extension PinAddCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.made(in: folder, environment: context.environment)
        let pin = try library.database.addPin(content)
        try context.terminal.say(isJSON ? pin.fullJSON().text : pin.id.description)
        return .done
    }
}
