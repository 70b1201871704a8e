import Digest
import Dispatch
import HTTPCore
import Locking
import Styling
import TileRendering
import TrackStore
import Tracks

/// Looks a few times a second whether the library has changed, here or in another process: brings the grid to the truth,
/// drops from memory what is not as it was, and says so to whoever removes.
///
/// All of it on a queue of its own: making a grid, or waiting for another process that makes one, may take minutes.
final class LibraryWatch: Sendable {
    private let library: Library
    private let renderer: TileRenderer
    private let cache: TileCache<TileRequest>
    private let standing: Locked<ServerStatus>
    private let streams: EventStreams
    private let inbox: InboxServer?
    private let report: @Sendable (any Error) -> Void
    private let queue = DispatchQueue(label: "tileserve.watch", qos: .utility)
    private let timer = Locked<(any DispatchSourceTimer)?>(nil)
    private let memory = Locked(Memory())

    /// What is known from the last look.
    private struct Memory {
        var mark: Heartbeat?
        /// The revision that was published last.
        var published: Int64?
        /// The truth's version when the grid was current last; nil until it has been.
        var settledVersion: Int64?
        /// The truth's version at the last look, and since when it has been this one.
        var version: Int64?
        var since = ContinuousClock.now
        /// Since when the grid has been behind.
        var behindSince: ContinuousClock.Instant?
        /// Whether layers may lack something.
        var layersLack = true
        /// Whether there is something in the inbox.
        var hasInbox = false
        /// What went wrong last.
        var trouble: String?
        var failure: String?
        /// Where styles come from besides those compiled in.
        var styleFolder: StyleFolder?
    }

    /// A change of another process is to show within a second, with time left to apply it.
    private static let periodMilliseconds = 200
    /// Whoever imports brings the grid up at its end, in one go; here it is done for those who have died, so not before the
    /// truth has been still for this long …
    private static let quietTime = Duration.milliseconds(250)
    /// … or has run ahead for this long.
    private static let patience = Duration.seconds(10)

    init(
        library: Library, renderer: TileRenderer, styleFolder: StyleFolder?, cache: TileCache<TileRequest>,
        standing: Locked<ServerStatus>, streams: EventStreams, inbox: InboxServer?,
        report: @escaping @Sendable (any Error) -> Void
    ) throws {
        self.library = library
        self.renderer = renderer
        self.cache = cache
        self.standing = standing
        self.streams = streams
        self.report = report
        self.inbox = inbox
        memory.withLock { $0.styleFolder = styleFolder }
        // The grid of an empty library is made at once: its first reader shall see an empty map, not an excuse.
        let isEmpty = try library.truth.totals().tracks == 0
        if isEmpty, [.missing, .unfit].contains(try library.gridStanding()) {
            try library.catchUp()
            _ = try renderer.refresh()
        }
        let readiness: ServerStatus.Readiness =
            switch try library.gridStanding() {
            case .current: .ready
            case .behind: .behind
            case .unfit, .missing: .rebuilding(progress: nil)
            }
        do {
            try describe(readiness)
        } catch LibraryError.gridDamaged {
            try describe(.rebuilding(progress: nil))
        }
    }

    /// Registers with those who remove, and looks from now on.
    func start() throws {
        let head = try renderer.state.map { Head(revision: $0.revision, digest: $0.digest) } ?? library.truth.head()
        // Nobody removes from a library that can only be read.
        let mark = library.isReadOnly ? nil : try Heartbeat(folder: library.folder, head: head)
        memory.withLock { memory in
            memory.mark = mark
            memory.published = head.revision
        }
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(Self.periodMilliseconds))
        timer.setEventHandler { [weak self] in self?.look(now: .now) }
        self.timer.withLock { $0 = timer }
        timer.resume()
        // Once, beside all else: a damaged grid is made again with the next look.
        DispatchQueue.global(qos: .background).async { [grid = library.grid, report] in
            do {
                try grid.checkRows()
            } catch LibraryError.gridDamaged {
                // It is told when it has been made again.
            } catch {
                report(error)
            }
        }
    }

    /// Looks no more; a grid that is being made is left to the end of the process, which undoes it.
    func stop() {
        timer.withLock { timer in
            timer?.cancel()
            timer = nil
        }
        memory.withLock { $0.mark = nil }
    }

    /// Looks at once, and returns when what has changed is shown; waits for a look that is under way.
    func lookNow() {
        queue.sync { look(now: .now) }
    }

    /// One look; the calls of one watch come one after the other.
    func look(now: ContinuousClock.Instant) {
        do {
            try adoptStyles()
        } catch {
            // Told once for each change of a file; the styles stay as they were.
            report(error)
        }
        library.grid.look()
        do {
            try adoptInbox()
            if !library.grid.isDamaged { try adoptUnlessDamaged() }
            try settle(now)
            reportRepairs()
            try advanceLayers()
            try publish()
            // A change that could not be applied is tried again a little later: until then nothing has become better.
            memory.withLock { if $0.behindSince == nil { $0.trouble = nil } }
        } catch {
            note(error)
        }
    }

    private func adoptUnlessDamaged() throws {
        do {
            try adopt()
        } catch LibraryError.gridDamaged {
            // It is made again at once.
        }
    }

    /// Keeps what went wrong for `/health`, and reports it once.
    func note(_ error: any Error) {
        let text = "\(error)"
        let isNew = memory.withLock { memory in
            defer {
                memory.trouble = text
                memory.failure = "changes are not shown: \(Health.cause(error))"
            }
            return memory.trouble != text
        }
        if isNew { report(error) }
    }

    /// What the last look failed with, for `/health`; nil where it did not fail.
    var failure: String? { memory.withLock { $0.trouble == nil ? nil : $0.failure } }

    /// Applies what this process has changed, and returns when tiles show it; while the grid is made anew, they do later.
    func apply() throws {
        if case .rebuilding = standing.withLock({ $0.readiness }) { return }
        try queue.sync {
            try library.catchUp()
            try adopt()
            try publish()
        }
    }

    /// Takes up a grid that has changed: what it touched leaves memory before its revision is told.
    private func adopt() throws {
        guard let change = try renderer.refresh() else { return }
        memory.withLock { $0.layersLack = true }
        cache.drop(where: change.touches)
        let readiness = standing.withLock { $0.readiness }
        // Changes that another process applies come before this one knows of them, or after.
        try describe(readiness == .behind ? .behind : .ready)
        streams.adopt(TilesChange(revision: revision, tiles: change.tiles, recoloured: change.recoloured))
    }

    /// Takes up an inbox that has come, or has been filled or emptied.
    private func adoptInbox() throws {
        guard let inbox else { return }
        try inbox.look()
        let hasInbox = !inbox.isEmpty
        guard memory.withLock({ $0.hasInbox != hasInbox }) else { return }
        memory.withLock { $0.hasInbox = hasInbox }
        try describe(standing.withLock { $0.readiness })
    }

    /// Takes up style files that have changed.
    private func adoptStyles() throws {
        guard var folder = memory.withLock({ $0.styleFolder }) else { return }
        defer { memory.withLock { $0.styleFolder = folder } }
        guard try folder.refresh() else { return }
        cache.drop(where: renderer.adopt(folder.sheet))
        try describe(standing.withLock { $0.readiness })
        streams.adopt(TilesChange(revision: revision))
    }

    /// Brings the grid to the truth where it is not there.
    private func settle(_ now: ContinuousClock.Instant) throws {
        let version = try library.truth.dataVersion()
        let isToBeLookedAt = memory.withLock { memory in
            if memory.version != version {
                memory.version = version
                memory.since = now
            }
            guard let start = memory.behindSince else { return memory.settledVersion != version }
            return now - memory.since >= Self.quietTime || now - start >= Self.patience
        }
        guard isToBeLookedAt || library.grid.isDamaged else { return }
        switch try library.gridStanding() {
        case .current:
            // What takes part in no tile, as a name, has changed at most.
            try describe(.ready)
            memory.withLock { memory in
                memory.settledVersion = version
                memory.behindSince = nil
            }
        case .behind:
            standing.withLock { $0.readiness = .behind }
            // The first time it is only noted: whoever has changed the truth is likely to go on, or to do it.
            let isTime = memory.withLock { memory in
                defer { memory.behindSince = memory.behindSince == nil ? now : nil }
                return memory.behindSince != nil
            }
            guard isTime else { return }
            try library.catchUp()
            try adopt()
        case .unfit, .missing:
            standing.withLock { $0.readiness = .rebuilding(progress: nil) }
            cache.drop { _ in true }
            try library.catchUp { [standing] progress in
                standing.withLock { $0.readiness = .rebuilding(progress: progress.fraction) }
            }
            try adopt()
            // A damaged grid made again is the same as before: nothing has changed that could be adopted.
            if case .rebuilding = standing.withLock({ $0.readiness }) { try describe(.ready) }
        }
    }

    /// One line for each grid that was found damaged.
    private func reportRepairs() {
        for damage in library.grid.takeRepaired() {
            report(LibraryError.gridDamaged(path: library.grid.path, what: damage))
        }
    }

    /// A look may take this long for layers: others follow five times a second, and see to all else between.
    private static let layerTime = Duration.milliseconds(150)

    /// Makes what layers lack, a little at a time, unless another process is at it; tells how far they are.
    private func advanceLayers() throws {
        if case .rebuilding = standing.withLock({ $0.readiness }) { return }
        guard memory.withLock({ $0.layersLack }) else { return }
        let isMore = try library.advanceLayers(until: .now + Self.layerTime)
        try adopt()
        let layers = try standingLayers()
        standing.withLock { $0.layers = layers }
        if !isMore { memory.withLock { $0.layersLack = false } }
    }

    /// The layers, with how far they are by now.
    private func standingLayers() throws -> [LayerStatus] {
        let building = try library.grid.read { try $0.layers() }.filter { !$0.isReady }
        let shared = memory.withLock(\.hasInbox) ? [LayerStatus(Library.inboxName, .inbox, progress: nil)] : []
        return renderer.layers(for: .owner).map { name, layer in
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

    /// Says to whoever removes that nothing in memory is older than the grid.
    private func publish() throws {
        guard let state = renderer.state else { return }
        let (mark, published) = memory.withLock { ($0.mark, $0.published) }
        guard let mark, published != state.revision else { return }
        try mark.publish(Head(revision: state.revision, digest: state.digest))
        memory.withLock { $0.published = state.revision }
    }

    /// Tells the handlers what is served now.
    private func describe(_ readiness: ServerStatus.Readiness) throws {
        let totals = try library.truth.totals()
        // A damaged grid tells nothing that could be relied on.
        let isDamaged = library.grid.isDamaged
        let bounds = isDamaged ? nil : try library.grid.read { try $0.occupiedBounds() }
        let layers = isDamaged ? standing.withLock { $0.layers } : try standingLayers()
        let revision = revision
        standing.withLock { standing in
            standing = ServerStatus(
                readiness: readiness, revision: revision, layers: layers, bounds: bounds, tracks: totals.tracks,
                points: totals.points)
        }
    }

    /// Of all that any picture reads: the grid, the rules that derived it, the styles, and how they are drawn.
    private var revision: String {
        guard let state = renderer.state else { return "" }
        var digester = Digester()
        digester.update("revision")
        digester.update(state.digest)
        digester.update(state.fingerprint)
        digester.update(HeatRecipe.encoderVersion)
        for name in renderer.styles.names {
            digester.update(name)
            if let style = renderer.styles[name] { digester.update(style.digest) }
        }
        return String(digester.finish().description.prefix(Self.revisionLength))
    }

    /// 48 bits: a library has no more changes than that, and nobody is to guess one.
    private static let revisionLength = 12
}
