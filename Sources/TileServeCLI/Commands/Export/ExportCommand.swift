import Files
import PrimaryStore
import Text
import TrackStore

/// `tileserve export`: writes the whole library in open formats.
struct ExportCommand: Command {
    static let name = "export"
    static let operands = Operands.some("folder")

    private static let all = Option("all", "writes everything; 'tileserve tracks export' writes single tracks")

    static let screen = HelpScreen(
        usage: "--all [OPTION]… DIR",
        summary: "writes everything in open formats",
        about: """
            Writes the whole library to a new folder, in formats that other programs read: tracks as GPX, pins as GeoJSON, \
            photos and pictures as they are, venues as GeoJSON, routes as JSON, the journeys of each person as SQLite, and \
            everything else as lines of JSON. README.md in the folder says what is where, and how it is imported again; \
            manifest.json has counts, and the SHA-256 of each file.
            Access tokens are not written. Servers may go on recording meanwhile.
            """,
        options: [LibraryOption.option, all],
        examples: [("tileserve export --all ~/my-tracks-2026", "writes everything to a new folder")])

    let folder: String
    let target: String

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        guard given.has(Self.all) else { throw .missingOption(Self.all) }
        folder = try LibraryOption.path(given, environment)
        target = try given.onlyOperand()
    }
}

extension ExportCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        if try !library.moveRecorded() {
            context.terminal.report(
                "\(library.name): a running server has not stored the points that it has recorded; they are not in the export"
            )
        }
        let output = try ExportFolder(target)
        do {
            let progress = Progress(context.terminal)
            defer { progress.end() }
            var export = LibraryExport(library, to: output, context, progress)
            try export.write()
            try output.finish(version: Version.current, created: InstantFormatter.utc(export.now))
        } catch {
            output.discard()
            guard error is CancellationError else { throw error }
            return context.stopped("nothing was exported")
        }
        let counts = [
            ("tracks", "track"), ("pins", "pin"), ("photos", "photo"), ("venues", "venue"), ("routes", "route"),
        ]
        .map { DisplayText.count(output.counts[$0.0] ?? 0, $0.1) }
        try context.terminal.say(
            "\(output.path.singleLine): \(DisplayText.list(counts, "and")) in \(DisplayText.count(output.fileCount, "file"))"
        )
        return .done
    }
}
