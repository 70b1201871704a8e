internal import Foundation

/// A name or a query in the form in which both are compared.
struct SearchKey: Sendable {
    /// The words, folded: without case and accents.
    private let words: [[UInt32]]
    /// All letters and digits in one word.
    private let joined: [UInt32]
    /// Runs of letters and of digits without leading zeros: `C-1.06` is c, 1, 6.
    private let runs: [[UInt32]]
    private let joinedRuns: [UInt32]

    /// What is added to the rank of a place that is found by its category only.
    static let categoryRank = 10
    /// Shorter words must be right: with one error, `cat` is also `car`.
    private static let forgivingLength = 4

    init(_ text: String) {
        let folded = text.prefix(200).folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
        )
        .replacing("ß", with: "ss")
        var words: [[UInt32]] = []
        var runs: [[UInt32]] = []
        var word: [UInt32] = []
        var run: [UInt32] = []
        var isDigits = false
        func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
        func endRun() {
            if run.isEmpty { return }
            let zeros = isDigits ? min(run.prefix { $0 == 0x30 }.count, run.count - 1) : 0
            runs.append(Array(run.dropFirst(zeros)))
            run = []
        }
        for scalar in folded.unicodeScalars {
            guard scalar.properties.isAlphabetic || isDigit(scalar) else {
                endRun()
                if !word.isEmpty { words.append(word) }
                word = []
                continue
            }
            if !run.isEmpty, isDigit(scalar) != isDigits { endRun() }
            isDigits = isDigit(scalar)
            run += [scalar.value]
            word += [scalar.value]
        }
        endRun()
        if !word.isEmpty { words.append(word) }
        self.words = words
        self.runs = runs
        joined = words.flatMap(\.self)
        joinedRuns = runs.flatMap(\.self)
    }

    var isEmpty: Bool { joined.isEmpty }

    private var hasDigits: Bool { joined.contains { $0 &- 0x30 < 10 } }

    /// How well this query fits a name: 0 is best, nil not at all.
    func rank(in name: SearchKey) -> Int? {
        if joined == name.joined { return 0 }
        if runs == name.runs { return 1 }
        if hasDigits, joinedRuns == name.joinedRuns { return 2 }
        if name.joined.starts(with: joined) { return 3 }
        if hasDigits, name.joinedRuns.starts(with: joinedRuns) { return 4 }
        if let rank = wordsRank(in: name) { return rank }
        // A code is not forgiven: one error makes it that of the next room. Its words are, without the digits.
        if !hasDigits, joined.count >= Self.forgivingLength, Self.isNear(joined, name.joined) { return 8 }
        return nil
    }

    /// Each word must be in the name: whole, as a beginning, or with one error.
    private func wordsRank(in name: SearchKey) -> Int? {
        var worst = 5
        for word in words {
            if name.words.contains(where: { $0.starts(with: word) }) { continue }
            let isCode = word.contains { $0 &- 0x30 < 10 }
            guard !isCode, word.count >= Self.forgivingLength else { return nil }
            if name.words.contains(where: { Self.isNear(word, $0) }) {
                worst = max(worst, 6)
            } else if word.count >= Self.forgivingLength + 1,
                name.words.contains(where: { $0.count > word.count && Self.isNear(word, Array($0.prefix(word.count))) })
            {
                worst = max(worst, 7)
            } else {
                return nil
            }
        }
        return worst
    }

    /// Whether two words differ by at most one letter more, less or other, or by two neighbours exchanged.
    private static func isNear(_ one: [UInt32], _ other: [UInt32]) -> Bool {
        guard abs(one.count - other.count) <= 1 else { return false }
        let start = zip(one, other).prefix { $0 == $1 }.count
        let end = min(
            zip(one.reversed(), other.reversed()).prefix { $0 == $1 }.count, min(one.count, other.count) - start)
        let (a, b) = (one[start..<(one.count - end)], other[start..<(other.count - end)])
        if max(a.count, b.count) <= 1 { return true }
        return a.count == 2 && b.count == 2 && a.first == b.last && a.last == b.first
    }
}
