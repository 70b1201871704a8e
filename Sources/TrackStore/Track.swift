public import Digest
public import TrackQuery
public import Tracks

/// What one lists, sees and plays: a file's recording, or a stretch of a device's stream between two gaps.
public struct Track: Sendable, Equatable {
    /// The library's own number for it: unique, rising, never given twice.
    public var number: Int64
    /// What the outside calls it: `[A-Za-z0-9_-]`.
    public var id: String
    /// Whose it is; 1 is the library's owner.
    public var person: Int64
    /// The person's name; nil for the owner.
    public var personName: String?
    /// What was done.
    public var activity: String?
    /// The name that the file gave, or the owner.
    public var name: String?
    /// The file it came from.
    public var source: String
    /// The device, where one was named.
    public var device: String?
    /// Milliseconds since 1970 of the earliest point; nil where no point carries a time.
    public var start: Int64?
    /// Milliseconds since 1970 of the latest point.
    public var end: Int64?
    /// All points, marked ones too.
    public var points: Int
    /// Points without a time.
    public var untimed: Int
    /// Points left out of heat, lines and replay, by reason.
    public var marked: [ExclusionReason: Int]
    /// Metres along its lines.
    public var metres: Double
    /// The box round its places.
    public var bounds: E7Bounds?
    /// Which pauses are gaps.
    public var gap: GapRule
    /// Which points are marked; the library's.
    public var cleaning: CleaningRule
    /// Whether it is cut out of a stream, in the order of time, instead of a file's recording in the order of the file.
    public var isStream: Bool
    /// Which segments of the file span more than a day.
    public var longSegments: [Int]
    /// The digest over times and places: tracks with the same digest have the same points.
    public var digest: ContentDigest
    /// What else the file says, by its own names.
    public var notes: [String: String]
    /// What the owner labelled it with, in lower case, ascending.
    public var tags: [String] = []

    /// Who may see it.
    public var audience: Audience { .owner }

    /// From the earliest to the latest point.
    public var seconds: Double {
        guard let start, let end else { return 0 }
        return (Double(end) - Double(start)) / 1000
    }

    /// How `OutlierDetector` takes it.
    public var walkKind: OutlierDetector.Kind {
        isStream ? .stream : .file(longSegments: Set(longSegments))
    }
}

/// Somebody whose tracks the library holds.
public struct Person: Sendable, Equatable {
    /// 1 is the owner.
    public var number: Int64
    /// nil for the owner.
    public var name: String?
}

/// What one revision of the truth changed.
public struct Change: Sendable, Equatable {
    /// Rises by one with each change.
    public var revision: Int64
    /// When, in milliseconds since 1970.
    public var time: Int64
    /// Tracks that are new.
    public var added: [Int64] = []
    /// Tracks of which the points, the segments, the gap rule or the activity are others.
    public var changed: [Int64] = []
    /// Tracks that are gone.
    public var removed: [Int64] = []
    /// Tracks of which only names, notes or fields are others: no tile changes.
    public var described: [Int64] = []
    /// Numbers of layers that came or went.
    public var layers: [Int64] = []
    /// The digest of the log up to here.
    public var digest: ContentDigest
}

/// Where the truth stands.
public struct Head: Sendable, Hashable {
    /// 0 for a library just made.
    public var revision: Int64
    /// The digest of the change log up to there.
    public var digest: ContentDigest

    /// A revision with its digest.
    public init(revision: Int64, digest: ContentDigest) {
        self.revision = revision
        self.digest = digest
    }
}

/// Which tracks a list shows.
public struct TrackFilter: Sendable {
    /// Tracks that end at or after this (milliseconds since 1970).
    public var from: Int64?
    /// Tracks that start before this.
    public var to: Int64?
    /// Tracks whose box meets this one.
    public var bounds: E7Bounds?
    /// Tracks of this activity.
    public var activity: String?
    /// Tracks of this person.
    public var person: Int64?
    /// Tracks that a condition admits.
    public var condition: TrackCondition?
    /// Whose days the condition speaks of.
    public var calendar: DayCalendar?

    /// Every track.
    public init() {}
}

/// Some tracks of a list, and where it goes on.
public struct TrackPage: Sendable {
    /// Newest first; those without times at the end.
    public var tracks: [Track]
    /// What to give as `after` for the next ones; nil at the end.
    public var next: String?
}
