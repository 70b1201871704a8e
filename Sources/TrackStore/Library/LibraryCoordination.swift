package import Database
package import RecordingStore

/// What the processes of a library share besides its databases.
package struct LibraryCoordination: Sendable {
    /// Where recorded points are stored until they are moved into the streams of their devices.
    package let recordingLog: any RecordingLog
    /// Where refused points are listed.
    package let refusals: any RefusalStore
    /// The processes that serve the library.
    package let membership: any Membership

    /// What the processes share in a database; nil if all of them are on one machine, and share files.
    package let shared: (any SharedDatabase)?

    /// The folder of other files that belong to the library.
    package let folder: String
    /// How long a removal waits for the other processes, in milliseconds.
    let waitMilliseconds: Int

    /// A server checks for changes several times a second; a server that takes longer than this hangs.
    private static let serverWaitMilliseconds = 10_000
    /// As long as it takes until the lease of a process has run out that hangs or was killed, and ten seconds more.
    private static let leaseWaitMilliseconds = (LeaseTerms.validSeconds + 10) * 1000

    /// Combines any implementations of the three.
    package init(
        recordingLog: any RecordingLog, refusals: any RefusalStore, membership: any Membership, folder: String,
        shared: (any SharedDatabase)? = nil, waitMilliseconds: Int = serverWaitMilliseconds
    ) {
        self.shared = shared
        self.folder = folder
        self.waitMilliseconds = waitMilliseconds
        self.recordingLog = recordingLog
        self.refusals = refusals
        self.membership = membership
    }

    /// What the processes of a library share: in its database, if it may be used from several machines, else in files of its
    /// folder.
    static func shared(by storage: any LibraryStorage, folder: String) -> LibraryCoordination {
        guard let shared = storage.shared else { return .files(in: folder) }
        return LibraryCoordination(
            recordingLog: RecordingTable(shared), refusals: RefusalTable(shared), membership: ServingTable(shared),
            folder: folder, shared: shared, waitMilliseconds: leaseWaitMilliseconds)
    }

    /// Files in the folder of a library.
    package static func files(in folder: String) -> LibraryCoordination {
        LibraryCoordination(
            recordingLog: RecordingFolder(library: folder), refusals: RefusalFolder(library: folder),
            membership: ServingFolder(library: folder), folder: folder)
    }
}
