/// Regular expressions for numbers that are a part of a text, such as the sides of `960x400`.
package enum NumberPattern {
    /// The expression of the integers of a range that is not negative, in decimal digits without leading zeros: without
    /// parentheses around its alternatives.
    package static func integers(_ range: ClosedRange<Int>) -> String {
        precondition(range.lowerBound >= 0, "no signs")
        var alternatives: [String] = []
        var first = range.lowerBound
        while first <= range.upperBound {
            // The numbers with as many digits as the first.
            let digits = String(first).count
            let last = min(range.upperBound, Int(String(repeating: "9", count: digits)) ?? range.upperBound)
            alternatives += numbers(from: Array(String(first)), to: Array(String(last)))
            guard last < range.upperBound else { break }
            first = last + 1
        }
        return alternatives.joined(separator: "|")
    }

    /// Expressions of the numbers between two that have as many digits.
    private static func numbers(from first: [Character], to last: [Character]) -> [String] {
        guard let lowest = first.first?.wholeNumberValue, let highest = last.first?.wholeNumberValue else {
            return [""]
        }
        let (firstRest, lastRest) = (Array(first.dropFirst()), Array(last.dropFirst()))
        if lowest == highest { return numbers(from: firstRest, to: lastRest).map { "\(lowest)\($0)" } }
        let zeros = firstRest.map { _ in Character("0") }
        let nines = lastRest.map { _ in Character("9") }
        let (isFirstWhole, isLastWhole) = (firstRest == zeros, lastRest == nines)
        let start = isFirstWhole ? lowest : lowest + 1
        let end = isLastWhole ? highest : highest - 1
        var alternatives: [String] = []
        if !isFirstWhole { alternatives += numbers(from: firstRest, to: nines).map { "\(lowest)\($0)" } }
        if start <= end {
            let digit = start == end ? "\(start)" : "[\(start)-\(end)]"
            alternatives.append(digit + String(repeating: "[0-9]", count: firstRest.count))
        }
        if !isLastWhole { alternatives += numbers(from: zeros, to: lastRest).map { "\(highest)\($0)" } }
        return alternatives
    }
}
