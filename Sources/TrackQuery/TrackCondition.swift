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
        guard text.count <= Self.maxCharacters else {
            throw ConditionError(column: Self.maxCharacters + 1, .tooLong(limit: Self.maxCharacters))
        }
        var parser = ConditionParser(try ConditionToken.tokens(of: text))
        root = try parser.parse()
    }

    /// Whether a track of which only the person and the device are known satisfies the condition; nil if that depends on the rest.
    public func admits(person: String, device: String) -> Bool? {
        root.admits(person: person, device: device)
    }

    /// Whether a track satisfies the condition; days are those of `calendar`.
    public func admits(_ facts: TrackFacts, in calendar: DayCalendar) -> Bool {
        root.admits(facts, in: calendar)
    }
}
