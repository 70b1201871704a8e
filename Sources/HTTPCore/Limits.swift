/// Limits on what a client may use before it is refused; each can be configured.
public struct Limits: Sendable {
    /// Bytes of a request target; longer ones get `414`. Our longest URLs, with 100 track ids, are well below it.
    public var targetBytes = 8 * 1024
    /// Bytes of all headers together; more get `431`. Browsers with many cookies send 4 KiB.
    public var headerBytes = 16 * 1024
    /// Seconds within which the request line and headers must arrive, however slowly the client sends.
    public var headerSeconds = 10
    /// Seconds without traffic after which a connection is closed.
    public var idleSeconds = 30
    /// Bytes of request bodies in memory at once, over all clients; a body that does not fit gets `503`. Bodies spooled
    /// to disk do not count.
    public var bodyMemoryBytes = 64 << 20
    /// Bytes that are still read and discarded of a body that is too long, so that its sender receives the response;
    /// after that the connection is closed.
    public var discardedBodyLimit = 16 << 20
    /// Open connections, over all clients. When few are left, those idle longest are closed; if none is idle, new ones
    /// wait in the system's accept queue.
    public var connections = 1_024
    /// Open connections from one address. The next one closes an idle one; if none is idle, the new one is closed.
    /// Browsers open six per host.
    public var connectionsPerAddress = 128
    /// The same for all loopback addresses together: local programs, and proxies, which serve many readers. Unless it is
    /// set, seven eighths of `connections`.
    public var connectionsFromLoopback: Int {
        get { configuredFromLoopback ?? connections - connections / 8 }
        set { configuredFromLoopback = newValue }
    }
    private var configuredFromLoopback: Int?
    /// Seconds that a stopping listener waits for responses in progress.
    public var stopSeconds = 4.0

    public init() {}
}
