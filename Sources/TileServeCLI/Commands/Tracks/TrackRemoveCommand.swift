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
        var tracks: [Track] = []
        var code = ExitCode.done
        for id in ids {
            if let track = try library.database.track(id: id) {
                // A track may have several ids, or be given twice.
                if !tracks.contains(where: { $0.id == track.id }) { tracks.append(track) }
            } else {
                terminal.report(TextTable.noSuch("track", id))
                code = .incomplete
            }
        }
        guard !tracks.isEmpty else { return .noInput }
        let removal = try library.remove(tracks.map(\.id)) { try DiskCache.drop($0, in: folder) }
        for track in tracks {
            try terminal.say(
                "\(track.id): deleted (\((track.name ?? track.source).singleLine), \(DisplayText.count(track.points, "point")))"
            )
        }
        guard let message = removal.message("points", in: folder) else { return code }
        terminal.report(message)
        return .incomplete
    }
}
