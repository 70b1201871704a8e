import Dispatch
import EditionService
import Foundation
package import HTTPCore
import JourneyService
import Links
import Locking
import MapProtocols
import OpenAPI
import PinService
import PlaceService
package import Playback
import PrimaryStore
import RecordingService
import RequestHandling
import StatisticsService
import Styling
import Text
package import TileDrawing
import TrackService
package import TrackStore
import VenueService

/// The HTTP interface of a library as a function from request to answer; it opens no socket.
package final class TileServer: Sendable {
    /// Answers requests; used by a listener.
    package let responder: any Responder
    /// Totals of the requests served.
    package let metrics = RequestMetrics()
    /// Publishes points as they are recorded to all live readers.
    package let live = LiveFeed()

    private let library: Library
    private let cache: TileCache<TileRequest>
    private let serverStatus = Locked(ServerStatus())
    private let watch: LibraryWatch
    private let inbox: InboxServer?
    private let editions: EditionServers?
    private let recorder: Recorder
    private let addresses: GeocodingWorker?
    private let retention: RetentionWorker?
    /// Answers requests that have passed the request filter.
    let router: Router
    /// All routes, in the order in which they were added.
    let routes: [RouteDescription<APIOperation>]
    /// The queues on which handlers answer.
    let queues: RequestQueues
    private let isStopping = Locked(false)
    private let pageFiles: MadeOnce<PageFiles>
    private let isEdition: Bool
    private let links: LinkBook?
    private let publicEdition: String?

    /// The number of tiles drawn at once; nil for one per core. With a server of databases more, because a worker that waits
    /// for its answer uses no core: with an answer after 1 ms and drawing that takes as long, half of the time.
    private static func workers(for library: Library) -> Int? {
        library.isShared ? 4 * ProcessInfo.processInfo.activeProcessorCount : nil
    }

    /// A server of `library`, with the built-in styles and those of a folder. It polls both for changes after
    /// `start()`.
    package init(library: Library, styleFolder: StyleFolder?, configuration: ServerConfiguration) throws {
        self.library = library
        (isEdition, publicEdition) = (configuration.isEdition, configuration.publicEdition)
        links = configuration.links
        queues = RequestQueues(
            workers: configuration.workers ?? Self.workers(for: library), drawingLimit: configuration.waitingLimit,
            eventStreams: configuration.eventStreams)
        cache = TileCache<TileRequest>(byteLimit: configuration.cacheBytes, queue: queues.drawing)
        let renderer = try TileRenderer(
            library: library, styles: styleFolder?.styleSheet ?? .builtIn, workers: queues.drawing.workers,
            disk: configuration.disk, baseMap: configuration.baseMap)
        let streams = EventStreams(limit: configuration.eventStreams, feed: live)
        // An inbox has no inbox, nor has an edition.
        let isWhole = Library.folder(ofInbox: library.folder) == nil && !configuration.isEdition
        let inbox =
            isWhole
            ? InboxServer(of: library) { inbox in
                try TileServer(library: inbox, styleFolder: styleFolder, configuration: configuration.ofInbox)
            } : nil
        self.inbox = inbox
        let editions =
            isWhole
            ? try EditionServers(of: library, feed: live, now: configuration.now, report: configuration.report) {
                edition, readers in
                try TileServer(
                    library: edition, styleFolder: styleFolder,
                    configuration: configuration.ofEdition(for: readers))
            } : nil
        self.editions = editions
        watch = try LibraryWatch(
            renderer: renderer, styleFolder: styleFolder, cache: cache, serverStatus: serverStatus, streams: streams,
            inbox: inbox, report: configuration.report)
        recorder = Recorder(
            library: library, settings: configuration.recording, feed: live, report: configuration.report,
            show: { [watch] in try watch.apply() })
        retention =
            isWhole && !library.isReadOnly
            ? RetentionWorker(
                library, now: configuration.now, drop: { [disk = configuration.disk] in try disk?.drop($0) },
                report: configuration.report)
            : nil
        addresses =
            library.isReadOnly
            ? nil
            : configuration.geocoding.map { [live] settings in
                GeocodingWorker(library, settings, live, report: configuration.report)
            }
        let context = HandlerContext(
            library: library, queues: queues, tiles: configuration.tiles,
            changes: LibraryChanges(
                show: watch.pollNow, recordError: watch.recordError,
                dropPictures: { [disk = configuration.disk] change in try disk?.drop(change) },
                beforePublishing: watch.beforePublishing),
            serverStatus: serverStatus, report: configuration.report)
        let publicURLs = configuration.tiles.publicURLs.map(\.origin)
        let access =
            configuration.isEdition
            ? AccessControl(readingOnlyFor: configuration.allowsPublicReading ? .everyone : .reader)
            : AccessControl(
                listening: configuration.addresses, publicURLs: publicURLs,
                publicReading: configuration.allowsPublicReading, tokens: configuration.tokens)

        let metricsText = { @Sendable [metrics, cache, queues, recorder, serverStatus, addresses, watch] in
            metrics.text + cache.metricsText + queues.drawing.metricsText + streams.metricsText + recorder.metricsText
                + serverStatus.withLock { $0 }.metricsText + (addresses?.metricsText ?? "")
                + (watch.node?.metricsText(roundTrips: library.roundTrips) ?? "")
        }
        let imageOrigins = configuration.baseMaps.map(\.origin)
        pageFiles = MadeOnce { [folder = configuration.leafletFolder] in
            PageFiles(leafletFolder: folder, imageOrigins: imageOrigins)
        }
        // `ROUTES.md` lists the routes in this order.
        let tiles = TileHandler(renderer: renderer, cache: cache, context: context, audience: access.audience)
        let vectorTiles = VectorTileHandler(renderer: renderer, context: context, audience: access.audience)
        let pictures = PictureHandler(context: context, renderer: renderer)
        var handlers: [any RequestHandler] = [
            tiles, vectorTiles,
            BaseMapHandler(context: context, audience: access.audience, map: configuration.baseMap),
            BaseMapList(configuration.baseMaps, configuration.archives, configuration.baseMap),
            TileJSONHandler(context: context, renderer: renderer),
            Catalogue(context: context, renderer: renderer, archives: configuration.archives),
            LegendHandler(context: context, renderer: renderer),
            PlaceVisitsHandler(context: context, renderer: renderer),
            PosterHandler(context: context, renderer: renderer),
            pictures,
        ]
        let archives = configuration.archives.map { ArchiveHandler($0, context: context) }
        handlers += .protocols(
            StyleTiles(
                context: context, styles: { renderer.styles }, archives: archives.map(\.source),
                picture: { try tiles.answer($0, $1) }, vectorTile: { try vectorTiles.answer($0, $1) }))
        handlers += archives
        handlers += .tracks(
            context, streams, replayedPhotos: { PinReader($0).replayedPhotos }, importBytes: configuration.importBytes,
            isStopping: { [isStopping] in isStopping.withLock { $0 } })
        handlers += .statistics(context)
        handlers += .pins(context)
        handlers += .places(context, asksForAddresses: configuration.geocoding != nil)
        handlers += .venues(context, streams, live)
        handlers += .journeys(
            context, renderer, streams, readablePins: { PinReader($0).replayedPhotos }, now: configuration.now)
        if !configuration.isEdition { handlers += .recording(context, recorder, access) }
        if let links = configuration.links {
            handlers.append(EditionHandler(context))
            handlers.append(
                LinkHandler(context, links, now: configuration.now) { editions?.prepare($0, for: .link) })
        }
        handlers.append(
            HealthHandler(
                context: context, recorder: recorder, watch: watch, otherFailures: configuration.otherFailures))
        if configuration.isEdition { handlers.append(PreviewHandler(pictures: pictures)) }
        if !configuration.isEdition { handlers.append(MetricsHandler(queue: queues.reading, text: metricsText)) }
        handlers += [
            Assets(pageFiles, siteFolder: configuration.siteFolder, imageOrigins: imageOrigins, queue: queues.reading),
            // Last, because it describes the others.
            OpenAPIHandler(context: context),
        ]
        var routes = Routes(refused: Self.refused(of: library))
        for handler in handlers { handler.add(to: &routes) }
        self.routes = routes.descriptions
        router = routes.build(access: access, only: configuration.isEdition ? [.nothing, .read] : nil) {
            [watch] permission in
            [.read, .inspect, .request].contains(permission) && !watch.mayServe ? LibraryWatch.unconfirmed : nil
        }
        var linkRouting: LinkRouting?
        if let links = configuration.links, let editions {
            linkRouting = LinkRouting(
                links: links, editions: editions, main: router,
                page: { [pageFiles, queues] in DescribedPage(files: pageFiles, queue: queues.reading, elements: $0) },
                base: { [tiles = configuration.tiles] in tiles.base(for: $0) })
        }
        let filter = RequestFilter(
            router, limits: configuration.limits,
            hosts: HostPolicy(
                listening: configuration.addresses, port: configuration.port, publicURLs: publicURLs,
                names: configuration.hostNames),
            origins: OriginPolicy(allowed: configuration.allowedOrigins, any: configuration.allowsAnyOrigin),
            pathPrefixes: configuration.tiles.publicURLs.map(\.pathPrefix).filter { !$0.isEmpty }
        ) {
            [router, linkRouting, publicEdition = configuration.publicEdition]
            request throws(Problem) -> RoutedRequest? in
            if let routed = try linkRouting?.route(request) { return routed }
            if let editions, let token = access.editionToken(of: request), let name = token.edition {
                // Where the edition is not shown, the token gives no rights.
                guard let responder = editions.responder(for: name, to: .token) else {
                    return RoutedRequest(request, to: router)
                }
                return RoutedRequest(
                    request, to: StreamEnding(responder) { access.close($0, whenRevoked: token) })
            }
            // Who sees an edition only is not told whether there is an inbox. Without the edition, a token is needed.
            if let publicEdition, request.method == .get || request.method == .head, access.isAnonymous(request) {
                return editions?.responder(for: publicEdition, to: .everybody).map { RoutedRequest(request, to: $0) }
            }
            return inbox?.router(for: request).map { RoutedRequest(request, to: $0) }
        }
        responder = CompressingResponder(filter)
    }

    /// The permissions that a library opened for reading only cannot give, with the answer to those who need one.
    private static func refused(of library: Library) -> [Permission: Problem] {
        guard library.isReadOnly else { return [:] }
        let refusal =
            library.writeFailure.map {
                Problem(
                    .insufficientStorage, "\(LibraryError.cause(of: $0)), and nothing was stored; send it again later")
            } ?? LibraryError.readOnlyProblem
        return [.change: refusal, .contribute: refusal, .record: refusal, .session: refusal]
    }

    /// Registers with processes that remove tracks, starts polling for changes, and prepares the page in the background.
    package func start() throws {
        try watch.start()
        DispatchQueue.global(qos: .utility).async { [pageFiles] in _ = pageFiles.value }
        if !library.isReadOnly, !isEdition { recorder.start() }
        addresses?.start()
        retention?.start()
        editions?.start { [links] in links?.storeUsesIfDue() }
        links?.start()
        if let publicEdition { editions?.prepare(publicEdition, for: .everybody) }
    }

    /// Prevents new changes that would delay the shutdown; changes under way stop after their present step.
    package func beginStopping() {
        isStopping.withLock { $0 = true }
        inbox?.beginStopping()
    }

    /// Stops polling for changes, and moves recorded points into the library. Requests are still answered.
    package func stop() {
        // First, because it may wait until this process shows what it has removed.
        retention?.stop()
        watch.stop()
        addresses?.stop()
        inbox?.stop()
        editions?.stop()
        links?.storeUses()
        if !isEdition { recorder.stop() }
    }

    /// One poll for changes at once; returns when they are shown.
    func pollNow() {
        watch.pollNow()
    }

    /// Counts a completed request, for `/metrics`.
    package func countRequest(_ record: AccessRecord) {
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
}

extension TileServer: LibraryServer {}

extension TileServer: EditionServer {
    var libraryResponder: any LibraryResponder { router }
}

extension TileServer: Responder {
    package func answer(_ request: Request) -> HandlerResult { responder.answer(request) }

    package func bodyDecision(of request: Request) -> BodyDecision { responder.bodyDecision(of: request) }
}
