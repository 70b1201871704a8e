import Locking

/// A `BoundedCache` that several threads share. One thread makes a value, and others that ask for it wait.
///
/// Values are made without holding the lock of the cache. What is forgotten while a value is made may be what the value
/// was made from, so such a value is returned to those who already wait for it, but not stored.
public final class SharedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    /// A value that is being made. The thread that makes it holds the lock of `value`; the others wait for that lock.
    private final class PendingValue: Sendable {
        let value = Locked<Value?>(nil)
    }

    private enum Lookup: Sendable {
        case cached(Value)
        case pending(PendingValue)
    }

    private struct State: Sendable {
        var entries: BoundedCache<Key, Value>
        /// The values that are being made, each with the number of threads that make it or wait for it.
        var pending: [Key: (value: PendingValue, callers: Int)] = [:]
        /// Incremented whenever entries are forgotten.
        var version: UInt64 = 0
        /// Whether a value was evicted, or not stored because of its cost.
        var hasEvicted = false

        /// The cached value of a key, or the value that the caller waits for or makes: `leave` has to follow.
        mutating func join(_ key: Key) -> Lookup {
            if let known = entries.use(key) { return .cached(known) }
            var entry = pending[key] ?? (PendingValue(), 0)
            entry.callers += 1
            pending[key] = entry
            return .pending(entry.value)
        }

        /// Stores a value that was made, unless its key was forgotten meanwhile.
        mutating func store(_ made: Value, for key: Key, cost: Int, as value: PendingValue) {
            guard pending[key]?.value === value else { return }
            store(made, for: key, cost: cost)
        }

        mutating func store(_ value: Value, for key: Key, cost: Int) {
            if entries.store(value, for: key, cost: cost) > 0 || cost > entries.costLimit { hasEvicted = true }
        }

        mutating func leave(_ key: Key, _ value: PendingValue) {
            guard let entry = pending[key], entry.value === value else { return }
            pending[key] = entry.callers > 1 ? (value, entry.callers - 1) : nil
        }
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

    /// The value of a key, which is flagged as used. Never waits for a value that is being made.
    public func find(_ key: Key) -> Value? {
        state.withLock { $0.entries.use(key) }
    }

    /// The cached value of a key, or the one that `make` returns, which is then cached at its `cost`.
    ///
    /// If another thread is making the value, waits for it; if that fails, calls `make`. So it belongs on worker
    /// threads, and `make` must not ask for a key whose value may be waiting for this one.
    public func value<Failure: Error>(
        for key: Key, cost: (Value) -> Int = { _ in 1 }, make: () throws(Failure) -> Value
    ) throws(Failure) -> Value {
        let pending: PendingValue
        switch state.withLock({ $0.join(key) }) {
        case .cached(let value): return value
        case .pending(let value): pending = value
        }
        var hasLeft = false
        defer { if !hasLeft { state.withLock { $0.leave(key, pending) } } }
        return try pending.value.withLock { (value) throws(Failure) -> Value in
            if let value { return value }
            let made = try make()
            value = made
            let madeCost = cost(made)
            // At once, because prerendering makes most values that it asks for, and takes the lock from another worker.
            state.withLock {
                $0.store(made, for: key, cost: madeCost, as: pending)
                $0.leave(key, pending)
            }
            hasLeft = true
            return made
        }
    }

    /// The keys with their values, in no particular order, and whether a value was ever evicted, or not stored because
    /// of its cost.
    public var contents: (entries: [(key: Key, value: Value)], hasEvicted: Bool) {
        state.withLock { ($0.entries.entries, $0.hasEvicted) }
    }

    /// The present version, for `store`.
    public var version: Version { Version(number: state.withLock { $0.version }) }

    /// Stores a value, unless anything was forgotten since the version at which its making began.
    public func store(_ value: Value, for key: Key, cost: Int = 1, since version: Version) {
        state.withLock { state in
            guard state.version == version.number else { return }
            state.store(value, for: key, cost: cost)
        }
    }

    /// Removes the entries that match. Values that match and are being made, for which `fits` gets nil, are not stored,
    /// and who asks for them from now on does not wait for them.
    public func invalidate(where fits: (Key, Value?) -> Bool = { _, _ in true }) {
        state.withLock { state in
            state.version += 1
            state.entries.removeAll { fits($0, $1) }
            state.pending = state.pending.filter { !fits($0.key, nil) }
        }
    }
}
