import LibraryBackup
import PrimaryStore
import Text
import Tokens
import TrackStore

/// `tileserve backup`: writes the library to one file.
struct BackupCommand: Command {
    static let name = "backup"
    static let operands = Operands.some("file")

    private static let withTokens = Option(
        "with-tokens", "also saves access tokens: whoever has the backup can check guesses of them")
    private static let overwrite = Option("overwrite", "replaces the file if it exists")

    static let screen = HelpScreen(
        usage: "[OPTION]… FILE",
        summary: "writes a backup of the library to one file",
        about: """
            Writes everything that cannot be made again to one file: tracks, pins, photos, venues, journeys, layers, the \
            inbox, recorded points that are not in tracks yet, and refused ones. The map and prerendered tiles are left \
            out. Servers may go on recording, and imports may run: what was acknowledged before the beginning is in the \
            backup, and of an import the files that it had finished.
            The file is a tar archive compressed with zstd, with the SHA-256 of each file in its first member. It is \
            written to FILE.part and then renamed. Beside it, the backup needs as much free space again as the library has.
            A library in PostgreSQL is saved in the same form.
            """,
        options: [LibraryOption.option, withTokens, overwrite],
        examples: [
            ("tileserve backup /backup/maps-2026-01-31.tar.zst", "writes a backup"),
            (
                "tileserve backup --overwrite --with-tokens /backup/maps.tar.zst",
                "replaces the last backup, and saves access tokens, too"
            ),
        ])

    let folder: String
    let path: String
    let includesTokens: Bool
    let replaces: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        path = try given.onlyOperand()
        includesTokens = given.has(Self.withTokens)
        replaces = given.has(Self.overwrite)
    }
}

extension BackupCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        guard try Library.existsWithTracks(in: folder) else {
            throw try LibraryError.missing(path: Library.name(in: folder))
        }
        let backup = try Backup(to: path, replaces: replaces)
        let stop = context.stop
        let outcome: Backup.Outcome
        do {
            let progress = Progress(context.terminal)
            defer { progress.end() }
            let source = try copyOfServerLibrary(below: backup.workFolder, context, progress) ?? folder
            outcome = try backup.write(
                source, version: Version.current, now: TrackDatabase.systemClock(), includesTokens: includesTokens,
                isStopped: { stop.isRequested }
            ) { done in
                progress.update(fraction: Double(done.doneBytes) / Double(max(1, done.totalBytes))) { _ in
                    "writing \(NumberText.bytes(Int(done.doneBytes))) of \(NumberText.bytes(Int(done.totalBytes)))"
                }
            }
        } catch {
            backup.discard()
            guard case MigrationError.stopped = error else { throw error }
            return context.stopped("no backup was written")
        }
        let change = outcome.revision.map { "; revision \($0), digest \(outcome.digest ?? "")" } ?? ""
        try context.terminal.say(
            "\(path.singleLine): \(DisplayText.count(outcome.files, "file")), \(NumberText.bytes(Int(outcome.libraryBytes))) in "
                + "\(NumberText.bytes(Int(outcome.bytes)))\(change)")
        return .done
    }

    /// Copies a library whose databases are those of a server to a folder, which is returned; nil for other libraries.
    private func copyOfServerLibrary(
        below parent: String, _ context: CommandEnvironment, _ progress: Progress
    ) throws -> String? {
        guard try Library.sharedDatabase(in: folder) != nil else { return nil }
        let target = parent + "/library"
        try OpenedLibrary.copyForBackup(from: folder, to: target, includesTokens: includesTokens, context, progress)
        return target
    }
}

extension OpenedLibrary {
    /// Copies what a backup contains from a library to another one, of a folder or of a server.
    static func copyForBackup(
        from source: String, to target: String, includesTokens: Bool, _ context: CommandEnvironment,
        _ progress: Progress
    ) throws {
        var migration = try LibraryMigration(from: existing(in: source), to: target)
        migration.isForBackup = true
        let stop = context.stop
        _ = try migration.run(isStopped: { stop.isRequested }, report: { progress.update($0) }) {
            if includesTokens { try copyAccess(from: source, to: target) }
        }
    }
}
