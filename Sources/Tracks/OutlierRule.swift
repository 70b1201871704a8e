import Text

/// Which points are outliers: they are kept, but excluded from heat, lines and replay.
public struct OutlierRule: Hashable, Sendable {
    /// Maximum speed in metres per second: a faster step over more than 2 km is not movement. An airliner with the jet
    /// stream reaches 350.
    public var metresPerSecond: Int
    /// Maximum speed in metres per second for a step of more than 2 km away and back at once; faster is a jump of the
    /// receiver, as between wireless networks with the same name. nil disables the check.
    public var jumpMetresPerSecond: Int?
    /// Maximum horizontal accuracy in metres: a less accurate point does not show where the person was. nil disables
    /// the check.
    public var accuracyMetres: Int?

    /// The rule of a library that sets no other. Cars and trains stay below 100 m/s, and aircraft do not turn back
    /// within one step; a point that may be more than a kilometre off shows no road.
    public static let standard = OutlierRule(metresPerSecond: 350, jumpMetresPerSecond: 100, accuracyMetres: 1000)

    /// The allowed values of each threshold.
    public static let thresholds = 1...1_000_000

    /// Creates a rule; all thresholds must be in `thresholds`.
    public init(metresPerSecond: Int, jumpMetresPerSecond: Int?, accuracyMetres: Int?) {
        precondition(
            [metresPerSecond, jumpMetresPerSecond ?? 1, accuracyMetres ?? 1].allSatisfy(Self.thresholds.contains),
            "thresholds within bounds")
        self.metresPerSecond = metresPerSecond
        self.jumpMetresPerSecond = jumpMetresPerSecond
        self.accuracyMetres = accuracyMetres
    }

    /// The rule as text, such as `350/100/1000`, with a dash for each disabled check; equal rules have equal texts.
    public var text: String {
        [metresPerSecond, jumpMetresPerSecond, accuracyMetres].map { $0.map(String.init) ?? "-" }
            .joined(separator: "/")
    }

    /// Parses `text`; nil for anything else.
    public init?(text: String) {
        let words = text.split(separator: "/", omittingEmptySubsequences: false)
        guard words.count == 3 else { return nil }
        let numbers = words.map { Int($0) }
        for (word, number) in zip(words, numbers) {
            guard word == "-" || number.map(Self.thresholds.contains) == true else { return nil }
        }
        guard let fastest = numbers[0] else { return nil }
        self.init(metresPerSecond: fastest, jumpMetresPerSecond: numbers[1], accuracyMetres: numbers[2])
    }
}

/// The accuracies of a chunk's points, compared with the limit of a rule.
struct AccuracyColumn {
    private var numbers: [Int64] = []
    private var limit: Int64 = 0

    /// The accuracies of a chunk's points; empty if the rule does not check accuracy.
    init(_ chunk: PointColumns, _ rule: OutlierRule) {
        guard let metres = rule.accuracyMetres else { return }
        for column in chunk.fields where column.name == FieldName.horizontalAccuracy {
            guard let (places, numbers) = column.numbers else { continue }
            // If the product overflows, no Int64 with so many decimal places is above the limit.
            let (product, overflow) = Int64(metres).multipliedReportingOverflow(
                by: FixedDecimal.integerPower(places))
            self.numbers = numbers
            limit = overflow ? .max : product
        }
    }

    /// Whether the accuracy given for a point is worse than the rule allows.
    @inline(__always)
    func exceedsLimit(_ index: Int) -> Bool {
        // An absent number is the smallest Int64, so it is never above the limit.
        !numbers.isEmpty && numbers[index] > limit
    }
}
