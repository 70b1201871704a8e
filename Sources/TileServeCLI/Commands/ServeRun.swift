import Dispatch
import Files
import Geocoding
import HTTPClient
import HTTPCore
import MicroHTTPD
import PictureStore
import TileService
import Tokens
internal import TrackStore

extension ServeCommand {
    func run(_ context: CommandEnvironment) throws -> ExitCode {
        try checkAccess()
        // Binds first, so that an occupied port is reported before anything slow is started.
        let socket = try ListeningSocket(host: host, port: port)
        try checkLeaflet()
        try checkSite()
        let library = try OpenedLibrary.made(in: folder, environment: context.environment)
        let log = try accessLog.map { try AccessLog(path: $0, terminal: context.terminal) }
        let tokens = try TokenBook(store: OpenedLibrary.tokens(in: folder)) { [terminal = context.terminal] in
            terminal.report(Failure($0, command: "tileserve serve").line)
        }
        if library.isReadOnly {
            context.terminal.report("tileserve serve: \(folder) is read-only; recording and changes are disabled")
            if let failure = library.writeFailure {
                context.terminal.report(Failure(failure, command: "tileserve serve").line)
            }
        }
        let server = try TileServer(
            library: library, styleFolder: try styles.map { try StyleFolder(path: $0) },
            configuration: try configuration(socket, tokens, context.terminal, isReadOnly: library.isReadOnly))
        try server.start()
        tokens.start()
        // Request bodies are spooled to the disk of the library, which needs space for the import anyway.
        let listener = try Listener(
            socket: socket, limits: limits, bodyFolder: library.isReadOnly ? nil : folder, responder: server.responder
        ) { record in
            server.countRequest(record)
            log?.add(record)
        }
        let watched = WatchedFolders(watchedFolders, into: library, terminal: context.terminal)
        if !watchedFolders.isEmpty { watched.start() }
        context.hangUp.handle(with: { log?.reopen() })
        defer { context.hangUp.handle(with: nil) }
        context.terminal.report(
            "tileserve: http://\(Self.bracketed(host)):\(listener.port)/ serves \(folder); press ^C to stop")
        if try needsToken() {
            context.terminal.report(
                "tileserve serve: with --public-url reading needs a token, and there is none; add one with "
                    + "'tileserve tokens add --role viewer', or give --public-read if everybody may read")
        }
        wait(for: context.stop, then: listener, of: server)
        watched.stop()
        server.stop()
        log?.flush()
        return .done
    }

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
    func checkAccess() throws {
        guard !isPublic, Authority(Self.bracketed(host))?.isLoopback != true else { return }
        if try OpenedLibrary.tokens(in: folder).all().isEmpty { throw UsageError.publicWithoutConsent(host: host) }
    }

    /// Whether nobody can read before a token is added, on a listener that only this machine can reach.
    func needsToken() throws -> Bool {
        try !publicURLs.isEmpty && !isPublic && OpenedLibrary.tokens(in: folder).all().isEmpty
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
        _ socket: ListeningSocket, _ tokens: TokenBook, _ terminal: Terminal, isReadOnly: Bool
    ) throws -> ServerConfiguration {
        var configuration = ServerConfiguration()
        configuration.cacheBytes = cacheBytes
        configuration.waitingLimit = drawingQueue
        configuration.eventStreams = streams
        if let maxAgeSeconds { configuration.tileFreshness = .seconds(maxAgeSeconds) }
        configuration.limits = limits
        configuration.importBytes = importBytes
        configuration.recording = recording
        configuration.addresses = [socket.address]
        configuration.port = socket.port
        configuration.publicURLs = publicURLs
        configuration.hostNames = socket.names
        configuration.allowsPublicReading = isPublic
        configuration.tokens = tokens
        configuration.allowedOrigins = allowedOrigins
        configuration.allowsAnyOrigin = allowsAnyOrigin
        if let leaflet { configuration.leafletFolder = leaflet }
        configuration.siteFolder = site
        configuration.attribution = attribution
        configuration.baseMaps = baseMaps
        configuration.version = Version.current
        configuration.geocoding = geocoder.map(Self.geocoding)
        if !isReadOnly { configuration.disk = try PictureCache(path: DiskCache.path(in: folder)) }
        configuration.report = { terminal.report(Failure($0, command: "tileserve serve").line) }
        return configuration
    }
}
