import Dispatch
import Files
import HTTPCore
import Locking
import PrimaryStore
import TileService
import TrackStore
import Tracks

/// A server of a small library that answers generated requests.
///
/// The input is a request: method, space, target; then header lines; then, after an empty line, the body.
final class FuzzedServer: Sendable {
    private struct Current {
        var server = FuzzedServer()
        var changes = 0
    }

    private static let current = Locked(Current())
    /// After this many requests that may change the library, a new library is made.
    private static let changeLimit = 200

    /// Sends the request in the bytes, and reads the response.
    static func answer(_ bytes: [UInt8]) {
        let server = current.withLock { current in
            if !bytes.starts(with: "GET ".utf8) { current.changes += 1 }
            if current.changes > changeLimit {
                current.server.server.stop()
                current = Current()
            }
            return current.server
        }
        server.answer(bytes)
    }

    private let folder: TemporaryFolder
    private let server: TileServer

    /// 2019-06-01, at noon.
    private static let noon: Int64 = 1_559_390_400_000
    /// Limit of seconds until an answer.
    private static let timeoutSeconds = 30
    /// Limit of chunks read of a response.
    private static let chunkLimit = 64

    private init() {
        do {
            folder = try TemporaryFolder()
            let library = try Library(folder: folder.path + "/library", zoneIfNew: "Europe/Berlin")
            let session = try library.database.beginImport()
            for (device, start) in [(nil, Self.noon), ("phone", Self.noon + 3_600_000)] as [(String?, Int64)] {
                let recording = try session.open()
                try session.append(Self.ride(from: start), to: recording)
                let header = RecordingHeader(name: "ride", activity: "ride", device: device, source: "1.gpx")
                _ = try session.close(recording, header: header)
            }
            try session.finish()
            try library.catchUp()
            var configuration = ServerConfiguration()
            configuration.workers = 1
            configuration.cacheBytes = 8 << 20
            server = try TileServer(library: library, styleFolder: nil, configuration: configuration)
            try server.start()
        } catch {
            preconditionFailure("cannot make the library: \(error)")
        }
    }

    private static func ride(from start: Int64) -> PointColumns {
        PointColumns(
            unit: .decimal(places: 7), longitudes: (0..<60).map { 134_000_000 + $0 * 700 },
            latitudes: (0..<60).map { 525_000_000 + ($0 % 7) * 100 }, times: (0..<60).map { start + $0 * 1000 },
            segmentStarts: [0])
    }

    private func answer(_ bytes: [UInt8]) {
        guard let request = request(bytes) else { return }
        switch server.bodyDecision(of: request) {
        case .refused where request.content.byteCount > 0: return
        default: break
        }
        switch server.answer(request) {
        case .ready(let reply): read(reply)
        case .deferred(let deferred):
            let given = Locked<OutgoingResponse?>(nil)
            let done = DispatchSemaphore(value: 0)
            _ = deferred.begin(
                Completion { reply in
                    given.withLock { $0 = reply }
                    done.signal()
                })
            guard done.wait(timeout: .now() + .seconds(Self.timeoutSeconds)) == .success else {
                preconditionFailure("no answer within \(Self.timeoutSeconds) s")
            }
            if let reply = given.withLock({ $0 }) { read(reply) }
        }
    }

    private func read(_ reply: OutgoingResponse) {
        let status = reply.response.status.code
        precondition(status != 500, "status 500")
        switch reply.response.body {
        case .events(let channel): read(channel)
        default: break
        }
    }

    /// Reads the first chunks, if they come soon, and disconnects.
    private func read(_ channel: EventChannel) {
        let woken = DispatchSemaphore(value: 0)
        channel.open { woken.signal() }
        for _ in 0..<Self.chunkLimit {
            switch channel.take(upTo: 1 << 16, orWait: {}) {
            case .bytes: continue
            case .waiting:
                guard woken.wait(timeout: .now() + .milliseconds(5)) == .success else { return channel.close() }
            case .ended, .closed: return
            }
        }
        channel.close()
    }

    private func request(_ bytes: [UInt8]) -> Request? {
        var lines = bytes.split(separator: 0x0A, maxSplits: 8, omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst(), let blank = first.firstIndex(of: 0x20) else { return nil }
        let method = Method(rawValue: String(decoding: first[..<blank], as: UTF8.self)) ?? .get
        let target = RequestTarget(bytes: Array(first[(blank + 1)...]))
        var headers = HeaderFields()
        headers.add(.host, "localhost")
        while let line = lines.popFirst(), !line.isEmpty {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let (name, value) = (Array(line[..<colon]), Array(line[(colon + 1)...].drop { $0 == 0x20 }))
            headers.add(name: name.span, value: value.span)
        }
        let body = Array(lines.joined(separator: [0x0A]))
        var request = Request(
            method: method, target: target, version: .http11, headers: headers, peer: .loopback,
            body: body.isEmpty ? .none : .length(UInt64(body.count)))
        request.content = content(body, of: request)
        return request
    }

    private func content(_ body: [UInt8], of request: Request) -> RequestContent {
        guard !body.isEmpty else { return .none }
        guard case .taken(.file) = server.bodyDecision(of: request) else { return .bytes(body) }
        let path = folder.path + "/body"
        guard (try? AtomicFile.write(body, to: path, durability: .cached)) != nil else { return .none }
        return .file(SpooledBody(path: path, byteCount: body.count, file: folder))
    }
}
