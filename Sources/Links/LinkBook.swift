import Digest
public import HTTPCore
import Locking
public import Tokens

/// The links of a library in a running server; a removed or expired link shows nothing within half a second, and its streams
/// end.
public final class LinkBook: Sendable {
    private struct Entry: Sendable {
        let record: LinkRecord
        let digest: ContentDigest
        let cookieDigest: ContentDigest
    }

    private struct State: Sendable {
        /// Uses that are not stored yet.
        var uses: [String: (count: Int, last: Int64)] = [:]
        var stored = ContinuousClock.now
        /// Wrong passwords in a row, by link, and when the next one may be tried.
        var failures: [String: (count: Int, next: ContinuousClock.Instant)] = [:]
    }

    private let store: any LinkStore
    private let links: WatchedRecords<LinkRecord, Entry>
    private let now: @Sendable () -> Int64
    private let report: @Sendable (any Error) -> Void
    private let state = Locked(State())

    /// Uses are told to the owner, who looks at them seldom.
    private static let storingPause = Duration.seconds(30)
    /// The first wrong passwords cost nothing: people mistype.
    private static let freeFailures = 3
    /// Then the pause doubles up to this: at most 100 passwords a day.
    private static let longestPauseSeconds = 900

    /// Reads the links of a library; throws if they are damaged. Later errors are passed to `report`, once each. `now` is in
    /// seconds since 1970.
    public init(
        store: any LinkStore, now: @escaping @Sendable () -> Int64,
        report: @escaping @Sendable (any Error) -> Void = { _ in }
    ) throws {
        self.store = store
        self.now = now
        self.report = report
        let place = store.place
        links = try WatchedRecords<LinkRecord, Entry>(store, report: report, isValid: { $0.record.isValid(at: now()) })
        {
            record -> (id: String, entry: Entry) in
            guard let digest = ContentDigest(hexadecimal: record.check.digest),
                let cookieDigest = ContentDigest(hexadecimal: record.check.cookieDigest)
            else { throw LinkError.damaged(path: place) }
            return (record.id, Entry(record: record, digest: digest, cookieDigest: cookieDigest))
        }
    }

    /// Starts checking for changes.
    public func start() { links.start() }

    /// Checks once whether the links have changed.
    public func poll() { links.poll() }

    // MARK: Checking requests

    /// The valid link whose secret is this; nil if there is none.
    public func link(secret: String) -> LinkRecord? {
        let given = Token.digest(of: secret)
        return find { $0.digest.isEqualInConstantTime(to: given) }
    }

    /// The valid link whose cookie is this; nil if there is none.
    public func link(cookie: String) -> LinkRecord? {
        let given = Token.digest(of: cookie)
        return find { $0.cookieDigest.isEqualInConstantTime(to: given) }
    }

    /// The valid link whose preview has this id; nil if there is none.
    public func link(preview: String) -> LinkRecord? {
        find { $0.record.preview == preview }
    }

    private func find(_ matches: (Entry) -> Bool) -> LinkRecord? {
        var found: LinkRecord?
        // All entries are compared, so that the time taken does not depend on which one matches.
        links.forEachEntry { entry in
            if matches(entry) { found = entry.record }
        }
        return found.flatMap { $0.isValid(at: now()) ? $0 : nil }
    }

    /// Closes `channel` when a link is removed.
    public func close(_ channel: EventChannel, whenGone link: LinkRecord) {
        links.close(channel, whenGone: link.id)
    }

    // MARK: Opening

    /// What became of an attempt to open a link.
    public enum Opening: Sendable {
        /// The text of the cookie.
        case opened(cookie: String)
        case needsPassword
        case wrongPassword
        /// Too many wrong passwords; seconds until the next may be tried.
        case tooOften(seconds: Int)
    }

    /// Opens a link with its secret: checks the password, which takes a tenth of a second, and counts the use.
    public func open(_ link: LinkRecord, secret: String, password: String?) -> Opening {
        if let hash = link.check.password {
            guard let password else { return .needsPassword }
            if let seconds = waitingSeconds(link) { return .tooOften(seconds: seconds) }
            guard PasswordHash.isValid(password, for: hash) else {
                addFailure(link)
                return .wrongPassword
            }
            state.withLock { $0.failures[link.id] = nil }
        }
        countUse(of: link)
        return .opened(cookie: LinkRecord.cookie(secret: secret, salt: link.check.salt))
    }

    private func waitingSeconds(_ link: LinkRecord) -> Int? {
        let instant = ContinuousClock.now
        return state.withLock { state in
            guard let next = state.failures[link.id]?.next, next > instant else { return nil }
            return max(1, Int((next - instant) / .seconds(1)))
        }
    }

    private func addFailure(_ link: LinkRecord) {
        let instant = ContinuousClock.now
        state.withLock { state in
            let count = (state.failures[link.id]?.count ?? 0) + 1
            let pause =
                count < Self.freeFailures ? 0 : min(1 << min(count - Self.freeFailures, 20), Self.longestPauseSeconds)
            state.failures[link.id] = (count, instant + .seconds(pause))
        }
    }

    /// Counts that a link was used; `storeUses` stores it.
    public func countUse(of link: LinkRecord) {
        let time = now()
        state.withLock { state in
            let count = (state.uses[link.id]?.count ?? 0) + 1
            state.uses[link.id] = (count, time)
        }
    }

    /// Stores the uses that are counted, unless that was done some seconds ago. Writes a file.
    public func storeUsesIfDue() {
        let isDue = state.withLock { state in
            guard !state.uses.isEmpty, ContinuousClock.now - state.stored >= Self.storingPause else { return false }
            state.stored = .now
            return true
        }
        if isDue { storeUses() }
    }

    /// Stores the uses that are counted.
    public func storeUses() {
        let uses = state.withLock { state in
            defer { state.uses = [:] }
            return state.uses
        }
        do { try store.count(uses) } catch { report(error) }
    }

    // MARK: Changing

    /// All links, the oldest first.
    public func all() throws -> [LinkRecord] { try store.all() }

    /// Adds a link, which is valid at once.
    public func add(_ request: LinkRequest) throws -> (record: LinkRecord, secret: Token) {
        let made = try store.add(request, now: now())
        links.poll()
        return made
    }

    /// Removes a link, which is invalid at once; nil if there is none.
    public func remove(_ id: String) throws -> LinkRecord? {
        let removed = try store.remove(id)
        links.poll()
        return removed
    }
}
