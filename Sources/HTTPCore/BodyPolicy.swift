/// How a route handles request bodies.
public enum BodyPolicy: Hashable, Sendable {
    /// Rejects them.
    case nothing
    /// Accepts them in memory, up to this many bytes.
    case memory(limit: Int)
    /// Accepts them on disk, up to this many bytes.
    case file(limit: Int)

    /// For a name and a password.
    static let login = BodyPolicy.memory(limit: 4096)

    /// The largest body accepted, in bytes.
    public var limit: Int {
        switch self {
        case .nothing: 0
        case .memory(let limit), .file(let limit): limit
        }
    }

    /// The problem for a body that is too long.
    public var tooLongProblem: Problem {
        switch self {
        case .nothing: Problem(.contentTooLarge, "this request must not have a body")
        case .memory(let limit), .file(let limit): Problem(.contentTooLarge, "the body has more than \(limit) bytes")
        }
    }
}

extension BodyPolicy {
    /// Throws a problem if the headers show that the body is not acceptable.
    func check(_ request: Request) throws(Problem) {
        guard self != .nothing else { throw tooLongProblem }
        let headers = request.headers
        switch request.body {
        case .none: return
        case .length(let length): guard length <= UInt64(limit) else { throw tooLongProblem }
        case .unknownLength:
            // Two lengths are a way to smuggle requests past proxies.
            guard headers.count(of: .contentLength) == 0, headers[.transferEncoding]?.lowercased() == "chunked" else {
                throw Problem.badRequest("a body needs exactly one Content-Length, or Transfer-Encoding: chunked")
            }
        }
        if case .memory = self, let coding = headers[.contentEncoding], coding.lowercased() != "identity" {
            throw Problem(.unsupportedMediaType, "Content-Encoding is not supported here; send the body uncompressed")
        }
    }
}

/// The decision about a body that a request announces.
public enum BodyDecision: Sendable {
    /// The body is rejected: the response is sent without reading it.
    case refused(OutgoingResponse)
    /// The body is received, and then the request is handled.
    case taken(BodyPolicy)
}
