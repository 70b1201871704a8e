package import Database
internal import Locking
internal import Parallelism
internal import PrimaryStore

/// The recording log of a library whose processes share a database: each session is a lease and a log of this name.
package final class RecordingTable: RecordingLog {
    private let shared: any SharedDatabase
    /// The running sessions of this object, with the call that flushes each.
    private let own = Locked<[String: @Sendable () -> Bool]>([:])
    /// What the server has last said of all sessions.
    private let observed = ObservedAnswer<[LeaseStatus], ContinuousClock.Instant>(.log, pause: .milliseconds(50))

    /// The names of the leases of sessions begin with this.
    private static let prefix = "recording/"

    package init(_ shared: any SharedDatabase) {
        self.shared = shared
    }

    package func begin(
        samplingMilliseconds: Int64?, flush: @escaping @Sendable () -> Bool
    ) throws -> any RecordingSession {
        try mappingErrors {
            let lease = try shared.newLease(withPrefix: Self.prefix, value: 0)
            own.withLock { $0[lease.name] = flush }
            return TableSession(self, lease, samplingMilliseconds)
        }
    }

    package func contains(segment name: String) throws -> Bool {
        guard let segment = TableSegment.segment(named: name) else { return false }
        return try mappingErrors { try shared.exists(segment) }
    }

    package func forEachAbandoned(_ body: (any RecordedSegment) throws -> Bool) throws {
        try mappingErrors {
            var failure: (any Error)?
            let running = Set(try shared.leases(withPrefix: Self.prefix).map(\.name))
            sessions: for name in try shared.logs().filter({ !running.contains($0) }).sorted() {
                guard let lease = try shared.lease(name, value: 0) else { continue }
                do {
                    for segment in try shared.segments(ofLog: name) {
                        do {
                            guard try body(TableSegment(segment, lease, shared)) else { break sessions }
                        } catch let error as LibraryError where !error.concernsAllData {
                            failure = failure ?? error
                        }
                    }
                } catch {
                    failure = failure ?? error
                }
            }
            if let failure { throw failure }
        }
    }

    package func flushSessions(timeoutMilliseconds: Int) throws -> Bool {
        let mine = own.withLock { $0 }
        var areFlushed = true
        for flush in mine.values where !flush() { areFlushed = false }
        return try mappingErrors {
            var requests: [String: Int64] = [:]
            for session in try shared.leases(withPrefix: Self.prefix) where mine[session.name] == nil {
                requests[session.name] = try shared.request(ofHolderOf: session.name)
            }
            let haveOthers = try pollUntil(
                within: .milliseconds(timeoutMilliseconds), periodSeconds: Self.pollSeconds
            ) {
                guard !requests.isEmpty else { return true }
                // A session whose lease has run out has left its segments.
                return try shared.leases(withPrefix: Self.prefix).allSatisfy { session in
                    requests[session.name].map { session.answered >= $0 } ?? true
                }
            }
            return areFlushed && haveOthers
        }
    }

    /// Servers look for requests several times a second.
    private static let pollSeconds = 0.05

    package func newPoints(since position: inout RecordedPosition) throws -> [RecordedPoints] {
        let mine = own.withLock { $0 }
        return try mappingErrors {
            let others = try sessions().filter { mine[$0.name] == nil }
            var ends: [String: Int64] = [:]
            var points: [RecordedPoints] = []
            for session in others {
                // What was recorded before the first call is not new.
                let known = position.ends[session.name] ?? (position.isFirst ? session.value : 0)
                ends[session.name] = max(known, session.value)
                guard session.value > known else { continue }
                for part in try shared.parts(ofLog: session.name, after: known) {
                    points += LogFrame.entries(of: part).compactMap { RecordedPoints(decoding: $0) }
                }
            }
            position = RecordedPosition(ends: ends, isFirst: false)
            return points
        }
    }

    /// All sessions, as the server has last said.
    fileprivate func sessions() throws -> [LeaseStatus] {
        try observed.answer(shared, now: .now) { try shared.leases(withPrefix: Self.prefix) }
    }

    fileprivate func forget(session: String) {
        own.withLock { $0[session] = nil }
    }

    fileprivate func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        try TrackDatabase.mappingErrors(shared.name, body)
    }

    /// Sessions use the table that made them.
    fileprivate var database: any SharedDatabase { shared }
}

/// What this process records. When it is released, others may move what is left.
private final class TableSession: RecordingSession {
    private let table: RecordingTable
    private let lease: any Lease
    private let note: String
    private let state = Locked(State())
    /// The request for a flush that was noticed.
    private let request = Locked<Int64>(0)

    private struct State {
        /// The number of the last part.
        var number: Int64 = 0
        var segment: Int64 = 1
        /// The bytes of the current segment.
        var bytes = 0
    }

    init(_ table: RecordingTable, _ lease: any Lease, _ samplingMilliseconds: Int64?) {
        self.table = table
        self.lease = lease
        note = samplingMilliseconds.map { "\($0)" } ?? ""
    }

    deinit {
        table.forget(session: lease.name)
    }

    var isLost: Bool { lease.isLost }

    func append(_ bytes: [UInt8]) throws -> Int {
        try table.mappingErrors {
            try state.withLock { state in
                // Even if this fails: it may have been stored under this number.
                state.number += 1
                let segment = Segment(log: lease.name, number: state.segment, note: note)
                guard try table.database.append(bytes, number: state.number, to: segment, lease) else {
                    throw StoreError.leaseLost
                }
                state.bytes += bytes.count
                return state.bytes
            }
        }
    }

    func seal() -> (any RecordedSegment)? {
        state.withLock { state in
            guard state.bytes > 0 else { return nil }
            defer {
                state.segment += 1
                state.bytes = 0
            }
            return TableSegment(
                Segment(log: lease.name, number: state.segment, note: note), lease, table.database)
        }
    }

    var isFlushRequested: Bool {
        // A request that cannot be seen now is seen later.
        guard let own = try? table.sessions().first(where: { $0.holder == lease.holder }) else { return false }
        request.withLock { $0 = own.requested }
        return own.requested > own.answered
    }

    func reportFlushed() {
        // If this fails, the other process waits until its timeout.
        _ = try? lease.answer(request.withLock { $0 })
    }

    func end() {
        table.forget(session: lease.name)
        reportFlushed()
    }
}

/// A segment in a shared database.
private struct TableSegment: RecordedSegment {
    private let segment: Segment
    private let lease: any Lease
    private let shared: any SharedDatabase

    init(_ segment: Segment, _ lease: any Lease, _ shared: any SharedDatabase) {
        self.segment = segment
        self.lease = lease
        self.shared = shared
    }

    var name: String { "\(segment.log)-\(segment.number)" }

    var samplingMilliseconds: Int64? { Int64(segment.note) }

    /// The segment with a name; nil if no segment has such a name.
    static func segment(named name: String) -> Segment? {
        guard let separator = name.lastIndex(of: "-"), let number = Int64(name[name.index(after: separator)...]) else {
            return nil
        }
        return Segment(log: String(name[..<separator]), number: number, note: "")
    }

    func hold(in session: any Session) throws {
        try lease.hold(in: session)
    }

    func forEach(_ body: (RecordedPoints) throws -> Void) throws {
        try TrackDatabase.mappingErrors(shared.name) {
            let name = shared.name
            try shared.forEachPart(of: segment) { try RecordedPoints.forEach(in: $0, path: name, body) }
        }
    }

    func delete() throws {
        try TrackDatabase.mappingErrors(shared.name) {
            guard try shared.delete(segment, lease) else { throw StoreError.leaseLost }
        }
    }
}
