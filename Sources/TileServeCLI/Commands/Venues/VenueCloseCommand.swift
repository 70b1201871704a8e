import PrimaryStore
import Text
import TrackStore
import Venues

/// `tileserve venues close`: closes a part of a venue until an instant.
struct VenueCloseCommand: Command {
    static let name = "venues close"
    static let operands = Operands.some("ID")

    private static let until = Option("until", "INSTANT", "when it opens again")

    static let screen = HelpScreen(
        usage: "--until INSTANT [OPTION]… ID…",
        summary: "closes rooms, doors, stairs or lifts",
        about: """
            Closes parts of venues until an instant: routes avoid them from now on. IDs are those of units, openings \
            and amenities: as '/v1/venues/{id}/places' lists them, or as the imported file has them.
            """,
        options: [LibraryOption.option, until],
        examples: [
            (
                "tileserve venues close --until 2026-12-24T08:00:00Z 0f3c9a7be41d2268a5b0c1d2e3f40516",
                "closes a lift until a morning"
            )
        ])

    let folder: String
    let ids: [String]
    let until: Int64

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        guard let until = try given.value(Self.until, .instant, { DateText.instant(in: $0) }) else {
            throw .missingOption(Self.until)
        }
        self.until = until
    }
}

extension VenueCloseCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        try VenueParts(ids, folder, context).change { library, venue, id in
            try library.database.close(id, ofVenue: venue, until: until, now: TrackDatabase.systemClock())
        }
    }
}

/// `tileserve venues open`: opens closed parts of venues.
struct VenueOpenCommand: Command {
    static let name = "venues open"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "opens what was closed",
        about: "Opens parts of venues that 'tileserve venues close' has closed, before their time.",
        options: [LibraryOption.option],
        examples: [("tileserve venues open 0f3c9a7be41d2268a5b0c1d2e3f40516", "opens a lift")])

    let folder: String
    let ids: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
    }
}

extension VenueOpenCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        try VenueParts(ids, folder, context).change { library, venue, id in
            try library.database.close(id, ofVenue: venue, until: nil, now: TrackDatabase.systemClock())
        }
    }
}

/// Parts of venues that operands name.
private struct VenueParts {
    let ids: [String]
    let folder: String
    let context: CommandEnvironment

    init(_ ids: [String], _ folder: String, _ context: CommandEnvironment) {
        self.ids = ids
        self.folder = folder
        self.context = context
    }

    /// Changes each part; `body` gets the id of its venue and its own, and returns whether there was something to change.
    func change(_ body: (Library, _ venue: String, _ id: String) throws -> Bool) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let venues = try library.database.read { try $0.venues() }.compactMap { try library.venue($0.id) }
        let named = try NamedItems<String>(
            ids, id: { $0 }, context.terminal,
            noSuch: { "\($0.singleLine): no such part of a venue, or nothing to change" }
        ) { (id: String) throws -> String? in
            for venue in venues {
                guard let part = venue.closablePart(id) else { continue }
                return try body(library, venue.id.description, part.description) ? id : nil
            }
            return nil
        }
        return named.code
    }
}
