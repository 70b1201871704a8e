import PrimaryStore
import TrackStore
import Venues

/// `tileserve venues export`: writes a venue for other programs.
struct VenueExportCommand: Command {
    static let name = "venues export"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID",
        summary: "writes a venue for other programs",
        about: """
            Writes a venue to the standard output, as one GeoJSON FeatureCollection with the features as they were \
            recorded. Importing the file again gives the same venue.
            """,
        options: [LibraryOption.option],
        examples: [("tileserve venues export 5f2dd97f41d2268a5b0c1d2e3f405160", "writes a venue")])

    let folder: String
    let id: String

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        guard let id = given.operands.first else { throw .missingOperand("ID") }
        guard given.operands.count == 1 else { throw .unexpectedOperand(given.operands[1]) }
        self.id = id
    }
}

extension VenueExportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        guard let venue = try library.venue(id) else {
            context.terminal.report(TextTable.noSuch("venue", id))
            return .noInput
        }
        try context.terminal.write(venue.exportedCollection())
        return .done
    }
}
