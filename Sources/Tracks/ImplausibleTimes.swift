import Text

extension PointColumns {
    /// The chunk without implausible times: a point with such a time becomes untimed and keeps the timestamp as
    /// `FieldName.implausibleTime`.
    ///
    /// If all times are plausible, this returns the chunk itself after one pass over the times.
    public func withPlausibleTimes() -> PointColumns {
        withTimes(where: { Instant.plausible.contains($0) })
    }

    /// Does the same for times outside `Instant.bounds`.
    func withTimesInBounds() -> PointColumns {
        withTimes(where: { Instant.bounds.contains($0) })
    }

    /// The number of points with an implausible timestamp.
    public var implausibleTimes: Int {
        guard let column = fields.first(where: { $0.name == FieldName.implausibleTime }) else { return 0 }
        switch column.values {
        case .numbers(_, let numbers): return numbers.count { $0 != FieldColumn.absent }
        case .texts(let texts): return texts.count { $0 != nil }
        }
    }

    private func withTimes(where isKept: (Int64) -> Bool) -> PointColumns {
        guard times.contains(where: { $0 != Self.untimed && !isKept($0) }) else { return self }
        var chunk = self
        var stamps = [Int64](repeating: FieldColumn.absent, count: count)
        for (index, time) in times.enumerated() where time != Self.untimed && !isKept(time) {
            stamps[index] = time
            chunk.times[index] = Self.untimed
        }
        chunk.addStamps(stamps)
        return chunk
    }

    private mutating func addStamps(_ stamps: [Int64]) {
        guard let index = fields.firstIndex(where: { $0.name == FieldName.implausibleTime }) else {
            fields.append(FieldColumn(name: FieldName.implausibleTime, values: .numbers(places: 0, stamps)))
            fields.sort { $0.name < $1.name }
            return
        }
        switch fields[index].values {
        case .numbers(0, let known):
            fields[index].values = .numbers(
                places: 0, zip(known, stamps).map { $1 == FieldColumn.absent ? $0 : $1 })
        case let known:
            fields[index].values = .texts(Self.united(known.texts, stamps))
        }
    }

    private static func united(_ texts: [String?], _ stamps: [Int64]) -> [String?] {
        zip(texts, stamps).map { $1 == FieldColumn.absent ? $0 : String($1) }
    }
}
