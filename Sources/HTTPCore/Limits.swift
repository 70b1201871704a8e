/// How much a client may ask for before it is refused; every one of them may be set otherwise.
public struct Limits: Sendable {
    /// Bytes of a request's target; longer ones are `414`. No URL of ours is near it, with 100 track ids in it.
    public var targetBytes = 8 * 1024
    /// Bytes of all headers together; more are `431`. Browsers with many cookies send 4 KiB.
    public var headerBytes = 16 * 1024
    /// Seconds in which request line and headers must have come, however slowly a client drips them.
    public var headerSeconds = 10
    /// Seconds without a byte after which a connection is closed.
    public var idleSeconds = 30
    /// Bytes of bodies in memory at once, over all clients; a body for which there is no room is `503`. Those that go to
    /// the disk do not count.
    public var bodyMemoryBytes = 64 << 20
    /// Bytes of a body that has turned out too long which are still read, so that its sender hears why; beyond, the
    /// connection is closed.
    public var surplusBytes = 16 << 20
    /// Connections open at once, over all clients. When they become scarce, those that have been idle longest are closed;
    /// where none is idle, others wait in the system's queue.
    public var connections = 1_024
    /// Connections open at once from one address; for the next, one that is idle is closed, and where none is, the next is.
    /// Browsers open six a host.
    public var connectionsPerAddress = 128
    /// As many from all loopback addresses: the user's own programs, and proxies, which stand for many readers.
    public var connectionsFromLoopback = 896
    /// Seconds within which a listener that is stopped lets answers under way finish.
    public var stopSeconds = 4.0

    /// The limits as shipped.
    public init() {}
}
