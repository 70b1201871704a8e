public import Text
public import TrackQuery
public import Tracks

/// What an audience other than the owner sees of a library.
public struct EditionRule: Sendable, Equatable {
    /// The tracks that are published; nil for all.
    public var condition: TrackCondition?
    /// The ids of tracks that are published; nil for all.
    public var tracks: [String]?
    /// Where nothing is published.
    public var zones: [PrivacyZone] = []
    /// A place is shown only where at least this many persons were in a month; 1 shows every place.
    public var persons = 1
    /// How many whole days ago a point must have been recorded: 0 shows it at once.
    public var delayDays = Self.defaultDelayDays
    /// Whether points are shown while they are recorded; needs a delay of 0.
    public var isLive = false
    /// The first and last day of what is published; nil for all.
    public var from: CivilDay?
    public var to: CivilDay?
    /// Milliseconds since 1970 from which on something is published; nil for all.
    public var since: Int64?
    /// The last day on which the edition can be seen; nil if it does not end.
    public var until: CivilDay?
    /// Whether tracks keep their names, which may tell where they began.
    public var keepsNames = false

    /// A published track then does not tell where its owner is, or that nobody is at home.
    public static let defaultDelayDays = 3
    public static let delayDays = 0...3650
    public static let persons = 1...1000

    /// Publishes all tracks, as a whole.
    public init() {}

    /// The points that are visible at an instant: those with times in this range.
    public func times(at now: Int64, in calendar: DayCalendar) -> Range<Int64> {
        // The least Int64 stands for no time.
        let begin = max(from.map { calendar.start(ofDay: $0.daysSince1970) } ?? Int64.min + 1, since ?? Int64.min + 1)
        // Whole days: released at midnight, so that the time of the release tells nothing of the hour of the recording.
        let today = calendar.day(of: now)
        let released = delayDays == 0 ? Int64.max : calendar.start(ofDay: today - Int32(delayDays))
        let end = min(released, to.map { calendar.start(ofDay: $0.daysSince1970 + 1) } ?? .max)
        return begin..<max(begin, end)
    }

    /// Whether the edition can be seen at an instant.
    public func isShown(at now: Int64, in calendar: DayCalendar) -> Bool {
        until.map { calendar.day(of: now) <= $0.daysSince1970 } ?? true
    }

    /// Whether the track is published that a device of a person records just now; nil stands for the owner. False if that depends on
    /// what is not known before the end, such as its id or its length.
    public func selects(device: String, person: String?) -> Bool {
        guard tracks == nil else { return false }
        guard let condition else { return true }
        return condition.admits(person: person ?? "", device: device) ?? false
    }
}
