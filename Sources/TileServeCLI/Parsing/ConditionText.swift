import Styling
import TrackQuery

/// Which tracks, as a condition: `--where`.
enum ConditionText {
    static let option = Option("where", "CONDITION", "which tracks, such as 'activity = ride and tag = race'")

    /// The condition that is given; nil where none is.
    static func condition(_ given: CommandLineArguments) throws(UsageError) -> TrackCondition? {
        guard let text = try given.text(option) else { return nil }
        do {
            return try TrackCondition(parsing: text)
        } catch {
            throw .badCondition(option, sentence(error))
        }
    }

    /// What is wrong, with the field that may have been meant.
    private static func sentence(_ error: ConditionError) -> String {
        guard case .unknownField(let name) = error.fault,
            let meant = SpellingSuggestion.nearest(to: name, of: TrackCondition.fieldNames)
        else { return error.description }
        return "column \(error.column): there is no field '\(name.asOneLine)'; did you mean '\(meant)'?"
    }
}
