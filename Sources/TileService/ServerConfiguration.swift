package import BaseMap
package import HTTPCore
package import Links
package import PictureStore
package import PlaceService
import PrimaryStore
package import RecordingService
package import RequestHandling

/// The configuration of a server.
package struct ServerConfiguration: Sendable {
    /// Byte limit of the tile cache in memory.
    package var cacheBytes = 256 << 20
    /// Limit of simultaneous drawings; nil for one per core.
    package var workers: Int?
    /// Limit of waiting drawings; more are refused.
    package var waitingLimit = WorkQueue.defaultWaitingLimit
    /// Limit of simultaneous replays and live streams; more are refused. Each uses less than 64 KiB.
    package var eventStreams = ServerConfiguration.defaultEventStreams
    /// The default limit of streams: half of the connections.
    package static let defaultEventStreams = 512
    /// How tiles are described and cached.
    package var tiles = TileSettings()
    /// Limits of requests.
    package var limits = Limits()
    /// Limit in bytes of one import: years of everything that a phone has recorded.
    package var importBytes = 4 << 30
    /// The addresses listened on.
    package var addresses: [IPAddress] = [.loopback]
    /// The port listened on.
    package var port = 8080
    /// Names of this machine under which the server is reached, besides the addresses listened on.
    package var hostNames: [String] = []
    /// Whether reading needs no token.
    package var allowsPublicReading = false
    /// The edition that everybody sees who has no token; nil if they see nothing.
    package var publicEdition: String?
    /// The links of the library; nil for none.
    package var links: LinkBook?
    /// Whether the library is that of an edition, which can only be read.
    var isEdition = false
    /// The registered tokens; nil for none.
    package var tokens: (any TokenRegistry)?
    /// Origins of web pages that may read answers, besides those of this machine.
    package var allowedOrigins: Set<WebOrigin> = []
    /// Whether web pages of any origin may read answers.
    package var allowsAnyOrigin = false
    /// The folder of Leaflet's files; this is where Debian's `libjs-leaflet` installs them.
    package var leafletFolder = "/usr/share/javascript/leaflet"
    /// A folder with the files of the web page, read at each request; nil for the page that is compiled in.
    package var siteFolder: String?
    /// Base maps of other servers that the page offers.
    package var baseMaps: [ExternalBaseMap] = []
    /// What is drawn below tiles, and as tiles of the name `base`.
    package var baseMap: any MapBackground = BaseMap.embedded
    /// Archives that are given back as tiles; no two have the same name, nor one of them that of a style.
    package var archives: [ServedArchive] = []
    /// The clock of journeys: milliseconds since 1970.
    package var now: @Sendable () -> Int64 = TrackDatabase.systemClock
    /// How recorded points are stored.
    package var recording = RecordingSettings()
    /// How addresses are asked for; nil if they are not.
    package var geocoding: GeocodingSettings?
    /// The tile cache on disk; nil for none.
    package var disk: PictureCache?
    /// Called, on a queue of the server, with errors of the polls for changes: once for each new error.
    package var report: @Sendable (any Error) -> Void = { _ in }

    /// What fails besides the server itself, for `/health`.
    package var otherFailures: @Sendable () -> [String] = { [] }

    /// The defaults.
    package init() {}

    /// Divisor of the memory and the queue limits of an inbox, which has few tracks and few readers.
    private static let inboxShare = 8
    /// The same for editions, of which several may be open at once.
    private static let editionShare = 4

    /// The configuration of an edition of a server's library. Everybody may read it, because only those get there who may; if
    /// it is not public, nobody else may keep the answers.
    func ofEdition(for readers: EditionReaders) -> ServerConfiguration {
        var configuration = self
        configuration.cacheBytes /= Self.editionShare
        configuration.eventStreams = max(1, eventStreams / Self.editionShare)
        configuration.disk = nil
        // Archives are drawn by the owner from whatever, and nothing of an edition's rule is applied to them.
        configuration.archives = []
        configuration.otherFailures = { [] }
        configuration.allowsPublicReading = readers == .everybody
        configuration.tokens = nil
        configuration.geocoding = nil
        configuration.publicEdition = nil
        configuration.links = nil
        if readers == .link { configuration.tiles.path = LinkCookie.path }
        configuration.isEdition = true
        return configuration
    }

    /// The configuration of the inbox of a server's library. Reading is never public: nobody without a token may see
    /// what is not accepted.
    var ofInbox: ServerConfiguration {
        var configuration = self
        configuration.cacheBytes /= Self.inboxShare
        configuration.waitingLimit = max(1, waitingLimit / Self.inboxShare)
        configuration.eventStreams = max(1, eventStreams / Self.inboxShare)
        configuration.disk = nil
        configuration.archives = []
        configuration.otherFailures = { [] }
        configuration.allowsPublicReading = false
        // A service learns nothing of tracks that are not accepted.
        configuration.geocoding = nil
        configuration.publicEdition = nil
        configuration.links = nil
        return configuration
    }
}
