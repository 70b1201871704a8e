/// One finished request, for the access log.
public struct AccessRecord: Sendable {
    /// Milliseconds since 1970 when the request line was read.
    public let startMilliseconds: Int64
    /// Microseconds from then until the response was written or the connection was lost.
    public let microseconds: Int64
    /// The client's address.
    public let peer: IPAddress
    public let method: Method
    /// The request target; logs show `redacted`.
    public let target: RequestTarget
    public let version: ProtocolVersion
    /// The status sent; 0 if the client had disconnected before.
    public let status: Int
    /// Bytes of the body sent.
    public let bodyBytes: Int
    /// Whether the response came from a cache; nil if it cannot be cached.
    public let cacheResult: CacheResult?
    /// Whether the client received the whole response.
    public let isComplete: Bool

    public init(
        startMilliseconds: Int64, microseconds: Int64, peer: IPAddress, method: Method, target: RequestTarget,
        version: ProtocolVersion, status: Int, bodyBytes: Int, cacheResult: CacheResult?, isComplete: Bool
    ) {
        self.startMilliseconds = startMilliseconds
        self.microseconds = microseconds
        self.peer = peer
        self.method = method
        self.target = target
        self.version = version
        self.status = status
        self.bodyBytes = bodyBytes
        self.cacheResult = cacheResult
        self.isComplete = isComplete
    }
}
