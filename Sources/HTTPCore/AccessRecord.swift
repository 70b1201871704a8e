/// One request, for the access log; filled while it is read and answered.
public struct AccessRecord: Sendable {
    /// The client's address.
    public let peer: IPAddress
    /// Milliseconds since 1970 when the request line was read.
    public var startMilliseconds: Int64 = 0
    /// Microseconds from then until the response was written or the connection was lost.
    public var microseconds: Int64 = 0
    public var method = Method.other
    /// The request target; logs show `redacted`.
    public var target = RequestTarget(bytes: [])
    public var version = ProtocolVersion.http10
    /// The status sent; 0 if the client had disconnected before.
    public var status = 0
    /// Bytes of the body sent.
    public var bodyBytes = 0
    /// Whether the response came from a cache; nil if it cannot be cached.
    public var cacheResult: CacheResult?
    /// Whether the client received the whole response.
    public var isComplete = false

    /// A record of a request that has not been read yet.
    public init(peer: IPAddress) {
        self.peer = peer
    }
}
