import Locking

/// A `BoundedCache` that several threads share. Values are made without holding its lock.
///
/// What is forgotten while a value is made may be what the value was made from, so such a value is returned, but not
/// stored.
public final class SharedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct State: Sendable {
        var entries: BoundedCache<Key, Value>
        /// Incremented whenever entries are forgotten.
        var version: UInt64 = 0
    }

    /// The state of a cache between two calls of invalidate.
    public struct Version: Sendable {
        fileprivate let number: UInt64
    }

    private let state: Locked<State>

    /// An empty cache whose entries cost at most `costLimit` together.
    public init(costLimit: Int) {
        state = Locked(State(entries: BoundedCache(costLimit: costLimit)))
    }

    /// The value of a key, which is flagged as used.
    public func find(_ key: Key) -> Value? {
        state.withLock { $0.entries.use(key) }
    }

    /// The cached value of a key, or the one that `make` returns, which is then cached at its `cost`.
    public func value(for key: Key, cost: (Value) -> Int = { _ in 1 }, make: () throws -> Value) rethrows -> Value {
        let (known, version) = state.withLock { ($0.entries.use(key), $0.version) }
        if let known { return known }
        let made = try make()
        store(made, for: key, cost: cost(made), since: Version(number: version))
        return made
    }

    /// The present version, for `store`.
    public var version: Version { Version(number: state.withLock { $0.version }) }

    /// Stores a value, unless anything was forgotten since the version at which its making began.
    public func store(_ value: Value, for key: Key, cost: Int = 1, since version: Version) {
        state.withLock { state in
            guard state.version == version.number else { return }
            state.entries.store(value, for: key, cost: cost)
        }
    }

    /// Removes the entries that match; values that are being made are not stored.
    public func invalidate(where fits: (Key, Value) -> Bool = { _, _ in true }) {
        state.withLock { state in
            state.version += 1
            state.entries.removeAll(where: fits)
        }
    }
}
