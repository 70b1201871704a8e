/// Finds the stays of a person in the runs of all devices of the person, whatever their order.
enum StayMerger {
    /// The stays, by arrival. Takes time in proportion to the parts and movements of the runs, apart from sorting.
    static func stays(_ runs: [StayRun]) -> [Stay] {
        let coverage = Spans(runs.map { $0.from...max($0.from, $0.to) })
        let movement = Spans(runs.flatMap(\.movements))
        // By all members, so that the order of the runs does not matter.
        let parts = runs.flatMap(\.parts).sorted { first, second in
            if first.arrive != second.arrive { return first.arrive < second.arrive }
            if first.leave != second.leave { return first.leave < second.leave }
            if first.longitude != second.longitude { return first.longitude < second.longitude }
            if first.latitude != second.latitude { return first.latitude < second.latitude }
            return (first.points, first.spread) < (second.points, second.spread)
        }
        var drafts = StayDrafts()
        var stays: [Stay] = []
        for part in parts {
            let near = drafts.near(part, removing: { isOver($0, before: part, coverage) }) {
                add($0, to: &stays, movement)
            }
            // The latest one; of several the one that began first.
            let best = near.filter { canJoin($0.part, part, coverage, movement) }
                .max { ($0.part.leave, $1.index) < ($1.part.leave, $0.index) }
            guard let best else {
                drafts.append(StayDrafts.Draft(part: part))
                continue
            }
            drafts.update(best.index) { draft in
                let pause = part.arrive - draft.part.leave
                if pause > StayRule.pauseMilliseconds { draft.bridged += pause }
                draft.part = draft.part.joined(with: part)
            }
        }
        for draft in drafts.remaining { add(draft, to: &stays, movement) }
        return stays.sorted {
            ($0.arrive, $0.leave, $0.longitude, $0.latitude) < ($1.arrive, $1.leave, $1.longitude, $1.latitude)
        }
    }

    /// Whether a stay is complete: parts arrive in order, and neither this part nor a later one can continue it.
    private static func isOver(_ stay: StayPart, before part: StayPart, _ coverage: Spans) -> Bool {
        let pause = part.arrive - stay.leave
        return pause > StayRule.breakMilliseconds
            && (pause > StayRule.bridgeMilliseconds || coverage.touch(stay.leave, part.arrive))
    }

    /// Whether a part continues a stay: at the same place, and nothing was recorded between them, or no movement for a
    /// short time.
    private static func canJoin(_ stay: StayPart, _ part: StayPart, _ coverage: Spans, _ movement: Spans) -> Bool {
        guard stay.metres(to: part) <= StayRule.radiusMetres else { return false }
        let pause = part.arrive - stay.leave
        if pause <= 0 { return true }
        if !coverage.touch(stay.leave, part.arrive) { return pause <= StayRule.bridgeMilliseconds }
        return pause <= StayRule.breakMilliseconds
            && !StayRule.isMostly(movement.length(within: stay.leave, part.arrive), of: pause)
    }

    /// Adds a stay that is long enough and was not spent on moving.
    private static func add(_ draft: StayDrafts.Draft, to stays: inout [Stay], _ movement: Spans) {
        let part = draft.part
        let milliseconds = part.leave - part.arrive
        guard milliseconds >= StayRule.shortestMilliseconds, part.points >= StayRule.fewestPoints,
            !StayRule.isMostly(movement.length(within: part.arrive, part.leave), of: milliseconds)
        else { return }
        stays.append(
            Stay(
                arrive: part.arrive, leave: part.leave, longitude: part.longitude, latitude: part.latitude,
                radiusMetres: (Double(part.spread) / Double(part.points)).squareRoot() / 10, points: part.points,
                bridgedMilliseconds: draft.bridged))
    }
}

/// A set of instants: separate ranges, ascending.
struct Spans {
    private var starts: [Int64] = []
    private var ends: [Int64] = []
    /// The length of all ranges before each one, so that the length within a part of the set takes two binary searches.
    private var sums: [Int64] = []

    init(_ ranges: [ClosedRange<Int64>]) {
        for range in ranges.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let end = ends.last, range.lowerBound <= end {
                ends[ends.count - 1] = max(end, range.upperBound)
            } else {
                sums.append((sums.last ?? 0) + (ends.last ?? 0) - (starts.last ?? 0))
                starts.append(range.lowerBound)
                ends.append(range.upperBound)
            }
        }
    }

    /// The index of the first range that ends after an instant.
    private func index(after time: Int64) -> Int {
        var (low, high) = (0, ends.count)
        while low < high {
            let middle = (low + high) / 2
            if ends[middle] > time { high = middle } else { low = middle + 1 }
        }
        return low
    }

    /// Whether an instant between two others, which are excluded, is in the set.
    func touch(_ from: Int64, _ to: Int64) -> Bool {
        let index = index(after: from)
        return index < starts.count && starts[index] < to
    }

    /// The length of the set before an instant.
    private func length(before time: Int64) -> Int64 {
        let index = index(after: time)
        guard index < starts.count else { return (sums.last ?? 0) + (ends.last ?? 0) - (starts.last ?? 0) }
        return sums[index] + max(0, time - starts[index])
    }

    /// The length of the set between two instants.
    func length(within from: Int64, _ to: Int64) -> Int64 { length(before: to) - length(before: from) }
}
