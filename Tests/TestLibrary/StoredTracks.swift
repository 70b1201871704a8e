public import Files
public import PrimaryStore
internal import SQLiteStorage
public import SampleTracks
public import TrackStore
public import Tracks

extension TrackDatabase {
    /// Imports recordings in a session of its own.
    @discardableResult
    public func add(_ recordings: [([PointColumns], RecordingHeader)]) throws -> RecordingOutcome {
        let session = try beginImport()
        let outcome = OutcomeCollector()
        for (chunks, header) in recordings {
            let recording = try session.open()
            for chunk in chunks { try session.append(chunk, to: recording) }
            try session.end(recording, header: header)?.store(outcome)
        }
        try session.finish()
        return outcome.outcome
    }

    /// Imports a recording in a session of its own.
    @discardableResult
    public func add(_ chunks: [PointColumns], _ header: RecordingHeader) throws -> RecordingOutcome {
        try add([(chunks, header)])
    }
}

extension Library {
    /// Whether a removal overwrites what it removes; PostgreSQL only deletes it.
    package var overwritesRemoved: Bool { database.storage is SQLiteStorage }

    /// A library of this name in a temporary folder, with the days of a time zone.
    public convenience init(
        in folder: TemporaryFolder, _ name: String = "library", zone: String = "Europe/Berlin"
    ) throws {
        try self.init(folder: folder.path + "/" + name, zoneIfNew: zone)
    }

    /// Imports synthetic tracks and draws them into the grid.
    public func add(_ tracks: some Sequence<SampleTrack>) throws {
        let session = try database.beginImport()
        for track in tracks { _ = try track.write(to: session) }
        try session.finish()
        try catchUp()
    }
}
