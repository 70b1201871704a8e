import Digest
import Dispatch
public import HTTPCore
import Locking
import Parallelism

/// The tokens of a library in a running server; a change by any process takes effect within half a second.
public final class TokenBook: TokenRegistry {
    private struct State: Sendable {
        /// The state of the store that `entries` show; nil before the first reading.
        var revision: TokenRevision?
        var entries: [Entry] = []
        /// Open event streams and the tokens that opened them.
        var openStreams: [(tokenID: String, channel: EventChannel)] = []
        var lastError: String?
        /// When the tokens were read last.
        var lastReading = ContinuousClock.now
    }

    private struct Entry: Sendable {
        let digest: ContentDigest
        let authorization: Authorization
    }

    private let store: any TokenStore
    private let report: @Sendable (any Error) -> Void
    private let state = Locked(State())
    private let timer = PollingTimer()

    private static let periodMilliseconds = 250

    /// Reads the tokens of a library; throws if they are damaged. Later errors are passed to `report`, once each, and no
    /// token is accepted until the tokens are valid again.
    public init(store: any TokenStore, report: @escaping @Sendable (any Error) -> Void = { _ in }) throws {
        self.store = store
        self.report = report
        try read()
    }

    /// Starts checking for changes.
    public func start() {
        let queue = DispatchQueue(label: "tileserve.tokens", qos: .utility)
        timer.start(periodMilliseconds: Self.periodMilliseconds, on: queue) { [weak self] in self?.poll() }
    }

    /// Checks once whether the tokens have changed.
    public func poll() {
        do {
            try read()
            state.withLock { $0.lastError = nil }
        } catch {
            let text = "\(error)"
            let isNew = state.withLock { state in
                // Unreadable tokens must not readmit a token that was removed: no token is accepted.
                // A server that is away says nothing about them.
                let isAway = !(error is TokenError)
                if !isAway || ContinuousClock.now - state.lastReading >= .seconds(store.outageSeconds) {
                    state.entries = []
                }
                defer { state.lastError = text }
                return state.lastError != text
            }
            closeRevoked()
            if isNew { report(error) }
        }
    }

    public var isReadable: Bool { state.withLock { $0.lastError == nil } }

    public func authorization(for token: String) -> Authorization? {
        let digest = Token.digest(of: token)
        var found: Authorization?
        // All entries are compared, so that the time taken does not depend on which one matches.
        for entry in state.withLock({ $0.entries }) where entry.digest.isEqualInConstantTime(to: digest) {
            found = entry.authorization
        }
        return found
    }

    public func closeWhenRevoked(_ channel: EventChannel, openedBy authorization: Authorization) {
        let isKnown = state.withLock { state in
            // It may have been removed since the request arrived.
            let isKnown = state.entries.contains { $0.authorization == authorization }
            if isKnown { state.openStreams.append((authorization.tokenID, channel)) }
            return isKnown
        }
        if !isKnown { channel.close() }
    }

    private func read() throws {
        // Before the tokens: a change in between is read again at the next poll.
        let started = ContinuousClock.now
        let revision = try store.revision()
        let isSame = state.withLock { $0.revision == revision && $0.lastError == nil }
        if !isSame {
            let entries = try store.all().map { record in
                guard let digest = ContentDigest(hexadecimal: record.digest) else {
                    throw TokenError.damaged(path: store.place)
                }
                return Entry(digest: digest, authorization: Authorization(tokenID: record.id, caller: record.caller))
            }
            state.withLock { state in
                state.entries = entries
                state.revision = revision
            }
        }
        state.withLock { $0.lastReading = started }
        closeRevoked()
    }

    /// Closes streams whose token was removed, and forgets closed streams.
    private func closeRevoked() {
        let revoked = state.withLock { state in
            guard !state.openStreams.isEmpty else { return [EventChannel]() }
            let known = Set(state.entries.map(\.authorization.tokenID))
            let revoked = state.openStreams.filter { !known.contains($0.tokenID) }.map(\.channel)
            state.openStreams.removeAll { !known.contains($0.tokenID) || $0.channel.isClosed }
            return revoked
        }
        for channel in revoked { channel.close() }
    }
}
