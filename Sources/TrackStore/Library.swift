internal import Digest
internal import Files
internal import HeatGrid
internal import Locking
package import Replay
internal import SQLite
internal import TileLog
internal import TrackQuery
public import Tracks

/// A library: a folder with the primary store (`tracks.sqlite`) and the grid derived from it (`grid.sqlite`).
///
/// It may be used from any thread, and several processes may open the same folder.
public final class Library: Sendable {
    public let folder: String
    /// The primary store: recordings as they came.
    public let truth: TrackDatabase
    /// The grid from which tiles are drawn.
    package let grid: GridStore
    /// Seek points of long tracks that replays have already read.
    package let milestones = SeekIndex()

    /// The folder in which the grid is built if the library is read-only and its own grid is not current.
    private let scratch: TemporaryFolder?
    /// Why the library was opened read-only although its files are writable: its disk is full or fails.
    public let writeFailure: LibraryError?
    /// The server of this library in this process; it is notified of the removals of tracks.
    package let residents = RemovalObservers()

    /// Opens or creates the library in `folder`; `zoneIfNew` is the IANA name of the time zone of a new library.
    ///
    /// A read-only library (determined from the files if `isReadOnly` is nil) is opened without a change: if its grid
    /// is not current, another one is built in a temporary folder. If the disk has no room for the files that SQLite
    /// creates when it opens a database, the library is opened in the same way.
    public init(folder: String, zoneIfNew: String = "UTC", isReadOnly: Bool? = nil) throws {
        self.folder = folder
        let opened: (truth: TrackDatabase, grid: GridStore, scratch: TemporaryFolder?)
        do {
            let truth = try TrackDatabase(folder: folder, zoneIfNew: zoneIfNew, isReadOnly: isReadOnly)
            opened = try Self.withGrid(truth)
            writeFailure = nil
        } catch let error as LibraryError where error.isDisk && isReadOnly == nil {
            // If it cannot be read either, the first error says more.
            guard let truth = try? TrackDatabase(folder: folder, isReadOnly: true, refusal: error),
                let reading = try? Self.withGrid(truth)
            else { throw error }
            opened = reading
            writeFailure = error
        }
        (truth, grid, scratch) = opened
    }

    private static func withGrid(_ truth: TrackDatabase) throws -> (TrackDatabase, GridStore, TemporaryFolder?) {
        let made = try labelled(truth.folder + "/grid.sqlite") { try grid(of: truth) }
        return (truth, made.grid, made.scratch)
    }

    private static func grid(of truth: TrackDatabase) throws -> (grid: GridStore, scratch: TemporaryFolder?) {
        guard truth.isReadOnly else { return (try GridStore(folder: truth.folder), nil) }
        let stored = try? GridStore(folder: truth.folder, isReadOnly: true)
        let standing = try stored.map { try Self.standing(of: $0, truth) }
        if let stored, standing == .current { return (stored, nil) }
        do {
            let scratch = try TemporaryFolder()
            return (try GridStore(folder: scratch.path), scratch)
        } catch {
            // Without room for a new grid, use the outdated one, which shows most tracks.
            guard let stored, standing == .behind else { throw error }
            return (stored, nil)
        }
    }

    /// Whether the library is read-only.
    public var isReadOnly: Bool { truth.isReadOnly }

    /// Whether there is a library in the folder.
    ///
    /// Throws if there was one whose `tracks.sqlite` is missing.
    public static func isThere(in folder: String) throws -> Bool {
        try TrackDatabase.checkTracksAreThere(folder)
        return exists(in: folder)
    }

    /// Whether `tracks.sqlite` exists in the folder.
    public static func exists(in folder: String) -> Bool {
        FileStatus.ifAny(of: folder + "/tracks.sqlite") != nil
    }

    /// The calendar of the library's time zone.
    public func calendar() throws -> DayCalendar {
        try Self.calendar(truth)
    }

    private static func calendar(_ truth: TrackDatabase) throws -> DayCalendar {
        let zone = try truth.zone()
        guard let calendar = DayCalendar(zone: zone) else {
            throw LibraryError.damaged(path: truth.folder, what: "the time zone \(zone) is not known to this system")
        }
        return calendar
    }

    /// The calendar with which a grid was built; nil if the library's time zone or rules have changed since.
    package func calendar(of state: GridState) throws -> DayCalendar? {
        let calendar = try calendar()
        let fingerprint = GridSchema.fingerprint(calendar, SumRule(), try truth.cleaning())
        return fingerprint == state.fingerprint ? calendar : nil
    }

    /// The path of a track in ranges of time, computed from its points; nil if the points no longer match the `seed` in
    /// the grid.
    package func path(ofTrack number: Int64, seed: UInt64, through stretches: [Range<Int64>]) throws -> TrackPath? {
        try truth.read { snapshot in
            guard let track = try snapshot.track(number: number) else { return nil }
            var finder = PathFinder(
                stretches: stretches, gap: track.gap, kind: track.walkKind, cleaning: track.cleaning)
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
            return known.seed(segmentStarts: segmentStarts, fields: fields.value) == seed
                ? finder.finish() : nil
        }
    }

    /// Updates the grid to the newest revision; one process at a time does so.
    ///
    /// Returns nil if the grid is current already. `memoryBytes` limits the memory of the build; `report` is called
    /// from any thread.
    @discardableResult
    package func catchUp(
        anew: Bool = false, memoryBytes: Int = GridStore.defaultMemoryBytes,
        report: @escaping @Sendable (GridProgress) -> Void = { _ in }
    ) throws -> GridChange? {
        try labelled {
            try grid.catchUp(
                with: TrackGridSource(truth), calendar: try calendar(), anew: anew, memoryBytes: memoryBytes,
                report: report)
        }
    }

    /// Builds the rows that layers still lack, and deletes the rows of removed layers; `report` is called with each
    /// layer in progress.
    ///
    /// Waits while another process does this. Between the steps others may write to the grid.
    package func finishLayers(isStopped: () -> Bool = { false }, report: (GridLayer) -> Void = { _ in }) throws {
        try labelled {
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
        try labelled {
            guard let work = try grid.layerWork(waiting: false) else { return try grid.read { try $0.hasLayerWork() } }
            repeat {
                if try work.step() == nil { return try catchUp() != nil }
            } while ContinuousClock.now < deadline
            return true
        }
    }

    /// Converts errors of the grid to `LibraryError`.
    private func labelled<Result>(_ body: () throws -> Result) throws -> Result {
        try Self.labelled(grid.path, body)
    }

    private static func labelled<Result>(_ path: String, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as SQLiteError {
            throw LibraryError.database(path: path, error)
        } catch let error as FileError {
            throw LibraryError.file(error)
        }
    }

    /// The state of the grid in relation to the primary store.
    package enum GridStanding: Sendable, Equatable {
        /// It has all revisions of the primary store and was built with the same rules.
        case current
        /// It corresponds to an earlier revision of the primary store.
        case behind
        /// It does not descend from this change log, or was built with other rules or another time zone: it must be
        /// rebuilt.
        case unfit
        /// It was never built.
        case missing
    }

    /// The state of the grid in relation to the primary store; reads both, and the transitions of the time zone: some
    /// milliseconds.
    package func gridStanding() throws -> GridStanding {
        try Self.standing(of: grid, truth)
    }

    private static func standing(of grid: GridStore, _ truth: TrackDatabase) throws -> GridStanding {
        guard !grid.isDamaged else { return .unfit }
        let found: GridState?
        do {
            found = try grid.read { try $0.state() }
        } catch LibraryError.gridDamaged {
            return .unfit
        }
        guard let state = found else { return .missing }
        guard state.fingerprint == GridSchema.fingerprint(try calendar(truth), SumRule(), try truth.cleaning()),
            try truth.digest(at: state.revision) == state.digest
        else { return .unfit }
        return try truth.head().revision == state.revision ? .current : .behind
    }

    /// Whether the grid has all revisions of the primary store and was built with the same rules.
    package func gridIsCurrent() throws -> Bool {
        try gridStanding() == .current
    }

    /// Rebuilds the grid from the tracks, with another time zone if one is given.
    package func rebuild(zone: String? = nil, report: @escaping @Sendable (GridProgress) -> Void = { _ in }) throws {
        if let zone { try truth.setZone(zone) }
        try catchUp(anew: true, report: report)
    }

    /// The result of a removal.
    public enum Removal: Sendable, Equatable {
        /// Removed from primary store, grid and every running server, and overwritten.
        case complete
        /// Removed from primary store and grid. A running server has not yet confirmed that its memory is clean; the
        /// points are overwritten when the library is next opened.
        case serverBehind
        /// Removed from primary store, grid and servers. A reader prevented the overwriting of the points until the
        /// library is next opened.
        case readerInTheWay
    }

    /// Removes tracks completely: first from primary store and grid, then `drop` deletes the pictures drawn from them,
    /// then running servers confirm that their memory is clean, then the points are overwritten.
    ///
    /// `drop` gets all tiles that have changed since before the removal, whichever process applied it. The removal
    /// includes buffered points: these are moved into the streams first.
    package func remove(_ ids: [String], drop: (GridChange) throws -> Void) throws -> Removal {
        try forget(drop) { try truth.markRemoved(ids) }
    }

    /// Undoes an import: removes what only this import brought, in the same way as `remove`.
    package func takeBack(importNumber number: Int64, drop: (GridChange) throws -> Void) throws -> Removal {
        try forget(drop) { try truth.takeBack(importNumber: number) }
    }

    func forget(_ drop: (GridChange) throws -> Void, _ mark: () throws -> Int64) throws -> Removal {
        guard !isReadOnly else { throw truth.refusal }
        residents.flush()
        let isFlushed = try RecordingFolder.flushEverywhere(
            of: truth, timeoutMilliseconds: Self.serverWaitMilliseconds)
        let before = try soundState()
        let revision = try mark()
        try catchUp()
        try drop(try change(since: before))
        try grid.truncateLog()
        residents.look()
        let arePublished = try Heartbeat.waitUntilServersAreClean(
            folder: folder, revision: revision, timeoutMilliseconds: Self.serverWaitMilliseconds)
        let clean = isFlushed && arePublished
        guard try truth.eraseRemoved() else { return clean ? .readerInTheWay : .serverBehind }
        return clean ? .complete : .serverBehind
    }

    /// The state of the grid; nil if it does not exist or is damaged.
    private func soundState() throws -> GridState? {
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

    /// A server checks for changes several times a second; a server that takes longer than this hangs.
    private static let serverWaitMilliseconds = 10_000
}

/// The primary store as the source of the grid.
struct TrackGridSource: GridSource {
    private let truth: TrackDatabase
    /// Numbers never change, but new ones are added, and layers may use them: they are read under the grid's lock.
    private let activityNumbers = Locked<[String: UInt8]>([:])

    init(_ truth: TrackDatabase) {
        self.truth = truth
    }

    func prepare() throws -> [LayerDefinition] {
        try readActivityNumbers()
        return try truth.layers()
    }

    private func readActivityNumbers() throws {
        let numbers = try truth.activityNumbers()
        activityNumbers.withLock { $0 = numbers }
    }

    /// The number of an activity; the numbers are read again if it is new.
    private func activityNumber(of activity: String) throws -> UInt8 {
        if let known = activityNumbers.withLock({ $0[activity] }) { return known }
        try readActivityNumbers()
        // 0 is cached, too: with too many activities, not every track should cause a query.
        return activityNumbers.withLock { numbers in
            numbers[activity] = numbers[activity] ?? 0
            return numbers[activity] ?? 0
        }
    }

    func cleaning() throws -> CleaningRule {
        try truth.cleaning()
    }

    func head() throws -> Head {
        try truth.head()
    }

    func digest(at revision: Int64) throws -> ContentDigest? {
        try truth.digest(at: revision)
    }

    func tracksChanged(since revision: Int64) throws -> [Int64] {
        let changes = try truth.changes(since: revision)
        return Set(changes.flatMap { $0.added + $0.changed + $0.removed }).sorted()
    }

    func tracksDescribed(since revision: Int64) throws -> [Int64] {
        Set(try truth.changes(since: revision).flatMap(\.described)).sorted()
    }

    func trackNumbers() throws -> [Int64] {
        try truth.trackNumbers()
    }

    func forEachFacts(_ body: (_ number: Int64, TrackFacts) throws -> Void) throws {
        try truth.read { try $0.forEachFacts(body) }
    }

    func gridTrack(_ number: Int64) throws -> GridTrack? {
        guard let track = try truth.track(number: number) else { return nil }
        let numbered = try track.activity.map { try activityNumber(of: $0) } ?? 0
        return GridTrack(track, activityNumber: numbered)
    }

    func forEachChunk(ofTrack number: Int64, _ body: (PointChunk) throws -> Void) throws {
        try truth.forEachChunk(ofTrack: number, fields: DrawnFields.wanted, body)
    }
}
