import PrimaryStore
import TrackStore

extension Library {
    /// The tracks that have some ids; a track may have several.
    func tracks(named ids: [String], _ terminal: Terminal) throws -> NamedItems<Track> {
        try NamedItems(ids, "track", id: \.number, terminal) { try database.track(id: $0) }
    }
}

/// What the commands that edit tracks share.
enum TrackEditing {
    /// Edits tracks, updates the map, and prints a line for each changed track.
    static func run(
        _ ids: [String], _ edit: TrackEdit, in folder: String, _ context: CommandEnvironment,
        _ description: (Track) -> String
    ) throws -> ExitCode {
        let library = try OpenedLibrary.existing(in: folder)
        let terminal = context.terminal
        let known = try library.tracks(named: ids, terminal)
        guard !known.found.isEmpty else { return known.code }
        let tracks = try library.database.edit(known.found.map(\.id), edit)
        if !tracks.isEmpty {
            let progress = Progress(terminal)
            defer { progress.end() }
            try library.catchUp { progress.update($0) }
        }
        for track in tracks { try terminal.say("\(track.id): \(description(track))") }
        if tracks.isEmpty {
            terminal.report("\(library.name): nothing to change; the tracks already have these values")
        }
        return known.code
    }
}
