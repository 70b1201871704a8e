/// A value to bind to a parameter of a statement.
public enum Value: Sendable, Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])

    public static func integer(_ number: Int) -> Value {
        .integer(Int64(number))
    }

    /// INTEGER, or NULL for nil.
    public static func integer(orNull number: Int64?) -> Value {
        number.map { .integer($0) } ?? .null
    }

    /// TEXT, or NULL for nil.
    public static func text(orNull text: String?) -> Value {
        text.map { .text($0) } ?? .null
    }

    /// The bytes of a text or a blob; 0 for other values. For limits of memory.
    public var byteCount: Int {
        switch self {
        case .blob(let blob): blob.count
        case .text(let text): text.utf8.count
        case .null, .integer, .real: 0
        }
    }
}

extension Value: ExpressibleByIntegerLiteral, ExpressibleByStringLiteral, ExpressibleByNilLiteral {
    public init(integerLiteral value: Int64) {
        self = .integer(value)
    }

    public init(stringLiteral value: String) {
        self = .text(value)
    }

    public init(nilLiteral: ()) {
        self = .null
    }
}
