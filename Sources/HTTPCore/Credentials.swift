import Foundation

/// The token that a request carries, before it is checked.
struct Credentials: Hashable {
    /// How the token was sent.
    enum Kind: Hashable {
        case bearer
        /// A browser that has stored it sends it with every request to this site, also those caused by other sites'
        /// pages.
        case basic
        case query
        /// An `Authorization` header that cannot be parsed: treated as a token that is not valid.
        case malformed
    }

    let kind: Kind
    let token: String

    private init(_ kind: Kind, _ token: String) {
        self.kind = kind
        self.token = token
    }

    /// Reads the `Authorization` header, else a key in the query if `acceptsQueryKey`; nil if the request has neither.
    init?(_ request: Request, acceptsQueryKey: Bool) {
        if let header = request.headers[.authorization] {
            self = Self.read(header)
        } else if acceptsQueryKey, let key = request.target.secret {
            self.init(.query, key)
        } else {
            return nil
        }
    }

    private static func read(_ header: String) -> Credentials {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2 else { return Credentials(.malformed, "") }
        let value = parts[1].trimmingCharacters(in: .whitespaces)
        switch parts[0].lowercased() {
        case "bearer": return Credentials(.bearer, value)
        case "basic":
            // Any user name is accepted: the password is the token.
            guard let data = Data(base64Encoded: value), let text = String(data: data, encoding: .utf8),
                let colon = text.firstIndex(of: ":")
            else { return Credentials(.malformed, "") }
            return Credentials(.basic, String(text[text.index(after: colon)...]))
        default: return Credentials(.malformed, "")
        }
    }
}
