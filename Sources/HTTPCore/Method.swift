/// A request method.
public enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case options = "OPTIONS"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    /// Any other method: no route accepts it.
    case other = "-"
}

/// The HTTP version of a request; anything but 1.1 is answered as 1.0.
public enum ProtocolVersion: String, Hashable, Sendable {
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"
}

/// What a request's headers say about its body.
public enum DeclaredBody: Hashable, Sendable {
    case none
    /// A body of this many bytes.
    case length(UInt64)
    /// A body without a known length: chunked, or with a Content-Length that is not a number.
    case unknownLength
}
