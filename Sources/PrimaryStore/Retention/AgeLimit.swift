import Text
internal import Tracks

/// Which points of a track are kept: all that are young, and of the old ones none, or some of each interval.
package struct AgeLimit: Sendable, Equatable {
    /// Points before this are old; milliseconds since 1970.
    package let cutoff: Int64
    /// Milliseconds; nil to keep no old point.
    package let thinning: Int64?

    package init(cutoff: Int64, thinning: Int64?) {
        self.cutoff = cutoff
        self.thinning = thinning
    }

    /// The same for a track with this gap rule: thinning must not make pauses that end tracks.
    func adapted(to gap: GapRule) -> AgeLimit {
        guard let thinning, case .pause(let milliseconds) = gap else { return self }
        return AgeLimit(cutoff: cutoff, thinning: max(1, min(thinning, milliseconds / 2)))
    }
}

/// The times of consecutive points, and which of them thinning must not remove.
struct AgedPoints {
    private var times: [Int64] = []
    /// Points that stay: the first of segments, and waypoints.
    private var fixed: Set<Int> = []

    static let fields = WantedFields.only([FieldName.waypoint])

    mutating func add(_ chunk: PointColumns) {
        for start in chunk.segmentStarts { fixed.insert(times.count + start) }
        for index in chunk.waypointIndices { fixed.insert(times.count + index) }
        times += chunk.times
    }

    /// Whether each point is kept. Applied to the points that are kept, it keeps all of them.
    ///
    /// Of each interval of the clock the first point is kept, and points before a step that is longer than an interval: so no
    /// step grows beyond two intervals, and a track has the same pauses as before.
    func kept(by limit: AgeLimit) -> [Bool] {
        guard let thinning = limit.thinning else {
            return times.map { $0 == PointColumns.untimed || $0 >= limit.cutoff }
        }
        var kept: [Bool] = []
        kept.reserveCapacity(times.count)
        var last: Int64?
        for (index, time) in times.enumerated() {
            guard time != PointColumns.untimed, time < limit.cutoff else {
                kept.append(true)
                continue
            }
            let interval = time.floorDivided(by: thinning)
            let isKept = interval != last || fixed.contains(index) || isLast(index, thinning)
            if isKept { last = interval }
            kept.append(isKept)
        }
        return kept
    }

    /// Whether no point follows, in the same segment, within an interval.
    private func isLast(_ index: Int, _ thinning: Int64) -> Bool {
        let next = index + 1
        guard next < times.count, !fixed.contains(next), times[next] != PointColumns.untimed else { return true }
        return times[next] - times[index] > thinning
    }
}
