import Dispatch
import Files
import Geocoding
import HTTPClient
import HTTPCore
import Links
import MicroHTTPD
import PictureStore
internal import PlaceService
import PrimaryStore
import RecordingService
import RequestHandling
import Styling
import TileService
import Tokens
import TrackStore

/// `tileserve serve`: serves the library over HTTP.
struct ServeCommand: Command {
    static let name = "serve"
    static let operands = Operands.none

    private static let host = Option("host", "HOST", "the address to listen on (default: 127.0.0.1)")
    private static let port = Option("port", "PORT", "the port to listen on (default: 8080); 0 selects a free port")
    private static let publicRead = Option(
        "public-read", "allows reading without a token to all who can connect")
    private static let publicEdition = Option(
        "public-edition", "NAME", "shows an edition to those without a token")
    private static let publicURL = Option(
        "public-url", "URL",
        "the URL under which others reach this server, through a proxy: reading then needs a token; may be given several times"
    )
    private static let allowOrigin = Option(
        "allow-origin", "ORIGIN", "a site whose pages may read responses (CORS), or '*'; may be repeated")
    private static let attribution = Option("attribution", "TEXT", "the attribution text on the map")
    private static let leaflet = Option("leaflet", "DIR", "the folder of Leaflet (default: that of Debian)")
    private static let site = Option(
        "site", "DIR", "a folder with the page's files, for its development")
    private static let cacheSize = Option("cache-size", "SIZE", "size of the memory cache of tiles (default: 256MB)")
    private static let maxAge = Option(
        "max-age", "DURATION",
        "how long clients may use a cached tile without revalidation (default: always revalidate)")
    private static let drawingQueue = Option(
        "drawing-queue", "N", "maximum number of tiles that wait to be drawn; above it requests get 503 (default: 512)")
    private static let flush = Option(
        "flush", "DURATION", "how often buffered points are moved to the library (default: 10m)")
    private static let sampling = Option(
        "sampling", "DURATION", "keeps one recorded point per period, and all waypoints")
    private static let connections = Option("connections", "N", "maximum number of open connections (default: 1024)")
    private static let watch = Option(
        "watch", "DIR", "imports new track files in this folder; may be given several times")
    private static let streams = Option(
        "streams", "N", "maximum number of open replays and live streams (default: 512)")
    private static let importSize = Option("import-size", "SIZE", "maximum size of one import (default: 4GB)")
    private static let accessLog = Option(
        "access-log", "FILE", "writes a line per request, '-' for standard output; SIGHUP reopens the file")

    private static let basemap = Option(
        "basemap", "NAME[=URL]",
        "a base map that the page offers, URL with {z}, {x} and {y}; or the archive with the streets of the own one")

    private static let archive = Option(
        "archive", "[NAME=]FILE",
        "serves the tiles of an archive; may be given several times (see 'tileserve help archives')")

    private static let geocoder = Option(
        "geocoder", "INTERFACE=URL",
        "requests addresses from nominatim, photon or pelias; see 'tileserve help geocoding'")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "serves the map and its tiles over HTTP",
        about: """
            Serves the library as tiles for any web map, and as a web page. Recorded tracks are \
            private: by default only this machine, and holders of a token ('tileserve tokens add'), can read them. \
            Imports by other processes appear within a second.
            When the server is ready, it prints its address to the standard error. ^C or SIGTERM stops it when the \
            requests in progress are finished; a second signal stops it at once.
            """,
        options: [
            LibraryOption.option, host, port, publicRead, publicEdition, publicURL, allowOrigin, attribution, basemap,
            archive,
            geocoder,
            CommonOptions.styles, leaflet, site, cacheSize, maxAge, drawingQueue, flush, sampling, connections, streams,
            watch,
            importSize,
            accessLog,
        ],
        examples: [
            ("tileserve serve", "serves the map at http://127.0.0.1:8080/"),
            ("tileserve serve --host 0.0.0.0", "accepts clients from the network with a token"),
            (
                "tileserve serve --host 0.0.0.0 --public-read --public-url http://maps.local:8080",
                "shows the map to everybody on the network"
            ),
        ])

    /// The default address: only this machine can connect.
    static let defaultHost = "127.0.0.1"
    static let defaultPort = 8080
    /// Ten thousand tiles of a city, of 25 kB each.
    static let defaultCacheBytes = 256_000_000

    /// Enough for years of everything that a phone records.
    static let defaultImportBytes = 4_000_000_000

    let folder: String
    let host: String
    let port: Int
    let isPublic: Bool
    let publicEdition: String?
    let publicURLs: [PublicURL]
    let attribution: String?
    let allowedOrigins: Set<WebOrigin>
    let allowsAnyOrigin: Bool
    let baseMaps: [ExternalBaseMap]
    /// The name of the archive with the streets of the base map; nil for the first one that has any.
    let baseArchive: String?
    let archives: [ArchiveFile]
    let geocoder: GeocodingService?
    let styles: String?
    let leaflet: String?
    let site: String?
    let cacheBytes: Int
    let maxAgeSeconds: Int?
    let drawingQueue: Int
    let recording: RecordingSettings
    let connections: Int
    let watchedFolders: [String]
    let streams: Int
    let importBytes: Int
    let accessLog: String?

    init(_ given: CommandLineArguments, environment: [String: String]) throws(UsageError) {
        folder = try LibraryOption.path(given, environment)
        host = try given.text(Self.host) ?? Self.defaultHost
        port = try given.number(Self.port, in: 0...65_535) ?? Self.defaultPort
        isPublic = given.has(Self.publicRead)
        publicEdition = try given.text(Self.publicEdition)
        if isPublic, publicEdition != nil { throw .conflict(Self.publicRead, Self.publicEdition) }
        publicURLs = try given.allValues(Self.publicURL, .origin) { PublicURL($0) }
        attribution = try given.text(Self.attribution)
        let origins = try given.allValues(Self.allowOrigin, .origin) { text -> WebOrigin?? in
            text == "*" ? .some(nil) : WebOrigin(text).map { .some($0) }
        }
        allowedOrigins = Set(origins.compactMap { $0 })
        allowsAnyOrigin = origins.contains(nil)
        let choices = try given.allValues(Self.basemap, .baseMap) { BaseMapChoice($0) }
        baseMaps = choices.compactMap { choice -> ExternalBaseMap? in
            guard case .external(let map) = choice else { return nil }
            return map
        }
        baseArchive =
            choices.compactMap { choice -> String? in
                guard case .archive(let name) = choice else { return nil }
                return name
            }.last
        archives = try given.allValues(Self.archive, .archive) { ArchiveFile($0) }
        geocoder = try given.value(Self.geocoder, .geocoder) { GeocodingService($0) }
        styles = try given.text(CommonOptions.styles)
        leaflet = try given.text(Self.leaflet)
        site = try given.text(Self.site)
        cacheBytes = try given.value(Self.cacheSize, .size, Quantity.size) ?? Self.defaultCacheBytes
        maxAgeSeconds = try given.value(Self.maxAge, .duration, Quantity.milliseconds).map { Int($0 / 1000) }
        drawingQueue = try given.number(Self.drawingQueue, in: 1...1_000_000) ?? WorkQueue.defaultWaitingLimit
        var recording = RecordingSettings()
        if let flush = try given.value(Self.flush, .duration, Quantity.milliseconds) {
            recording.flushMilliseconds = flush
        }
        recording.samplingMilliseconds = try given.value(Self.sampling, .duration, Quantity.milliseconds)
        self.recording = recording
        connections = try given.number(Self.connections, in: 1...1_000_000) ?? Limits().connections
        watchedFolders = try given.allValues(Self.watch, .notEmpty) { $0.isEmpty ? nil : $0 }
        streams =
            try given.number(Self.streams, in: 1...1_000_000) ?? ServerConfiguration.defaultEventStreams
        importBytes = try given.value(Self.importSize, .size, Quantity.size) ?? Self.defaultImportBytes
        accessLog = try given.text(Self.accessLog)
    }
}

extension ServeCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        // Read while the library is opened, so that the first tile is there some milliseconds sooner.
        DispatchQueue.global(qos: .default).async { _ = StyleSheet.builtIn }
        // Binds first, so that an occupied port is reported before anything slow is started.
        let inherited = try ListeningSocket(inheritedFrom: context.environment)
        let host = inherited?.host ?? host
        try checkAccess(host: host)
        let socket = try inherited ?? ListeningSocket(host: host, port: port)
        try checkLeaflet()
        try checkSite()
        let styleFolder = try styles.map { try StyleFolder(path: $0) }
        // Before the library, which may take seconds: whether an archive can be served is soon known.
        let served = try ArchiveFile.opened(archives, besides: styleFolder?.styleSheet ?? .builtIn)
        let library = try openLibrary(context)
        if let publicEdition { _ = try library.knownEdition(publicEdition) }
        let log = try accessLog.map { try AccessLog(path: $0, terminal: context.terminal) }
        let tokens = try TokenBook(store: OpenedLibrary.tokens(in: folder)) { [terminal = context.terminal] in
            terminal.report(Failure($0, command: "tileserve serve").line)
        }
        if library.isReadOnly {
            context.terminal.report("tileserve serve: \(library.name) is read-only; recording and changes are disabled")
            if let failure = library.writeFailure {
                context.terminal.report(Failure(failure, command: "tileserve serve").line)
            }
        }
        let watched = WatchedFolders(watchedFolders, into: library, terminal: context.terminal)
        var configuration = try configuration(socket, tokens, context.terminal, library)
        configuration.links = try LinkBook(
            store: OpenedLibrary.links(in: folder), now: { TrackDatabase.systemClock() / 1000 },
            report: configuration.report)
        configuration.archives = served
        configuration.baseMap = try ServedArchive.baseMap(
            of: served, named: baseArchive, command: "tileserve serve", report: configuration.report)
        configuration.otherFailures = { [watched.failure].compactMap { $0 } }
        let server = try TileServer(
            library: library, styleFolder: styleFolder, configuration: configuration)
        try server.start()
        tokens.start()
        // Request bodies are spooled to the disk of the library, which needs space for the import anyway.
        let listener = try Listener(
            socket: socket, limits: limits, bodyFolder: library.isReadOnly ? nil : folder, responder: server.responder
        ) { record in
            server.countRequest(record)
            log?.add(record)
        }
        if !watchedFolders.isEmpty { watched.start() }
        context.hangUp.handle(with: { log?.reopen() })
        defer { context.hangUp.handle(with: nil) }
        context.terminal.report(
            "tileserve: http://\(Self.bracketed(host)):\(listener.port)/ serves \(library.name); press ^C to stop")
        if try needsToken() {
            context.terminal.report(
                "tileserve serve: with --public-url reading needs a token, and there is none; add one with "
                    + "'tileserve tokens add --role viewer', or give --public-read if everybody may read")
        }
        // The listener is closed when this returns: `server.stop()` then moves the last recorded points into the
        // library.
        wait(for: context.stop, then: listener, of: server)
        watched.stop()
        server.stop()
        log?.flush()
        return .done
    }

    /// Opens the library; says so if that has to wait for another process, which writes the first map.
    private func openLibrary(_ context: CommandEnvironment) throws -> Library {
        let name = try Library.name(in: folder)
        let notice = DispatchWorkItem { [terminal = context.terminal] in
            terminal.report("tileserve serve: waits until another process has written the map of \(name)")
        }
        DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + Self.patienceSeconds, execute: notice)
        defer { notice.cancel() }
        return try OpenedLibrary.made(in: folder, environment: context.environment)
    }

    /// Opening a library takes some milliseconds.
    private static let patienceSeconds = 2.0

    /// Waits for a stop request, and then until the responses in progress are finished.
    private func wait(for stop: StopRequest, then listener: Listener, of server: TileServer) {
        let wanted = DispatchSemaphore(value: 0)
        stop.onRequest { wanted.signal() }
        wanted.wait()
        server.beginStopping()
        let closed = DispatchSemaphore(value: 0)
        listener.stop { closed.signal() }
        closed.wait()
    }

    /// If other machines can reach the server, reading must be public or a token must exist.
    func checkAccess(host: String) throws {
        guard !isPublic, publicEdition == nil, Authority(Self.bracketed(host))?.isLoopback != true else { return }
        if try OpenedLibrary.tokens(in: folder).all().isEmpty { throw UsageError.publicWithoutConsent(host: host) }
    }

    /// Whether nobody can read before a token is added, on a listener that only this machine can reach.
    func needsToken() throws -> Bool {
        try !publicURLs.isEmpty && !isPublic && publicEdition == nil && OpenedLibrary.tokens(in: folder).all().isEmpty
    }

    /// If `--leaflet` is given, the folder must contain Leaflet. Without the option the page also works if it is not
    /// installed.
    private func checkLeaflet() throws {
        guard let leaflet else { return }
        let isThere = ["leaflet.js", "leaflet.min.js"].contains { FileStatus.ifExists(of: leaflet + "/" + $0) != nil }
        guard isThere else {
            throw Failure(
                .noInput, "\(leaflet): leaflet.js not found; give the folder that contains it, or omit --leaflet")
        }
    }

    /// If `--site` is given, the folder must contain the page.
    private func checkSite() throws {
        guard let site, FileStatus.ifExists(of: site + "/index.html") == nil else { return }
        throw Failure(.noInput, "\(site): index.html not found; give the folder that contains it, or omit --site")
    }

    /// The host in URL syntax: an IPv6 address in brackets.
    private static func bracketed(_ host: String) -> String {
        host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
    }

    private var limits: Limits {
        var limits = Limits()
        limits.connections = connections
        return limits
    }

    private static func geocoding(_ service: GeocodingService) -> GeocodingSettings {
        let client = HTTPClient(userAgent: "tileserve/\(Version.current)")
        return GeocodingSettings(service) { url, isStopping in
            try client.get(url, isCancelled: isStopping)
        }
    }

    private func configuration(
        _ socket: ListeningSocket, _ tokens: TokenBook, _ terminal: Terminal, _ library: Library
    ) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.cacheBytes = cacheBytes
        configuration.waitingLimit = drawingQueue
        configuration.eventStreams = streams
        if let maxAgeSeconds { configuration.tiles.freshness = .seconds(maxAgeSeconds) }
        configuration.limits = limits
        configuration.importBytes = importBytes
        configuration.recording = recording
        configuration.addresses = [socket.address]
        configuration.port = socket.port
        configuration.tiles.publicURLs = publicURLs
        configuration.hostNames = socket.names
        configuration.allowsPublicReading = isPublic
        configuration.publicEdition = publicEdition
        configuration.tokens = tokens
        configuration.allowedOrigins = allowedOrigins
        configuration.allowsAnyOrigin = allowsAnyOrigin
        if let leaflet { configuration.leafletFolder = leaflet }
        configuration.siteFolder = site
        configuration.tiles.attribution = attribution
        configuration.baseMaps = baseMaps
        configuration.tiles.version = Version.current
        configuration.geocoding = geocoder.map(Self.geocoding)
        if !library.isReadOnly { configuration.disk = try DiskCache.open(library) }
        configuration.report = { terminal.report(Failure($0, command: "tileserve serve").line) }
        return configuration
    }
}
