package import Text
package import Tracks

/// Points of one or several chunks in columns, for cutting, sorting and merging.
///
/// Coordinates are in 1e-9°, or in semicircles if all chunks use them.
package struct PointTable {
    private(set) var isSemicircles = false
    package private(set) var longitudes: [Int64] = []
    private(set) var latitudes: [Int64] = []
    package private(set) var times: [Int64] = []
    private(set) var segmentStarts: [Int] = []
    private var columns: [String: FieldColumn.Values] = [:]

    package var count: Int { times.count }
    /// The number of different fields.
    package var fieldCount: Int { columns.count }

    init() {}

    package init(_ chunk: PointChunk) {
        append(chunk)
    }

    mutating func append(_ chunk: PointChunk) {
        let base = count
        if base == 0 { isSemicircles = chunk.unit == .semicircles }
        if isSemicircles != (chunk.unit == .semicircles) { becomeDecimal() }
        if isSemicircles {
            longitudes += chunk.longitudes
            latitudes += chunk.latitudes
        } else {
            longitudes += chunk.longitudes.map(chunk.unit.nanodegrees)
            latitudes += chunk.latitudes.map(chunk.unit.nanodegrees)
        }
        times += chunk.times
        segmentStarts += chunk.segmentStarts.map { $0 + base }
        for field in chunk.fields { columns[field.name, default: .absent(base)].append(field.values) }
        for (name, values) in columns where values.count < count { columns[name] = values.filled(to: count) }
    }

    /// Converts semicircles to the nearest 1e-9°, at which different semicircles stay different.
    mutating func becomeDecimal() {
        guard isSemicircles else { return }
        longitudes = longitudes.map(CoordinateUnit.semicircles.nanodegrees)
        latitudes = latitudes.map(CoordinateUnit.semicircles.nanodegrees)
        isSemicircles = false
    }

    /// The points at the given indices, in this order, as a chunk in the coarsest lossless unit.
    package func chunk(_ indices: some Collection<Int>, segmentStarts: [Int] = []) -> PointChunk {
        var east = indices.map { longitudes[$0] }
        var north = indices.map { latitudes[$0] }
        var unit = CoordinateUnit.semicircles
        if !isSemicircles {
            let places = max(Self.places(east), Self.places(north))
            let divisor = FixedDecimal.integerPower(9 - places)
            if divisor > 1 {
                east = east.map { $0 / divisor }
                north = north.map { $0 / divisor }
            }
            unit = .decimal(places: places)
        }
        let fields = columns.sorted { $0.key < $1.key }.compactMap { name, values in
            values.gathered(indices).map { FieldColumn(name: name, values: $0) }
        }
        return PointChunk(
            unit: unit, longitudes: east, latitudes: north, times: indices.map { times[$0] },
            segmentStarts: segmentStarts, fields: fields)
    }

    /// A range of the points as a chunk, with the segments that begin in it.
    package func chunk(_ range: Range<Int>) -> PointChunk {
        chunk(range, segmentStarts: segmentStarts.filter(range.contains).map { $0 - range.lowerBound })
    }

    /// The values of a field, one for each point; nil if no point has one.
    package func values(of field: String) -> FieldColumn.Values? {
        columns[field]
    }

    /// Sets the values of a field, one for each point.
    mutating func set(_ field: String, to values: FieldColumn.Values) {
        precondition(values.count == count, "all columns must have the same length")
        columns[field] = values
    }

    /// Moves fields above a limit into the field `FieldName.otherFields`, as `NAME=VALUE` separated by `; `: a chunk
    /// with too many columns could not be decoded. Fields of `old` stay; of the others, the first by name stay.
    mutating func limitFields(to limit: Int, after old: PointChunk?) {
        guard columns.count > limit else { return }
        var known = Set(old?.fields.map(\.name) ?? [])
        known.insert(FieldName.otherFields)
        let rest = columns.keys.filter { !known.contains($0) }.sorted().dropFirst(max(0, limit - known.count))
        var others = columns[FieldName.otherFields].map(\.asTexts) ?? [String?](repeating: nil, count: count)
        for name in rest {
            guard let values = columns.removeValue(forKey: name) else { continue }
            for (index, value) in values.asTexts.enumerated() {
                guard let value else { continue }
                let before = others[index].map { $0 + "; " } ?? ""
                others[index] = before + "\(name)=\(value)"
            }
        }
        columns[FieldName.otherFields] = .texts(others)
    }

    /// Merges the points of each group into one: the richer value wins, then the smaller.
    func merged(_ groups: [[Int]]) -> PointTable {
        var result = PointTable()
        result.isSemicircles = isSemicircles
        for group in groups {
            let best = group.min { hasBetterPlace($0, than: $1) } ?? group[0]
            result.longitudes.append(longitudes[best])
            result.latitudes.append(latitudes[best])
            result.times.append(times[best])
        }
        for (name, values) in columns {
            let best = groups.map { group in group.min { values.isBetter($0, than: $1) } ?? group[0] }
            result.columns[name] = values.gathered(best)
        }
        return result
    }

    private func hasBetterPlace(_ one: Int, than other: Int) -> Bool {
        if !isSemicircles {
            let onePlaces = max(Self.places(longitudes[one]), Self.places(latitudes[one]))
            let otherPlaces = max(Self.places(longitudes[other]), Self.places(latitudes[other]))
            if onePlaces != otherPlaces { return onePlaces > otherPlaces }
        }
        return (longitudes[one], latitudes[one]) < (longitudes[other], latitudes[other])
    }

    private static func places(_ coordinates: [Int64]) -> UInt8 {
        var most: UInt8 = 0
        for coordinate in coordinates { most = places(coordinate, atLeast: most) }
        return most
    }

    /// The number of decimal places that a coordinate in 1e-9° uses.
    private static func places(_ coordinate: Int64, atLeast least: UInt8 = 0) -> UInt8 {
        var places: UInt8 = 9
        while places > least, coordinate % FixedDecimal.integerPower(10 - places) == 0 { places -= 1 }
        return places
    }
}

extension FieldColumn.Values {
    static func absent(_ count: Int) -> Self {
        .numbers(places: 0, [Int64](repeating: FieldColumn.absent, count: count))
    }

    var count: Int {
        switch self {
        case .numbers(_, let numbers): numbers.count
        case .texts(let texts): texts.count
        }
    }

    func filled(to count: Int) -> Self {
        switch self {
        case .numbers(let places, let numbers):
            .numbers(places: places, numbers + repeatElement(FieldColumn.absent, count: count - numbers.count))
        case .texts(let texts):
            .texts(texts + repeatElement(nil, count: count - texts.count))
        }
    }

    /// Appends another column's values; numbers that cannot be converted to one scale become texts.
    mutating func append(_ other: Self) {
        if case .numbers(let mine, let numbers) = self, case .numbers(let theirs, let more) = other {
            let finest = max(mine, theirs)
            if let first = Self.rescaled(numbers, from: mine, to: finest),
                let second = Self.rescaled(more, from: theirs, to: finest)
            {
                self = .numbers(places: finest, first + second)
                return
            }
        }
        self = .texts(asTexts + other.asTexts)
    }

    /// The values at these indices; nil if none has a value. Numbers get the fewest decimal places without loss.
    func gathered(_ indices: some Collection<Int>) -> Self? {
        switch self {
        case .numbers(let places, let numbers):
            let chosen = indices.map { numbers[$0] }
            var needed: UInt8 = 0
            var isEmpty = true
            for number in chosen where number != FieldColumn.absent {
                isEmpty = false
                needed = max(needed, FixedDecimal(mantissa: number, places: places).trimmed.places)
            }
            guard !isEmpty else { return nil }
            guard needed < places else { return .numbers(places: places, chosen) }
            let divisor = FixedDecimal.integerPower(places - needed)
            return .numbers(
                places: needed, chosen.map { $0 == FieldColumn.absent ? $0 : $0 / divisor })
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
        switch (FixedDecimal(plain: one)?.trimmed, FixedDecimal(plain: other)?.trimmed) {
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

    fileprivate var asTexts: [String?] {
        switch self {
        case .texts(let texts): texts
        case .numbers(let places, let numbers):
            numbers.map {
                $0 == FieldColumn.absent ? nil : FixedDecimal(mantissa: $0, places: places).trimmed.description
            }
        }
    }

    private static func rescaled(_ numbers: [Int64], from places: UInt8, to finest: UInt8) -> [Int64]? {
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

extension FixedDecimal {
    /// The same number without trailing zeros in the fraction.
    package var trimmed: FixedDecimal {
        var places = places
        var mantissa = mantissa
        while places > 0, mantissa % 10 == 0 {
            places -= 1
            mantissa /= 10
        }
        return FixedDecimal(mantissa: mantissa, places: places)
    }

    /// Parses digits with an optional minus sign and decimal point; nil for any other text.
    init?(plain text: String) {
        var digits = text[...]
        let isNegative = digits.hasPrefix("-")
        if isNegative { digits.removeFirst() }
        let parts = digits.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, !whole.isEmpty else { return nil }
        let fraction = parts.count == 2 ? parts[1] : ""
        guard fraction.count <= 18, (whole + fraction).utf8.allSatisfy({ 48...57 ~= $0 }) else { return nil }
        guard let mantissa = Int64((isNegative ? "-" : "") + whole + fraction) else { return nil }
        self.init(mantissa: mantissa, places: UInt8(fraction.count))
    }
}

extension PointChunk {
    /// The points between two times (both inclusive) of a chunk that is ordered by time.
    package func slice(from start: Int64, to end: Int64) -> PointChunk {
        guard let first = times.first, let last = times.last, first < start || last > end else { return self }
        let lower = times.firstIndex { $0 >= start } ?? count
        let upper = times[lower...].firstIndex { $0 > end } ?? count
        return slice(lower..<upper)
    }

    /// A range of points, in the same unit.
    package func slice(_ range: Range<Int>) -> PointChunk {
        PointChunk(
            unit: unit, longitudes: Array(longitudes[range]), latitudes: Array(latitudes[range]),
            times: Array(times[range]),
            segmentStarts: segmentStarts.filter(range.contains).map { $0 - range.lowerBound },
            fields: fields.map { field in
                switch field.values {
                case .numbers(let places, let numbers):
                    FieldColumn(name: field.name, values: .numbers(places: places, Array(numbers[range])))
                case .texts(let texts):
                    FieldColumn(name: field.name, values: .texts(Array(texts[range])))
                }
            })
    }
}
