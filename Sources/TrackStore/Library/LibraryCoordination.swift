package import RecordingStore

/// What the processes of a library share besides its databases.
package struct LibraryCoordination: Sendable {
    /// Where recorded points are stored until they are moved into the streams of their devices.
    package let recordingLog: any RecordingLog
    /// Where refused points are listed.
    package let refusals: any RefusalStore
    /// The processes that serve the library.
    package let membership: any Membership

    /// The folder of other files that belong to the library.
    package let folder: String

    /// Combines any implementations of the three.
    package init(
        recordingLog: any RecordingLog, refusals: any RefusalStore, membership: any Membership, folder: String
    ) {
        self.folder = folder
        self.recordingLog = recordingLog
        self.refusals = refusals
        self.membership = membership
    }

    /// Files in the folder of a library.
    package static func files(in folder: String) -> LibraryCoordination {
        LibraryCoordination(
            recordingLog: RecordingFolder(library: folder), refusals: RefusalFolder(library: folder),
            membership: ServingFolder(library: folder), folder: folder)
    }
}
