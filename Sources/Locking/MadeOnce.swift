/// A value that is made when it is first needed; other threads that need it meanwhile wait for it.
public final class MadeOnce<Value: Sendable>: Sendable {
    /// Held only for a moment, so that nobody waits to learn whether the value is made.
    private let known = Locked<Value?>(nil)
    /// Held while the value is made.
    private let making = Locked(())
    private let make: @Sendable () -> Value

    /// A value that `make` makes.
    public init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    /// Whether the value can be had without waiting.
    public var isMade: Bool { known.withLock { $0 != nil } }

    /// The value.
    public var value: Value {
        if let value = known.withLock({ $0 }) { return value }
        return making.withLock { _ in
            if let value = known.withLock({ $0 }) { return value }
            let value = make()
            known.withLock { $0 = value }
            return value
        }
    }
}
