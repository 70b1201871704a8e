/// The metadata of a recording.
public struct RecordingHeader: Sendable, Equatable {
    /// The name given in the file.
    public var name: String?
    /// The activity as named in the file, in lower case (`ride`, `running`).
    public var activity: String?
    /// The person who recorded it; nil for the library's owner.
    public var person: String?
    /// The device whose stream the points belong to; nil for a recording with the boundaries of its file.
    public var device: String?
    /// The file that it came from: its name, or archive and member.
    public var source: String
    /// Which pauses are gaps.
    public var gap: GapRule
    /// Other metadata of the recording, under the names used in the file.
    public var notes: [String: String]

    /// Creates a header.
    public init(
        name: String? = nil, activity: String? = nil, person: String? = nil, device: String? = nil, source: String,
        gap: GapRule = .standard, notes: [String: String] = [:]
    ) {
        self.name = name
        self.activity = activity
        self.person = person
        self.device = device
        self.source = source
        self.gap = gap
        self.notes = notes
    }
}

/// Which pauses of a recording are gaps. A step faster than the `CleaningRule` allows is a gap under every rule.
public enum GapRule: Hashable, Sendable {
    /// In a stream, or in a file's segment that spans more than a day: a pause of more than 30 min, or of more than 5
    /// min if the points are more than 2 km apart. In a shorter segment: no pause.
    case standard
    /// In every segment: a pause longer than this.
    case pause(milliseconds: Int64)
    /// No pause is a gap.
    case none
}

/// A recording that was opened on a sink and is not closed yet.
public struct OpenRecording: Hashable, Sendable {
    /// The sink's number for the recording.
    public let number: Int

    /// Creates a handle; only sinks do this.
    public init(number: Int) {
        self.number = number
    }
}

/// The result of storing a recording.
public struct RecordingOutcome: Sendable, Equatable {
    /// Number of new tracks.
    public var newTracks = 0
    /// Number of tracks (file recordings) that were already stored.
    public var duplicateTracks = 0
    /// Number of new points.
    public var points = 0
    /// Number of points that were already stored.
    public var duplicatePoints = 0
    /// Number of outliers by reason: points that are kept, but excluded from heat, lines and replay.
    public var excluded: [ExclusionReason: Int] = [:]
    /// Number of points without a time.
    public var untimed = 0
    /// Ids of other tracks that look like the same outing (same person, overlapping times and places).
    public var similarTracks: [String] = []

    /// An empty result.
    public init() {}

    /// Adds another result to this one.
    public mutating func add(_ other: RecordingOutcome) {
        newTracks += other.newTracks
        duplicateTracks += other.duplicateTracks
        points += other.points
        duplicatePoints += other.duplicatePoints
        excluded.merge(other.excluded, uniquingKeysWith: +)
        untimed += other.untimed
        similarTracks += other.similarTracks
    }
}

/// Why a point is an outlier, excluded from heat, lines and replay.
public enum ExclusionReason: String, Hashable, Sendable, CaseIterable {
    /// Longitude and latitude are 0 and the neighbours are far away: a receiver without a fix.
    case zeroZero = "at 0,0"
    /// Faster than the `CleaningRule` allows over more than 2 km, both from the point before and to the next.
    case impossibleSpeed = "impossible speed"
    /// Far from both neighbours, which are near each other, and too fast in both directions.
    case jump = "jumped away and back"
    /// The accuracy recorded with the point is worse than the `CleaningRule` allows.
    case inaccurate = "inaccurate"
}

/// Receives recordings from a reader, chunk by chunk. Several recordings may be open at once.
///
/// A sink is used by one thread at a time.
public protocol RecordingSink: AnyObject {
    /// Begins a recording.
    func open() throws -> OpenRecording
    /// Appends points to a recording.
    func append(_ chunk: PointChunk, to recording: OpenRecording) throws
    /// Ends a recording and stores it; a recording without points stores nothing.
    func close(_ recording: OpenRecording, header: RecordingHeader) throws -> RecordingOutcome
    /// Discards an open recording with all its points.
    func abandon(_ recording: OpenRecording)
    /// Makes all closed recordings durable. Only after this may success be reported to anyone.
    func finish() throws
}

extension RecordingSink {
    /// Does nothing: closed recordings are already durable.
    public func finish() throws {}
}

/// Thrown when a sink refuses a recording although the sink itself works.
public struct RecordingRefusal: Error, Equatable, CustomStringConvertible {
    /// The reason, as a message.
    public let description: String

    /// Creates a refusal with a reason.
    public init(_ description: String) {
        self.description = description
    }
}
