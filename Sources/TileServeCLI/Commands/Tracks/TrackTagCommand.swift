import PrimaryStore

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
        edit.addedTags = try given.allValues(Self.add, .tag) { TrackEdit.tag($0) }
        edit.removedTags = try given.allValues(Self.remove, .tag) { TrackEdit.tag($0) }
        guard !edit.addedTags.isEmpty || !edit.removedTags.isEmpty else { throw .missingOption(Self.add) }
        self.edit = edit
    }
}

extension TrackTagCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        try TrackEditing.run(ids, edit, in: folder, context) { track in
            track.tags.isEmpty ? "no tags" : "tags: \(track.tags.joined(separator: ", "))"
        }
    }
}
