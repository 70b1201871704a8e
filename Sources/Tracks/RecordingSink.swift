/// What a file says of a recording besides its points.
public struct RecordingHeader: Sendable, Equatable {
    /// The name that the file gives.
    public var name: String?
    /// What was done, in the file's own word brought to lower case (`ride`, `running`).
    public var activity: String?
    /// Whose it is; nil for the library's owner.
    public var person: String?
    /// The device whose stream the points belong to; nil for a recording with the boundaries of its file.
    public var device: String?
    /// The file that it came from: its name, or archive and member.
    public var source: String
    /// Which pauses are gaps.
    public var gap: GapRule
    /// What else the file says of the recording, by the file's own names.
    public var notes: [String: String]

    /// A header.
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

/// Which pauses of a recording are gaps; a step faster than the `CleaningRule` takes is one under every rule.
public enum GapRule: Hashable, Sendable {
    /// In a stream, or in a file's segment that spans more than a day: a pause of more than 30 min, or of more than 5 min
    /// with more than 2 km between. In a shorter segment, none.
    case standard
    /// In every segment: a pause longer than this.
    case pause(milliseconds: Int64)
    /// No pause is a gap.
    case none
}

/// A recording that a sink has been told to begin and not yet to end.
public struct OpenRecording: Hashable, Sendable {
    /// The sink's own number for it.
    public let number: Int

    /// A ticket; only sinks make them.
    public init(number: Int) {
        self.number = number
    }
}

/// What became of a recording.
public struct RecordingOutcome: Sendable, Equatable {
    /// Tracks that are new.
    public var newTracks = 0
    /// Tracks (file recordings) that were there already.
    public var duplicateTracks = 0
    /// Points newly stored.
    public var points = 0
    /// Points that were there already.
    public var duplicatePoints = 0
    /// Points kept, but marked and left out of heat, lines and replay, by reason.
    public var marked: [ExclusionReason: Int] = [:]
    /// Points that carry no time.
    public var untimed = 0
    /// Ids of other tracks that look like the same outing (same person, overlapping times and places).
    public var lookalikes: [String] = []

    /// Nothing yet.
    public init() {}

    /// Adds another outcome to this one.
    public mutating func add(_ other: RecordingOutcome) {
        newTracks += other.newTracks
        duplicateTracks += other.duplicateTracks
        points += other.points
        duplicatePoints += other.duplicatePoints
        marked.merge(other.marked, uniquingKeysWith: +)
        untimed += other.untimed
        lookalikes += other.lookalikes
    }
}

/// Why a point takes no part in heat, lines and replay.
public enum ExclusionReason: String, Hashable, Sendable, CaseIterable {
    /// Longitude and latitude are 0, far from its neighbours: a receiver without a fix.
    case zeroZero = "at 0,0"
    /// Faster than the `CleaningRule` takes, over more than 2 km, both to and from its neighbours.
    case impossibleSpeed = "impossible speed"
    /// Far from its neighbours, which are near each other, and too fast both out and back.
    case jump = "jumped away and back"
    /// It says itself that it is not exact.
    case inaccurate = "inaccurate"
}

/// Takes recordings from a reader, chunk by chunk; several may be open at once.
///
/// One thread uses a sink at a time.
public protocol RecordingSink: AnyObject {
    /// Begins a recording.
    func open() throws -> OpenRecording
    /// Adds points, behind those already given.
    func append(_ chunk: PointChunk, to recording: OpenRecording) throws
    /// Ends a recording and stores it; one without a point stores nothing.
    func close(_ recording: OpenRecording, header: RecordingHeader) throws -> RecordingOutcome
    /// Forgets an open recording and all its points.
    func abandon(_ recording: OpenRecording)
    /// Makes everything that was closed durable; only then may anybody be told that it is kept.
    func finish() throws
}

extension RecordingSink {
    /// Nothing: what was closed is kept already.
    public func finish() throws {}
}

/// A recording that a sink does not keep as it is, though all is well with the sink.
public struct RecordingRefusal: Error, Equatable, CustomStringConvertible {
    /// Why, in words.
    public let description: String

    /// A refusal for that reason.
    public init(_ description: String) {
        self.description = description
    }
}
