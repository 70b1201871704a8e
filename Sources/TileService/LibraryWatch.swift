import Digest
import Dispatch
import GridStorage
import HTTPCore
import Locking
import Parallelism
import Playback
import PrimaryStore
import RequestHandling
import Styling
import Text
import TileDrawing
import TileRendering
import TrackStore

/// Polls a few times a second for changes of the library by this or another process: applies them to the grid, drops
/// what is outdated from memory, and publishes this for processes that wait for a removal.
///
/// All of this runs on a queue of its own, because building a grid, or waiting for another process that builds one, may
/// take minutes.
final class LibraryWatch: Sendable {
    private let library: Library
    private let renderer: TileRenderer
    private let cache: TileCache<TileRequest>
    private let serverStatus: Locked<ServerStatus>
    private let streams: EventStreams
    private let inbox: InboxServer?
    private let report: @Sendable (any Error) -> Void
    private let queue = DispatchQueue(label: "tileserve.watch", qos: .utility)
    private let timer = PollingTimer()
    private let pace: PollPace
    private let memory = Locked(Memory())
    /// Drop from memory what is older than the library.
    private let dropping = Locked<[@Sendable () throws -> Void]>([])

    /// What is known from the last poll.
    private struct Memory {
        /// The registration for processes that remove tracks.
        var member: (any Member)?
        /// The last published revision.
        var published: Int64?
        /// The data version of the primary store when the grid was last found current; nil before that.
        var lastCurrentVersion: Int64?
        /// The data version of the primary store at the last poll, and since when it has been this.
        var version: Int64?
        var since = ContinuousClock.now
        /// Since when the grid has been behind.
        var behindSince: ContinuousClock.Instant?
        /// Whether a layer may need more work.
        var layersNeedWork = true
        /// Whether the inbox has tracks.
        var hasInbox = false
        /// The last error, and its text for `/health`.
        var lastError = LastError()
        var failure: String?
        /// The source of styles besides those compiled in.
        var styleFolder: StyleFolder?

        /// Whether the next poll has something to do even if nothing changes.
        var hasWork: Bool {
            behindSince != nil || layersNeedWork || !lastError.isNone || published == nil || member?.mayServe == false
        }
    }

    /// A change by another process must show within a second, including the time to apply it.
    private static let periodMilliseconds = 200
    /// A process that imports updates the grid itself at its end, in one pass. The watch does it for processes that
    /// crashed, so it waits until the primary store has not changed for this long …
    private static let idleTime = Duration.milliseconds(250)
    /// … or until the grid has been behind for this long.
    private static let maximumDelay = Duration.seconds(10)

    init(
        renderer: TileRenderer, styleFolder: StyleFolder?, cache: TileCache<TileRequest>,
        serverStatus: Locked<ServerStatus>, streams: EventStreams, inbox: InboxServer?,
        report: @escaping @Sendable (any Error) -> Void
    ) throws {
        let library = renderer.library
        self.library = library
        pace = PollPace(library)
        self.renderer = renderer
        self.cache = cache
        self.serverStatus = serverStatus
        self.streams = streams
        self.report = report
        self.inbox = inbox
        memory.withLock { $0.styleFolder = styleFolder }
        // The grid of an empty library is built at once, so that its first reader sees an empty map and not an error.
        let isEmpty = try library.database.totals().tracks == 0
        if isEmpty, [.missing, .incompatible].contains(try library.gridStatus()) {
            try library.catchUp()
            _ = try renderer.refresh()
        }
        let readiness: ServerStatus.Readiness =
            switch try library.gridStatus() {
            case .current: .ready
            case .behind: .behind
            case .incompatible, .missing: .rebuilding(progress: nil)
            }
        do {
            try describe(readiness)
        } catch LibraryError.gridDamaged {
            try describe(.rebuilding(progress: nil))
        }
    }

    /// Registers with processes that remove tracks, and starts polling.
    func start() throws {
        let head = try renderer.state.map { Head(revision: $0.revision, digest: $0.digest) } ?? library.database.head()
        // Nothing can be removed from a library that is opened read-only.
        let membership = library.isReadOnly ? nil : library.coordination.membership
        let member = try membership?.join(head: head) { [weak self] in self?.pollNow() }
        memory.withLock { memory in
            memory.member = member
            memory.published = head.revision
        }
        timer.start(periodMilliseconds: Self.periodMilliseconds, on: queue) { [weak self] in self?.pollIfDue() }
        library.onAnnouncedChange { [weak self] in
            guard let self else { return }
            queue.async { if self.pace.isDueAfterAnnouncement(.now) { self.pollIfDue() } }
        }
        // Checked once, in the background; the next poll rebuilds a damaged grid.
        DispatchQueue.global(qos: .background).async { [grid = library.grid, report] in
            do {
                try grid.checkRows()
            } catch LibraryError.gridDamaged {
                // Reported after it has been rebuilt.
            } catch {
                report(error)
            }
        }
    }

    /// Stops polling. A rebuild under way runs until the process ends, which rolls it back.
    func stop() {
        timer.stop()
        memory.withLock { $0.member = nil }
    }

    /// Polls at once, and returns when changes are shown; waits for a poll under way.
    func pollNow() {
        queue.sync { poll(now: .now) }
    }

    /// One poll; the calls for one watch must not overlap.
    func poll(now: ContinuousClock.Instant) {
        adoptStyleFiles()
        library.grid.poll()
        do {
            let versions = try pace.versions()
            try adoptInbox()
            if !library.grid.isDamaged { try adoptUnlessDamaged() }
            try updateGrid(now)
            reportRepairs()
            try advanceLayers()
            try publish()
            pace.finished(versions, now)
            // A change that could not be applied is tried again later; the error stays until then.
            memory.withLock { if $0.behindSince == nil { $0.lastError.clear() } }
        } catch {
            recordError(error)
        }
    }

    /// Polls, unless nothing has changed.
    private func pollIfDue() {
        let now = ContinuousClock.now
        let hasWork = memory.withLock(\.hasWork)
        guard pace.isDue(now) || hasWork else { return }
        // An inbox is in tables of its own.
        guard !hasWork, pace.isUnchanged(now), (try? adoptInbox()) != nil else { return poll(now: now) }
        adoptStyleFiles()
    }

    private func adoptUnlessDamaged() throws {
        do {
            try adopt()
        } catch LibraryError.gridDamaged {
            // The grid is rebuilt below.
        }
    }

    /// Keeps an error for `/health`, and reports it once.
    func recordError(_ error: any Error) {
        let isNew = memory.withLock { memory in
            memory.failure = "changes are not shown: \(LibraryError.cause(of: error))"
            return memory.lastError.isNew(error)
        }
        if isNew { report(error) }
    }

    /// Whether this process may still answer from its memory.
    var mayServe: Bool { memory.withLock { $0.member }?.mayServe ?? true }

    /// What `/health` and `/metrics` say of this process among those that share a database; nil if there is no such.
    var node: NodeStatus? {
        let lag = ContinuousClock.now - pace.lastReading
        return memory.withLock { $0.member }?.lease.map { NodeStatus($0, lag: lag / .seconds(1)) }
    }

    /// Seconds after which a reader may ask again while `mayServe` is false.
    private static let unconfirmedRetrySeconds = 5

    /// The answer to readers while `mayServe` is false.
    static let unconfirmed = Problem.unavailable(
        "the server cannot check whether tracks were removed", retryAfterSeconds: unconfirmedRetrySeconds)

    /// Why nothing is served, for `/health`; nil while `mayServe` is true.
    var suspension: String? { mayServe ? nil : "tracks may have been removed that are still in memory" }

    /// The error of the last poll, for `/health`; nil if there was none.
    var failure: String? { memory.withLock { $0.lastError.isNone ? nil : $0.failure } }

    /// Applies changes made by this process, and returns when tiles show them; during a rebuild it returns at once, and
    /// the rebuild applies them.
    func apply() throws {
        if case .rebuilding = serverStatus.withLock({ $0.readiness }) { return }
        try queue.sync {
            try library.catchUp()
            try adopt()
            try publish()
        }
    }

    /// Adopts a changed grid: the tiles it touched are dropped from memory before its revision is published.
    private func adopt() throws {
        guard let change = try renderer.refresh() else { return }
        memory.withLock { $0.layersNeedWork = true }
        cache.drop(where: change.touches)
        let readiness = serverStatus.withLock { $0.readiness }
        // Changes that another process applies may arrive before or after this process has noticed that the grid is
        // behind.
        let before = serverStatus.withLock { $0.points }
        try describe(readiness == .behind ? .behind : .ready)
        // Only recording and importing add points; after any other change, a last position may be of a removed track.
        if serverStatus.withLock({ $0.points }) <= before { streams.forgetPositions() }
        streams.adopt(TilesChange(revision: revision, tiles: change.tiles, recoloured: change.recoloured))
    }

    /// Adopts an inbox that was created, filled or emptied.
    private func adoptInbox() throws {
        guard let inbox else { return }
        try inbox.poll()
        let hasInbox = !inbox.isEmpty
        guard memory.withLock({ $0.hasInbox != hasInbox }) else { return }
        memory.withLock { $0.hasInbox = hasInbox }
        try describe(serverStatus.withLock { $0.readiness })
    }

    private func adoptStyleFiles() {
        do {
            try adoptStyles()
        } catch {
            // Reported once per change of a file; the styles stay as they were.
            report(error)
        }
    }

    /// Adopts style files that have changed.
    private func adoptStyles() throws {
        guard var folder = memory.withLock({ $0.styleFolder }) else { return }
        defer { memory.withLock { $0.styleFolder = folder } }
        guard try folder.refresh() else { return }
        cache.drop(where: renderer.adopt(folder.styleSheet))
        try describe(serverStatus.withLock { $0.readiness })
        streams.adopt(TilesChange(revision: revision))
    }

    /// Updates the grid to the primary store.
    private func updateGrid(_ now: ContinuousClock.Instant) throws {
        let version = try library.database.dataVersion()
        let needsCheck = memory.withLock { memory in
            if memory.version != version {
                memory.version = version
                memory.since = now
            }
            guard let start = memory.behindSince else { return memory.lastCurrentVersion != version }
            return now - memory.since >= Self.idleTime || now - start >= Self.maximumDelay
        }
        guard needsCheck || library.grid.isDamaged else { return }
        switch try library.gridStatus() {
        case .current:
            // At most something has changed that is in no tile, such as a name.
            try describe(.ready)
            memory.withLock { memory in
                memory.lastCurrentVersion = version
                memory.behindSince = nil
            }
        case .behind:
            serverStatus.withLock { $0.readiness = .behind }
            // The first time this is only recorded: the process that changed the primary store will probably make more
            // changes, or update the grid itself.
            let isTime = memory.withLock { memory in
                defer { memory.behindSince = memory.behindSince == nil ? now : nil }
                return memory.behindSince != nil
            }
            guard isTime else { return }
            try library.catchUp()
            try adopt()
        case .incompatible, .missing:
            serverStatus.withLock { $0.readiness = .rebuilding(progress: nil) }
            // A rebuild has another fingerprint: no picture drawn before it may be served beside those drawn after it.
            cache.drop { _ in true }
            try library.catchUp { [serverStatus] progress in
                serverStatus.withLock { $0.readiness = .rebuilding(progress: progress.fraction) }
            }
            try adopt()
            // A rebuilt grid can be equal to the damaged one; then there was no change to adopt.
            if case .rebuilding = serverStatus.withLock({ $0.readiness }) { try describe(.ready) }
        }
    }

    /// Reports each grid that was found damaged once.
    private func reportRepairs() {
        for damage in library.grid.takeRepairs() {
            report(LibraryError.gridDamaged(path: library.grid.path, what: damage))
        }
    }

    /// The time that a poll may spend on layers: it must leave time for the rest, and there are five polls a second.
    private static let layerTime = Duration.milliseconds(150)

    /// Builds layers step by step, unless another process does; updates their progress.
    private func advanceLayers() throws {
        if case .rebuilding = serverStatus.withLock({ $0.readiness }) { return }
        guard memory.withLock({ $0.layersNeedWork }) else { return }
        let isMore = try library.advanceLayers(until: .now + Self.layerTime)
        try adopt()
        let layers = try layerStatuses()
        serverStatus.withLock { $0.layers = layers }
        if !isMore { memory.withLock { $0.layersNeedWork = false } }
    }

    /// The layers with their present progress.
    private func layerStatuses() throws -> [LayerStatus] {
        let building = try library.grid.read { try $0.layers() }.filter { !$0.isReady }
        let shared = memory.withLock(\.hasInbox) ? [LayerStatus(LayerDefinition.inbox, .inbox, progress: nil)] : []
        return renderer.layers.map { name, layer in
            var share: Double?
            if !layer.isReady {
                share = 0
                if case .building(_, let made) = building.first(where: { $0.number == layer.number })?.progress {
                    share = made
                }
            }
            return LayerStatus(name, layer, progress: share)
        } + shared
    }

    /// Calls `drop` before it is published that nothing in memory is older than the library.
    func beforePublishing(_ drop: @escaping @Sendable () throws -> Void) {
        dropping.withLock { $0.append(drop) }
    }

    /// Publishes that nothing in memory is older than the grid, for processes that wait for a removal.
    private func publish() throws {
        guard let state = renderer.state else { return }
        let (member, published) = memory.withLock { ($0.member, $0.published) }
        guard let member, published != state.revision || !member.mayServe else { return }
        for drop in dropping.withLock({ $0 }) { try drop() }
        try member.publish(Head(revision: state.revision, digest: state.digest))
        memory.withLock { $0.published = state.revision }
    }

    /// Publishes for the handlers what is served now.
    private func describe(_ readiness: ServerStatus.Readiness) throws {
        let totals = try library.database.totals()
        // A damaged grid cannot be read reliably.
        let isDamaged = library.grid.isDamaged
        let bounds = isDamaged ? nil : try library.grid.read { try $0.occupiedBounds() }
        let layers = isDamaged ? serverStatus.withLock { $0.layers } : try layerStatuses()
        let revision = revision
        serverStatus.withLock { status in
            (status.readiness, status.revision, status.layers) = (readiness, revision, layers)
            (status.bounds, status.tracks, status.points) = (bounds, totals.tracks, totals.points)
        }
    }

    /// A digest of everything that a picture can read: the grid, the rules that derived it, the styles, and the versions
    /// of the encoders.
    private var revision: String {
        guard let state = renderer.state else { return "" }
        var digester = Digester()
        digester.update("revision")
        digester.update(state.digest)
        digester.update(state.fingerprint)
        digester.update(HeatTileLayout.encoderVersion)
        digester.update(HeatTileLayout.fieldVersion)
        digester.update(LineTileLayout.encoderVersion)
        for name in renderer.styles.names {
            digester.update(name)
            if let style = renderer.styles[name] { digester.update(style.digest) }
        }
        return String(digester.finish().description.prefix(Self.revisionLength))
    }

    /// 48 bits: more than the number of changes of a library; a revision need not be secret.
    private static let revisionLength = 12
}
