/// What a request wants done with its target.
public enum Method: String, Hashable, Sendable, CaseIterable {
    case get = "GET"
    case head = "HEAD"
    case options = "OPTIONS"
    case post = "POST"
    case put = "PUT"
    case patch = "PATCH"
    case delete = "DELETE"
    /// Any other word: no route takes it.
    case other = "-"
}

/// The version of HTTP that a request speaks; whatever is not 1.1 is answered as 1.0.
public enum ProtocolVersion: String, Hashable, Sendable {
    case http10 = "HTTP/1.0"
    case http11 = "HTTP/1.1"
}

/// What a request says about its body before any of it is read.
public enum DeclaredBody: Hashable, Sendable {
    case none
    /// A body of this many bytes.
    case length(UInt64)
    /// A body whose end only its reading shows, or whose length is no number.
    case unknownLength
}
