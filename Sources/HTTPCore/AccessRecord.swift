/// One request that is over, for the access log.
public struct AccessRecord: Sendable {
    /// Milliseconds since 1970 at which its request line was read.
    public let startMilliseconds: Int64
    /// Microseconds from then until its answer was written, or its connection lost.
    public let microseconds: Int64
    /// Where it came from.
    public let peer: IPAddress
    /// What was asked.
    public let method: Method
    /// Of what; logs show `redacted`.
    public let target: RequestTarget
    /// In which version.
    public let version: ProtocolVersion
    /// The status sent; 0 when the reader had gone before.
    public let status: Int
    /// Bytes of the body sent.
    public let bodyBytes: Int
    /// Whether the answer was there already.
    public let cacheResult: CacheResult?
    /// Whether the reader took all of it.
    public let isComplete: Bool

    /// A record with these parts.
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
