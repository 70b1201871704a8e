/// A value that is made when it is first needed; other threads that need it meanwhile wait for it.
public final class MadeOnce<Value: Sendable>: Sendable {
    private let state: Locked<Value?>
    private let make: @Sendable () -> Value

    /// A value that `make` makes.
    public init(_ make: @escaping @Sendable () -> Value) {
        state = Locked(nil)
        self.make = make
    }

    /// The value.
    public var value: Value {
        state.withLock { known in
            if let known { return known }
            let value = make()
            known = value
            return value
        }
    }
}
