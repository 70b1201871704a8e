/// What came behind a request's headers.
public enum RequestContent: Sendable {
    /// No body.
    case none
    /// A body in memory.
    case bytes([UInt8])
    /// A body on the disk.
    case file(SpooledBody)

    /// How many bytes there are.
    public var byteCount: Int {
        switch self {
        case .none: 0
        case .bytes(let bytes): bytes.count
        case .file(let body): body.byteCount
        }
    }

    /// The bytes of a body in memory; none of anything else.
    public var bytes: [UInt8] {
        if case .bytes(let bytes) = self { return bytes }
        return []
    }
}

/// A body that was written to the disk as it came, and is gone from there when nobody holds this any more.
public final class SpooledBody: Sendable {
    /// Where it can be opened for reading, as often as wanted, while this is held.
    public let path: String
    /// How many bytes it has.
    public let byteCount: Int
    private let file: any Sendable

    /// A body at `path`; `file` keeps it there and is let go with this.
    public init(path: String, byteCount: Int, file: any Sendable) {
        self.path = path
        self.byteCount = byteCount
        self.file = file
    }
}

/// What a route does with bodies.
public enum BodyRule: Hashable, Sendable {
    /// Refuses them.
    case nothing
    /// Takes them in memory, up to this many bytes.
    case memory(limit: Int)
    /// Takes them on the disk, up to this many bytes.
    case file(limit: Int)

    /// How many bytes a body may have.
    public var limit: Int {
        switch self {
        case .nothing: 0
        case .memory(let limit), .file(let limit): limit
        }
    }

    /// The problem of a body that is longer.
    public var excess: Problem {
        switch self {
        case .nothing: Problem(.contentTooLarge, "this request takes no body")
        case .memory(let limit), .file(let limit): Problem(.contentTooLarge, "the body has more than \(limit) bytes")
        }
    }
}

/// What becomes of a body that is announced.
public enum BodyAdmission: Sendable {
    /// It is not taken: the request is answered now, without reading it.
    case refused(Reply)
    /// It is taken in, and the request is asked with it then.
    case taken(BodyRule)
}

extension BodyRule {
    /// Whether the body that a request announces may come, as far as its headers tell.
    func check(_ request: Request) throws(Problem) {
        guard self != .nothing else { throw excess }
        let headers = request.headers
        switch request.body {
        case .none: return
        case .length(let length): guard length <= UInt64(limit) else { throw excess }
        case .unknownLength:
            // Two lengths are how requests are smuggled past proxies.
            guard headers.count(of: .contentLength) == 0, headers[.transferEncoding]?.lowercased() == "chunked" else {
                throw Problem.badRequest("a body has one Content-Length, or the transfer encoding chunked")
            }
        }
        if case .memory = self, let coding = headers[.contentEncoding], coding.lowercased() != "identity" {
            throw Problem(.unsupportedMediaType, "bodies are taken without content encoding here")
        }
    }
}
