import PrimaryStore
import Tracks

/// `tileserve tracks edit`: sets names and activities; the recorded ones are kept.
struct TrackEditCommand: Command {
    static let name = "tracks edit"
    static let operands = Operands.some("ID")

    private static let title = Option("name", "TEXT", "sets the name; an empty text restores the recorded name")
    private static let activity = Option(
        "activity", "NAME", "sets the activity; an empty text restores the recorded one")

    static let screen = HelpScreen(
        usage: "[--name TEXT] [--activity NAME] [OPTION]… ID…",
        summary: "changes the name or activity of tracks",
        about: """
            Changes the name or activity of tracks. The recorded values are kept; an empty text restores them.
            """,
        options: [LibraryOption.option, LibraryOption.inbox, title, activity],
        examples: [("tileserve tracks edit 4k2f9 --activity run", "sets the activity to run")])

    let folder: String
    let ids: [String]
    let edit: TrackEdit

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        var edit = TrackEdit()
        edit.name = try given.value(Self.title, .name(characters: TrackEdit.nameCharacters)) {
            $0.isEmpty || TrackEdit.isName($0) ? $0 : nil
        }
        edit.activity = try given.value(Self.activity, .activity) { $0.isEmpty ? $0 : TrackEdit.tag($0) }
        guard edit.name != nil || edit.activity != nil else { throw .missingOption(Self.title) }
        self.edit = edit
    }
}

extension TrackEditCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        try TrackEditing.run(ids, edit, in: folder, context) { track in
            "\((track.name ?? track.source).singleLine), \(track.activity?.rawValue ?? "no activity")"
        }
    }
}
