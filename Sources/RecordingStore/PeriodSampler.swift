import Text
internal import Tracks

/// Decides which points of a device are kept if only one point per period is to be stored.
///
/// Periods are counted from 1970, so that they are the same for all processes and after every restart.
struct PeriodSampler {
    /// Fields that exempt a point from sampling: waypoints, and changes of heading.
    static let exemptions = [FieldName.headingChanges, FieldName.waypoint].sorted()

    private let milliseconds: Int64
    private var usedPeriods: Set<Int64> = []
    private var storedKeys: Set<PointKey> = []

    init(milliseconds: Int64) {
        self.milliseconds = max(1, milliseconds)
    }

    /// The first millisecond of a time's period.
    func start(of time: Int64) -> Int64 {
        let (product, overflow) = period(of: time).multipliedReportingOverflow(by: milliseconds)
        return overflow ? .min : product
    }

    /// The last millisecond of a time's period.
    func end(of time: Int64) -> Int64 {
        let (sum, overflow) = start(of: time).addingReportingOverflow(milliseconds - 1)
        return overflow ? .max : sum
    }

    /// Adds points that are stored in the stream.
    mutating func addStored(_ chunk: PointColumns) {
        for (index, key) in chunk.keys.enumerated() {
            storedKeys.insert(key)
            if !Self.isExempt(chunk, index) { usedPeriods.insert(period(of: key.time)) }
        }
    }

    /// The indices of the points to keep, ascending: the earliest point of a period; of equal times the one with the
    /// smaller longitude, then latitude.
    mutating func kept(of chunk: PointColumns) -> [Int] {
        let keys = chunk.keys
        let order = keys.indices.sorted {
            (keys[$0].time, keys[$0].longitude, keys[$0].latitude)
                < (keys[$1].time, keys[$1].longitude, keys[$1].latitude)
        }
        var kept: [Int] = []
        for index in order {
            // A repeat of a stored point adds no point.
            if Self.isExempt(chunk, index) || storedKeys.contains(keys[index]) {
                kept.append(index)
            } else if usedPeriods.insert(period(of: keys[index].time)).inserted {
                storedKeys.insert(keys[index])
                kept.append(index)
            }
        }
        return kept.sorted()
    }

    private func period(of time: Int64) -> Int64 { time.floorDivided(by: milliseconds) }

    private static func isExempt(_ chunk: PointColumns, _ index: Int) -> Bool {
        chunk.fields.contains { exemptions.contains($0.name) && $0.values.isSet(at: index) }
    }
}

extension FieldColumn.Values {
    /// Whether the value of a point means yes: any number but 0, any text but `0` and `false`.
    func isSet(at index: Int) -> Bool {
        switch self {
        case .numbers(_, let numbers): numbers[index] != FieldColumn.absent && numbers[index] != 0
        case .texts(let texts): texts[index].map { $0 != "0" && $0 != "false" } ?? false
        }
    }
}
