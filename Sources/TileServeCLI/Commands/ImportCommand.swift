import Foundation
import TrackImport
import Tracks

/// `tileserve import`: imports files into the library.
struct ImportCommand: Command {
    static let name = "import"
    static let operands = Operands.some("PATH")

    private static let person = Option(
        "person", "NAME", "the person of the tracks, if the file names none (default: the owner)")
    private static let device = Option("device", "NAME", "adds the points to the stream of this device")
    private static let activity = Option("activity", "NAME", "the activity, if the file names none: ride, hike, …")
    private static let zone = Option(
        "zone", "TZ",
        "the time zone of times without one (default: UTC in GPX, TCX, KML and Google, else the library's)")
    private static let gap = Option("gap", "none|30m", "the pause that counts as a gap in a track")
    static let dryRun = Option("dry-run", "reads the files and reports what would be stored, but stores nothing")
    static let json = Option("json", "prints JSON objects instead of text")

    static let screen = HelpScreen(
        usage: "[OPTION]… PATH…",
        summary: "imports track files into the library",
        about: """
            Imports files into the library and updates the map. Formats: \(TrackFormat.list), also in ZIP and tar \
            archives (KMZ is a ZIP archive) and compressed with gzip, xz or bzip2. A PATH is a file, a folder, which is searched recursively, or '-' \
            for the standard input. The format is detected from the content, not from the name.
            Nothing is stored twice: known tracks are reported as duplicates, so an import can be stopped with ^C \
            and repeated. A file that cannot be read does not stop the import. The receipt reports for each file \
            what was stored, flagged as an outlier or refused, and why.
            """,
        options: [LibraryFolder.option, LibraryFolder.inbox, person, device, activity, zone, gap, dryRun, json],
        examples: [
            ("tileserve import ~/tracks", "imports all track files in a folder and its subfolders"),
            ("tileserve import --dry-run ride.gpx", "reports what is in a file, but stores nothing"),
            ("tileserve import --person ada --activity ride *.gpx", "imports rides of the person Ada"),
            ("tileserve import --inbox --person bea shared.geojson", "imports shared tracks into the inbox"),
            ("zcat all.csv.gz | tileserve import --zone Europe/Zurich -", "imports from a pipe, with local times"),
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
