/// What the processes of a library tell each other through its database. It is no content of the library: changing it
/// neither waits for the writers of the library nor counts as a change of it.
///
/// May be used from any thread. What a function has changed survives a failure of the server when it returns, unless its
/// documentation says otherwise.
public protocol SharedDatabase: LeaseTable, DocumentTable, SegmentTable, AnnouncementTable {
    /// Names the database in messages.
    var name: String { get }
}

// MARK: Leases

/// How long leases last without being renewed, in seconds.
public enum LeaseTerms {
    /// Until a lease runs out, by the clock of the server.
    public static let validSeconds = 30
    /// How long nobody can have ended a lease after a renewal was sent, by the clock of its holder. Shorter by more than
    /// the time for which a standby that becomes the primary may be behind: its row is that of an earlier renewal.
    public static let certainSeconds = validSeconds - 5
}

/// Names that one process at a time holds. A lease runs out when its holder has not renewed it for `LeaseTerms.validSeconds`,
/// because the holder was killed, was stopped or cannot reach the server.
public protocol LeaseTable: Sendable {
    /// Takes a lease that holds `value`; nil if another process holds it.
    func lease(_ name: String, value: Int64) throws -> (any Lease)?

    /// The leases that have not run out and whose names begin with `prefix`.
    func leases(withPrefix prefix: String) throws -> [LeaseStatus]

    /// Ends the leases that have run out: their holders are told that they are lost when they return.
    func endExpiredLeases() throws

    /// Asks the holder of a lease for something; returns the number of the request, nil if nobody holds the lease.
    func request(ofHolderOf name: String) throws -> Int64?
}

extension LeaseTable {
    /// Takes a lease with a random name that begins with `prefix`.
    public func newLease(withPrefix prefix: String, value: Int64) throws -> any Lease {
        let name = prefix + String(UInt64.random(in: 0...UInt64.max), radix: 36)
        guard let lease = try lease(name, value: value) else {
            throw StoreError(.busy, code: "lease", message: "\(name) is held already", statement: nil)
        }
        return lease
    }
}

/// A lease as others see it.
public struct LeaseStatus: Sendable, Equatable {
    public var name: String
    /// A number that only its holder has.
    public var holder: Int64
    /// What its holder has published.
    public var value: Int64
    /// The number of the last request.
    public var requested: Int64
    /// The number of the last request that was answered.
    public var answered: Int64

    public init(name: String, holder: Int64, value: Int64, requested: Int64, answered: Int64) {
        self.name = name
        self.holder = holder
        self.value = value
        self.requested = requested
        self.answered = answered
    }
}

/// A lease that this process has taken. It is renewed until it is released.
public protocol Lease: HeldLock {
    var name: String { get }

    var holder: Int64 { get }

    /// Whether it has been ended, and cannot be renewed.
    var isLost: Bool { get }

    /// Whether nobody else can have ended it: it was renewed recently by the clock of this process. Asks nothing of the
    /// server, so it may be read for each request.
    var isCertain: Bool { get }

    /// The seconds for which it stays certain without being renewed; 0 if it is not certain.
    var certainSeconds: Double { get }

    /// Publishes a value, and renews the lease; false if it is lost. After a failure of the server, an earlier value may be
    /// published.
    func publish(_ value: Int64) throws -> Bool

    /// Reports that a request is answered; false if the lease is lost.
    func answer(_ request: Int64) throws -> Bool

    /// Throws if the lease is lost; otherwise nobody can end it before the transaction of `session`, a session of the
    /// primary store that may write, has ended.
    func hold(in session: any Session) throws
}

// MARK: Documents

/// Small documents, each changed by one process at a time.
public protocol DocumentTable: Sendable {
    /// The content of a document; nil if it does not exist.
    func document(_ name: String) throws -> [UInt8]?

    /// A number that changes with each change of a document; nil if it does not exist.
    func documentRevision(_ name: String) throws -> Int64?

    /// The contents of the documents whose names begin with `prefix`, in the order of their names.
    func documents(withPrefix prefix: String) throws -> [[UInt8]]

    /// The number of documents whose names begin with `prefix`.
    func documentCount(withPrefix prefix: String) throws -> Int

    /// Replaces a document by what `body` makes of it; nil stands for one that does not exist. Other changes of this
    /// document wait meanwhile; `body` must not use this object.
    func changeDocument(_ name: String, _ body: (inout [UInt8]?) throws -> Void) throws
}

// MARK: Segments

/// Logs to which one process appends, in segments that are deleted as a whole. A log has the name of the lease of its
/// writer.
public protocol SegmentTable: Sendable {
    /// Appends bytes to a log with their number, which counts from 1, and publishes the number; false if the lease of the log
    /// is lost.
    func append(_ bytes: [UInt8], number: Int64, to segment: Segment, _ lease: any Lease) throws -> Bool

    /// The names of the logs that have segments, in any order.
    func logs() throws -> [String]

    /// The segments of a log, in their order.
    func segments(ofLog name: String) throws -> [Segment]

    /// Whether a segment has not been deleted.
    func exists(_ segment: Segment) throws -> Bool

    /// Calls `body` with what was appended to a segment, in order.
    func forEachPart(of segment: Segment, _ body: ([UInt8]) throws -> Void) throws

    /// What was appended to a log after a number, in order.
    func parts(ofLog name: String, after number: Int64) throws -> [[UInt8]]

    /// Deletes a segment; false if the lease of the log is lost.
    func delete(_ segment: Segment, _ lease: any Lease) throws -> Bool
}

/// A segment of a log.
public struct Segment: Sendable, Hashable {
    public var log: String
    /// Counts from 1.
    public var number: Int64
    /// What its reader has to know about it; its writer's choice.
    public var note: String

    public init(log: String, number: Int64, note: String) {
        self.log = log
        self.number = number
        self.note = note
    }
}
