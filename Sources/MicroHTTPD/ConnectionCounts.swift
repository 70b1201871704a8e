import HTTPCore
import Locking

/// The number of open connections of each address, over all event loops.
final class ConnectionCounts: Sendable {
    private let counts = Locked<[IPAddress: Int]>([:])
    private let limits: Limits

    init(limits: Limits) {
        self.limits = limits
    }

    /// Whether the address has reached its limit.
    func isFull(_ address: IPAddress) -> Bool {
        counts.withLock { $0[Self.key(address), default: 0] } >= limit(of: address)
    }

    /// The number of connections that the address may have open.
    func limit(of address: IPAddress) -> Int {
        address.isLoopback ? limits.connectionsFromLoopback : limits.connectionsPerAddress
    }

    /// Counts an opened connection.
    func add(_ address: IPAddress) {
        counts.withLock { $0[Self.key(address), default: 0] += 1 }
    }

    /// Counts a closed connection.
    func remove(_ address: IPAddress) {
        counts.withLock { counts in
            let left = counts[Self.key(address), default: 1] - 1
            counts[Self.key(address)] = left > 0 ? left : nil
        }
    }

    /// Whether two addresses are counted together.
    static func areCountedTogether(_ left: IPAddress, _ right: IPAddress) -> Bool { key(left) == key(right) }

    /// All loopback addresses are counted as one: a machine has 16 million of them.
    private static func key(_ address: IPAddress) -> IPAddress {
        address.isLoopback ? .loopback : address
    }
}
