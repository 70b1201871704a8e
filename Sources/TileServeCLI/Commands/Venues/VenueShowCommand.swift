import LibraryImport
import PrimaryStore
import Text
import TrackStore
import Venues

/// `tileserve venues show`: shows details of venues.
struct VenueShowCommand: Command {
    static let name = "venues show"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "shows details of venues",
        about: "Shows the buildings and levels of venues, the number of their places, and what is closed.",
        options: [LibraryOption.option, CommonOptions.json],
        examples: [("tileserve venues show 5f2dd97f41d2268a5b0c1d2e3f405160", "shows one venue")])

    let folder: String
    let ids: [String]
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        isJSON = given.has(CommonOptions.json)
    }
}

extension VenueShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let known = try library.database.read { try $0.venues() }
        let named = try NamedItems(ids, "venue", id: \.id, context.terminal) { id in known.first { $0.id == id } }
        for summary in named.found {
            guard let venue = try library.venue(summary.id) else { continue }
            let now = TrackDatabase.systemClock()
            let closures = try library.database.read { try $0.closures(ofVenue: summary.id) }.filter { $0.until > now }
            guard !isJSON else {
                try context.terminal.say(venue.json(summary, closures: closures).text)
                continue
            }
            var details = [
                ("id", summary.id), ("name", summary.name.singleLine), ("source", summary.source.singleLine),
                ("content", venue.contentText),
            ]
            for building in venue.buildings { details.append(("building", building.name?.text() ?? "")) }
            for index in venue.levels.indices.reversed() {
                details.append(("level", "\(venue.levels[index].id)  \(venue.text(ofLevel: index).singleLine)"))
            }
            for closure in closures {
                details.append(("closed", "\(closure.feature) until \(InstantFormatter.utc(closure.until))"))
            }
            try context.terminal.say(TextTable.details(details).joined(separator: "\n"))
        }
        return named.code
    }
}
