/// The numbers of a field as points come one after the other: where many points in a row have none, these cost nothing.
package struct SparseNumbers: Sendable {
    /// Points in a row that have numbers, or none for a few of them.
    private struct Stretch {
        /// The first of them.
        var point: Int
        /// Where its number stands.
        var place: Int
    }

    private var numbers: [Int64] = []
    private var decimalPlaces: [UInt8] = []
    private var stretches: [Stretch] = []
    /// The point behind the last that has a number.
    private var end = 0

    /// So many points in a row without a number are filled up rather than passed over.
    private static let filledGap = 16

    /// None yet.
    package init() {}

    /// Whether no point has a number.
    package var isEmpty: Bool { numbers.isEmpty }

    /// Gives a point a number: the last one that has one, or one behind it.
    @inline(__always)
    package mutating func set(_ number: FixedDecimal, at point: Int) {
        if point != end || numbers.isEmpty, !prepare(point) {
            numbers[numbers.count - 1] = number.mantissa
            decimalPlaces[numbers.count - 1] = number.places
            return
        }
        numbers.append(number.mantissa)
        decimalPlaces.append(number.places)
        end = point + 1
    }

    /// Makes the point the next one; false where it has a number.
    private mutating func prepare(_ point: Int) -> Bool {
        precondition(point + 1 >= end, "points come one after the other")
        guard point >= end || numbers.isEmpty else { return false }
        if numbers.isEmpty || point - end > Self.filledGap {
            stretches.append(Stretch(point: point, place: numbers.count))
        } else {
            for _ in end..<point {
                numbers.append(FieldColumn.absent)
                decimalPlaces.append(0)
            }
        }
        return true
    }

    /// Calls `body` with each point that has a number, in their order.
    @inline(__always)
    package func forEach(_ body: (Int, FixedDecimal) -> Void) {
        forEach(from: 0, to: end, body)
    }

    /// The same for the points from one up to another.
    package func forEach(from start: Int, to stop: Int, _ body: (Int, FixedDecimal) -> Void) {
        for index in firstStretch(from: start)..<stretches.count {
            let stretch = stretches[index]
            guard stretch.point < stop else { return }
            let last = index + 1 < stretches.count ? stretches[index + 1].place : numbers.count
            let offset = stretch.point - stretch.place
            let range =
                max(stretch.place, start - offset)..<max(stretch.place, start - offset, min(last, stop - offset))
            for place in range where numbers[place] != FieldColumn.absent {
                body(place + offset, FixedDecimal(mantissa: numbers[place], places: decimalPlaces[place]))
            }
        }
    }

    /// The last stretch that begins at a point or before it; the first where none does.
    private func firstStretch(from point: Int) -> Int {
        var low = 0
        var high = stretches.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if stretches[middle].point <= point { low = middle } else { high = middle }
        }
        return low
    }
}
