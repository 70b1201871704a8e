import LibraryImport
import PrimaryStore
import Text
import TrackStore
import VenueImport
import Venues

/// `tileserve venues import`: reads plans of buildings into the library.
struct VenueImportCommand: Command {
    static let name = "venues import"
    static let operands = Operands.some("FILE")

    static let screen = HelpScreen(
        usage: "[OPTION]… FILE…",
        summary: "reads plans of buildings into the library",
        about: """
            Reads venues: buildings with floors, rooms, doors, stairs and lifts. Understands IMDF archives (OGC 20-094), \
            maps of OpenStreetMap with indoor tagging (.osm, GeoJSON), and GeoJSON with levels; archives and folders, \
            too. Importing a venue again replaces it, with the same ids. The receipt names the rules of IMDF that a \
            file breaks.
            """,
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve venues import campus.imdf.zip", "reads an archive of IMDF")])

    let folder: String
    let paths: [String]
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        paths = given.operands
        isJSON = given.has(CommonOptions.json)
    }
}

extension VenueImportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.made(in: folder, environment: context.environment)
        var (stored, failed) = (0, 0)
        for path in paths {
            guard !context.stop.isRequested else {
                return context.stopped("\(DisplayText.count(stored, "venue")) stored, the rest was not")
            }
            let outcomes = VenueImporter.read(path: path) { context.stop.isRequested }
            if outcomes.isEmpty {
                failed += 1
                context.terminal.report(
                    "\(path.singleLine): no venue; it needs polygons with a level, or features of IMDF")
            }
            for outcome in outcomes {
                switch outcome.result {
                case .success(let reading):
                    try store(reading, outcome, in: library, context.terminal)
                    stored += 1
                case .failure:
                    failed += 1
                    for line in outcome.lines { context.terminal.report("\(outcome.name.singleLine): \(line)") }
                }
            }
        }
        guard failed > 0 else { return .done }
        return stored > 0 ? .incomplete : .noInput
    }

    private func store(
        _ reading: VenueReading, _ outcome: VenueOutcome, in library: Library, _ terminal: Terminal
    ) throws {
        let venue = reading.venue
        let summary = VenueSummary(venue, source: outcome.name, time: TrackDatabase.systemClock())
        let change = try library.database.store(reading, source: outcome.name)
        if isJSON {
            var object = summary.json
            object.add("change", change.word)
            object.add("notices", outcome.lines)
            return try terminal.say(object.text)
        }
        try terminal.say("\(outcome.name.singleLine): \(venue.name.singleLine) \(change.word), \(venue.contentText)")
        for line in outcome.lines { try terminal.say("  \(line.singleLine)") }
    }
}
