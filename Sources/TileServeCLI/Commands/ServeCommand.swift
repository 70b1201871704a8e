import HTTPCore
import TileService

/// `tileserve serve`: serves the library over HTTP.
struct ServeCommand: Command {
    static let name = "serve"
    static let operands = Operands.none

    private static let host = Option("host", "HOST", "the address to listen on (127.0.0.1)")
    private static let port = Option("port", "PORT", "the port to listen on (8080); 0 takes any that is free")
    private static let publicRead = Option(
        "public-read", "lets everybody who can reach the port see the map without a token")
    private static let publicURL = Option(
        "public-url", "URL", "where others reach this server; may be given several times")
    private static let allowOrigin = Option(
        "allow-origin", "ORIGIN", "a site whose pages may read answers, or '*'; may be given several times")
    private static let attribution = Option("attribution", "TEXT", "whom the map thanks for its tracks")
    static let styles = Option("styles", "DIR", "a folder of styles besides the built-in ones")
    private static let leaflet = Option("leaflet", "DIR", "where Leaflet is (where Debian puts it)")
    private static let cacheSize = Option("cache-size", "SIZE", "memory for tiles that are ready (256MB)")
    private static let maxAge = Option(
        "max-age", "DURATION", "how long readers may keep a tile without asking (they ask each time)")
    private static let drawingQueue = Option(
        "drawing-queue", "N", "tiles that may wait to be drawn; beyond, readers are told to come back (512)")
    private static let flush = Option(
        "flush", "DURATION", "how often recorded points are shown (10m)")
    private static let sampling = Option(
        "sampling", "DURATION", "keeps one recorded point a period, besides marks")
    private static let connections = Option("connections", "N", "connections open at once (1024)")
    private static let watch = Option(
        "watch", "DIR", "a folder whose track files are imported as they come; may be given several times")
    private static let streams = Option(
        "streams", "N", "replays and live streams open at once (512)")
    private static let importSize = Option("import-size", "SIZE", "the most that one import may send (4GB)")
    private static let accessLog = Option(
        "access-log", "FILE", "writes a line per request, '-' to the standard output; SIGHUP opens it anew")

    static let screen = HelpScreen(
        usage: "[OPTION]…",
        summary: "shows the map to browsers and serves its tiles",
        about: """
            Serves the library as tiles that any web map shows, with a page to look at them. Where somebody has been is \
            private: unless told otherwise, only this machine can read it, and whoever has a token ('tileserve token add'). \
            Imports by other processes show within a second.
            When it is ready it says where, on the standard error. ^C or SIGTERM ends it cleanly, a second one at once.
            """,
        options: [
            LibraryFolder.option, host, port, publicRead, publicURL, allowOrigin, attribution, styles, leaflet,
            cacheSize,
            maxAge, drawingQueue, flush, sampling, connections, streams, watch, importSize, accessLog,
        ],
        examples: [
            ("tileserve serve", "shows the map at http://127.0.0.1:8080/"),
            ("tileserve serve --port 0 --access-log -", "takes a free port and prints requests"),
            ("tileserve serve --host 0.0.0.0", "listens to the network, for those with a token"),
            (
                "tileserve serve --host 0.0.0.0 --public-read --public-url http://maps.local:8080",
                "shows the map to everybody in the network"
            ),
        ])

    /// The default address: only this machine can connect.
    static let standardHost = "127.0.0.1"
    static let standardPort = 8080
    /// Ten thousand tiles of a city, of 25 kB each.
    static let standardCacheBytes = 256_000_000

    /// Enough for years of everything that a phone records.
    static let standardImportBytes = 4_000_000_000

    let folder: String
    let host: String
    let port: Int
    let isPublic: Bool
    let publicURLs: [PublicURL]
    let attribution: String?
    let allowedOrigins: Set<WebOrigin>
    let allowsAnyOrigin: Bool
    let styles: String?
    let leaflet: String?
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
        folder = try LibraryFolder.path(given, environment)
        host = try given.text(Self.host) ?? Self.standardHost
        port = try given.number(Self.port, in: 0...65_535) ?? Self.standardPort
        isPublic = given.has(Self.publicRead)
        publicURLs = try given.allValues(Self.publicURL, .origin) { PublicURL($0) }
        attribution = try given.text(Self.attribution)
        let origins = try given.allValues(Self.allowOrigin, .origin) { text -> WebOrigin?? in
            text == "*" ? .some(nil) : WebOrigin(text).map { .some($0) }
        }
        allowedOrigins = Set(origins.compactMap { $0 })
        allowsAnyOrigin = origins.contains(nil)
        styles = try given.text(Self.styles)
        leaflet = try given.text(Self.leaflet)
        cacheBytes = try given.value(Self.cacheSize, .size, Quantity.size) ?? Self.standardCacheBytes
        maxAgeSeconds = try given.value(Self.maxAge, .duration, Quantity.milliseconds).map { Int($0 / 1000) }
        drawingQueue = try given.number(Self.drawingQueue, in: 1...1_000_000) ?? WorkQueue.usualWaitingLimit
        var recording = RecordingSettings()
        if let flush = try given.value(Self.flush, .duration, Quantity.milliseconds) {
            recording.flushMilliseconds = flush
        }
        recording.samplingMilliseconds = try given.value(Self.sampling, .duration, Quantity.milliseconds)
        self.recording = recording
        connections = try given.number(Self.connections, in: 1...1_000_000) ?? Limits().connections
        watchedFolders = try given.allValues(Self.watch, .notEmpty) { $0.isEmpty ? nil : $0 }
        streams =
            try given.number(Self.streams, in: 1...1_000_000) ?? ServerConfiguration.usualEventStreams
        importBytes = try given.value(Self.importSize, .size, Quantity.size) ?? Self.standardImportBytes
        accessLog = try given.text(Self.accessLog)
    }
}

/// The host in URL syntax: an IPv6 address in brackets.
func bracketed(_ host: String) -> String {
    host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host
}
