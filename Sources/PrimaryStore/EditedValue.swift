/// What an edit does to a value that may be missing.
public enum EditedValue<Value: Sendable & Equatable>: Sendable, Equatable {
    case keep
    /// A new value, or none.
    case set(Value?)

    /// The new value; nil if there is none, or if the old one is kept.
    public var newValue: Value? {
        if case .set(let value) = self { value } else { nil }
    }
}
