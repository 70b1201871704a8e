import PrimaryStore
import Text
import TrackStore

/// `tileserve tracks remove`: deletes tracks.
struct TrackRemoveCommand: Command {
    static let name = "tracks remove"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "deletes tracks permanently",
        about: """
            Deletes tracks: erases their points from the library, the map, the cache and every running server. There \
            is no confirmation, and it cannot be undone. The command ends when nothing shows the tracks any more.
            """,
        options: [LibraryOption.option, LibraryOption.inbox],
        examples: [("tileserve tracks remove 4k2f9 7m1xq", "deletes two tracks")])

    let folder: String
    let ids: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
    }
}

extension TrackRemoveCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        let tracks = try library.tracks(named: ids, terminal)
        guard !tracks.found.isEmpty else { return tracks.code }
        let removal = try library.remove(tracks.found.map(\.id)) { try DiskCache.drop($0, of: library) }
        for track in tracks.found {
            try terminal.say(
                "\(track.id): deleted (\((track.name ?? track.source).singleLine), \(DisplayText.count(track.points, "point")))"
            )
        }
        guard let message = removal.message("points", in: library.name) else { return tracks.code }
        terminal.report(message)
        return removal.isPending ? .incomplete : tracks.code
    }
}
