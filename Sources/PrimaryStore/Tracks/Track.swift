public import Digest
public import TileLog
public import TrackQuery
public import Tracks

/// The unit that users list, see and play: the recording of a file, or a part of a device's stream between two gaps.
public struct Track: Sendable, Equatable {
    /// The track's number in the library: unique, ascending, never reused.
    public var number: Int64
    /// The public id: `[A-Za-z0-9_-]`.
    public var id: String
    /// The number of the track's person; 1 is the library's owner.
    public var person: Int64
    /// The person's name; nil for the owner.
    public var personName: String?
    /// The word for its activity, from the file or from the owner's edit, such as `ride` or `running`; nil if unknown.
    public var activityWord: String?
    /// The name from the file or from the owner's edit.
    public var name: String?
    /// The file it came from.
    public var source: String
    /// The device, if it was named.
    public var device: String?
    /// Time of the earliest point in milliseconds since 1970; nil if no point has a time.
    public var start: Int64?
    /// Time of the latest point in milliseconds since 1970.
    public var end: Int64?
    /// The number of all points, including excluded ones.
    public var points: Int
    /// The number of points without a time.
    public var untimed: Int
    /// The number of points excluded from heat, lines and replay, by reason.
    public var outliers: [OutlierReason: Int]
    /// The length of its lines in metres.
    public var metres: Double
    /// The bounding box of its points.
    public var bounds: E7Bounds?
    /// The rule that says which pauses are gaps.
    public var gap: GapRule
    /// The outlier rule of the library.
    public var outlierRule: OutlierRule
    /// Whether it is part of a stream, ordered by time, rather than the recording of a file, in file order.
    public var isStream: Bool
    /// The segments of the file that span more than a day.
    public var longSegments: [Int]
    /// What was found out about its points.
    public var annotations = PointAnnotations()
    /// The digest over times and places: tracks with the same digest have the same points.
    public var digest: ContentDigest
    /// Other properties given by the file, by their original names.
    public var attributes: [String: String]
    /// The owner's tags, in lower case, ascending.
    public var tags: [String] = []
    /// The word of the file for its activity, whatever the owner's edit says.
    public var activityRecorded: String?

    /// The activity that its word means; nil if it has none.
    public var activity: Activity? { activityWord.flatMap { Activity(word: $0) } }

    /// The time from the earliest to the latest point.
    public var seconds: Double {
        guard let start, let end else { return 0 }
        return (Double(end) - Double(start)) / 1000
    }

    /// The numbers of its points, its times, length and bounding box, without the starts of its segments.
    package var summary: TrackSummary {
        var summary = TrackSummary()
        summary.points = points
        summary.untimed = untimed
        summary.outliers = outliers
        summary.start = start
        summary.end = end
        summary.metres = metres
        summary.bounds = bounds
        summary.longSegments = longSegments
        summary.annotations = annotations
        return summary
    }

    /// Classifies the points of the track.
    public var detector: OutlierDetector {
        summary.detector(gap: gap, isStream: isStream, outlierRule: outlierRule)
    }
}

/// A person whose tracks are in the library.
public struct Person: Sendable, Equatable {
    /// 1 is the owner.
    public var number: Int64
    /// nil for the owner.
    public var name: String?
}

/// What one revision of the primary store changed.
public struct Change: Sendable, Equatable {
    /// Increases by one with each change.
    public var revision: Int64
    /// The time of the change in milliseconds since 1970.
    public var time: Int64
    /// Tracks that were added.
    public var added: [Int64] = []
    /// Tracks whose points, segments, gap rule or activity changed.
    public var changed: [Int64] = []
    /// Tracks that were removed.
    public var removed: [Int64] = []
    /// Tracks of which only names, attributes or fields changed: no tile changes.
    public var metadataChanged: [Int64] = []
    /// Numbers of layers that were added or removed.
    public var layers: [Int64] = []
    /// Numbers of pins that were added, changed or removed. Waypoints of tracks are not in the log.
    public var pins: [Int64] = []
    /// The digest of the log up to this revision.
    public var digest: ContentDigest
}

/// The newest revision of the primary store.
public struct Head: Sendable, Hashable {
    /// 0 for a new library.
    public var revision: Int64
    /// The digest of the change log up to this revision.
    public var digest: ContentDigest

    /// A revision with its digest.
    public init(revision: Int64, digest: ContentDigest) {
        self.revision = revision
        self.digest = digest
    }
}

/// The condition that a list's tracks fulfil.
public struct TrackFilter: Sendable {
    /// Tracks that end at or after this (milliseconds since 1970).
    public var from: Int64?
    /// Tracks that start before this.
    public var to: Int64?
    /// Tracks whose bounding box intersects this one.
    public var bounds: E7Bounds?
    /// Tracks of this activity.
    public var activity: ActivityFilter?
    /// Tracks of this person.
    public var person: Int64?
    /// Tracks that fulfil a condition.
    public var condition: TrackCondition?
    /// The calendar for the days of the condition.
    public var calendar: DayCalendar?
    /// Whether nobody needs the tracks any more: reading them then throws `CancellationError`.
    public var isCancelled: @Sendable () -> Bool = { false }

    /// Creates a filter that every track passes.
    public init() {}

    /// Limits the filter to tracks of an activity, given as one of its words.
    public mutating func limit(toActivity word: String) {
        let asked = ActivityFilter(word)
        activity = activity.map { $0.and(asked) } ?? asked
    }

    /// Limits the filter to tracks of which a part is in a window.
    public mutating func limit(to window: TimeWindow, in calendar: DayCalendar) {
        from = window.from.map { end in
            switch end {
            case .day(let day): calendar.start(ofDay: day)
            case .instant(let instant): instant
            }
        }
        to = window.to.map { end in
            switch end {
            case .day(let day): calendar.start(ofDay: day + 1)
            case .instant(let instant): instant
            }
        }
    }
}

/// A page of a list of tracks.
public struct TrackPage: Sendable {
    /// Newest first; those without times last.
    public var tracks: [Track]
    /// The value of `after` for the next page; nil on the last page.
    public var next: String?
}
