/// `tileserve tracks list`: what is in the library.
struct TrackListCommand: Command {
    static let name = "tracks list"
    static let operands = Operands.none

    private static let from = Option("from", "DATE", "only tracks that end on this day or later")
    private static let to = Option("to", "DATE", "only tracks that begin on this day or earlier")
    private static let activity = Option("activity", "NAME", "only tracks of this activity")
    private static let person = Option("person", "NAME", "only tracks of this person")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "lists tracks, newest first",
        about: """
            Lists tracks, the newest first, those without times at the end. A DATE is a day of the library's time zone, \
            which counts whole, or an instant like 2025-03-30T08:00:00Z.
            """,
        options: [LibraryFolder.option, from, to, activity, person, ImportCommand.json],
        examples: [
            ("tileserve tracks list --from 2025-01-01", "lists what was recorded since then"),
            ("tileserve tracks list --json | wc -l", "counts tracks: one object a line"),
        ])

    let folder: String
    let from: DateText?
    let to: DateText?
    let activity: String?
    let person: String?
    let isJSON: Bool

    init(_ given: GivenWords, environment: [String: String]) throws(UsageFault) {
        folder = try LibraryFolder.path(given, environment)
        from = try given.value(Self.from, .date) { DateText($0) }
        to = try given.value(Self.to, .date) { DateText($0) }
        activity = try given.text(Self.activity)?.lowercased()
        person = try given.text(Self.person)
        isJSON = given.has(ImportCommand.json)
    }
}

/// `tileserve tracks show`: all of one track.
struct TrackShowCommand: Command {
    static let name = "tracks show"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "shows all that is known of a track",
        about: "Shows all that the library knows of tracks. 'tileserve tracks list' tells their ids.",
        options: [LibraryFolder.option, ImportCommand.json],
        examples: [("tileserve tracks show 4k2f9", "shows one track")])

    let folder: String
    let ids: [String]
    let isJSON: Bool

    init(_ given: GivenWords, environment: [String: String]) throws(UsageFault) {
        folder = try LibraryFolder.path(given, environment)
        ids = given.operands
        isJSON = given.has(ImportCommand.json)
    }
}

/// `tileserve tracks remove`: tracks forgotten.
struct TrackRemoveCommand: Command {
    static let name = "tracks remove"
    static let operands = Operands.some("ID")

    static let screen = HelpScreen(
        usage: "[OPTION]… ID…",
        summary: "forgets tracks, everywhere and for good",
        about: """
            Forgets tracks: their points are erased from the library, from the map, from the cache and from every server \
            that runs on it. It asks nothing and cannot be undone. It ends when nothing shows them any more.
            """,
        options: [LibraryFolder.option],
        examples: [("tileserve tracks remove 4k2f9 7m1xq", "forgets two tracks")])

    let folder: String
    let ids: [String]

    init(_ given: GivenWords, environment: [String: String]) throws(UsageFault) {
        folder = try LibraryFolder.path(given, environment)
        ids = given.operands
    }
}
