public import HTTPCore

/// How the server is, for `/health`.
public enum Health: Hashable, Sendable {
    /// It serves.
    case ok
    /// It listens, and has no tiles until the grid is made again; this much of it is, 0…1.
    case rebuilding(progress: Double)

    /// The answer: `200` when tiles can be had, `503` otherwise.
    public var response: Response {
        let (status, json): (Status, String) =
            switch self {
            case .ok: (.ok, #"{"status":"ok"}"#)
            case .rebuilding(let progress):
                (
                    .serviceUnavailable,
                    "{\"status\":\"rebuilding\",\"progress\":\(Double(Int(min(max(progress, 0), 1) * 1000)) / 1000)}"
                )
            }
        var response = Response.text(json + "\n", type: "application/json")
        response.status = status
        response.set(.cacheControl, CacheControl(.reader, .none).description)
        if status == .serviceUnavailable { response.set(.retryAfter, "\(Self.retryAfterSeconds)") }
        return response
    }

    /// Seconds after which a tile may be asked for again while the grid is made.
    public static let retryAfterSeconds = 5
}
