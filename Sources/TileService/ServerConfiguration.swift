package import HTTPCore

/// How a server is set up.
package struct ServerConfiguration: Sendable {
    /// Bytes of tiles kept in memory.
    package var cacheBytes = 256 << 20
    /// Drawings at once; nil for one per core.
    package var workers: Int?
    /// Drawings that may wait; more are refused.
    package var waitingLimit = WorkQueue.usualWaitingLimit
    /// Replays and live streams under way at once; more are refused. Each holds less than 64 KiB.
    package var eventStreams = ServerConfiguration.usualEventStreams
    /// Streams at once where nothing is said: half of the connections.
    package static let usualEventStreams = 512
    /// How long tiles may be kept whose URL names no revision.
    package var cacheControl = CacheControl(.reader, .revalidate)
    /// What a client may ask for.
    package var limits = Limits()
    /// Bytes that one import may send: years of everything that a phone has recorded.
    package var importBytes = 4 << 30
    /// The addresses listened on.
    package var addresses: [IPAddress] = [.loopback]
    /// The port listened on.
    package var port = 8080
    /// Where the server is reached from outside, if not where it listens.
    package var publicURLs: [PublicURL] = []
    /// Whether everybody who reaches the server may look.
    package var isReadingPublic = false
    /// The tokens that there are; nil for none.
    package var tokens: (any TokenRegister)?
    /// Web pages that may read answers, beside those of this machine.
    package var allowedOrigins: Set<WebOrigin> = []
    /// Whether every web page may read answers.
    package var allowsAnyOrigin = false
    /// Where Leaflet's files are; Debian's `libjs-leaflet` puts them there.
    package var leafletFolder = "/usr/share/javascript/leaflet"
    /// Whom the map thanks for its tracks.
    package var attribution: String?
    /// What becomes of recorded points.
    package var recording = RecordingSettings()
    /// The program's version, for `/health` and TileJSON.
    package var version = ""
    /// Pictures drawn before; nil for none.
    package var disk: PictureCache?
    /// Told, on a queue of the server's, of what went wrong while it looked for changes: once for each new trouble.
    package var report: @Sendable (any Error) -> Void = { _ in }

    /// As shipped.
    package init() {}

    /// Where the reader has reached us, without a slash at its end: the public URL of that name, else what the request says;
    /// nothing where it does not say.
    func base(for request: Request) -> String {
        let host = request.target.authority ?? request.headers[.host] ?? ""
        guard let authority = Authority(host) else { return publicURLs.first?.text ?? "" }
        let known = publicURLs.first { $0.origin.authority.host == authority.host }
        return known?.text ?? "http://\(host)"
    }
}

/// What becomes of points that devices record.
package struct RecordingSettings: Sendable {
    /// Milliseconds after which they are moved into the library, and shown.
    package var flushMilliseconds: Int64 = 600_000
    /// Milliseconds of which one point a device is kept, the earliest; nil keeps all.
    package var samplingMilliseconds: Int64?

    /// As shipped.
    package init() {}
}

/// Where a server is reached from outside: scheme, host, port, and perhaps a path below which it is mounted.
package struct PublicURL: Hashable, Sendable {
    /// Scheme, host and port.
    package let origin: WebOrigin
    /// Without a slash at its end.
    package let text: String

    /// nil for what is no `http` or `https` URL, or has a query or fragment.
    package init?(_ text: String) {
        guard let origin = WebOrigin(text), text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }),
            !text.contains(where: { "?#\"<>\\".contains($0) })
        else { return nil }
        self.origin = origin
        self.text = String(text.reversed().drop { $0 == "/" }.reversed())
    }
}
