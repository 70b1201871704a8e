/// Work that several processes do together: one of them offers jobs and needs their results, the others help. Nothing in it
/// survives the server, or the end of the process that has offered it.
///
/// A job that was taken and is not finished in time, by the clock of the server, can be taken again, so that a killed process
/// delays the others only. May be used from any thread.
public protocol JobTable: Sendable {
    /// Offers jobs in place of all others. `condition` has to be that of a process that helps.
    func offer(_ jobs: [[UInt8]], condition: Int64) throws -> any JobOffer

    /// Takes a job to help; nil if none can be taken. After `seconds` it can be taken again.
    func take(condition: Int64, seconds: Int) throws -> TakenJob?

    /// Stores the results of a job that was taken to help, which `next` gives one by one. False, and nothing is stored, if it
    /// was taken by another process since.
    func finish(_ job: TakenJob, _ next: () throws -> JobResult?) throws -> Bool
}

extension JobTable {
    /// Takes a job to help, which can be taken again after 30 seconds.
    public func take(condition: Int64) throws -> TakenJob? {
        try take(condition: condition, seconds: 30)
    }
}

/// A job that a process has taken to help.
public struct TakenJob: Sendable {
    public var number: Int64
    public var content: [UInt8]
    /// A number that only its holder has.
    public var holder: Int64

    public init(number: Int64, content: [UInt8], holder: Int64) {
        self.number = number
        self.content = content
        self.holder = holder
    }
}

/// A part of the result of a job. Kind and key name it.
public struct JobResult: Sendable {
    public var kind: Int64
    /// Not negative.
    public var key: Int64
    public var bytes: [UInt8]

    public init(kind: Int64, key: Int64, bytes: [UInt8]) {
        self.kind = kind
        self.key = key
        self.bytes = bytes
    }
}

/// Jobs that this process has offered; they are withdrawn when it is released.
public protocol JobOffer: AnyObject, Sendable {
    /// Takes a job that this process does itself, which has no stored results.
    func takeOwn() throws -> OwnJob

    /// The jobs that others have finished.
    func finished() throws -> [Int64]

    /// Deletes the results of a job that this process does again itself.
    func discard(_ job: Int64) throws

    /// The next results of a kind of a job, in the order of their keys, which are greater than `key`.
    func results(of job: Int64, kind: Int64, after key: Int64, limit: Int) throws -> [JobResult]
}

/// What is left of the jobs of an offer.
public enum OwnJob: Sendable, Equatable {
    /// A job to be done by this process.
    case job(Int64)
    /// Others are working on the rest.
    case heldByOthers
    /// All are finished, or taken by this process.
    case none
}
