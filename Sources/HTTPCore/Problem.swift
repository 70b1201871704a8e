/// An error as clients see it: `application/problem+json` (RFC 9457).
///
/// Details name what the client sent and what would be right; never paths, SQL or stacks.
public struct Problem: Error, Sendable, Hashable {
    /// The status of the answer.
    public let status: Status
    /// A sentence for the person who reads it.
    public let detail: String?
    /// Headers that belong to it (`Allow`, `Retry-After`).
    public let headers: [ResponseHeader]

    /// A problem with this status.
    public init(_ status: Status, _ detail: String? = nil, headers: [ResponseHeader] = []) {
        self.status = status
        self.detail = detail
        self.headers = headers
    }

    /// Something in the query or a header cannot be read; the detail says what would be right.
    public static func badRequest(_ detail: String) -> Problem { Problem(.badRequest, detail) }

    /// There is no such thing.
    public static func notFound(_ detail: String) -> Problem { Problem(.notFound, detail) }

    /// The target is there, the method is not.
    public static func methodNotAllowed(_ allowed: [Method]) -> Problem {
        let names = allowed.map(\.rawValue).joined(separator: ", ")
        return Problem(.methodNotAllowed, "allowed here: \(names)", headers: [ResponseHeader(.allow, names)])
    }

    /// Come back in `seconds`.
    public static func unavailable(_ detail: String, retryAfterSeconds seconds: Int) -> Problem {
        Problem(.serviceUnavailable, detail, headers: [ResponseHeader(.retryAfter, "\(seconds)")])
    }

    /// An error that is ours: the client learns nothing of it.
    public static let internalServerError = Problem(.internalServerError)

    /// The answer that says so; never kept by caches.
    public var response: Response {
        var json = "{\"type\":\"about:blank\",\"title\":\(Self.quoted(status.phrase)),\"status\":\(status.code)"
        if let detail { json += ",\"detail\":\(Self.quoted(detail))" }
        json += "}\n"
        return Response(
            status: status,
            headers: [
                ResponseHeader(.contentType, "application/problem+json"), ResponseHeader(.cacheControl, "no-store"),
                ResponseHeader(.contentTypeOptions, "nosniff"),
            ] + headers,
            body: .bytes(Array(json.utf8)))
    }

    /// The answer to `error`: its own if it is a problem or stands for one, else a `500` that tells nothing.
    public static func response(to error: any Error) -> Response {
        problem(of: error).response
    }

    /// The problem that clients are told of where `error` happens.
    public static func problem(of error: any Error) -> Problem {
        error as? Problem ?? (error as? any ProblemError)?.problem ?? internalServerError
    }

    private static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\u{0}"..<" ", "\u{7f}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// An error that clients are told of as a problem.
public protocol ProblemError: Error {
    /// What they are told; nil where it is nothing of theirs.
    var problem: Problem? { get }
}
