internal import Foundation

/// The value of OpenStreetMap's `level` and `repeat_on`: `0`, `-1;0;1`, `-2--1`, `0-3`, `3-0`, `0.5`.
///
/// https://wiki.openstreetmap.org/wiki/Key:level
public struct LevelExpression: Sendable, Equatable {
    /// The levels, ascending, each once.
    public let numbers: [Double]
    /// The parts that are no levels.
    public let nonsense: [String]

    /// More storeys than any building has, above and below the ground.
    static let bounds = -100.0...400.0

    /// Reads a value. A range goes by whole levels from its first one: `-2--1`, and also downwards: `3-0`.
    public init(_ text: String) {
        var numbers: Set<Double> = []
        var nonsense: [String] = []
        for part in text.split(whereSeparator: { $0 == ";" || $0 == "," || $0 == "|" }) {
            let word = part.filter { !$0.isWhitespace }
            guard !word.isEmpty else { continue }
            guard let found = Self.levels(Array(word.utf8)) else {
                nonsense.append(String(word.prefix(40)))
                continue
            }
            numbers.formUnion(found)
        }
        self.numbers = numbers.sorted()
        self.nonsense = nonsense
    }

    private static func levels(_ word: [UInt8]) -> [Double]? {
        if let single = number(word[...]) { return [single] }
        // The dash of a range follows a digit; a minus sign does not. `to` is not used, and `0 - 3` has lost its blanks.
        let minus = UInt8(ascii: "-")
        guard let dash = word.indices.dropFirst().first(where: { word[$0] == minus && word[$0 - 1] &- 0x30 < 10 }),
            let first = number(word[..<dash]), let last = number(word[(dash + 1)...])
        else { return nil }
        let (low, high) = (min(first, last), max(first, last))
        guard high - low < Double(VenueLimits.levelsOfFeature) else { return nil }
        var levels = stride(from: low, through: high, by: 1).map(\.self)
        if levels.last != high { levels.append(high) }
        return levels
    }

    /// A number without exponent, within the bounds.
    private static func number(_ word: ArraySlice<UInt8>) -> Double? {
        let digits = word.first == UInt8(ascii: "-") || word.first == UInt8(ascii: "+") ? word.dropFirst() : word
        guard !digits.isEmpty, digits.count <= 8, digits.contains(where: { $0 &- 0x30 < 10 }),
            digits.allSatisfy({ $0 &- 0x30 < 10 || $0 == UInt8(ascii: ".") }),
            let value = Double(String(decoding: word, as: UTF8.self)), bounds.contains(value)
        else { return nil }
        // Zero has one form.
        return value == 0 ? 0 : value
    }

    /// A level as text: `1`, `-2`, `0.5`.
    static func text(_ number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}
