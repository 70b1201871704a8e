package import Database

/// What the code of the primary store knows of its tables.
package enum TrackSchema {
    /// The keys of the chunks of a track.
    package static func chunkKeys(of track: Int64) -> ClosedRange<Int64> {
        (track << LibraryTables.ordinalBits)...((track + 1) << LibraryTables.ordinalBits - 1)
    }

    /// Why tables cannot be used; nil if they can.
    package static func error(_ state: SchemaState, path: String) -> LibraryError? {
        switch state {
        case .current: nil
        case .older: .olderVersion(path: path)
        case .incomplete: .incomplete(path: path)
        case .newer(let version): .newerVersion(path: path, version: version)
        case .empty, .foreign: .notALibrary(path: path)
        case .altered: .damaged(path: path, what: "its tables do not match its version")
        case .invalid(let version): .damaged(path: path, what: "its schema version is \(version)")
        }
    }
}

/// The values of the column `state` of `track` besides 0, which means that the track is visible.
enum TrackState {
    static let removed = Value.integer(1)
    static let provisional = Value.integer(2)
}
