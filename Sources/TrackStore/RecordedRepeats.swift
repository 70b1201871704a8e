internal import Tracks

/// How often the same location of a device came, as its points are recorded.
extension PointTable {
    /// The points of each group united into one, with the sum of how often each of them came.
    ///
    /// A sum does not depend on the order or the grouping in which points come.
    func unitedCountingRepeats(_ groups: [[Int]]) -> PointTable {
        var result = united(groups)
        let given = values(of: FieldName.repeats)
        // Words stay as they are: nobody knows what they count.
        if case .texts = given { return result }
        guard groups.contains(where: { $0.count > 1 }) else { return result }
        let counts = groups.map { group in
            group.count == 1
                ? given?.wholeNumber(at: group[0]) ?? FieldColumn.absent
                : group.reduce(0) { $0 + max(1, given?.wholeNumber(at: $1) ?? 1) }
        }
        result.set(FieldName.repeats, to: .numbers(places: 0, counts))
        return result
    }
}

extension FieldColumn.Values {
    fileprivate func wholeNumber(at index: Int) -> Int64? {
        guard case .numbers(let places, let numbers) = self, numbers[index] != FieldColumn.absent else { return nil }
        // As many as a billion: sums do not overflow.
        return min(max(FixedDecimal(mantissa: numbers[index], places: places).rescaled(to: 0) ?? 1, 0), 1_000_000_000)
    }
}
