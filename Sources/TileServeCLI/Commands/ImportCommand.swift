import Foundation
import TrackImport
import Tracks

/// `tileserve import`: imports files into the library.
struct ImportCommand: Command {
    static let name = "import"
    static let operands = Operands.some("PATH")

    private static let person = Option("person", "NAME", "whose tracks they are, where a file does not say (the owner)")
    private static let device = Option("device", "NAME", "joins the points to the stream of this device")
    private static let activity = Option("activity", "NAME", "what was done, where a file does not say: ride, hike, …")
    private static let zone = Option(
        "zone", "TZ", "the zone of times that carry none (UTC in GPX, TCX and KML, else the library's)")
    private static let gap = Option("gap", "none|30m", "the pause from which on a track counts as interrupted")
    static let dryRun = Option("dry-run", "reads everything and says what would be stored; stores nothing")
    static let json = Option("json", "prints objects of JSON instead of sentences")

    static let screen = HelpScreen(
        usage: "[OPTION]… PATH…",
        summary: "reads track files into the library",
        about: """
            Reads files into the library and prepares the map: \(TrackFormat.list), also in ZIP, tar and gzip \
            archives (KMZ is one). A PATH is a file, a folder, which is walked, or '-' for the standard input. The format is \
            recognised by content, not by name.
            Nothing is stored twice: what is there already is told as a duplicate, so an import may be stopped with ^C and \
            repeated. A bad file fails alone. The receipt says, file by file, what was kept, marked or refused, and why.
            """,
        options: [LibraryFolder.option, LibraryFolder.inbox, person, device, activity, zone, gap, dryRun, json],
        examples: [
            ("tileserve import ~/tracks", "reads every track file in a folder and the folders in it"),
            ("tileserve import --dry-run ride.gpx", "says what is in a file, and stores nothing"),
            ("tileserve import --person ada --activity ride *.gpx", "reads rides that are Ada's"),
            ("tileserve import --inbox --person bea shared.geojson", "keeps what Bea shared apart"),
            ("zcat all.csv.gz | tileserve import --zone Europe/Zurich -", "reads local times from a pipe"),
        ])

    let folder: String
    let paths: [String]
    let person: String?
    let device: String?
    let activity: String?
    let zone: TimeZone?
    let gap: GapRule
    let isDryRun: Bool
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryFolder.path(given, environment)
        paths = given.operands
        person = try given.text(Self.person)
        device = try given.text(Self.device)
        activity = try given.text(Self.activity)?.lowercased()
        zone = try given.value(Self.zone, .zone, Quantity.zone).flatMap { TimeZone(identifier: $0) }
        gap = try given.value(Self.gap, .gap, Quantity.gap) ?? .standard
        isDryRun = given.has(Self.dryRun)
        isJSON = given.has(Self.json)
    }
}
