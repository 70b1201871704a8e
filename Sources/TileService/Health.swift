import HTTPCore
import TrackStore

/// How the server is, for `/health`.
package struct Health: Encodable, Sendable, Equatable {
    /// `ok` when tiles can be had, `rebuilding` while the grid is made, `degraded` when tiles can be had and something else
    /// fails.
    package private(set) var status: String
    /// What fails.
    package private(set) var reason: String?
    /// How much of the grid is made, 0…1; where another process makes it, nobody knows.
    package private(set) var progress: Double?
    /// Whether changes are being applied that tiles do not show yet.
    package private(set) var isBehind: Bool?
    /// What `?v=` names.
    package private(set) var revision: String?
    package private(set) var tracks: Int?
    package private(set) var points: Int?
    package private(set) var version: String
    /// What devices have recorded since the start, and what of it waits to be moved into the library.
    package private(set) var recording: Recording?

    /// Points.
    package struct Recording: Encodable, Sendable, Equatable {
        package var buffered: Int
        package var recorded: Int
        package var refused: Int
    }

    private enum CodingKeys: String, CodingKey {
        case status, reason, progress, isBehind = "behind", revision, tracks, points, version, recording
    }

    /// What `caller` may know: how much there is, only those who may see it.
    init(_ standing: ServerStatus, version: String, for caller: Caller = .local) {
        switch standing.readiness {
        case .ready: status = "ok"
        case .behind:
            status = "ok"
            isBehind = true
        case .rebuilding(let progress):
            status = "rebuilding"
            // Thousandths are finer than any bar, and 0.1 + 0.2 is not told.
            self.progress = progress.map { (min(max($0, 0), 1) * 1000).rounded() / 1000 }
        }
        if caller.mayRead {
            revision = standing.revision
            tracks = standing.tracks
            points = standing.points
        }
        self.version = version
    }

    /// Tells of what is recorded.
    mutating func add(_ recorder: Recorder) {
        let counts = recorder.counts
        recording = Recording(buffered: counts.buffered, recorded: counts.recorded, refused: counts.refused)
    }

    /// Tells of what fails, where tiles can be had.
    mutating func degrade(_ reasons: [String]) {
        guard status == "ok", !reasons.isEmpty else { return }
        status = "degraded"
        reason = reasons.joined(separator: "; ")
    }

    /// What an error means to those who ask for the server's health; which file, its operator reads in the log.
    static func cause(_ error: any Error) -> String {
        (error as? LibraryError)?.isDisk == true ? "the library's disk is full or fails" : "the server's log says why"
    }

    /// The answer: `200` when tiles can be had, `503` otherwise.
    func response() throws -> Response {
        var response = try JSONAnswer.response(self)
        response.set(.cacheControl, CacheControl(.reader, .none).description)
        if status == "rebuilding" {
            response.status = .serviceUnavailable
            response.set(.retryAfter, "\(Self.retryAfterSeconds)")
        }
        return response
    }

    /// Seconds after which a tile may be asked for again while the grid is made.
    package static let retryAfterSeconds = 5
}
