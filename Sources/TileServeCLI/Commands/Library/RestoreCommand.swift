import Files
import LibraryBackup
import PrimaryStore
import Text
import Tokens
import TrackStore

/// `tileserve restore`: makes a library of a backup.
struct RestoreCommand: Command {
    static let name = "restore"
    static let operands = Operands.some("backup")

    static let screen = HelpScreen(
        usage: "--library DIR FILE",
        summary: "makes a new library of a backup",
        about: """
            Makes a library of a file that 'tileserve backup' has written, also by an earlier version. The folder must not \
            exist, or be empty; with a URI of PostgreSQL, the database must be new, or without content. Each file is \
            compared with its digest: if one is damaged or missing, it is named, and nothing is restored. Then the map is \
            made, and the library is checked as 'tileserve verify' does.
            """,
        options: [LibraryOption.option],
        examples: [
            ("tileserve restore /backup/maps.tar.zst --library ~/restored", "makes a library in ~/restored"),
            ("tileserve restore maps.tar.zst --library postgresql:///maps", "makes a library in a database"),
        ])

    let path: String
    let folder: String

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        path = try given.onlyOperand()
        folder = try LibraryOption.path(given, environment)
    }
}

extension RestoreCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let progress = Progress(context.terminal)
        defer { progress.end() }
        do {
            if try Library.sharedDatabase(in: folder) != nil {
                try restoreToServer(context, progress)
            } else {
                try unpack(to: folder, context, progress)
            }
        } catch MigrationError.stopped {
            return context.stopped("nothing was restored")
        }
        progress.end()
        return try check(context)
    }

    private func unpack(to folder: String, _ context: CommandEnvironment, _ progress: Progress) throws {
        let stop = context.stop
        try Restore(path, to: folder).run(isStopped: { stop.isRequested }) { done in
            progress.update(fraction: done) { _ in "restoring" }
        }
    }

    /// Restores into a folder first, and copies that to the server.
    private func restoreToServer(_ context: CommandEnvironment, _ progress: Progress) throws {
        let work = try TemporaryFolder()
        defer { withExtendedLifetime(work) {} }
        let copy = work.path + "/library"
        try unpack(to: copy, context, progress)
        // A backup without tokens has none to copy.
        try OpenedLibrary.copyForBackup(from: copy, to: folder, includesTokens: true, context, progress)
    }

    private func check(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        var isUpdated = true
        var problems: [String] = []
        for library in [library, try library.inbox()].compactMap({ $0 }) where isUpdated {
            // No process uses the new library: these are the points that had not been moved when the backup was made.
            _ = try library.moveRecorded()
            problems += try library.verify { isUpdated = try library.updateMap(context) }
        }
        guard isUpdated else {
            return context.stopped("the library is complete; its map is made when it is next used")
        }
        for problem in problems { try context.terminal.say(problem.singleLine) }
        guard problems.isEmpty else { return .badData }
        let totals = try library.database.totals()
        let head = try library.database.head()
        try context.terminal.say(
            "restored \(DisplayText.count(totals.tracks, "track")), \(DisplayText.count(totals.points, "point")) to "
                + "\(library.name); revision \(head.revision), digest \(head.digest)")
        return .done
    }
}
