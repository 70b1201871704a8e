internal import Locking

/// An answer that is given many times over: a listener keeps its own form of it here, made once.
public final class PreparedResponse: Sendable {
    /// What is answered, always `200`.
    public let response: Response
    private let native: Locked<(any Sendable)?> = Locked(nil)

    /// Keeps `response` for repeated use, with the `Vary: Origin` that a gate gives the others.
    public init(_ response: Response) {
        var response = response
        response.vary(by: OriginPolicy.variesBy)
        self.response = response
    }

    /// The form that a listener has made of it, or makes now; at most one is kept.
    public func native<Form: Sendable>(_ make: (Response) -> Form?) -> Form? {
        native.withLock { native in
            if let form = native as? Form { return form }
            guard let form = make(response) else { return nil }
            native = form
            return form
        }
    }
}

/// What goes to the client.
public enum Reply: Sendable {
    case response(Response)
    /// An answer kept from before.
    case prepared(PreparedResponse)
    /// `304` with the headers of an answer kept from before.
    case notModified(PreparedResponse)

    var isPrepared: Bool {
        if case .response = self { return false }
        return true
    }

    /// The answer as a value, as middleware changes it and tests look at it. A `304` keeps the body: its length is what
    /// `Content-Length` says, and no listener sends the bytes.
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
