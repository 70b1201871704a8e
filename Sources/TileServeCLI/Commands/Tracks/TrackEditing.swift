import PrimaryStore
import TrackStore

/// What the commands that edit tracks share.
enum TrackEditing {
    /// A text as a tag, in lower case; nil if it is not a valid tag.
    static func tag(_ text: String) -> String? {
        TrackEdit.isTag(text) ? text.lowercased() : nil
    }

    /// Edits tracks, updates the map, and prints a line for each changed track.
    static func run(
        _ ids: [String], _ edit: TrackEdit, in folder: String, _ context: CommandEnvironment,
        _ description: (Track) -> String
    ) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        let known = try ids.filter { try library.database.track(id: $0) != nil }
        for id in ids where !known.contains(id) { terminal.report(TextTable.noSuch("track", id)) }
        guard !known.isEmpty else { return .noInput }
        let tracks = try library.database.edit(known, edit)
        if !tracks.isEmpty {
            let progress = Progress(terminal)
            defer { progress.end() }
            try library.catchUp { progress.update($0) }
        }
        for track in tracks { try terminal.say("\(track.id): \(description(track))") }
        if tracks.isEmpty { terminal.report("\(folder): nothing to change; the tracks already have these values") }
        return known.count == ids.count ? .done : .incomplete
    }
}
