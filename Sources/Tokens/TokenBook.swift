import Digest
import Dispatch
import Files
public import HTTPCore
import Locking

/// The tokens of a library in a running server; a change by any process takes effect within half a second.
public final class TokenBook: TokenRegister {
    private struct State: Sendable {
        var facts: FileStatus?
        var entries: [Entry] = []
        /// Open event streams and the tokens that opened them.
        var followed: [(tokenID: String, channel: EventChannel)] = []
        var trouble: String?
    }

    private struct Entry: Sendable {
        let digest: ContentDigest
        let grant: Authorization
    }

    private let file: TokenFile
    private let report: @Sendable (any Error) -> Void
    private let state = Locked(State())
    private let timer = Locked<(any DispatchSourceTimer)?>(nil)

    private static let periodMilliseconds = 250

    /// Reads the tokens of the library in `folder`; throws if the file is damaged. Later errors are passed to `report`,
    /// once each, and no token is accepted until the file is valid again.
    public init(folder: String, report: @escaping @Sendable (any Error) -> Void = { _ in }) throws {
        file = TokenFile(folder: folder)
        self.report = report
        try read()
    }

    deinit {
        timer.withLock { $0?.cancel() }
    }

    /// Starts checking for changes.
    public func start() {
        let queue = DispatchQueue(label: "tileserve.tokens", qos: .utility)
        let timer = DispatchSource.makeTimerSource(queue: queue)
        timer.schedule(deadline: .now(), repeating: .milliseconds(Self.periodMilliseconds))
        timer.setEventHandler { [weak self] in self?.look() }
        self.timer.withLock { $0 = timer }
        timer.resume()
    }

    /// Checks once whether the tokens have changed.
    public func look() {
        do {
            try read()
            state.withLock { $0.trouble = nil }
        } catch {
            let text = "\(error)"
            let isNew = state.withLock { state in
                // An unreadable file must not readmit a token that was removed: no token is accepted.
                state.entries = []
                defer { state.trouble = text }
                return state.trouble != text
            }
            closeOrphans()
            if isNew { report(error) }
        }
    }

    public func grant(for token: String) -> Authorization? {
        let digest = Token.digest(of: token)
        var found: Authorization?
        // All entries are compared, so that the time taken does not depend on which one matches.
        for entry in state.withLock({ $0.entries }) where entry.digest.isEqualInConstantTime(to: digest) {
            found = entry.grant
        }
        return found
    }

    public func follow(_ channel: EventChannel, openedBy grant: Authorization) {
        let isKnown = state.withLock { state in
            // It may have been removed since the request arrived.
            let isKnown = state.entries.contains { $0.grant == grant }
            if isKnown { state.followed.append((grant.tokenID, channel)) }
            return isKnown
        }
        if !isKnown { channel.close() }
    }

    private func read() throws {
        let facts = FileStatus.ifAny(of: file.path)
        let isSame = state.withLock { $0.facts == facts && $0.trouble == nil }
        if !isSame {
            let entries = try file.all().map { record in
                guard let digest = ContentDigest(hexadecimal: record.digest) else {
                    throw TokenError.damaged(path: file.path)
                }
                return Entry(digest: digest, grant: Authorization(tokenID: record.id, caller: record.caller))
            }
            state.withLock { state in
                state.entries = entries
                state.facts = facts
            }
        }
        closeOrphans()
    }

    /// Closes streams whose token was removed, and forgets closed streams.
    private func closeOrphans() {
        let orphans = state.withLock { state in
            guard !state.followed.isEmpty else { return [EventChannel]() }
            let known = Set(state.entries.map(\.grant.tokenID))
            let orphans = state.followed.filter { !known.contains($0.tokenID) }.map(\.channel)
            state.followed.removeAll { !known.contains($0.tokenID) || $0.channel.isClosed }
            return orphans
        }
        for channel in orphans { channel.close() }
    }
}
