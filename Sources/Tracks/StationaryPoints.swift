/// Which points a recording app itself recorded as stationary: speed 0, and no motion.
///
/// Overland writes `motion` as a list (`stationary`, or `driving,stationary` in a car that waits), OwnTracks
/// `motionactivities`, Traccar a flag `motion`, and apps with Transistor's library `is_moving`; a flag may be 0 or `false`.
struct StationaryPoints: Sendable {
    static let fieldNames = [FieldName.speed, "motion", "motionactivities", "is_moving"]

    private var points = PointRuns<Bool>()

    /// Adds the points of a chunk, whose first point has an index in the track.
    mutating func append(_ chunk: PointColumns, at first: Int) {
        guard let speeds = chunk.fields.first(where: { $0.name == FieldName.speed }), let (_, numbers) = speeds.numbers
        else { return }
        for column in chunk.fields where Self.fieldNames.dropFirst().contains(column.name) {
            for index in 0..<chunk.count where numbers[index] == 0 && Self.saysStationary(column.values, at: index) {
                points.add(first + index, true)
            }
            return
        }
    }

    /// Flags in parameters of URLs are often 0 or 1, which are stored as numbers, or as texts beside other texts.
    private static func saysStationary(_ values: FieldColumn.Values, at index: Int) -> Bool {
        switch values {
        case .numbers(_, let numbers): numbers[index] == 0
        case .texts(let texts): ["stationary", "false", "0"].contains(texts[index])
        }
    }

    /// Whether a point is stationary; asked for with ascending indices.
    @inline(__always)
    mutating func contains(_ index: Int) -> Bool { points.value(at: index) ?? false }
}

extension PointColumns {
    /// Whether what rests, climbs and activities depend on differs from that of a chunk of the same points: elevations and
    /// accuracies, exactly, which points are recorded as stationary, and what activities they name.
    package func isMeasuredDifferently(than other: PointColumns) -> Bool {
        let (own, others) = (DrawnFields(self), DrawnFields(other))
        let isExact = (0..<count).allSatisfy { index in
            let (one, two) = (own.exactElevation(at: index), others.exactElevation(at: index))
            return (one == two || one.isNaN && two.isNaN) && own.accuracy(at: index) == others.accuracy(at: index)
        }
        guard isExact, !namesActivities(otherThan: other) else { return true }
        var (mine, theirs) = (StationaryPoints(), StationaryPoints())
        mine.append(self, at: 0)
        theirs.append(other, at: 0)
        return (0..<count).contains { mine.contains($0) != theirs.contains($0) }
    }
}
