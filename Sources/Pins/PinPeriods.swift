/// Reads lists of numbers and spans that may wrap around, such as the hours `6-9,22-4`.
public enum PinPeriods {
    /// Hours of the day, inclusive, as bits 0–23: `6-9` is 6:00 to 9:59. nil if the text is not such a list.
    public static func hours(_ text: String) -> UInt32? {
        bits(of: text, range: 0...23)
    }

    /// Months, inclusive, as bits 0–11 from January: `12-2` is winter. nil if the text is not such a list.
    public static func months(_ text: String) -> UInt16? {
        bits(of: text, range: 1...12).map { UInt16($0) }
    }

    private static func bits(of text: String, range: ClosedRange<Int>) -> UInt32? {
        var bits: UInt32 = 0
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false).map { number($0, range) }
            guard (1...2).contains(ends.count), let first = ends[0], let last = ends[ends.count - 1] else { return nil }
            var current = first
            while true {
                bits |= 1 << UInt32(current - range.lowerBound)
                if current == last { break }
                current = current == range.upperBound ? range.lowerBound : current + 1
            }
        }
        return bits
    }

    private static func number(_ text: Substring, _ range: ClosedRange<Int>) -> Int? {
        guard (1...2).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), range.contains(number)
        else { return nil }
        return number
    }
}
