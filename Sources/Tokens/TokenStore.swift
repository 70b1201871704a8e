/// Where the tokens of a library are stored; several processes may use one store.
public protocol TokenStore: Sendable {
    /// The place of the tokens, named in error messages.
    var place: String { get }
    /// All tokens, the oldest first; empty if none was ever added.
    func all() throws -> [TokenRecord]
    /// Replaces the tokens by what `body` makes of them; durable on return. Other changes wait meanwhile.
    func change<Result>(_ body: (inout [TokenRecord]) throws -> Result) throws -> Result
    /// A value that changes with the stored tokens: cheap enough to be read several times a second.
    func revision() throws -> TokenRevision
    /// How long the tokens that were read last stay valid while the store fails: 0 if it may be the store that is wrong.
    var outageSeconds: Double { get }
}

extension TokenStore {
    public var outageSeconds: Double { 0 }
}

/// A state of a token store; states are only compared.
public struct TokenRevision: Equatable, Sendable {
    private let text: String

    /// The state that a text identifies among the states of the same store.
    public init(_ text: String) {
        self.text = text
    }
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

extension TokenStore {
    /// Adds a token; it is stored when this returns. If `name` is nil, its id becomes its name; `now` is in seconds
    /// since 1970.
    public func add(
        role: TokenRole, name: String?, device: String? = nil, person: String? = nil, now: Int64
    ) throws -> (record: TokenRecord, token: Token) {
        try change { tokens in
            let taken = Set(tokens.flatMap { [$0.id, $0.name] })
            if let name, taken.contains(name) { throw TokenError.nameTaken(name) }
            var id = TokenRecord.randomID()
            while taken.contains(id) { id = TokenRecord.randomID() }
            let token = Token()
            let record = TokenRecord(
                id: id, name: name ?? id, role: role, device: device, person: person, created: now,
                digest: "\(Token.digest(of: token.text))")
            tokens.append(record)
            return (record, token)
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

extension TokenRecord {
    private static let idLength = 5

    /// Random characters, without letters and digits that look alike.
    fileprivate static func randomID() -> String {
        let letters = Array("23456789abcdefghjkmnpqrstuvwxyz")
        return String((0..<idLength).compactMap { _ in letters.randomElement() })
    }
}
