package import Database
internal import Locking
internal import Parallelism
package import PrimaryStore

/// The serving processes of a library that share a database: each holds a lease with the revision up to which its memory is
/// clean.
///
/// A removal waits until all have published its revision or their leases have run out. A process whose lease may have run
/// out serves nothing until it has a new one, and has then read the changes of the library. Members of this object are asked
/// without waiting for their next poll.
package final class ServingTable: Membership {
    private let shared: any SharedDatabase
    private let own = Locked<[String: @Sendable () -> Void]>([:])

    /// The names of the leases begin with this.
    private static let prefix = "serving/"
    /// A process that serves nothing yet; no revision is less.
    private static let notClean: Int64 = -1
    /// Servers look for changes a few times a second.
    private static let pollSeconds = 0.05

    package init(_ shared: any SharedDatabase) {
        self.shared = shared
    }

    package func join(head: Head, poll: @escaping @Sendable () -> Void) throws -> any Member {
        try mappingErrors {
            let lease = try take(value: head.revision)
            own.withLock { $0[lease.name] = poll }
            return TableMember(self, lease)
        }
    }

    package func waitUntilConfirmed(_ revision: Int64, timeoutMilliseconds: Int) throws -> Bool {
        for poll in own.withLock({ $0 }).values { poll() }
        return try mappingErrors {
            try pollUntil(within: .milliseconds(timeoutMilliseconds), periodSeconds: Self.pollSeconds) {
                // Ended for good: a member whose lease has run out must not renew it without having read this revision.
                try shared.endExpiredLeases()
                return try shared.leases(withPrefix: Self.prefix).allSatisfy { $0.value >= revision }
            }
        }
    }

    fileprivate func take(value: Int64) throws -> any Lease {
        try shared.newLease(withPrefix: Self.prefix, value: value)
    }

    /// A lease in place of a lost one, for a member that has to read the changes of the library.
    fileprivate func replace(_ lost: any Lease) throws -> any Lease {
        let new = try take(value: Self.notClean)
        own.withLock { own in
            own[new.name] = own[lost.name]
            own[lost.name] = nil
        }
        return new
    }

    /// The name of the process that has a lease.
    fileprivate static func member(_ lease: any Lease) -> String { String(lease.name.dropFirst(prefix.count)) }

    fileprivate func forget(_ lease: any Lease) {
        own.withLock { $0[lease.name] = nil }
    }

    fileprivate func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        try TrackDatabase.mappingErrors(shared.name, body)
    }
}

/// This process in a `ServingTable`.
private final class TableMember: Member {
    private let table: ServingTable
    private let state: Locked<State>

    private struct State {
        var lease: any Lease
        /// Whether a head was published with this lease, after which no removal can have been missed.
        var isClean = true
    }

    init(_ table: ServingTable, _ lease: any Lease) {
        self.table = table
        state = Locked(State(lease: lease))
    }

    deinit {
        table.forget(state.withLock { $0.lease })
    }

    var lease: MemberLease? {
        let (lease, isClean) = state.withLock { ($0.lease, $0.isClean) }
        return MemberLease(name: ServingTable.member(lease), seconds: isClean ? lease.certainSeconds : 0)
    }

    var mayServe: Bool { state.withLock { $0.isClean && $0.lease.isCertain } }

    func publish(_ head: Head) throws {
        let lease = state.withLock { $0.lease }
        try table.mappingErrors {
            if try lease.publish(head.revision) { return state.withLock { $0.isClean = true } }
            // `head` may have been read before a removal that did not wait for this process. The next one is read while it
            // has a lease.
            let new = try table.replace(lease)
            state.withLock { $0 = State(lease: new, isClean: false) }
        }
    }
}
