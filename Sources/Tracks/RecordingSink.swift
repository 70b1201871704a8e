import Text

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
    public var attributes: [String: String]

    /// Creates a header.
    public init(
        name: String? = nil, activity: String? = nil, person: String? = nil, device: String? = nil, source: String,
        gap: GapRule = .standard, attributes: [String: String] = [:]
    ) {
        self.name = name
        self.activity = activity
        self.person = person
        self.device = device
        self.source = source
        self.gap = gap
        self.attributes = attributes
    }
}

/// Which pauses of a recording are gaps. A step faster than the `OutlierRule` allows is a gap under every rule.
public enum GapRule: Hashable, Sendable {
    /// A step that takes longer than this is a gap under every rule. Otherwise a line over several years would count on
    /// each day between its ends.
    static let longestStepMilliseconds: Int64 = 366 * 86_400_000

    /// In a stream, or in a file's segment that spans more than a day: a pause of more than 30 min, or of more than 5
    /// min if the points are more than 2 km apart. In a shorter segment: no pause.
    case standard
    /// In every segment, a pause longer than this is a gap.
    case pause(milliseconds: Int64)
    /// No pause is a gap.
    case none

    /// Parses `none` or a duration.
    public init?(text: String) {
        if text == "none" {
            self = .none
        } else if let milliseconds = DurationText.milliseconds(text) {
            self = .pause(milliseconds: milliseconds)
        } else {
            return nil
        }
    }
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

/// Receives recordings from a reader, chunk by chunk. Several recordings may be open at once.
///
/// A sink is used by one thread at a time.
public protocol RecordingSink: AnyObject {
    /// Begins a recording.
    func open() throws -> OpenRecording
    /// Appends points to a recording.
    func append(_ chunk: PointColumns, to recording: OpenRecording) throws
    /// Ends a recording. It is stored when `store` of the result is called; nil if it has no points.
    func end(_ recording: OpenRecording, header: RecordingHeader) throws -> (any EndedRecording)?
    /// Discards an open recording with all its points.
    func abandon(_ recording: OpenRecording)
    /// Makes all stored recordings durable. Only after this may success be reported to anyone.
    func finish() throws
}

extension RecordingSink {
    /// Does nothing: stored recordings are already durable.
    public func finish() throws {}

    /// Ends a recording and stores it; its outcome is known after `finish()`.
    @discardableResult
    public func close(_ recording: OpenRecording, header: RecordingHeader) throws -> OutcomeCollector {
        let outcome = OutcomeCollector()
        try end(recording, header: header)?.store(outcome)
        return outcome
    }
}

/// A recording that was read completely and is not stored yet; recordings may be stored in another order than they
/// ended, and by another thread.
public protocol EndedRecording: Sendable {
    /// The number of its points.
    var points: Int { get }
    /// Approximate bytes of memory that it holds.
    var byteCount: Int { get }
    /// Stores it. The result is added to `outcome` at the latest in `finish()` of its sink.
    func store(_ outcome: OutcomeCollector) throws
}

/// A recording of a sink that knows the outcome immediately.
public struct CountedRecording: EndedRecording {
    private let outcome: RecordingOutcome

    /// A recording with this outcome.
    public init(_ outcome: RecordingOutcome) {
        self.outcome = outcome
    }

    public var points: Int { outcome.points }
    public var byteCount: Int { 0 }

    public func store(_ collector: OutcomeCollector) {
        collector.add(outcome)
    }
}

/// Thrown when a sink refuses a recording although the sink itself works.
public struct RecordingRejected: Error, Equatable, CustomStringConvertible {
    /// The reason, as a message.
    public let description: String

    /// Creates a refusal with a reason.
    public init(_ description: String) {
        self.description = description
    }
}
