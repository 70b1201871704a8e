import PrimaryStore
import Text
import Tokens
import TrackStore

/// `tileserve migrate`: copies a library to another place, or into another database system.
struct MigrateCommand: Command {
    static let name = "migrate"
    static let operands = Operands.none

    private static let from = Option("from", "LIBRARY", "the library to copy: its folder, or a URI of PostgreSQL")
    private static let to = Option(
        "to", "LIBRARY", "where the copy is made: a folder or a URI; new, or without content")

    static let screen = HelpScreen(
        usage: "--from LIBRARY --to LIBRARY",
        summary: "copies a library, also from or into PostgreSQL",
        about: """
            Copies a library from a folder into PostgreSQL, back, or to another place of the same kind: tracks, pins, \
            photos, layers, routes, the inbox, the map, access tokens and refused points. Prerendered tiles are not \
            copied. The library that is copied is not changed, except that points that servers have recorded are \
            stored first; servers may go on using it, but what is changed after the beginning is not in the copy.
            Each row of the copy is compared with what was read. Until the end, the copy cannot be opened as a library. \
            After an interruption, run the same command again: it begins anew.
            """,
        options: [from, to],
        examples: [
            (
                "tileserve migrate --from ~/.local/share/tileserve --to postgresql:///maps",
                "copies the library into the database 'maps'"
            ),
            ("tileserve migrate --from postgresql:///maps --to /backup/maps", "copies it into a folder"),
        ])

    let source: String
    let target: String

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        guard let from = try given.text(Self.from) else { throw .missingOption(Self.from) }
        guard let to = try given.text(Self.to) else { throw .missingOption(Self.to) }
        source = try LibraryOption.folder(of: from, environment)
        target = try LibraryOption.folder(of: to, environment)
    }
}

extension MigrateCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: source)
        let migration = try LibraryMigration(from: library, to: target)
        if !migration.isRestart,
            try !OpenedLibrary.tokens(in: target).all().isEmpty || !OpenedLibrary.links(in: target).all().isEmpty
        {
            throw MigrationError.targetNotEmpty(migration.targetName)
        }
        let stop = context.stop
        let outcome: LibraryMigration.Outcome
        do {
            let progress = Progress(context.terminal)
            defer { progress.end() }
            outcome = try migration.run(isStopped: { stop.isRequested }, report: { progress.update($0) }) {
                try OpenedLibrary.copyAccess(from: source, to: target)
            }
        } catch MigrationError.stopped {
            return context.stopped("\(migration.targetName) is incomplete; run the command again, which begins anew")
        }
        let copy = try OpenedLibrary.existing(in: target)
        guard try copy.database.head() == outcome.head else {
            throw MigrationError.different(target: migration.targetName, table: "change")
        }
        guard try copy.updateMap(context) else {
            return context.stopped("the map of the copy is completed when it is next used")
        }
        let totals = try copy.database.totals()
        try context.terminal.say(
            "copied \(DisplayText.count(totals.tracks, "track")), \(DisplayText.count(totals.points, "point")) to "
                + "\(migration.targetName); revision \(outcome.head.revision), digest \(outcome.head.digest)")
        if outcome.missedChanges > 0 {
            context.terminal.report(
                "\(migration.sourceName): \(DisplayText.count(Int(outcome.missedChanges), "change")) made meanwhile are not in the copy"
            )
        }
        return .done
    }
}

extension Progress {
    /// Shows the progress of a copy.
    func update(_ copy: LibraryMigration.Progress) {
        update(fraction: copy.fraction) { _ in
            let done = NumberText.bytes(copy.doneBytes)
            return copy.isComparing
                ? "comparing the copy: \(done)" : "copying: \(done) of about \(NumberText.bytes(copy.totalBytes))"
        }
    }
}
