internal import Tracks

/// Chunks at the same position of two recordings of which one begins with all points of the other, or has the same.
extension PointColumns {
    /// Merges two versions of the same points: the richer value wins, then the smaller; segments begin where either
    /// version says. The points that only one has follow. nil if neither exists.
    static func merged(_ one: PointColumns?, _ other: PointColumns?) -> PointColumns? {
        guard let one, let other else { return one ?? other }
        let count = min(one.count, other.count)
        guard one.count != other.count else { return merged(one, other) }
        let longer = one.count > count ? one : other
        var all = merged(one.slice(0..<count), other.slice(0..<count))
        all.append(longer.slice(count..<longer.count))
        return all.gathered(0..<longer.count)
    }

    private static func merged(_ one: PointColumns, _ other: PointColumns) -> PointColumns {
        var (one, other) = (one, other)
        let starts = Set(one.segmentStarts).union(other.segmentStarts).sorted()
        // A semicircle is 360°/2^32 = 8.4e-8°: finer than 1e-7° and coarser than 1e-8°.
        switch (one.unit, other.unit) {
        case (.semicircles, .decimal(let places)):
            if places >= 8 { one.takePlaces(of: other) } else { other.takePlaces(of: one) }
        case (.decimal(let places), .semicircles):
            if places >= 8 { other.takePlaces(of: one) } else { one.takePlaces(of: other) }
        default: break
        }
        var both = one
        both.append(other)
        both.limitFields(to: PointChunk.fieldLimit, after: one)
        let count = one.count
        return both.merged((0..<count).map { [$0, $0 + count] }).gathered(0..<count, segmentStarts: starts)
    }

    private mutating func takePlaces(of other: PointColumns) {
        unit = other.unit
        longitudes = other.longitudes
        latitudes = other.latitudes
    }

    /// Its first points, in the coarsest lossless unit.
    func beginning(_ points: Int) -> PointColumns {
        gathered(0..<points)
    }

    /// Whether all values are equal up to the end of the shorter one.
    func agrees(with other: PointColumns) -> Bool {
        if count == other.count { return self == other }
        let common = min(count, other.count)
        return times[..<common] == other.times[..<common] && beginning(common) == other.beginning(common)
    }

    /// Whether times and places (at 1e-7°) are equal up to the end of the shorter one.
    func agreesInTimesAndPlaces(with other: PointColumns) -> Bool {
        let common = min(count, other.count)
        guard times[..<common] == other.times[..<common] else { return false }
        let (mine, theirs) = (E7Converter(unit: unit), E7Converter(unit: other.unit))
        return (0..<common).allSatisfy {
            mine.e7(longitudes[$0]) == theirs.e7(other.longitudes[$0])
                && mine.e7(latitudes[$0]) == theirs.e7(other.latitudes[$0])
        }
    }
}
