import HTTPCore
import Locking

/// How many connections each address has open, over all shards.
final class AddressCounts: Sendable {
    private let counts = Locked<[IPAddress: Int]>([:])
    private let limits: Limits

    init(limits: Limits) {
        self.limits = limits
    }

    /// Whether the address has as many as it may have.
    func isFull(_ address: IPAddress) -> Bool {
        let limit = address.isLoopback ? limits.connectionsFromLoopback : limits.connectionsPerAddress
        return counts.withLock { $0[Self.key(address), default: 0] } >= limit
    }

    /// One was opened.
    func add(_ address: IPAddress) {
        counts.withLock { $0[Self.key(address), default: 0] += 1 }
    }

    /// One was closed.
    func remove(_ address: IPAddress) {
        counts.withLock { counts in
            let left = counts[Self.key(address), default: 1] - 1
            counts[Self.key(address)] = left > 0 ? left : nil
        }
    }

    /// Whether two addresses are counted together.
    static func areOne(_ left: IPAddress, _ right: IPAddress) -> Bool { key(left) == key(right) }

    /// A machine has 16 million addresses of its own.
    private static func key(_ address: IPAddress) -> IPAddress {
        address.isLoopback ? .loopback : address
    }
}
