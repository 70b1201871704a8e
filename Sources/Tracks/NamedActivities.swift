/// What the points themselves say that somebody did: `activity` of Google's exports, `activity.type` of apps with
/// Transistor's library, `motion` of Overland, `motionactivities` of OwnTracks.
struct NamedActivities: Sendable {
    static let fieldNames = ["activity", "activity.type", "motion", "motionactivities"]

    private var activities = PointRuns<Activity>()

    /// Adds the points of a chunk, whose first point has an index in the track.
    mutating func append(_ chunk: PointColumns, at first: Int) {
        for name in Self.fieldNames {
            guard case .texts(let texts)? = chunk.fields.first(where: { $0.name == name })?.values else { continue }
            // Most points name the same as the one before; words are looked up behind a lock.
            var last: (word: String, activity: Activity?)?
            for index in 0..<chunk.count {
                guard let word = texts[index] else { continue }
                // Unknown words do not count as `other`: `motion` and `activity` may hold anything.
                let activity = last.flatMap { $0.word == word ? $0.activity : nil } ?? Activity(knownWord: word)
                last = (word, activity)
                if let activity { activities.add(first + index, activity) }
            }
            return
        }
    }

    /// What a point says; nil if it says nothing. Asked for with ascending indices.
    @inline(__always)
    mutating func activity(at index: Int) -> Activity? { activities.value(at: index) }
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
