import Dispatch
public import HTTPCore
import Locking
import Parallelism

/// A list of records in a running server, each prepared for the checks of requests; a change by any process takes effect within
/// half a second. Streams end with the record that allowed them.
public final class WatchedRecords<Record: StoredRecord, Entry: Sendable>: Sendable {
    private struct State: Sendable {
        /// The state of the store that `entries` show; nil before the first reading.
        var revision: StoreRevision?
        /// In the order of the store, so that each request can go through them without making a list of its own.
        var entries: [(id: String, entry: Entry)] = []
        /// Open event streams and the ids of the records that allow them.
        var openStreams: [(id: String, channel: EventChannel)] = []
        var lastError: String?
        /// When the records were read last.
        var lastReading = ContinuousClock.now
    }

    private let store: any RecordStore<Record>
    private let isValid: @Sendable (Entry) -> Bool
    private let prepare: @Sendable (Record) throws -> (id: String, entry: Entry)
    private let report: @Sendable (any Error) -> Void
    private let state = Locked(State())
    private let timer = PollingTimer()

    private static var periodMilliseconds: Int { 250 }

    /// Reads the records; throws if they are damaged. `prepare` makes the entry of a record, under an id that no other has;
    /// `isValid` tells whether an entry allows anything now.
    /// Later errors are passed to `report`, once each, and there are no entries until the records are valid again.
    public init(
        _ store: any RecordStore<Record>, report: @escaping @Sendable (any Error) -> Void,
        isValid: @escaping @Sendable (Entry) -> Bool = { _ in true },
        prepare: @escaping @Sendable (Record) throws -> (id: String, entry: Entry)
    ) throws {
        self.store = store
        self.isValid = isValid
        self.report = report
        self.prepare = prepare
        try read()
    }

    /// Starts checking for changes.
    public func start() {
        let queue = DispatchQueue(label: "tileserve.\(Record.listName)", qos: .utility)
        timer.start(periodMilliseconds: Self.periodMilliseconds, on: queue) { [weak self] in self?.poll() }
    }

    /// Checks once whether the records have changed.
    public func poll() {
        do {
            try read()
            state.withLock { $0.lastError = nil }
        } catch {
            let text = "\(error)"
            let isNew = state.withLock { state in
                // Unreadable records must not readmit one that was removed: none is accepted.
                // A server that is away says nothing about them.
                let isAway = type(of: error) != type(of: Record.damaged(store.place))
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

    /// Whether the records could be read.
    public var isReadable: Bool { state.withLock { $0.lastError == nil } }

    /// Calls `body` with every entry, whatever it finds.
    public func forEachEntry(_ body: (Entry) -> Void) {
        for (_, entry) in state.withLock({ $0.entries }) { body(entry) }
    }

    /// Closes `channel` when the record with this id is removed.
    public func close(_ channel: EventChannel, whenGone id: String) {
        let isKnown = state.withLock { state in
            // It may have been removed since the request arrived.
            let isKnown = state.entries.contains { $0.id == id }
            if isKnown { state.openStreams.append((id, channel)) }
            return isKnown
        }
        if !isKnown { channel.close() }
    }

    private func read() throws {
        // Before the records: a change in between is read again at the next poll.
        let started = ContinuousClock.now
        let revision = try store.revision()
        let isSame = state.withLock { $0.revision == revision && $0.lastError == nil }
        if !isSame {
            let entries = try store.all().map { try prepare($0) }
            state.withLock { state in
                state.entries = entries
                state.revision = revision
            }
        }
        state.withLock { $0.lastReading = started }
        closeRevoked()
    }

    /// Closes streams whose record was removed or is not valid any more, and forgets closed streams.
    private func closeRevoked() {
        let revoked = state.withLock { state in
            guard !state.openStreams.isEmpty else { return [EventChannel]() }
            let allowed = Set(state.entries.filter { isValid($0.entry) }.map(\.id))
            let revoked = state.openStreams.filter { !allowed.contains($0.id) }.map(\.channel)
            state.openStreams.removeAll { !allowed.contains($0.id) || $0.channel.isClosed }
            return revoked
        }
        for channel in revoked { channel.close() }
    }
}
