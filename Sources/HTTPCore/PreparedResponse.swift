internal import Locking

/// A response that is sent many times; a listener stores its own form of it here, made once.
public final class PreparedResponse: Sendable {
    /// The response; its status is always `200`.
    public let response: Response
    private let native: Locked<(any Sendable)?> = Locked(nil)

    /// Keeps `response` for repeated use, with the `Vary: Origin` that `RequestFilter` adds to other responses.
    public init(_ response: Response) {
        var response = response
        response.varyByOrigin()
        self.response = response
    }

    /// The listener's form of the response, made at the first call; only one form is stored.
    public func native<Form: Sendable>(_ make: (Response) -> Form?) -> Form? {
        native.withLock { native in
            if let form = native as? Form { return form }
            guard let form = make(response) else { return nil }
            native = form
            return form
        }
    }
}

/// What is sent to the client.
public enum OutgoingResponse: Sendable {
    case response(Response)
    /// A cached response.
    case prepared(PreparedResponse)
    /// `304` with the headers of a cached response.
    case notModified(PreparedResponse)

    var isPrepared: Bool {
        if case .response = self { return false }
        return true
    }

    /// The response as a value, for middleware and tests. A `304` keeps its body: `Content-Length` gives the body's
    /// length, and listeners do not send the bytes.
    public var response: Response {
        switch self {
        case .response(let response): return response
        case .prepared(let prepared): return prepared.response
        case .notModified(let prepared):
            var response = prepared.response
            response.status = .notModified
            return response
        }
    }
}
