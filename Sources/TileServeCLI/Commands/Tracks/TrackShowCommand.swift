import PrimaryStore
import Text
import TrackService
import TrackStore

/// `tileserve tracks show`: shows details of a track.
struct TrackShowCommand: Command {
    static let name = "tracks show"
    static let operands = Operands.some("ID")

    private static let outliers = Option(
        "outliers", "lists the outliers, which are not drawn, with the reason", formerName: "marked")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "shows details of tracks",
        about: "Shows all details of tracks. For their ids see 'tileserve tracks list'.",
        options: [LibraryOption.option, LibraryOption.inbox, outliers, CommonOptions.json],
        examples: [("tileserve tracks show 4k2f9", "shows one track")])

    let folder: String
    let ids: [String]
    let showsOutliers: Bool
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        showsOutliers = given.has(Self.outliers)
        isJSON = given.has(CommonOptions.json)
    }
}

extension TrackShowCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let calendar = try library.calendar()
        let tracks = try library.tracks(named: ids, context.terminal)
        for (index, entry) in library.entries(of: tracks.found).enumerated() {
            if context.stop.isRequested { return context.stopped() }
            let track = entry.track
            var outliers: [OutlierPoint] = []
            if showsOutliers {
                try library.database.read { try $0.forEachOutlier(of: track) { outliers.append($0) } }
            }
            if isJSON {
                var object = entry.fullJSON
                if showsOutliers { object.add("marked", objects: outliers.map(\.json)) }
                try context.terminal.say(object.text)
            } else {
                let lines = (index == 0 ? [] : [""]) + entry.lines(calendar) + outliers.map(\.line)
                try context.terminal.say(lines.joined(separator: "\n"))
            }
        }
        return tracks.code
    }
}
