public import Database
import Text

/// The tokens of a library whose processes share a database, in a document of it.
public struct TokenTable: TokenStore {
    private let shared: any SharedDatabase
    private static let document = "tokens"
    private let revisions = ObservedAnswer<Int64?, ContinuousClock.Instant>(.document)

    /// The tokens of the library of this database, whose tables need not exist yet.
    public init(_ shared: any SharedDatabase) {
        self.shared = shared
    }

    public var place: String { shared.name }

    /// While the server cannot be reached, nothing that it has is served either, after this time.
    public var outageSeconds: Double { Double(LeaseTerms.certainSeconds) }

    public func all() throws -> [TokenRecord] {
        guard let bytes = try shared.document(Self.document) else { return [] }
        return try tokens(bytes)
    }

    private func tokens(_ bytes: [UInt8]) throws -> [TokenRecord] {
        guard let tokens = TokenList.tokens(bytes) else { throw TokenError.damaged(path: place) }
        return tokens
    }

    public func change<Result>(_ body: (inout [TokenRecord]) throws -> Result) throws -> Result {
        var result: Result?
        try shared.changeDocument(Self.document) { content in
            let before = try content.map { try tokens($0) } ?? []
            var after = before
            result = try body(&after)
            guard after != before else { return }
            content = try TokenList.bytes(after)
        }
        revisions.forget()
        guard let result else { preconditionFailure("a document was not changed") }
        return result
    }

    public func revision() throws -> TokenRevision {
        let number = try revisions.answer(shared, now: .now) { try shared.documentRevision(Self.document) }
        return TokenRevision(number.map { "\($0)" } ?? "")
    }
}
