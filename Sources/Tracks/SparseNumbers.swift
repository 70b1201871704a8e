package import Text

/// The numbers of one field in point order; long runs of points without a number take no memory.
package struct SparseNumbers: Sendable {
    /// Consecutive points whose numbers are stored one after the other, including short runs without a number.
    private struct NumberRun {
        /// The first point of the run.
        var point: Int
        /// The index of that point's number in `numbers`.
        var firstNumber: Int
    }

    private var numbers: [Int64] = []
    private var decimalPlaces: [UInt8] = []
    private var runs: [NumberRun] = []
    /// The index after the last point that has a number.
    private var end = 0

    /// Up to this many consecutive points without a number are stored as absent numbers instead of starting a new
    /// run.
    private static let filledGap = 16

    /// Creates an empty list.
    package init() {}

    /// Whether no point has a number.
    package var isEmpty: Bool { numbers.isEmpty }

    /// Sets the number of a point: the last point that has one, or a later one.
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

    /// Makes the point the next to be appended; false if it already has a number.
    private mutating func prepare(_ point: Int) -> Bool {
        precondition(point + 1 >= end, "points must be set in ascending order")
        guard point >= end || numbers.isEmpty else { return false }
        if numbers.isEmpty || point - end > Self.filledGap {
            runs.append(NumberRun(point: point, firstNumber: numbers.count))
        } else {
            for _ in end..<point {
                numbers.append(FieldColumn.absent)
                decimalPlaces.append(0)
            }
        }
        return true
    }

    /// Calls `body` with each point that has a number, in ascending order.
    @inline(__always)
    package func forEach(_ body: (Int, FixedDecimal) -> Void) {
        forEach(from: 0, to: end, body)
    }

    /// Calls `body` with each point in `start..<stop` that has a number, in ascending order.
    package func forEach(from start: Int, to stop: Int, _ body: (Int, FixedDecimal) -> Void) {
        for index in firstRun(from: start)..<runs.count {
            let run = runs[index]
            guard run.point < stop else { return }
            let last = index + 1 < runs.count ? runs[index + 1].firstNumber : numbers.count
            let offset = run.point - run.firstNumber
            let range =
                max(run.firstNumber, start - offset)..<max(run.firstNumber, start - offset, min(last, stop - offset))
            for position in range where numbers[position] != FieldColumn.absent {
                body(position + offset, FixedDecimal(mantissa: numbers[position], places: decimalPlaces[position]))
            }
        }
    }

    /// The last run that starts at the point or before it; the first run if there is none.
    private func firstRun(from point: Int) -> Int {
        var low = 0
        var high = runs.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if runs[middle].point <= point { low = middle } else { high = middle }
        }
        return low
    }
}
