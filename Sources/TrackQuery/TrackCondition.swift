public import Tracks

/// A condition that selects tracks, such as `activity = ride and not tag in (race, "long haul")`.
///
/// Text fields (`activity`, `person`, `device`, `name`, `source`, `tag`) are compared with `=`, `!=`, `~` (contains)
/// and `in (…)`, ignoring case. The empty text `""` means that there is no value; for `person` it means the owner.
/// `metres` and `seconds` are numbers, `start` is a day in the library's time zone; these fields also support `<`,
/// `<=`, `>` and `>=`. `and` binds tighter than `or`, `not` tighter than both.
public struct TrackCondition: Sendable, Equatable {
    /// The text as written, without surrounding white space.
    public let text: String
    private let root: ConditionNode

    /// The names of the fields.
    public static let fieldNames = ConditionField.allCases.map(\.rawValue)
    /// The maximum number of characters in a condition.
    public static let maxCharacters = 4000

    /// Parses a condition; an error gives the column at which it begins.
    public init(parsing text: String) throws(ConditionError) {
        let (first, last) = (text.firstIndex { !$0.isWhitespace }, text.lastIndex { !$0.isWhitespace })
        if let first, let last { self.text = String(text[first...last]) } else { self.text = "" }
        guard text.count <= Self.maxCharacters else { throw ConditionError(column: Self.maxCharacters + 1, .tooLong) }
        var parser = ConditionParser(try ConditionToken.tokens(of: text))
        root = try parser.parse()
    }

    /// Whether a track satisfies the condition; days are those of `calendar`.
    public func admits(_ facts: TrackFacts, in calendar: DayCalendar) -> Bool {
        root.admits(facts, in: calendar)
    }
}

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

/// The syntax tree of a condition.
indirect enum ConditionNode: Sendable, Equatable {
    case both(ConditionNode, ConditionNode)
    case either(ConditionNode, ConditionNode)
    case not(ConditionNode)
    /// The field's text is one of these, in lower case.
    case isOne(ConditionField, of: Set<String>)
    /// The field's text contains this, in lower case.
    case contains(ConditionField, String)
    case number(ConditionField, ConditionOperator, Double)
    case day(ConditionOperator, Int32)

    func admits(_ facts: TrackFacts, in calendar: DayCalendar) -> Bool {
        switch self {
        case .both(let left, let right): left.admits(facts, in: calendar) && right.admits(facts, in: calendar)
        case .either(let left, let right): left.admits(facts, in: calendar) || right.admits(facts, in: calendar)
        case .not(let inner): !inner.admits(facts, in: calendar)
        case .isOne(let field, let wanted): facts.texts(field).contains { wanted.contains($0.lowercased()) }
        case .contains(let field, let part): facts.texts(field).contains { $0.lowercased().contains(part) }
        case .number(let field, let comparison, let number):
            comparison.holds(field == .metres ? facts.metres : facts.seconds, number)
        // A track without times has no start day: it differs from every day, and is neither before nor after any.
        case .day(let comparison, let day):
            facts.start.map { comparison.holds(calendar.day(of: $0), day) } ?? (comparison == .unequal)
        }
    }
}

extension TrackFacts {
    /// The texts of a field: one, or one for each tag; a track without tags has the empty text.
    fileprivate func texts(_ field: ConditionField) -> [String] {
        switch field {
        // The word of the file, and what it means.
        case .activity: [activity] + (Activity(word: activity).map { [$0.rawValue] } ?? [])
        case .person: [person]
        case .device: [device]
        case .name: [name]
        case .source: [source]
        case .tag: tags.isEmpty ? [""] : tags
        case .metres, .seconds, .start: []
        }
    }
}
