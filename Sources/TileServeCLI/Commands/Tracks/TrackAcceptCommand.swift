import PrimaryStore
import Text
import TrackStore
import Tracks

/// `tileserve tracks accept`: moves tracks from the inbox to the library.
struct TrackAcceptCommand: Command {
    static let name = "tracks accept"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "moves tracks from the inbox to the library",
        about: """
            Moves tracks that others shared ('import --inbox') from the inbox to the library, so that they appear on \
            the map, in lists and in replays. For their ids see 'tileserve tracks list --inbox'. To reject tracks \
            use 'tileserve tracks remove --inbox'.
            """,
        options: [LibraryOption.option],
        examples: [("tileserve tracks accept 4k2f9", "accepts a track")])

    let folder: String
    let ids: [String]

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
    }
}

extension TrackAcceptCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        guard let inbox = try library.inbox() else {
            terminal.report("\(library.name): there is no inbox; 'tileserve import --inbox' creates it")
            return .noInput
        }
        let known = try inbox.tracks(named: ids, terminal)
        var hasMap = true
        let accepted = try library.accept(
            known.found.map(\.id), from: inbox, updateGrid: { hasMap = try library.updateMap(context) },
            dropFromInbox: { try DiskCache.drop($0, of: inbox) })
        for (track, outcome) in accepted {
            let name = (track.name ?? track.source).singleLine
            let points = DisplayText.count(track.points, "point")
            try terminal.say(
                outcome.points == 0
                    ? "\(track.id): already in the library (\(name))" : "\(track.id): accepted (\(name), \(points))"
            )
        }
        return hasMap ? known.code : context.stopped("the map is completed when the library is next used")
    }
}
