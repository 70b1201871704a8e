import HTTPCore

/// A connection and the request it is at; belongs to its shard's queue.
@safe
final class OpenConnection {
    /// How far the request under way is.
    enum Phase {
        /// Nothing of it was read; the only phase without a request.
        case waiting
        /// The request line was read.
        case lineRead
        /// The headers were read; nothing was asked yet.
        case headersRead(Request)
        /// The body is being read.
        case reading(IncomingBody)
        /// Waiting until a part of the body is on the disk.
        case storing(IncomingBody, Suspension)
        /// Waiting until the work is done.
        case suspended(Suspension, Cancellation)
        /// The reply is being sent.
        case replying
        /// Events are being sent, as they come.
        case streaming(EventBody)
    }

    /// The library's, which outlives this.
    let native: OpaquePointer
    let descriptor: Int32
    let peer: IPAddress
    var phase = Phase.waiting { didSet { phaseStart = Clock.milliseconds() } }
    /// When the phase began, in milliseconds of the monotonic clock.
    private(set) var phaseStart: Int64
    /// Whether it was closed from here and the library has yet to see it.
    var isHungUp = false
    /// Where the target of the request under way stands in the library's buffer.
    var targetPlace: (start: UInt, end: UInt) = (0, 0)
    /// Whether the connection ends with the answer to the request under way.
    var endsWithAnswer = false
    /// When the headers must have come, in milliseconds of the monotonic clock.
    var headerDeadline: Int64
    /// The body of the request under way, held for its room in memory.
    var body: IncomingBody?
    /// What the log will tell.
    var trace = Trace()

    struct Trace {
        var method = Method.other
        var target = RequestTarget(bytes: [])
        var version = ProtocolVersion.http10
        var startMilliseconds: Int64 = 0
        var startMicroseconds: Int64 = 0
        var status = 0
        var bodyBytes = 0
        var cacheResult: CacheResult?
    }

    init(_ native: OpaquePointer, descriptor: Int32, peer: IPAddress, now: Int64, headerDeadline: Int64) {
        unsafe self.native = native
        phaseStart = now
        self.descriptor = descriptor
        self.peer = peer
        self.headerDeadline = headerDeadline
    }

    /// The request under way, which is over now (microseconds of the monotonic clock), as logs have it.
    func record(now: Int64, isComplete: Bool) -> AccessRecord {
        AccessRecord(
            startMilliseconds: trace.startMilliseconds, microseconds: now - trace.startMicroseconds, peer: peer,
            method: trace.method, target: trace.target, version: trace.version, status: trace.status,
            bodyBytes: trace.bodyBytes, cacheResult: trace.cacheResult, isComplete: isComplete)
    }
}

extension Reply {
    /// How the answer came about.
    var cacheResult: CacheResult? {
        switch self {
        case .response(let response): response.cacheResult
        case .prepared(let prepared), .notModified(let prepared): prepared.response.cacheResult
        }
    }
}
