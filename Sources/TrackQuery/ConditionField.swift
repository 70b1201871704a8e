/// A field of a track that conditions can test.
enum ConditionField: String, CaseIterable, Sendable {
    case activity, person, device, tag, name, source, metres, seconds, start

    /// Whether the values are texts.
    var isText: Bool {
        switch self {
        case .activity, .person, .device, .tag, .name, .source: true
        case .metres, .seconds, .start: false
        }
    }
}

/// A comparison operator.
enum ConditionOperator: String, CaseIterable, Sendable {
    case equal = "="
    case unequal = "!="
    case contains = "~"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether `left` and `right` satisfy the operator.
    func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
        switch self {
        case .equal, .contains: left == right
        case .unequal: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }
}
