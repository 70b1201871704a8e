import TestSupport

/// Generates texts that match a regular expression: alternatives, groups, classes of characters and quantifiers. What
/// a lookahead demands is left to the caller to check.
struct PatternText {
    private let pattern: [Unicode.Scalar]
    private var at = 0
    private var random: SeededRandom

    init(_ pattern: String, seed: UInt64) {
        self.pattern = Array(pattern.unicodeScalars)
        random = SeededRandom(seed: seed)
    }

    /// A text; each call gives another.
    mutating func next() -> String {
        at = 0
        return alternatives()
    }

    private var here: Unicode.Scalar? { at < pattern.count ? pattern[at] : nil }

    /// Up to the end of the pattern or of a group. All alternatives are generated, and one of them is chosen.
    private mutating func alternatives() -> String {
        var texts = [sequence()]
        while here == "|" {
            at += 1
            texts.append(sequence())
        }
        return texts[random.below(texts.count)]
    }

    private mutating func sequence() -> String {
        var text = ""
        while let scalar = here, scalar != "|", scalar != ")" {
            let start = at
            var part = atom()
            let end = at
            let times = quantifier()
            let after = at
            if times == 0 { part = "" }
            text += part
            for _ in 1..<max(times, 1) {
                at = start
                text += atom()
                precondition(at == end, "the same part of the pattern")
            }
            at = after
        }
        return text
    }

    private mutating func atom() -> String {
        guard let scalar = here else { return "" }
        at += 1
        switch scalar {
        case "^", "$": return ""
        case "(":
            let isLookahead = here == "?"
            if isLookahead { at += 2 }
            let text = alternatives()
            at += 1
            return isLookahead ? "" : text
        case "[": return characterClass()
        case "\\" where here == "S":
            at += 1
            return one { !$0.properties.isWhitespace }
        case "\\": return String(escaped())
        case ".": return "x"
        default: return String(scalar)
        }
    }

    private mutating func escaped() -> Unicode.Scalar {
        let scalar = pattern[at]
        at += 1
        guard scalar == "x" else { return scalar }
        let digits = String(String.UnicodeScalarView(pattern[at..<at + 2]))
        at += 2
        return UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) ?? scalar
    }

    private mutating func characterClass() -> String {
        let isNegated = here == "^"
        if isNegated { at += 1 }
        var ranges: [ClosedRange<UInt32>] = []
        while let scalar = here, scalar != "]" {
            at += 1
            let first = scalar == "\\" ? escaped() : scalar
            var last = first
            if here == "-", at + 1 < pattern.count, pattern[at + 1] != "]" {
                at += 1
                let scalar = pattern[at]
                at += 1
                last = scalar == "\\" ? escaped() : scalar
            }
            ranges.append(first.value...last.value)
        }
        at += 1
        if isNegated {
            return one { scalar in !ranges.contains { $0.contains(scalar.value) } }
        }
        let range = ranges[random.below(ranges.count)]
        let value = range.lowerBound + random.below(UInt32(range.count))
        return Unicode.Scalar(value).map { String($0) } ?? ""
    }

    private mutating func one(where isWanted: (Unicode.Scalar) -> Bool) -> String {
        let candidates = Self.samples.filter(isWanted)
        return String(candidates[random.below(candidates.count)])
    }

    /// What people and programs write, and what is special in URLs, JSON, SQL and HTML.
    private static let samples = Array("aZ09 -_.:;/?#&=+%'\"<>{}[]\\|~é東𝄞\u{85}\u{200D}\u{FFFD}".unicodeScalars)

    private mutating func quantifier() -> Int {
        switch here {
        case "?":
            at += 1
            return random.below(2)
        case "*":
            at += 1
            return random.below(4)
        case "+":
            at += 1
            return 1 + random.below(3)
        case "{":
            at += 1
            let least = number() ?? 0
            var most = least
            if here == "," {
                at += 1
                most = number() ?? least + 3
            }
            at += 1
            return least + random.below(min(most - least, 3) + 1)
        default: return 1
        }
    }

    private mutating func number() -> Int? {
        var value: Int?
        while let digit = here.flatMap({ Int(String($0)) }) {
            value = (value ?? 0) * 10 + digit
            at += 1
        }
        return value
    }
}
