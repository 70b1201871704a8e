package import HTTPCore
import Locking
package import Playback
import Recording
import Styling
import Text
package import TileDrawing
import TileMath
import TrackExport
package import TrackStore

/// The HTTP interface of a library as a function from request to answer; it opens no socket.
package final class TileServer: Sendable {
    /// Answers requests; used by a listener.
    package let responder: any Responder
    /// Totals of the requests served.
    package let metrics = RequestMetrics()
    /// Publishes points as they are recorded to all live readers.
    package let live = LiveFeed()

    private let library: Library
    private let renderer: TileRenderer
    private let cache: TileCache<TileRequest>
    private let queue: WorkQueue
    private let serverStatus: Locked<ServerStatus>
    private let watch: LibraryWatch
    private let inbox: InboxServer?
    private let recorder: Recorder
    /// Answers requests that have passed the request filter.
    let router: Router
    private let isStopping = Locked(false)

    /// A server of `library`, with the built-in styles and those of a folder. It polls both for changes after
    /// `start()`.
    package init(library: Library, styleFolder: StyleFolder?, configuration: ServerConfiguration) throws {
        let queues = RequestQueues(configuration)
        let queue = queues.drawing
        let cache = TileCache<TileRequest>(byteLimit: configuration.cacheBytes, queue: queue)
        let serverStatus = Locked(ServerStatus())
        let renderer = try TileRenderer(
            library: library, styles: styleFolder?.styleSheet ?? .builtIn, workers: queue.workers,
            disk: configuration.disk)
        self.library = library
        self.queue = queue
        self.cache = cache
        self.serverStatus = serverStatus
        self.renderer = renderer
        let streams = EventStreams(limit: configuration.eventStreams, feed: live)
        // An inbox has no inbox.
        let inbox =
            Library.folder(ofInbox: library.folder) == nil ? InboxServer(of: library, styleFolder, configuration) : nil
        self.inbox = inbox
        let watch = try LibraryWatch(
            library: library, renderer: renderer, styleFolder: styleFolder, cache: cache, serverStatus: serverStatus,
            streams: streams,
            inbox: inbox, report: configuration.report)
        let recorder = Recorder(
            library: library, settings: configuration.recording, feed: live, report: configuration.report,
            show: { try watch.apply() })
        self.watch = watch
        self.recorder = recorder
        let hosts = HostPolicy(
            listening: configuration.addresses, port: configuration.port,
            publicURLs: configuration.publicURLs.map(\.origin))
        let origins = OriginPolicy(allowed: configuration.allowedOrigins, any: configuration.allowsAnyOrigin)
        let metrics = metrics
        let tracks = TrackHandler(library: library, queues: queues, streams: streams)
        let isStopping = isStopping
        let changes = TrackChanges(
            library: library, disk: configuration.disk, watch: watch, serverStatus: serverStatus,
            queue: ChangeQueue("tileserve.changes", timeoutSeconds: Self.changeTimeoutSeconds))
        let importQueue = ChangeQueue("tileserve.imports", timeoutSeconds: Self.importTimeoutSeconds)
        let imports = ImportHandler(
            library: library, watch: watch, serverStatus: serverStatus, queue: importQueue,
            isStopping: { isStopping.withLock { $0 } })
        let importRecords = ImportRecords(
            library: library, disk: configuration.disk, watch: watch, serverStatus: serverStatus,
            readers: queues.reading,
            queue: importQueue)
        router = Self.router(
            changes: changes, imports: imports, importRecords: importRecords, renderer: renderer, tracks: tracks,
            recorder: recorder, watch: watch, cache: cache,
            queues: queues, serverStatus: serverStatus, configuration: configuration,
            metrics: {
                metrics.text + cache.metricsText + queue.metricsText + streams.metricsText
                    + recorder.metricsText + serverStatus.withLock { $0 }.metricsText
            })
        responder = RequestFilter(router, limits: configuration.limits, hosts: hosts, origins: origins) { request in
            inbox?.router(for: request)
        }
    }

    /// Registers with processes that remove tracks, and starts polling for changes.
    package func start() throws {
        try watch.start()
        if !library.isReadOnly { recorder.start() }
    }

    /// Prevents new changes that would delay the shutdown; changes under way stop after their present step.
    package func beginStopping() {
        isStopping.withLock { $0 = true }
        inbox?.beginStopping()
    }

    /// Stops polling for changes, and moves recorded points into the library. Requests are still answered.
    package func stop() {
        watch.stop()
        inbox?.stop()
        recorder.stop()
    }

    /// Counts a completed request, for `/metrics`.
    package func note(_ record: AccessRecord) {
        metrics.add(record)
    }

    /// One poll for changes, as `start()` does them periodically; `start()` must not have been called.
    package func poll(now: ContinuousClock.Instant = .now) {
        watch.poll(now: now)
    }

    /// The number of tracks served.
    var tracks: Int { serverStatus.withLock { $0.tracks } }

    /// Statistics of the tiles in memory.
    package var cacheCounts: TileCache<TileRequest>.Counts { cache.counts }

    /// A removal takes a fraction of a second, unless another server is stuck.
    private static let changeTimeoutSeconds = 30.0
    /// An import may take minutes: a client should rather retry than wait for another import.
    private static let importTimeoutSeconds = 10.0

    private static func router(
        changes: TrackChanges, imports: ImportHandler, importRecords: ImportRecords, renderer: TileRenderer,
        tracks: TrackHandler,
        recorder: Recorder, watch: LibraryWatch,
        cache: TileCache<TileRequest>, queues: RequestQueues,
        serverStatus: Locked<ServerStatus>,
        configuration: ServerConfiguration, metrics: @escaping @Sendable () -> String
    ) -> Router {
        let current: @Sendable () -> ServerStatus = { serverStatus.withLock { $0 } }
        let tiles = TileHandler(
            renderer: renderer, cache: cache, serverStatus: serverStatus, cacheControl: configuration.cacheControl)
        let tileJSON = TileJSONHandler(
            renderer: renderer, serverStatus: current, queue: queues.reading, configuration: configuration)
        let catalogue = Catalogue(
            renderer: renderer, serverStatus: current, queue: queues.reading, configuration: configuration)
        let places = PlaceHandler(
            renderer: renderer, serverStatus: current, queue: queues.drawing, cacheControl: configuration.cacheControl)
        let exports = ExportHandler(library: tracks.library, queue: queues.long, streams: ExportStreams())
        let assets = Assets(
            leafletFolder: configuration.leafletFolder, siteFolder: configuration.siteFolder, queue: queues.reading)
        let refused =
            renderer.library.writeFailure.map {
                Problem(.insufficientStorage, "\(Health.cause($0)), and nothing was stored; send it again later")
            } ?? LibraryError.readOnlyProblem
        var routes = RouterBuilder(refused: renderer.library.isReadOnly ? [.change: refused, .record: refused] : [:])
        routes.on(.get, "/tiles/**.png", for: .read) { request, _ in try tiles.answer(request) }
        routes.on(.get, "/tiles.json", for: .read) { request, _ in
            try tileJSON.answer(request, style: TileRequest.defaultStyle)
        }
        routes.on(.get, "/tiles/{style}.json", for: .read) { request, path in
            try tileJSON.answer(request, style: path["style"] ?? "")
        }
        routes.on(.get, "/styles", for: .read) { request, _ in try catalogue.styles(request) }
        routes.on(.get, "/ramps", for: .read) { request, _ in try catalogue.ramps(request) }
        routes.on(.get, "/layers", for: .read) { request, _ in try catalogue.layers(request) }
        routes.on(.get, "/legend/{style}.json", for: .read) { request, path in
            try catalogue.legend(request, style: path["style"] ?? "")
        }
        routes.on(.get, "/legend/{style}.png", for: .read) { request, path in
            try catalogue.legendPicture(request, style: path["style"] ?? "")
        }
        routes.on(.get, "/v1/tracks", for: .read) { request, _ in try tracks.list(request) }
        // The longer suffixes first, because the shorter ones match them too.
        for format in ExportFormat.allCases.sorted(by: { $0.ending.count > $1.ending.count }) {
            routes.on(.get, "/v1/tracks/{id}\(format.ending)", for: .read) { request, path in
                exports.track(request, id: path["id"] ?? "", as: format)
            }
        }
        routes.on(.get, "/v1/export", for: .read) { request, _ in try exports.tracks(request) }
        routes.on(.get, "/v1/tracks/{id}", for: .read) { request, path in
            try tracks.track(request, id: path["id"] ?? "")
        }
        routes.on(.delete, "/v1/tracks/{id}", for: .change) { _, path in try changes.remove(id: path["id"] ?? "") }
        routes.on(.patch, "/v1/tracks/{id}", for: .change, takes: .memory(limit: TrackChanges.patchBytes)) {
            request, path in try changes.patch(request, id: path["id"] ?? "")
        }
        routes.on(.post, "/v1/import", for: .change, takes: .file(limit: configuration.importBytes)) { request, _ in
            try imports.answer(request)
        }
        importRecords.add(to: &routes)
        routes.on(.get, "/v1/calendar", for: .read) { request, _ in try tracks.calendar(request) }
        routes.on(.get, "/v1/position", for: .read) { request, _ in try tracks.position(request) }
        routes.on(.get, "/v1/replay/manifest", for: .read) { request, _ in try tracks.manifest(request) }
        routes.on(.get, "/v1/replay", for: .read) { request, _ in try tracks.replay(request) }
        routes.on(.get, "/v1/tracks/{id}/replay", for: .read) { request, path in
            try tracks.replay(request, id: path["id"])
        }
        routes.on(.get, "/v1/tracks/{id}/replay/manifest", for: .read) { request, path in
            try tracks.manifest(request, id: path["id"])
        }
        routes.on(.get, "/v1/live", for: .read) { request, _ in try tracks.live(request) }
        routes.on(.get, "/v1/at", for: .read) { request, _ in try places.answer(request) }
        RecordingHandler(recorder, now: TrackDatabase.systemClock).add(to: &routes)
        routes.on(.get, "/health", for: .nothing) { request, _ in
            var health = Health(current(), version: configuration.version, for: request.caller)
            if request.caller.canRead { health.add(recorder) }
            health.degrade(
                [Health.reason(ofReadingAlone: renderer.library), recorder.failure, watch.failure, watch.suspension]
                    .compactMap { $0 })
            return .response(try health.response())
        }
        routes.on(.get, "/metrics", for: .read) { _, _ in
            var response = Response.text(metrics(), type: MetricsText.mediaType)
            response.set(.cacheControl, CacheControl(.reader, .none).description)
            return .response(response)
        }
        assets.add(to: &routes)
        return routes.build(
            access: AccessControl(
                listening: configuration.addresses, publicURLs: configuration.publicURLs.map(\.origin),
                publicReading: configuration.allowsPublicReading, tokens: configuration.tokens)
        ) { permission in
            permission == .read && !watch.mayServe ? LibraryWatch.unconfirmed : nil
        }
    }
}

extension TileServer: Responder {
    package func answer(_ request: Request) -> Answer { responder.answer(request) }

    package func bodyDecision(of request: Request) -> BodyDecision { responder.bodyDecision(of: request) }
}

extension ServerStatus {
    /// The status in the text format of Prometheus.
    var metricsText: String {
        MetricsText.gauge("tileserve_library_tracks", "Tracks in the library.", tracks)
            + MetricsText.gauge("tileserve_library_points", "Points in the library.", points)
            + MetricsText.gauge(
                "tileserve_library_behind", "Whether tiles do not show all changes yet.", isCurrent ? 0 : 1)
            + MetricsText.head("tileserve_library_revision_info", .gauge, "The revision of the tiles.")
            + "tileserve_library_revision_info{revision=\"\(revision)\"} 1\n"
    }

    private var isCurrent: Bool { readiness == .ready }
}
