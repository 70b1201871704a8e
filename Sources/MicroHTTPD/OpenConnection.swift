import HTTPCore

/// A connection and the request it is at; belongs to its shard's queue.
///
/// Safe: `suspended` is set while the library has the connection suspended, and it keeps it for so long.
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
        /// Suspended until the work is done.
        case suspended(Cancellation)
        /// The work is done: resumed, and not yet asked for the reply.
        case resumed(Reply)
        /// The reader has gone; resumed only to be closed.
        case abandoned
        /// The reply is being sent.
        case replying
    }

    let descriptor: Int32
    let peer: IPAddress
    var phase = Phase.waiting
    /// The library's connection while it is suspended.
    var suspended: OpaquePointer?
    /// The number of its last suspension, so that a late reply meets neither the next request nor the next connection
    /// with this descriptor.
    var suspension: UInt64 = 0
    /// When the headers must have come, in milliseconds of the monotonic clock.
    var headerDeadline: Int64
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

    init(descriptor: Int32, peer: IPAddress, headerDeadline: Int64) {
        self.descriptor = descriptor
        self.peer = peer
        self.headerDeadline = headerDeadline
    }
}
