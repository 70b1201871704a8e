import Text
import TrackQuery

/// The option `--where`: a condition that selects tracks.
enum ConditionText {
    static let option = Option("where", "CONDITION", "selects tracks, for example 'activity = ride and tag = race'")

    /// The given condition; nil if there is none.
    static func condition(_ given: CommandLineArguments) throws(UsageError) -> TrackCondition? {
        guard let text = try given.text(option) else { return nil }
        do {
            return try TrackCondition(parsing: text)
        } catch {
            throw .badCondition(option, sentence(error))
        }
    }

    /// The error as a sentence, with a suggestion for an unknown field.
    private static func sentence(_ error: ConditionError) -> String {
        guard case .unknownField(let name) = error.reason,
            let meant = SpellingSuggestion.nearest(to: name, of: TrackCondition.fieldNames)
        else { return error.description }
        return "column \(error.column): unknown field '\(name.singleLine)'; did you mean '\(meant)'?"
    }
}
