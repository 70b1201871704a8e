import Text
internal import Tracks

/// How often a device reported the same location, while its points are recorded.
extension PointColumns {
    /// Merges the points of each group into one and sums their repeat counts.
    ///
    /// A sum does not depend on the order or grouping in which points arrive.
    func mergedCountingRepeats(_ groups: [[Int]]) -> PointColumns {
        var result = merged(groups)
        let given = column(FieldName.repeats)?.values
        // Texts are left unchanged: their meaning is unknown.
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
        // Clamped to a billion, so that sums do not overflow.
        return min(max(FixedDecimal(mantissa: numbers[index], places: places).rescaled(to: 0) ?? 1, 0), 1_000_000_000)
    }
}
