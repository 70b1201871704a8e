import Text

/// Values of a field, for joining, choosing and comparing points.
extension FieldColumn.Values {
    /// No value for any of `count` points.
    static func absent(_ count: Int) -> Self {
        .numbers(places: 0, [Int64](repeating: FieldColumn.absent, count: count))
    }

    /// The number of points.
    package var count: Int {
        switch self {
        case .numbers(_, let numbers): numbers.count
        case .texts(let texts): texts.count
        }
    }

    /// The values of a range of points.
    func slice(_ range: Range<Int>) -> Self {
        switch self {
        case .numbers(let places, let numbers): .numbers(places: places, Array(numbers[range]))
        case .texts(let texts): .texts(Array(texts[range]))
        }
    }

    /// Adds points without a value, up to a number of points.
    mutating func fill(to count: Int) {
        let missing = count - self.count
        switch self {
        case .numbers(let places, _):
            var numbers = takeNumbers()
            numbers.append(contentsOf: repeatElement(FieldColumn.absent, count: missing))
            self = .numbers(places: places, numbers)
        case .texts:
            var texts = takeTexts()
            texts.append(contentsOf: repeatElement(nil, count: missing))
            self = .texts(texts)
        }
    }

    /// Appends another column's values; numbers that cannot be converted to one scale become texts.
    mutating func append(_ other: Self) {
        if appendAlike(other) { return }
        self = .texts(asTexts + other.asTexts)
    }

    /// Appends another column's values if both are numbers that can be converted to one scale, or both are texts.
    mutating func appendAlike(_ other: Self) -> Bool {
        switch other {
        case .numbers(let theirs, let more):
            guard case .numbers(let mine, _) = self else { return false }
            let finest = max(mine, theirs)
            guard let added = Self.rescaled(more, from: theirs, to: finest) else { return false }
            if mine < finest {
                guard case .numbers(_, let numbers) = self,
                    let rescaled = Self.rescaled(numbers, from: mine, to: finest)
                else { return false }
                self = .numbers(places: finest, rescaled)
            }
            var numbers = takeNumbers()
            numbers.append(contentsOf: added)
            self = .numbers(places: finest, numbers)
        case .texts(let more):
            guard case .texts = self else { return false }
            var texts = takeTexts()
            texts.append(contentsOf: more)
            self = .texts(texts)
        }
        return true
    }

    /// The numbers, which this column gives up: an array with another owner is copied when it grows, and a point that is
    /// appended to a million would cost a million.
    private mutating func takeNumbers() -> [Int64] {
        guard case .numbers(_, let numbers) = self else { return [] }
        self = .texts([])
        return numbers
    }

    /// The texts, which this column gives up.
    private mutating func takeTexts() -> [String?] {
        guard case .texts(let texts) = self else { return [] }
        self = .texts([])
        return texts
    }

    /// The values at these indices; nil if none has a value. Numbers get the fewest decimal places without loss.
    func gathered(_ indices: some Collection<Int>) -> Self? {
        switch self {
        case .numbers(let places, let numbers):
            var chosen: [Int64] = []
            chosen.reserveCapacity(indices.count)
            var needed = NeededPlaces(of: places)
            var isEmpty = true
            for index in indices {
                let number = numbers[index]
                chosen.append(number)
                guard number != FieldColumn.absent else { continue }
                isEmpty = false
                needed.add(number)
            }
            guard !isEmpty else { return nil }
            guard needed.places < places else { return .numbers(places: places, chosen) }
            let divisor = FixedDecimal.integerPower(places - needed.places)
            return .numbers(
                places: needed.places, chosen.map { $0 == FieldColumn.absent ? $0 : $0 / divisor })
        case .texts(let texts):
            let chosen = indices.map { texts[$0] }
            return chosen.allSatisfy { $0 == nil } ? nil : .texts(chosen)
        }
    }

    /// A total order of all values, so that merging gives the same result in any order: a value before none, words
    /// before numbers, longer before shorter, smaller before greater.
    func isBetter(_ one: Int, than other: Int) -> Bool {
        switch self {
        case .numbers(let places, let numbers):
            let (first, second) = (numbers[one], numbers[other])
            guard first != second, first != FieldColumn.absent else { return false }
            guard second != FieldColumn.absent else { return true }
            let trimmed = (
                FixedDecimal(mantissa: first, places: places).trimmed,
                FixedDecimal(mantissa: second, places: places).trimmed
            )
            if trimmed.0.places != trimmed.1.places { return trimmed.0.places > trimmed.1.places }
            return first < second
        case .texts(let texts):
            guard let first = texts[one] else { return false }
            guard let second = texts[other] else { return true }
            return Self.isBetter(first, than: second)
        }
    }

    private static func isBetter(_ one: String, than other: String) -> Bool {
        switch (FixedDecimal(plainDigits: one)?.trimmed, FixedDecimal(plainDigits: other)?.trimmed) {
        case (nil, .some): return true
        case (.some, nil): return false
        case (let first?, let second?) where first != second:
            if first.places != second.places { return first.places > second.places }
            return first.mantissa < second.mantissa
        default:
            if one.utf8.count != other.utf8.count { return one.utf8.count > other.utf8.count }
            return one.utf8.lexicographicallyPrecedes(other.utf8)
        }
    }

    /// All values as texts, numbers without trailing zeros.
    package var asTexts: [String?] {
        switch self {
        case .texts(let texts): texts
        case .numbers(let places, let numbers):
            numbers.map {
                $0 == FieldColumn.absent ? nil : FixedDecimal(mantissa: $0, places: places).trimmed.description
            }
        }
    }

    /// nil if a number does not fit.
    package static func rescaled(_ numbers: [Int64], from places: UInt8, to finest: UInt8) -> [Int64]? {
        guard places < finest else { return numbers }
        var result: [Int64] = []
        result.reserveCapacity(numbers.count)
        for number in numbers {
            guard number != FieldColumn.absent else {
                result.append(number)
                continue
            }
            guard let value = FixedDecimal(mantissa: number, places: places).rescaled(to: finest) else { return nil }
            result.append(value)
        }
        return result
    }
}
