import Dispatch
import Files
import HTTPCore
import Links
import PNG
import RequestHandling
import Styling
import Synchronization
import TestLibrary
import Testing
import TileMath
import TileService
import Tokens
import TrackStore
import Tracks

@testable import PictureStore
@testable import TileDrawing

/// A small library with a server that is called directly, without a socket.
final class Town {
    let folder: TemporaryFolder
    let library: Library
    let disk: PictureCache
    let server: TileServer

    /// The position of its streets: a few hundred metres in Berlin.
    static let longitude = 13.4
    static let latitude = 52.5
    /// 2019-06-01, at noon.
    static let firstDay: Int64 = 1_559_390_400

    /// Two rides on two days and a walk on the first day; in the grid unless `isPrepared` is false. With `failures`,
    /// statements of the library can fail.
    init(
        isPrepared: Bool = true, failures: DiskFailures? = nil,
        configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws {
        folder = try TemporaryFolder()
        library = try failures?.library(in: folder) ?? Library(in: folder)
        try library.ride(day: 0, activity: "ride")
        try library.ride(day: 1, activity: "ride")
        try library.ride(day: 0, latitude: Self.latitude + 0.002, activity: "walk")
        if isPrepared { try library.catchUp() }
        disk = try PictureCache(path: folder.path + "/pictures.sqlite")
        server = try library.server(disk: disk, configure)
    }

    /// The status of a removal that is complete.
    var removed: Status { library.overwritesRemoved ? .noContent : .ok }

    /// The same library, opened as another process would.
    func otherProcess() throws -> Library { try Library(folder: library.folder) }

    /// A renderer with the built-in styles.
    func renderer() throws -> TileRenderer {
        try TileRenderer(library: library, styles: .builtIn, workers: 1, disk: nil)
    }

    func get(_ target: String, _ headers: [(HeaderName, String)] = [], method: Method = .get) -> Response {
        server.get(target, headers, method: method)
    }

    /// The answer to an import, whose body a listener would write to a file.
    func send(_ body: String, _ query: String = "", _ headers: [(HeaderName, String)] = []) throws -> Response {
        try server.send(body, query, headers, by: folder)
    }

    /// The tile of a zoom level that contains a place.
    static func tile(_ zoom: Int, longitude: Double = longitude, latitude: Double = latitude) throws -> TileCoordinate {
        let place = WorldPoint(longitude: longitude, latitude: latitude)
        let shift = Int64(32 - zoom)
        let level = try #require(ZoomLevel(zoom))
        return try #require(TileCoordinate(zoom: level, x: Int(place.x >> shift), y: Int(place.y >> shift)))
    }

    /// The URL of the tile of a zoom level that contains the streets.
    static func path(_ zoom: Int, _ ending: String = ".png") throws -> String {
        let tile = try tile(zoom)
        return "/tiles/\(tile.zoom)/\(tile.x)/\(tile.y)\(ending)"
    }
}

extension Library {
    /// Stores a ride eastwards: one minute, one point per second, some metres apart.
    func ride(
        day: Int64, longitude: Double = Town.longitude, latitude: Double = Town.latitude, count: Int64 = 60,
        activity: String? = nil
    ) throws {
        let west = Int64(longitude * 1e7)
        let chunk = PointColumns(
            unit: .decimal(places: 7),
            longitudes: (0..<count).map { (west + $0 * 700 + 1_800_000_000) % 3_600_000_000 - 1_800_000_000 },
            latitudes: (0..<count).map { Int64(latitude * 1e7) + ($0 % 7) * 100 },
            times: (0..<count).map { (Town.firstDay + day * 86_400 + $0) * 1000 }, segmentStarts: [0])
        try database.add([chunk], RecordingHeader(activity: activity, source: "\(day).gpx"))
    }

    /// A server of this library.
    func server(
        disk: PictureCache? = nil, styleFolder: StyleFolder? = nil,
        _ configure: (inout ServerConfiguration) -> Void = { _ in }
    ) throws -> TileServer {
        var configuration = ServerConfiguration()
        configuration.tiles.version = "1.2.3"
        configuration.workers = 1
        configuration.disk = disk
        configuration.leafletFolder = folder + "/no-leaflet"
        configuration.links = try LinkBook(store: RecordFile(folder: folder)) { 1_700_000_000 }
        configure(&configuration)
        return try TileServer(library: self, styleFolder: styleFolder, configuration: configuration)
    }
}

extension TileServer {
    /// The answer to a request; waits for it.
    func get(_ target: String, _ headers: [(HeaderName, String)] = [], method: Method = .get) -> Response {
        let fields = headers.contains { $0.0 == .host } ? headers : [(.host, "localhost")] + headers
        return ask(Request(method, target, headers: fields))
    }

    /// The answer to a request; waits for it.
    func ask(_ request: Request) -> Response {
        switch answer(request) {
        case .ready(let reply): return reply.response
        case .deferred(let deferred):
            let reply = Mutex<OutgoingResponse?>(nil)
            let done = DispatchSemaphore(value: 0)
            _ = deferred.begin(
                Completion { given in
                    reply.withLock { $0 = given }
                    done.signal()
                })
            done.wait()
            return reply.withLock { $0 }?.response ?? Response(status: .internalServerError)
        }
    }
}

extension TileServer {
    /// The answer to an import, whose body is written to a file in a folder.
    func send(
        _ body: String, _ query: String, _ headers: [(HeaderName, String)] = [], by folder: TemporaryFolder
    ) throws -> Response {
        let path = folder.path + "/body"
        try AtomicFile.write(Array(body.utf8), to: path, durability: .cached)
        let content = SpooledBody(path: path, byteCount: body.utf8.count, file: folder)
        return ask(
            Request(
                .post, "/v1/import\(query)", headers: [(.host, "localhost")] + headers,
                content: body.isEmpty ? .none : .file(content)))
    }
}

extension Response {
    var bytes: [UInt8] {
        if case .bytes(let bytes) = body { return bytes }
        return []
    }

    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// The complete body, also of a stream; nil if that ends before its content does.
    var allBytes: [UInt8]? {
        guard case .events(let channel) = body else { return bytes }
        let more = DispatchSemaphore(value: 0)
        var bytes: [UInt8] = []
        channel.open { more.signal() }
        while true {
            switch channel.take(upTo: 5000, orWait: {}) {
            case .bytes(let portion): bytes += portion
            case .waiting: guard more.wait(timeout: .now() + 60) == .success else { return nil }
            case .ended: return bytes
            case .closed: return nil
            }
        }
    }
}
