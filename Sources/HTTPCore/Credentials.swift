import Foundation

/// The token that a request shows, before anybody knows whether it opens something.
struct Credentials: Hashable {
    /// How it came.
    enum Way: Hashable {
        case bearer
        /// A browser that has it sends it with whatever any page makes it ask.
        case basic
        case query
        /// An `Authorization` that nobody can read: it opens nothing, but was meant to.
        case unread
    }

    let way: Way
    let token: String

    private init(_ way: Way, _ token: String) {
        self.way = way
        self.token = token
    }

    /// What `request` shows: `Authorization`, else a key in the query where `takesKeys`; nil where it shows nothing.
    init?(_ request: Request, takesKeys: Bool) {
        if let header = request.headers[.authorization] {
            self = Self.read(header)
        } else if takesKeys, let key = request.target.secret {
            self.init(.query, key)
        } else {
            return nil
        }
    }

    private static func read(_ header: String) -> Credentials {
        let parts = header.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: true)
        guard parts.count == 2 else { return Credentials(.unread, "") }
        let value = parts[1].trimmingCharacters(in: .whitespaces)
        switch parts[0].lowercased() {
        case "bearer": return Credentials(.bearer, value)
        case "basic":
            // Any name will do: the password is the token.
            guard let data = Data(base64Encoded: value), let text = String(data: data, encoding: .utf8),
                let colon = text.firstIndex(of: ":")
            else { return Credentials(.unread, "") }
            return Credentials(.basic, String(text[text.index(after: colon)...]))
        default: return Credentials(.unread, "")
        }
    }
}
