package import GridStorage
package import PrimaryStore
package import Tracks

/// Tracks shared by others are stored in a library of their own, in the folder `inbox` of the library, until they are
/// accepted.
///
/// So they are in no map, statistics, replay or export of the library, and all functions of a library work with an
/// inbox.
extension Library {
    /// The name of the folder of the inbox.
    static let inboxName = LayerDefinition.inbox

    /// The folder of the inbox of the library in `folder`.
    public static func inboxFolder(of folder: String) -> String {
        folder + "/" + LayerDefinition.inbox
    }

    /// The folder of the library whose inbox is in `folder`; nil if it is not an inbox.
    public static func folder(ofInbox folder: String) -> String? {
        let suffix = "/" + LayerDefinition.inbox
        guard folder.hasSuffix(suffix) else { return nil }
        let outer = String(folder.dropLast(suffix.count))
        return exists(in: outer) ? outer : nil
    }

    /// The names of layers that contain all tracks of this library.
    package var wholeLayerNames: [String] {
        let names = [LayerDefinition.everything]
        return Self.folder(ofInbox: folder) == nil ? names : names + [LayerDefinition.inbox]
    }

    /// The inbox, with the library's time zone; nil if nothing was ever shared.
    public func inbox() throws -> Library? {
        let folder = Self.inboxFolder(of: folder)
        guard Self.exists(in: folder) else { return nil }
        let zone = try database.zone()
        let inbox = try Library(folder: folder, zoneIfNew: zone, isReadOnly: isReadOnly ? true : nil)
        if !inbox.isReadOnly, try inbox.database.zone() != zone { try inbox.database.setZone(zone) }
        return inbox
    }

    /// Moves tracks from the inbox into the library; returns the outcome of each track found. Ids that name no track
    /// are skipped.
    ///
    /// A track is in the library before it leaves the inbox: if the process is killed in between, it is in both, and
    /// accepting it again completes the move. It is an import of its own, which can be undone. `updateGrid` updates the
    /// library's grid; `dropFromInbox` deletes what was drawn of the tracks in the inbox, as with `remove`.
    package func accept(
        _ ids: [String], from inbox: Library, updateGrid: () throws -> Void,
        dropFromInbox: (GridChange) throws -> Void
    ) throws -> [(track: Track, outcome: RecordingOutcome)] {
        var tracks: [Track] = []
        for id in ids {
            guard let track = try inbox.database.track(id: id),
                !tracks.contains(where: { $0.id == track.id })
            else { continue }
            tracks.append(track)
        }
        guard !tracks.isEmpty else { return [] }
        let number = try database.beginImportRun(tracks.map { "\(LayerDefinition.inbox)/\($0.id)" })
        let session = try database.beginImport(of: number)
        var accepted: [(track: Track, outcome: OutcomeCollector)] = []
        for track in tracks {
            let recording = try session.open()
            try inbox.database.forEachChunk(ofTrack: track.number) { try session.append($0, to: recording) }
            accepted.append((track, try session.close(recording, header: RecordingHeader(of: track))))
        }
        try session.finish()
        try updateGrid()
        _ = try inbox.remove(accepted.map(\.track.id), drop: dropFromInbox)
        return accepted.map { ($0.track, $0.outcome.outcome) }
    }
}

extension RecordingHeader {
    /// The header of a track's recording, with the current names.
    ///
    /// A track of a stream has only the activity that an edit gave to it: one that its points name is theirs, and the
    /// library's stream may get other points.
    init(of track: Track) {
        let isEdited = track.activityWord != track.activityRecorded
        self.init(
            name: track.name, activity: track.isStream && !isEdited ? nil : track.activityWord,
            person: track.personName,
            device: track.isStream ? track.device : nil, source: track.source, gap: track.gap,
            attributes: track.attributes)
    }
}
