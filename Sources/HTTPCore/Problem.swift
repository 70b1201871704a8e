import Text

/// An error as clients see it: `application/problem+json` (RFC 9457).
///
/// Details name what the client sent and what would be valid; never paths, SQL or stack traces.
public struct Problem: Error, Sendable, Hashable {
    public let status: Status
    /// A sentence for the user.
    public let detail: String?
    /// Additional headers (`Allow`, `Retry-After`).
    public let headers: [ResponseHeader]

    public init(_ status: Status, _ detail: String? = nil, headers: [ResponseHeader] = []) {
        self.status = status
        self.detail = detail
        self.headers = headers
    }

    /// A value of the query or a header is not valid; the detail says what would be.
    public static func badRequest(_ detail: String) -> Problem { Problem(.badRequest, detail) }

    /// The resource does not exist.
    public static func notFound(_ detail: String) -> Problem { Problem(.notFound, detail) }

    /// The resource exists, but does not support the method.
    public static func methodNotAllowed(_ allowed: [Method]) -> Problem {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        return Problem(.methodNotAllowed, "allowed here: \(names)", headers: [ResponseHeader(.allow, names)])
    }

    /// The service is unavailable; the client may try again after `seconds`.
    public static func unavailable(_ detail: String, retryAfterSeconds seconds: Int) -> Problem {
        Problem(.serviceUnavailable, detail, headers: [ResponseHeader(.retryAfter, "\(seconds)")])
    }

    /// An internal error: the client gets no details.
    public static let internalServerError = Problem(.internalServerError)

    /// The response for this problem; never cached.
    public var response: Response {
        var json = JSONWriter(escapes: .delete)
        json.object { json in
            json.add("type", "about:blank")
            json.add("title", status.phrase)
            json.add("status", status.code)
            if let detail {
                json.add("detail", detail)
            }
        }
        json.raw("\n")
        return Response(
            status: status,
            headers: [
                ResponseHeader(.contentType, "application/problem+json"), ResponseHeader(.cacheControl, "no-store"),
                ResponseHeader(.contentTypeOptions, "nosniff"),
            ] + headers,
            body: .bytes(json.bytes))
    }

    /// The response for `error`: that of its problem if it has one, else a `500` without details.
    public static func response(to error: any Error) -> Response {
        problem(of: error).response
    }

    /// The problem that clients see for `error`.
    public static func problem(of error: any Error) -> Problem {
        error as? Problem ?? (error as? any ProblemError)?.problem ?? internalServerError
    }
}

/// An error that can be shown to clients as a problem.
public protocol ProblemError: Error {
    /// What clients see; nil if the error is internal.
    var problem: Problem? { get }
}
