/// Where the tokens of a library are stored.
public typealias TokenStore = RecordStore<TokenRecord>

/// The tokens of a library, in the file `access.json` of its folder.
public typealias TokenFile = RecordFile<TokenRecord>
/// The tokens of a library whose processes share a database, in a document of it.
public typealias TokenTable = RecordTable<TokenRecord>

extension TokenRecord: StoredRecord {
    public static var listName: String { "tokens" }
    public static var fileName: String { "access" }

    /// A program that knows no editions must not take the token for that of a viewer of the whole library.
    public var version: Int { edition == nil ? 1 : 2 }

    public static func damaged(_ place: String) -> any Error { TokenError.damaged(path: place) }
}

/// Why tokens could not be read or added.
public enum TokenError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The stored tokens are not a token list, or one of a newer version.
    case damaged(path: String)
    /// Another token has this name or id.
    case nameTaken(String)

    public var description: String {
        switch self {
        case .damaged(let path):
            "\(path): not a valid token list; restore a backup, or remove the file and add the tokens again"
        case .nameTaken(let name):
            "\(name): another token has this name; remove it first or choose another name"
        }
    }
}

extension RecordStore where Record == TokenRecord {
    /// Adds a token; it is stored when this returns. If `name` is nil, its id becomes its name; `now` is in seconds
    /// since 1970.
    public func add(
        role: TokenRole, name: String?, device: String? = nil, person: String? = nil, edition: String? = nil, now: Int64
    ) throws -> (record: TokenRecord, token: Token) {
        try change { tokens in
            let taken = Set(tokens.flatMap { [$0.id, $0.name] })
            if let name, taken.contains(name) { throw TokenError.nameTaken(name) }
            let id = Token.id(notIn: taken)
            let token = Token()
            var record = TokenRecord(
                id: id, name: name ?? id, role: role, device: device, person: person, created: now,
                digest: "\(Token.digest(of: token.text))")
            record.edition = edition
            tokens.append(record)
            return (record, token)
        }
    }

    /// Removes the tokens that show an edition; returns their number.
    public func removeTokens(ofEdition name: String) throws -> Int {
        try change { tokens in
            let count = tokens.count
            tokens.removeAll { $0.edition == name }
            return count - tokens.count
        }
    }

    /// Removes the token of this name or id; nil if there is none.
    public func remove(_ name: String) throws -> TokenRecord? {
        try change { tokens in
            guard let index = tokens.firstIndex(where: { $0.name == name || $0.id == name }) else { return nil }
            return tokens.remove(at: index)
        }
    }
}

extension Token {
    private static let idLength = 5

    /// An id of random characters that is not taken, without letters and digits that look alike.
    public static func id(notIn taken: Set<String>) -> String {
        let letters = Array("23456789abcdefghjkmnpqrstuvwxyz")
        while true {
            let id = String((0..<idLength).compactMap { _ in letters.randomElement() })
            if !taken.contains(id) { return id }
        }
    }
}
