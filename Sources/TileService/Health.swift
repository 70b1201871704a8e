import HTTPCore
import OpenAPI
import PrimaryStore
import RecordingService
import RequestHandling
import TileDrawing
import TrackStore

/// The state of the server, for `/health`.
package struct Health: Encodable, Sendable, Equatable {
    /// `ok` when tiles can be served, `rebuilding` while the grid is built, `degraded` when tiles can be served and
    /// something else fails.
    package private(set) var status: String
    /// What fails.
    package private(set) var reason: String?
    /// How much of the grid is built, 0…1; nil if another process builds it, because its progress is not known here.
    package private(set) var progress: Double?
    /// Whether changes are being applied that tiles do not show yet.
    package private(set) var isBehind: Bool?
    /// The revision that `?v=` names.
    package private(set) var revision: String?
    package private(set) var tracks: Int?
    package private(set) var points: Int?
    /// What the caller may do, of `read`, `record`, `change` and `contribute`: what the web page offers.
    package private(set) var permissions: [String]?
    package private(set) var version: String
    /// What devices have recorded since the start, and how much of it is not moved into the library yet.
    package private(set) var recording: Recording?

    /// This process among those that share the database of the library; nil for a library in a folder.
    package private(set) var node: NodeStatus?

    /// In points.
    package struct Recording: Encodable, Sendable, Equatable {
        package var buffered: Int
        package var recorded: Int
        package var refused: Int
    }

    private enum CodingKeys: String, CodingKey {
        case status, reason, progress, isBehind = "behind", revision, tracks, points, permissions, version, recording,
            node
    }

    /// What `caller` may know: the revision and the totals are only for callers who may read.
    init(_ serverStatus: ServerStatus, version: String, for caller: Caller = .local) {
        switch serverStatus.readiness {
        case .ready: status = "ok"
        case .behind:
            status = "ok"
            isBehind = true
        case .rebuilding(let progress):
            status = "rebuilding"
            self.progress = progress.map(ServerStatus.shown)
        }
        if caller.canRead {
            revision = serverStatus.revision
            tracks = serverStatus.tracks
            points = serverStatus.points
            permissions = Self.permissions(of: caller)
        }
        self.version = version
    }

    private static func permissions(of caller: Caller) -> [String] {
        let names: [(String, Permission)] = [
            ("read", .read), ("record", .record), ("change", .change), ("contribute", .contribute),
        ]
        return names.filter { caller.has($0.1) }.map(\.0)
    }

    /// Reports that the library can only be read.
    mutating func forbidChanges() {
        permissions?.removeAll { $0 != "read" }
    }

    /// Adds the counts of recording.
    mutating func add(_ recorder: Recorder) {
        let counts = recorder.counts
        recording = Recording(buffered: counts.buffered, recorded: counts.recorded, refused: counts.refused)
    }

    /// Adds what is known of this process as one of several.
    mutating func add(_ node: NodeStatus?) {
        self.node = node
    }

    /// Reports failures, if tiles can be served.
    mutating func degrade(_ reasons: [String]) {
        guard status == "ok", !reasons.isEmpty else { return }
        status = "degraded"
        reason = reasons.joined(separator: "; ")
    }

    /// Why a library was opened for reading only although its files may be written to; nil where it was not.
    static func reason(ofReadingAlone library: Library) -> String? {
        library.writeFailure.map {
            "nothing is recorded or changed until the server is started again: \(LibraryError.cause(of: $0))"
        }
    }

    /// The response: `200` if tiles can be served, `503` otherwise.
    func response() throws -> Response {
        var response = try JSONResponse.response(self)
        response.forbidStoring()
        if status == "rebuilding" {
            response.status = .serviceUnavailable
            response.set(.retryAfter, "\(TileError.buildingRetrySeconds)")
        }
        return response
    }
}

/// Answers `/health`.
struct HealthHandler: RequestHandler {
    let context: HandlerContext
    let recorder: Recorder
    let watch: LibraryWatch
    let otherFailures: @Sendable () -> [String]

    func add(to routes: inout Routes) {
        routes.on(.get, "/health", for: .nothing, as: Self.health) { request, _ in
            var health = Health(context.status, version: context.tiles.version, for: request.caller)
            if request.caller.canRead {
                health.add(recorder)
                health.add(watch.node)
            }
            if context.library.writeFailure != nil { health.forbidChanges() }
            health.degrade(
                [
                    Health.reason(ofReadingAlone: context.library), recorder.failure, watch.failure, watch.suspension,
                ].compactMap { $0 } + otherFailures())
            return .response(try health.response())
        }
    }

    private static let health = APIOperation(
        "the state of the server; totals and the caller's permissions for readers only", .server,
        answers: [
            APIResponse("Tiles can be served", .json(healthSchema)),
            APIResponse("The grid is being built", .json(healthSchema), status: .serviceUnavailable),
        ])

    private static let healthSchema = APISchema.object([
        ("status", .choice(["ok", "rebuilding", "degraded"])), ("reason?", .text()), ("progress?", .number(0...1)),
        ("behind?", .boolean), ("revision?", .text()), ("tracks?", .count), ("points?", .count),
        ("permissions?", .list(.choice(["read", "record", "change", "contribute"]))), ("version", .text()),
        ("recording?", .object()),
        ("node?", .object([("name", .text()), ("lease", .number(0...1e9)), ("lag", .number(0...1e9))])),
    ]).named("Health")
}

extension APITag {
    static let server = APITag("server", "The web page and the state of the server")
}
