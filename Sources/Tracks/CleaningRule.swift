/// Which points cannot be where they say: they are kept, marked, and take no part in heat, lines and replay.
public struct CleaningRule: Hashable, Sendable {
    /// Metres a second beyond which a step over more than 2 km is no movement. An airliner with the jet stream makes 350.
    public var metresPerSecond: Int
    /// Metres a second beyond which a way out over more than 2 km, and back at once, is a jump of the receiver, as between
    /// wireless networks of one name; nil judges none.
    public var jumpMetresPerSecond: Int?
    /// Metres of horizontal accuracy beyond which a point says nothing of where one was; nil judges none.
    public var accuracyMetres: Int?

    /// The rule of a library that was told no other. Cars and trains stay below 100 m/s, and aircraft do not turn back
    /// within one step; a point that may be more than a kilometre off shows no road.
    public static let standard = CleaningRule(metresPerSecond: 350, jumpMetresPerSecond: 100, accuracyMetres: 1000)

    /// What each threshold may be.
    public static let thresholds = 1...1_000_000

    /// A rule of thresholds that are all in `thresholds`.
    public init(metresPerSecond: Int, jumpMetresPerSecond: Int?, accuracyMetres: Int?) {
        precondition(
            [metresPerSecond, jumpMetresPerSecond ?? 1, accuracyMetres ?? 1].allSatisfy(Self.thresholds.contains),
            "thresholds within bounds")
        self.metresPerSecond = metresPerSecond
        self.jumpMetresPerSecond = jumpMetresPerSecond
        self.accuracyMetres = accuracyMetres
    }

    /// The rule as one word, `350/100/1000`, a dash for what is not judged; equal rules have equal words.
    public var text: String {
        [metresPerSecond, jumpMetresPerSecond, accuracyMetres].map { $0.map(String.init) ?? "-" }
            .joined(separator: "/")
    }

    /// What `text` gave; nil for anything else.
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

/// How exact points say they are, as far as a rule asks.
struct AccuracyColumn {
    private var numbers: [Int64] = []
    private var limit: Int64 = 0

    /// Those of a chunk's points.
    init(_ chunk: PointChunk, _ rule: CleaningRule) {
        guard let metres = rule.accuracyMetres else { return }
        for column in chunk.fields where column.name == FieldName.horizontalAccuracy {
            guard case .numbers(let places, let numbers) = column.values else { continue }
            // With 12 places and more the product might not fit; such numbers are below 10^7, and compared as they are.
            let (product, overflow) = Int64(metres).multipliedReportingOverflow(
                by: FixedDecimal.integerPower(places))
            self.numbers = numbers
            limit = overflow ? .max : product
        }
    }

    /// Whether a point says that it is less exact than the rule takes.
    @inline(__always)
    func holds(_ index: Int) -> Bool {
        // What is absent is the smallest number of all.
        !numbers.isEmpty && numbers[index] > limit
    }
}
