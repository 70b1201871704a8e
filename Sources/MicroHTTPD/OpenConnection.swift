import HTTPCore

/// A connection and its current request; used on its event loop's queue.
@safe
final class OpenConnection {
    /// The state of the current request.
    enum Phase {
        /// Nothing of it has been read; the only phase without a request.
        case waiting
        /// The request line was read.
        case lineRead
        /// The headers were read; the responder has not been called yet.
        case headersRead(Request)
        /// The body is being read.
        case reading(IncomingBody)
        /// Suspended until a block of the body is written to disk.
        case storing(IncomingBody, Suspension)
        /// Suspended until the deferred work is done.
        case suspended(Suspension, Cancellation)
        /// The reply is being sent.
        case replying
        /// Events are being sent as they arrive.
        case streaming(EventStreamBody)
    }

    /// The library's connection, which outlives this object.
    let native: OpaquePointer
    let descriptor: Int32
    let peer: IPAddress
    var phase = Phase.waiting {
        didSet {
            phaseStart = Clock.milliseconds()
            if case .waiting = phase { hasAnswered = true }
        }
    }
    /// Whether a request on it was answered. Its client then knows that the connection may be closed at any time.
    private(set) var hasAnswered = false
    /// When the phase began, in milliseconds of the monotonic clock.
    private(set) var phaseStart: Int64
    /// Whether this side has shut the connection down and the library has not noticed yet.
    var isShutDown = false
    /// The position of the current request's target in the library's buffer.
    var targetRange: (start: UInt, end: UInt) = (0, 0)
    /// Whether the connection is closed after the response to the current request.
    var endsWithAnswer = false
    /// The time by which the headers must have arrived, in milliseconds of the monotonic clock.
    var headerDeadline: Int64
    /// The body of the current request, kept for its reserved memory.
    var body: IncomingBody?
    /// The current request, for the access log.
    var record: AccessRecord
    /// When its request line was read, in microseconds of the monotonic clock.
    var startMicroseconds: Int64 = 0

    init(_ native: OpaquePointer, descriptor: Int32, peer: IPAddress, now: Int64, headerDeadline: Int64) {
        unsafe self.native = native
        phaseStart = now
        self.descriptor = descriptor
        self.peer = peer
        record = AccessRecord(peer: peer)
        self.headerDeadline = headerDeadline
    }
}

extension OutgoingResponse {
    /// Whether the response came from a cache.
    var cacheResult: CacheResult? {
        switch self {
        case .response(let response): response.cacheResult
        case .prepared(let prepared), .notModified(let prepared): prepared.response.cacheResult
        }
    }
}
