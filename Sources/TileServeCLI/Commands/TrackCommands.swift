import PrimaryStore
import Text
import TrackQuery
import Tracks

/// `tileserve tracks list`: lists tracks.
struct TrackListCommand: Command {
    static let name = "tracks list"
    static let operands = Operands.none

    private static let activity = Option("activity", "NAME", "only tracks of this activity")
    private static let person = Option("person", "NAME", "only tracks of this person")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists tracks, newest first",
        about: """
            Lists tracks, newest first; tracks without times are at the end. A DATE is a whole day in the library's \
            time zone, or an instant such as 2025-03-30T08:00:00Z.
            """,
        options: [
            LibraryOption.option, LibraryOption.inbox, CommonOptions.from, CommonOptions.to, activity, person,
            ConditionText.option,
            CommonOptions.json,
        ],
        examples: [
            ("tileserve tracks list --from 2025-01-01", "lists tracks since that day"),
            ("tileserve tracks list --where tag=race", "lists the tracks with this tag"),
            ("tileserve tracks list --json | wc -l", "counts tracks (one object per line)"),
        ])

    let folder: String
    let window: DateWindow
    let activity: String?
    let person: String?
    let condition: TrackCondition?
    let isJSON: Bool

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        window = try DateWindow(given)
        activity = try given.text(Self.activity)?.lowercased()
        person = try given.text(Self.person)
        condition = try ConditionText.condition(given)
        isJSON = given.has(CommonOptions.json)
    }
}

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

/// `tileserve tracks tag`: adds tags to tracks and removes them.
struct TrackTagCommand: Command {
    static let name = "tracks tag"
    static let operands = Operands.some("ID")

    private static let add = Option("add", "TAG", "adds a tag; may be given several times")
    private static let remove = Option("remove", "TAG", "removes a tag; may be given several times")

    static let screen = HelpScreen(
        usage: "[--add TAG]… [--remove TAG]… [OPTION]… ID…",
        summary: "adds and removes tags of tracks",
        about: """
            Adds and removes tags of tracks. A tag is one or a few words in lower case. Use tags in conditions \
            ('tracks list --where', 'layers add --where').
            """,
        options: [LibraryOption.option, LibraryOption.inbox, add, remove],
        examples: [("tileserve tracks tag 4k2f9 7m1xq --add race --remove training", "tags two tracks")])

    let folder: String
    let ids: [String]
    let edit: TrackEdit

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        ids = given.operands
        var edit = TrackEdit()
        edit.addedTags = try given.allValues(Self.add, .tag) { Self.tag($0) }
        edit.removedTags = try given.allValues(Self.remove, .tag) { Self.tag($0) }
        guard !edit.addedTags.isEmpty || !edit.removedTags.isEmpty else { throw .missingOption(Self.add) }
        self.edit = edit
    }

    /// A text as a tag, in lower case; nil if it is not a valid tag.
    static func tag(_ text: String) -> String? {
        TrackEdit.isTag(text) ? text.lowercased() : nil
    }
}

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
        edit.activity = try given.value(Self.activity, .activity) { $0.isEmpty ? $0 : TrackTagCommand.tag($0) }
        guard edit.name != nil || edit.activity != nil else { throw .missingOption(Self.title) }
        self.edit = edit
    }
}

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
