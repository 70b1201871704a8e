/// What the points themselves say that somebody did: `activity` of Google's exports, `activity.type` of apps with
/// Transistor's library, `motion` of Overland, `motionactivities` of OwnTracks.
struct NamedActivities: Sendable {
    static let fieldNames = ["activity", "activity.type", "motion", "motionactivities"]

    /// Runs of points with the same activity, by index in the track, ascending.
    private var runs: [(points: Range<Int>, activity: Activity)] = []
    private var next = 0

    /// Adds the points of a chunk, whose first point has an index in the track.
    mutating func append(_ chunk: PointColumns, at first: Int) {
        for name in Self.fieldNames {
            guard case .texts(let texts)? = chunk.fields.first(where: { $0.name == name })?.values else { continue }
            for index in 0..<chunk.count {
                // Unknown words do not count as `other`: `motion` and `activity` may hold anything.
                guard let word = texts[index], let activity = Activity(knownWord: word) else { continue }
                add(first + index, activity)
            }
            return
        }
    }

    private mutating func add(_ index: Int, _ activity: Activity) {
        if let last = runs.last, last.points.upperBound == index, last.activity == activity {
            runs[runs.count - 1].points = last.points.lowerBound..<index + 1
        } else {
            runs.append((index..<index + 1, activity))
        }
    }

    /// What a point says; nil if it says nothing. Asked for with ascending indices.
    @inline(__always)
    mutating func activity(at index: Int) -> Activity? {
        guard next < runs.count else { return nil }
        return find(index)
    }

    private mutating func find(_ index: Int) -> Activity? {
        while next < runs.count, runs[next].points.upperBound <= index { next += 1 }
        return next < runs.count && runs[next].points.contains(index) ? runs[next].activity : nil
    }
}

/// The activity for most of the way of a track, from what its points say.
///
/// Only the way between two points that name the same activity counts for it: exports of Google name it at the two ends of
/// a trip, and apps at each point. Way between different activities, or after the last name, counts for none.
struct PrevailingActivity: Sendable {
    /// The part of the named way that has to be of one activity. A day with a drive of 10 km and a walk of 2 km is a
    /// drive; with a ride of 6 km and a walk of 4 km it is neither.
    private static let share = 0.75
    /// The part of the whole way that has to be named.
    private static let namedShare = 0.5

    private var named = NamedActivities()
    private var metres: [Activity: Double] = [:]
    private var total = 0.0
    private var last: (activity: Activity, metresSince: Double)?

    mutating func append(_ chunk: PointColumns, at first: Int) { named.append(chunk, at: first) }

    /// Adds a point that is not an outlier, and the way to it in metres; nil without a line to it.
    @inline(__always)
    mutating func add(_ index: Int, metres step: Double?) {
        guard let step else {
            last = named.activity(at: index).map { ($0, 0) }
            return
        }
        total += step
        last?.metresSince += step
        guard let activity = named.activity(at: index) else { return }
        if let last, last.activity == activity { metres[activity, default: 0] += last.metresSince }
        last = (activity, 0)
    }

    /// nil if there is none.
    var activity: Activity? {
        let sum = metres.values.sorted().reduce(0, +)
        // At most one activity has more than half.
        guard let most = metres.max(by: { $0.value < $1.value }), sum > 0, sum >= total * Self.namedShare,
            most.value >= sum * Self.share
        else { return nil }
        return most.key
    }
}

extension PointColumns {
    /// Whether points of a chunk name other activities than the same points of another chunk.
    func namesActivities(otherThan other: PointColumns) -> Bool {
        var (mine, theirs) = (NamedActivities(), NamedActivities())
        mine.append(self, at: 0)
        theirs.append(other, at: 0)
        return (0..<count).contains { mine.activity(at: $0) != theirs.activity(at: $0) }
    }
}
