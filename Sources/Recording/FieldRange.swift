import Text
import Tracks

/// The valid range of each known field, and the numbers that mean "not known".
///
/// Core Location (Overland, OwnTracks on iOS, Traccar Client) reports −1 for an unknown speed, course, accuracy or
/// battery level, and altitude 0 with a vertical accuracy below 0 for an unknown altitude.
enum FieldRange {
    enum Checked {
        case stored(DecodedPoint.Value)
        /// The device reports that the value is not known.
        case unknown
        /// The value is outside the field's range; the text says so.
        case refused(String)
    }

    private struct Rule {
        /// Whether numbers below 0 mean "not known".
        var isUnknownBelowZero = true
        var range: ClosedRange<Double> = 0...Double(Int64.max)
        var words = "0 or more"
    }

    private static let rules: [String: Rule] = [
        // Above orbital speed.
        FieldName.speed: Rule(range: 0...12_000, words: "0 to 12000 m/s"),
        FieldName.course: Rule(range: 0...360, words: "0 to 360 degrees"),
        FieldName.heading: Rule(range: 0...360, words: "0 to 360 degrees"),
        FieldName.battery: Rule(range: 0...100, words: "0 to 100 per cent"),
        // −9999 and −32768 mean "no value" in terrain models and binary protocols; the upper limit is above the
        // exosphere.
        FieldName.elevation: Rule(
            isUnknownBelowZero: false, range: -9998...1_000_000, words: "-9998 to 1000000 m"),
        FieldName.horizontalAccuracy: Rule(), FieldName.verticalAccuracy: Rule(),
        FieldName.satellites: Rule(), FieldName.heartRate: Rule(), FieldName.cadence: Rule(),
        FieldName.hdop: Rule(), FieldName.vdop: Rule(), FieldName.pdop: Rule(),
    ]

    /// Words that mean "not known".
    private static let unknownWords: Set<String> = [
        "", "-", "n/a", "na", "nan", "null", "nil", "none", "unknown", "undefined", "inf", "-inf", "infinity",
        "-infinity",
    ]

    private static func rule(of name: String) -> Rule? {
        if let rule = rules[name] { return rule }
        // Overland and the SDK of Traccar Client also send accuracies of speed, course and heading.
        return name.hasSuffix("_accuracy") && name != "desired_accuracy" ? Rule() : nil
    }

    /// Checks a field's value; a text that spells a number becomes a number.
    static func checked(_ name: String, _ value: DecodedPoint.Value) -> Checked {
        guard let rule = rule(of: name) else { return .stored(value) }
        let number: FixedDecimal
        switch value {
        case .number(let given): number = given
        case .text(let text):
            guard let spelled = FieldAliases.number(text) else {
                let word = text.lowercased().filter { !$0.isWhitespace }
                return unknownWords.contains(word) ? .unknown : .stored(value)
            }
            number = spelled
        }
        if rule.isUnknownBelowZero, number.mantissa < 0 { return .unknown }
        guard rule.range.contains(number.double) else {
            return .refused("\(name) \(number) is outside \(rule.words)")
        }
        return .stored(.number(number))
    }

    /// Whether the altitude means "not known": 0 with a vertical accuracy below 0.
    static func isElevationUnknown(_ fields: [(name: String, value: DecodedPoint.Value)]) -> Bool {
        func number(_ name: String) -> FixedDecimal? {
            guard let value = fields.last(where: { $0.name == name })?.value else { return nil }
            switch value {
            case .number(let number): return number
            case .text(let text): return FieldAliases.number(text)
            }
        }
        guard let accuracy = number(FieldName.verticalAccuracy), accuracy.mantissa < 0 else { return false }
        return number(FieldName.elevation)?.mantissa == 0
    }
}
