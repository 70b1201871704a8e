import Digest
public import HTTPCore

/// The tokens of a library in a running server; a change by any process takes effect within half a second.
public final class TokenBook: TokenRegistry {
    private struct Entry: Sendable {
        let digest: ContentDigest
        let authorization: Authorization
    }

    private let tokens: WatchedRecords<TokenRecord, Entry>

    /// Reads the tokens of a library; throws if they are damaged. Later errors are passed to `report`, once each, and no
    /// token is accepted until the tokens are valid again.
    public init(store: any TokenStore, report: @escaping @Sendable (any Error) -> Void = { _ in }) throws {
        let place = store.place
        tokens = try WatchedRecords<TokenRecord, Entry>(store, report: report) { record -> (id: String, entry: Entry) in
            guard let digest = ContentDigest(hexadecimal: record.digest) else { throw TokenError.damaged(path: place) }
            return (record.id, Entry(digest: digest, authorization: record.authorization))
        }
    }

    /// Starts checking for changes.
    public func start() { tokens.start() }

    /// Checks once whether the tokens have changed.
    public func poll() { tokens.poll() }

    public var isReadable: Bool { tokens.isReadable }

    public func authorization(for token: String) -> Authorization? {
        let digest = Token.digest(of: token)
        var found: Authorization?
        // All entries are compared, so that the time taken does not depend on which one matches.
        tokens.forEachEntry { entry in
            if entry.digest.isEqualInConstantTime(to: digest) { found = entry.authorization }
        }
        return found
    }

    public func closeWhenRevoked(_ channel: EventChannel, openedBy authorization: Authorization) {
        tokens.close(channel, whenGone: authorization.tokenID)
    }
}
