internal import Digest
internal import Files
internal import HeatGrid
internal import Locking
package import Replay
internal import SQLite
internal import TileLog
internal import TrackQuery
public import Tracks

/// A folder of tracks: the truth (`tracks.sqlite`), the grid derived from it (`grid.sqlite`), and whoever uses them.
///
/// Any thread may use it, and several processes may open the same folder.
public final class Library: Sendable {
    /// The folder.
    public let folder: String
    /// Recordings as they came.
    public let truth: TrackDatabase
    /// What tiles are drawn from.
    package let grid: GridStore
    /// Where long tracks were read through before, for replays.
    package let milestones = SeekIndex()

    /// Where the grid is made, if the library can only be read and its own grid does not fit.
    private let scratch: TemporaryFolder?
    /// The server of this library in this process, which is told what others find out.
    package let residents = RemovalObservers()

    /// Opens the library in `folder`, or makes it; `zoneIfNew` is the IANA name of a new one's time zone.
    ///
    /// One that can only be read, as is found out where `isReadOnly` is nil, is opened without a change: a grid that does not
    /// fit is made in a place for temporary files.
    public init(folder: String, zoneIfNew: String = "UTC", isReadOnly: Bool? = nil) throws {
        self.folder = folder
        let truth = try TrackDatabase(folder: folder, zoneIfNew: zoneIfNew, isReadOnly: isReadOnly)
        self.truth = truth
        (grid, scratch) = try Self.labelled(folder + "/grid.sqlite") {
            guard truth.isReadOnly else { return (try GridStore(folder: folder), nil) }
            if let stored = try? GridStore(folder: folder, isReadOnly: true),
                try Self.standing(of: stored, truth) == .current
            {
                return (stored, nil)
            }
            let scratch = try TemporaryFolder()
            return (try GridStore(folder: scratch.path), scratch)
        }
    }

    /// Whether nothing of the library can be changed.
    public var isReadOnly: Bool { truth.isReadOnly }

    /// Whether there is a library in the folder.
    ///
    /// Throws where there was one, and its tracks have been lost.
    public static func isThere(in folder: String) throws -> Bool {
        try TrackDatabase.checkTracksAreThere(folder)
        return exists(in: folder)
    }

    /// Whether there is a library in the folder.
    public static func exists(in folder: String) -> Bool {
        FileStatus.ifAny(of: folder + "/tracks.sqlite") != nil
    }

    /// The days of the library's zone.
    public func calendar() throws -> DayCalendar {
        try Self.calendar(truth)
    }

    private static func calendar(_ truth: TrackDatabase) throws -> DayCalendar {
        let zone = try truth.zone()
        guard let calendar = DayCalendar(zone: zone) else {
            throw LibraryError.damaged(path: truth.folder, what: "this system knows no time zone \(zone)")
        }
        return calendar
    }

    /// The days by which a grid was made; nil where the library's zone is another by now.
    package func calendar(of state: GridState) throws -> DayCalendar? {
        let calendar = try calendar()
        let fingerprint = GridSchema.fingerprint(calendar, SumRule(), try truth.cleaning())
        return fingerprint == state.fingerprint ? calendar : nil
    }

    /// The way of a track through stretches of time, from its points; nil where they are not any more those that the grid
    /// knows by `seed`.
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

    /// Brings the grid to the newest revision; whoever finds it behind does so, one process at a time.
    ///
    /// nil where it was there already. `memoryBytes` bounds what building takes; `report` is called from any thread.
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

    /// Makes what layers lack, and deletes what those that have gone left; `report` is told of each layer under way.
    ///
    /// Where another process is at it, it is waited for. In between others may write to the grid.
    package func finishLayers(isStopped: () -> Bool = { false }, report: (GridLayer) -> Void = { _ in }) throws {
        try labelled {
            repeat {
                guard let work = try grid.layerWork(waiting: true) else { return }
                while !isStopped(), let layer = try work.step() { report(layer) }
                // A layer may have waited for the number of one that had to go first.
            } while try !isStopped() && catchUp() != nil
        }
    }

    /// Does some steps of what `finishLayers` does, until `deadline`; false where nothing is left to do. Nothing is done
    /// while another process is at it.
    package func advanceLayers(until deadline: ContinuousClock.Instant) throws -> Bool {
        try labelled {
            guard let work = try grid.layerWork(waiting: false) else { return try grid.read { try $0.hasLayerWork() } }
            repeat {
                if try work.step() == nil { return try catchUp() != nil }
            } while ContinuousClock.now < deadline
            return true
        }
    }

    /// Errors of the grid as the library's.
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

    /// How the grid stands to the truth.
    package enum GridStanding: Sendable, Equatable {
        /// It has all that the truth has, by the same rules.
        case current
        /// It is as the truth was at an earlier revision.
        case behind
        /// It does not descend from the truth's log, or rules or zone are others: it has to be made anew.
        case unfit
        /// It was never made.
        case missing
    }

    /// How the grid stands to the truth; reads both, and the zone's transitions: some milliseconds.
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

    /// Whether the grid has all that the truth has, by the same rules.
    package func gridIsCurrent() throws -> Bool {
        try gridStanding() == .current
    }

    /// Makes the grid again from the tracks, in another zone if one is given.
    package func rebuild(zone: String? = nil, report: @escaping @Sendable (GridProgress) -> Void = { _ in }) throws {
        if let zone { try truth.setZone(zone) }
        try catchUp(anew: true, report: report)
    }

    /// What became of a removal.
    public enum Removal: Sendable, Equatable {
        /// Gone from truth, grid and every running server, and overwritten.
        case complete
        /// Gone from truth and grid; a running server has not said yet that its memory is clean, and the points are
        /// overwritten when the library is next opened.
        case serverBehind
        /// Gone from truth, grid and servers; a reader kept the points from being overwritten until the library is next opened.
        case readerInTheWay
    }

    /// Forgets tracks exactly: they leave truth and grid, then `drop` takes what was drawn of them from the disk, then running
    /// servers say that their memory is clean, then the points are overwritten.
    ///
    /// `drop` is told of all tiles that have changed since before the removal, whichever process has applied it. It covers
    /// what is still buffered: that is moved into the streams before.
    package func remove(_ ids: [String], drop: (GridChange) throws -> Void) throws -> Removal {
        try forget(drop) { try truth.markRemoved(ids) }
    }

    /// Takes back what an import brought and no other, as `remove` forgets tracks.
    package func takeBack(importNumber number: Int64, drop: (GridChange) throws -> Void) throws -> Removal {
        try forget(drop) { try truth.takeBack(importNumber: number) }
    }

    func forget(_ drop: (GridChange) throws -> Void, _ mark: () throws -> Int64) throws -> Removal {
        guard !isReadOnly else { throw LibraryError.readOnly(path: folder) }
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

    /// The state of the grid; nil where there is none that can be read.
    private func soundState() throws -> GridState? {
        do {
            return try grid.read { try $0.state() }
        } catch LibraryError.gridDamaged {
            return nil
        }
    }

    /// What has changed in the grid since a state, by whatever processes; its tiles are nil where any may have.
    private func change(since before: GridState?) throws -> GridChange {
        try grid.read { reader in
            guard let after = try reader.state() else {
                throw LibraryError.gridDamaged(path: grid.path, what: "it says not how far it is")
            }
            let tiles = try before.flatMap { try reader.tilesTouched(since: $0) }?.sorted()
            return GridChange(before: before, after: after, tiles: tiles)
        }
    }

    /// A server looks for changes several times a second; one that takes longer than this is stuck.
    private static let serverWaitMilliseconds = 10_000
}

/// The truth as the grid asks it.
struct TrackGridSource: GridSource {
    private let truth: TrackDatabase
    /// Numbers never change, but come, and go to layers: they are read under the grid's lock.
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

    /// An activity's number; one that has come since they were read last is read now.
    private func activityNumber(of activity: String) throws -> UInt8 {
        if let known = activityNumbers.withLock({ $0[activity] }) { return known }
        try readActivityNumbers()
        // 0 is remembered, too: where there are too many activities, not every track is to ask again.
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
