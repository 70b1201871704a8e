import HTTPCore
import Locking

/// How many connections each address has open, over all shards.
final class AddressCounts: Sendable {
    private let counts = Locked<[IPAddress: Int]>([:])
    private let limits: Limits

    init(limits: Limits) {
        self.limits = limits
    }

    /// Whether the address may open one more.
    func admits(_ address: IPAddress) -> Bool {
        guard counted(address) else { return true }
        return counts.withLock { $0[address, default: 0] } < limits.connectionsPerAddress
    }

    /// One was opened.
    func add(_ address: IPAddress) {
        guard counted(address) else { return }
        counts.withLock { $0[address, default: 0] += 1 }
    }

    /// One was closed.
    func remove(_ address: IPAddress) {
        guard counted(address) else { return }
        counts.withLock { counts in
            let left = counts[address, default: 1] - 1
            counts[address] = left > 0 ? left : nil
        }
    }

    private func counted(_ address: IPAddress) -> Bool {
        limits.countsLoopback || !address.isLoopback
    }
}
