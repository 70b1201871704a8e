public import Tracks

/// A question about tracks, such as `activity = ride and not tag in (race, "long haul")`.
///
/// Fields of text (`activity`, `person`, `device`, `name`, `source`, `tag`) are compared with `=`, `!=`, `~` (contains) and
/// `in (…)`, all without regard to case; the empty text `""` stands for none, for the owner as the person. `metres` and
/// `seconds` are numbers, `start` a day of the library's zone; they take `<`, `<=`, `>`, `>=`, too. `and` binds tighter
/// than `or`, `not` tighter than both.
public struct TrackCondition: Sendable, Equatable {
    /// As it was written, without spaces round it.
    public let text: String
    private let root: ConditionNode

    /// The words that stand for what is asked of a track.
    public static let fieldNames = ConditionField.allCases.map(\.rawValue)
    /// Characters that a condition may have.
    public static let mostCharacters = 4000

    /// Reads a condition; what is wrong is said with the column it begins at.
    public init(parsing text: String) throws(ConditionError) {
        let (first, last) = (text.firstIndex { !$0.isWhitespace }, text.lastIndex { !$0.isWhitespace })
        if let first, let last { self.text = String(text[first...last]) } else { self.text = "" }
        guard text.count <= Self.mostCharacters else { throw ConditionError(column: Self.mostCharacters + 1, .tooLong) }
        var parser = ConditionParser(try ConditionToken.tokens(of: text))
        root = try parser.parse()
    }

    /// Whether a track is one of those asked for; days are those of `calendar`.
    public func admits(_ facts: TrackFacts, in calendar: DayCalendar) -> Bool {
        root.admits(facts, in: calendar)
    }
}

/// What a condition may ask for.
enum ConditionField: String, CaseIterable, Sendable {
    case activity, person, device, tag, name, source, metres, seconds, start

    /// Whether its values are texts.
    var isText: Bool {
        switch self {
        case .activity, .person, .device, .tag, .name, .source: true
        case .metres, .seconds, .start: false
        }
    }
}

/// How a value is compared with a condition's.
enum ConditionOperator: String, CaseIterable, Sendable {
    case equal = "="
    case unequal = "!="
    case contains = "~"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// Whether the order of two values is as asked for.
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

/// A condition as a tree.
indirect enum ConditionNode: Sendable, Equatable {
    case both(ConditionNode, ConditionNode)
    case either(ConditionNode, ConditionNode)
    case not(ConditionNode)
    /// The field's text is one of some, in lower case.
    case isOne(ConditionField, of: Set<String>)
    /// The field's text has this in it, in lower case.
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
        case .number(let field, let asked, let number):
            asked.holds(field == .metres ? facts.metres : facts.seconds, number)
        // A track without times begins on no day: it is unequal to every one, and neither before nor behind.
        case .day(let asked, let day):
            facts.start.map { asked.holds(calendar.day(of: $0), day) } ?? (asked == .unequal)
        }
    }
}

extension TrackFacts {
    /// The texts of a field: one, or as many as there are tags; a track without tags has the empty one.
    fileprivate func texts(_ field: ConditionField) -> [String] {
        switch field {
        case .activity: [activity]
        case .person: [person]
        case .device: [device]
        case .name: [name]
        case .source: [source]
        case .tag: tags.isEmpty ? [""] : tags
        case .metres, .seconds, .start: []
        }
    }
}
