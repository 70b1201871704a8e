package import Database
package import GridStorage
internal import HeatGrid
public import PrimaryStore
import RecordingStore
package import Replay
import Text
internal import TileLog
public import Tracks

/// A library: the primary store (`tracks.sqlite`) and the grid derived from it (`grid.sqlite`).
///
/// It may be used from any thread, and several processes may open the same library.
public final class Library: Sendable {
    /// The folder of what is in no database: without a server of databases, logs of recorded points, registrations of serving
    /// processes, access tokens; else what only this machine needs.
    public var folder: String { coordination.folder }
    /// Names the library in messages: its folder, or the URI of its databases without a password.
    public var name: String { coordination.shared?.name ?? folder }
    /// The primary store: recordings as they came.
    public let database: TrackDatabase
    /// The grid from which tiles are drawn.
    package let grid: GridStore
    /// Seek points of long tracks that replays have already read.
    package let seekIndex = SeekIndex()

    /// Why the library was opened read-only although its files are writable: its disk is full or fails.
    public let writeFailure: LibraryError?
    /// What processes share besides the databases.
    package let coordination: LibraryCoordination

    /// Opens or creates a library; `zoneIfNew` is the IANA name of the time zone of a new library.
    ///
    /// A read-only library (determined by the storage if `isReadOnly` is nil) is opened without a change: if its grid
    /// is not current, another one is built in temporary storage. If the disk has no room for the files that a database
    /// needs when it is opened, the library is opened in the same way.
    package init(
        _ storage: any LibraryStorage, coordination: LibraryCoordination,
        zoneIfNew: @autoclosure @Sendable () -> String = "UTC",
        isReadOnly: Bool? = nil
    ) throws {
        self.coordination = coordination
        let opened: (database: TrackDatabase, grid: GridStore)
        do {
            if !(isReadOnly ?? storage.isReadOnly) {
                try TrackDatabase.mappingErrors(storage.name(of: .tracks)) { try Self.checkTracksExist(storage) }
            }
            let database = try TrackDatabase(storage, zoneIfNew: zoneIfNew(), isReadOnly: isReadOnly)
            opened = try Self.withGrid(database)
            writeFailure = nil
        } catch let error as LibraryError where error.isDiskError && isReadOnly == nil {
            // If it cannot be read either, the first error says more.
            guard let database = try? TrackDatabase(storage, isReadOnly: true, refusal: error),
                let reading = try? Self.withGrid(database)
            else { throw error }
            opened = reading
            writeFailure = error
        }
        (database, grid) = opened
    }

    /// Throws if the tracks are missing or empty beside the grid or the WAL of an existing library: a new, empty primary
    /// store would make the next update delete the grid.
    static func checkTracksExist(_ storage: any LibraryStorage) throws {
        guard !storage.hasContent(.tracks) else { return }
        guard GridStore.isFilled(in: storage) || storage.hasRemains(.tracks) else { return }
        throw LibraryError.tracksMissing(path: storage.name(of: .tracks))
    }

    private static func withGrid(_ database: TrackDatabase) throws -> (TrackDatabase, GridStore) {
        (database, try mappingErrors(database.storage.name(of: .grid)) { try grid(of: database) })
    }

    private static func grid(of database: TrackDatabase) throws -> GridStore {
        guard database.isReadOnly else { return try GridStore(database.storage) }
        let stored = try? GridStore(database.storage, isReadOnly: true)
        let status = try stored.map { try Self.status(of: $0, database) }
        if let stored, status == .current { return stored }
        do {
            return try GridStore(database.storage.temporaryStorage())
        } catch {
            // Without room for a new grid, use the outdated one, which shows most tracks.
            guard let stored, status == .behind else { throw error }
            return stored
        }
    }

    /// Whether the library is read-only.
    public var isReadOnly: Bool { database.isReadOnly }

    /// The calendar of the library's time zone.
    public func calendar() throws -> DayCalendar {
        try Self.calendar(database)
    }

    private static func calendar(_ database: TrackDatabase) throws -> DayCalendar {
        let zone = try database.zone()
        guard let calendar = DayCalendar(zone: zone) else {
            throw LibraryError.damaged(
                path: database.storage.name(of: .tracks), what: "the time zone \(zone) is not known to this system")
        }
        return calendar
    }

    /// The calendar with which a grid was built; nil if the library's time zone or rules have changed since.
    package func calendar(of state: GridState) throws -> DayCalendar? {
        let calendar = try calendar()
        let fingerprint = GridSchema.fingerprint(calendar, SumRule(), try database.outlierRule())
        return fingerprint == state.fingerprint ? calendar : nil
    }

    /// The path of a track in ranges of time, computed from its points; nil if the points no longer match the `digest` in
    /// the grid.
    package func path(ofTrack number: Int64, digest: UInt64, through timeRanges: [Range<Int64>]) throws -> TrackPath? {
        try database.read { snapshot in
            guard let track = try snapshot.track(number: number) else { return nil }
            var finder = TrackPathBuilder(timeRanges: timeRanges, detector: track.detector)
            var segmentStarts: [Int] = []
            var points = 0
            var fields = DrawnFieldsDigest()
            try snapshot.forEachChunk(ofTrack: number, fields: DrawnFields.wanted) { chunk in
                finder.add(chunk)
                fields.add(DrawnFields(chunk))
                segmentStarts += chunk.segmentStarts.map { $0 + points }
                points += chunk.count
            }
            let known = GridTrack(track, activityNumber: 0)
            return known.digest(segmentStarts: segmentStarts, fields: fields.value) == digest
                ? finder.finish() : nil
        }
    }

    /// Updates the grid to the newest revision; one process at a time does so.
    ///
    /// Returns nil if the grid is current already. `memoryBytes` limits the memory of the build; `report` is called
    /// from any thread.
    @discardableResult
    package func catchUp(
        rebuilding: Bool = false, memoryBytes: Int = GridStore.defaultMemoryBytes,
        report: @escaping @Sendable (GridProgress) -> Void = { _ in }
    ) throws -> GridChange? {
        if !isReadOnly { try database.updateWaypointPins() }
        return try mappingErrors {
            let change = try grid.catchUp(
                with: TrackGridSource(database), calendar: try calendar(), rebuilding: rebuilding,
                memoryBytes: memoryBytes,
                report: report)
            if !isReadOnly { _ = try removeUnwantedAddresses() }
            return change
        }
    }

    /// Builds the rows that layers still lack, and deletes the rows of removed layers; `report` is called with each
    /// layer in progress.
    ///
    /// Waits while another process does this. Between the steps others may write to the grid.
    package func finishLayers(isStopped: () -> Bool = { false }, report: (GridLayer) -> Void = { _ in }) throws {
        try mappingErrors {
            repeat {
                guard let work = try grid.layerWork(waiting: true) else { return }
                while !isStopped(), let layer = try work.step() { report(layer) }
                // A layer may have waited for a number that a removed layer still occupied.
            } while try !isStopped() && catchUp() != nil
        }
    }

    /// Does steps of the work of `finishLayers` until `deadline`; returns false if nothing is left to do. Does nothing
    /// while another process does this work.
    package func advanceLayers(until deadline: ContinuousClock.Instant) throws -> Bool {
        try mappingErrors {
            guard let work = try grid.layerWork(waiting: false) else { return try grid.read { try $0.hasLayerWork() } }
            repeat {
                if try work.step() == nil { return try catchUp() != nil }
            } while ContinuousClock.now < deadline
            return true
        }
    }

    /// Numbers of which one changes with every commit to the primary store or the grid, by any process; meaningful only in
    /// this process.
    package struct Versions: Sendable, Equatable {
        var tracks: Int64
        var grid: Int64
    }

    package func versions() throws -> Versions {
        try mappingErrors { Versions(tracks: try database.dataVersion(), grid: try grid.version()) }
    }

    /// Whether its databases are those of a server, which processes on other machines use, too.
    package var isShared: Bool { coordination.shared != nil }

    /// A number that changes with each announcement of a change by any process; nil as long as changes are not announced, so
    /// that who waits for one has to ask.
    package var announcedChanges: Int? { coordination.shared?.announcements(of: .content) }

    /// Calls `body` after each announcement of a change, as long as the library is open; `body` must not wait.
    package func onAnnouncedChange(_ body: @escaping @Sendable () -> Void) {
        coordination.shared?.onAnnouncement { if $0 == .content { body() } }
    }

    /// How often this process has waited for an answer of the server of the databases; 0 without a server.
    package var roundTrips: Int { database.roundTrips + grid.roundTrips }

    /// Converts errors of the grid to `LibraryError`.
    private func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        try Self.mappingErrors(grid.path, body)
    }

    private static func mappingErrors<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try LibraryError.mappingFiles(body)
        } catch let error as StoreError {
            throw LibraryError.database(path: path, error)
        }
    }

    /// The state of the grid in relation to the primary store.
    package enum GridStatus: Sendable, Equatable {
        /// It has all revisions of the primary store and was built with the same rules.
        case current
        /// It corresponds to an earlier revision of the primary store.
        case behind
        /// It does not descend from this change log, or was built with other rules or another time zone: it must be
        /// rebuilt.
        case incompatible
        /// It was never built.
        case missing
    }

    /// The state of the grid in relation to the primary store; reads both, and the transitions of the time zone: some
    /// milliseconds.
    package func gridStatus() throws -> GridStatus {
        try Self.status(of: grid, database)
    }

    private static func status(of grid: GridStore, _ database: TrackDatabase) throws -> GridStatus {
        guard !grid.isDamaged else { return .incompatible }
        let found: GridState?
        do {
            found = try grid.read { try $0.state() }
        } catch LibraryError.gridDamaged {
            return .incompatible
        }
        guard let state = found else { return .missing }
        guard
            state.fingerprint == GridSchema.fingerprint(try calendar(database), SumRule(), try database.outlierRule()),
            try database.digest(at: state.revision) == state.digest
        else { return .incompatible }
        return try database.head().revision == state.revision ? .current : .behind
    }

    /// Whether the grid has all revisions of the primary store and was built with the same rules.
    package func gridIsCurrent() throws -> Bool {
        try gridStatus() == .current
    }

    /// Rebuilds the grid from the tracks, with another time zone if one is given.
    package func rebuild(zone: String? = nil, report: @escaping @Sendable (GridProgress) -> Void = { _ in }) throws {
        if let zone { try database.setZone(zone) }
        try catchUp(rebuilding: true, report: report)
    }

    /// The result of a removal.
    public enum Removal: Sendable, Equatable {
        /// Removed from primary store, grid and every running server, and overwritten.
        case complete
        /// Removed from primary store, grid and every running server. The points are deleted, but not overwritten: files,
        /// log and backups of the database system hold them until these are used again.
        case deleted
        /// Removed from primary store and grid. A running server has not yet confirmed that its memory is clean; the
        /// points are overwritten when the library is next opened.
        case serverUnconfirmed
        /// Removed from primary store, grid and servers. A reader prevented the overwriting of the points until the
        /// library is next opened.
        case blockedByReader
    }

    /// Removes tracks completely: first from primary store and grid, then `drop` deletes the pictures drawn from them,
    /// then running servers confirm that their memory is clean, then the points are overwritten.
    ///
    /// `drop` gets all tiles that have changed since before the removal, whichever process applied it. The removal
    /// includes buffered points: these are moved into the streams first.
    package func remove(_ ids: [String], drop: (GridChange) throws -> Void) throws -> Removal {
        try removeEverywhere(drop) { try database.markRemoved(ids) }
    }

    /// What undoing an import removed.
    package struct UndoneImport: Sendable, Equatable {
        package var removal: Removal
        package var tracks: Int
        package var points: Int
        package var pins: Int
    }

    /// Undoes an import: removes what only this import added, in the same way as `remove`.
    package func undoImport(importNumber number: Int64, drop: (GridChange) throws -> Void) throws -> UndoneImport {
        var content: UndoneContent?
        let removal = try removeEverywhere(drop) {
            // Waypoints that have no pins yet would not be counted.
            try database.updateWaypointPins()
            let undone = try database.undoImport(importNumber: number)
            content = undone
            return undone.revision
        }
        guard let undone = content else { preconditionFailure("a removal without an undo") }
        // Waypoints that are gone have lost their pins with the removal.
        let pins = try database.read { try $0.removedPins(of: undone) }
        return UndoneImport(removal: removal, tracks: undone.tracks, points: undone.points, pins: pins)
    }

    /// Runs `replace`, which replaces what earlier imports have read by what a new one has, and removes the former in the
    /// same way as `remove`.
    package func replace(drop: (GridChange) throws -> Void, _ replace: () throws -> Void) throws -> Removal {
        try removeEverywhere(drop) {
            try replace()
            return try database.head().revision
        }
    }

    func removeEverywhere(_ drop: (GridChange) throws -> Void, _ markRemoved: () throws -> Int64) throws -> Removal {
        guard !isReadOnly else { throw database.refusal }
        let isFlushed = try database.moveEverything(
            of: coordination.recordingLog, timeoutMilliseconds: coordination.waitMilliseconds)
        let before = try readableState()
        let revision = try markRemoved()
        try catchUp()
        let areAddressesRemoved = try removeAllUnwantedAddresses()
        try drop(try change(since: before))
        // Rows of removed tracks would otherwise stay readable in the WAL.
        try grid.truncateLog()
        let arePublished = try coordination.membership.waitUntilConfirmed(
            revision, timeoutMilliseconds: coordination.waitMilliseconds)
        let erasure = try database.eraseRemoved()
        // Last: if an edition cannot be updated, the library itself has lost them.
        let areEditionsClean = try removeFromEditions()
        let clean = isFlushed && arePublished && areAddressesRemoved && areEditionsClean
        guard clean else { return .serverUnconfirmed }
        switch erasure {
        case .overwritten?, nil: return .complete
        case .deleted?: return .deleted
        case .prevented?: return .blockedByReader
        }
    }

    /// Removes the addresses of what was removed, even while others change the library; false if they change it too often.
    private func removeAllUnwantedAddresses() throws -> Bool {
        // Each try fails only if other tracks or pins were removed or changed since its view of the grid.
        for _ in 0..<Self.addressTries {
            if try removeUnwantedAddresses() { return true }
            try catchUp()
        }
        return try removeUnwantedAddresses()
    }

    /// The state of the grid; nil if it does not exist or is damaged.
    private func readableState() throws -> GridState? {
        do {
            return try grid.read { try $0.state() }
        } catch LibraryError.gridDamaged {
            return nil
        }
    }

    /// The change of the grid since a state, by any process; its tiles are nil if any tile may have changed.
    private func change(since before: GridState?) throws -> GridChange {
        try grid.read { reader in
            guard let after = try reader.state() else {
                throw LibraryError.gridDamaged(path: grid.path, what: "its state is missing")
            }
            let tiles = try before.flatMap { try reader.tilesTouched(since: $0) }?.sorted()
            return GridChange(before: before, after: after, tiles: tiles)
        }
    }

    private static let addressTries = 20
}
