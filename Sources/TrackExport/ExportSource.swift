public import Pins
public import Replay
public import Tracks

/// The source of the tracks to export.
public protocol ExportSource: Sendable {
    /// The maximum number of tracks.
    var count: Int { get }
    /// The track at an index; nil if it has been removed.
    mutating func track(at index: Int) throws -> ExportTrack?
    /// The next points of a track with all their fields.
    mutating func points(of track: ExportTrack, at position: ReadingPosition) throws -> PointReading
    /// Whether pins are exported, too.
    var hasPins: Bool { get }
    /// The next pins; empty after the last ones.
    mutating func nextPins() throws -> [Pin]
}

extension ExportSource {
    public var hasPins: Bool { false }
    public mutating func nextPins() throws -> [Pin] { [] }
}

/// The metadata of a track to export.
public struct ExportTrack: Sendable {
    /// The library's internal number of the track.
    public var number: Int64
    /// The public id.
    public var id: String
    public var name: String?
    /// The activity, such as `ride`.
    public var activity: String?
    /// The person who recorded the track; nil for the owner.
    public var person: String?
    /// The device from whose stream the track is cut.
    public var device: String?
    /// Tags, ascending.
    public var tags: [String] = []
    /// Other metadata of the file, by the file's own names.
    public var attributes: [String: String] = [:]
    /// The numbers of points, the times, the length and the bounding box.
    public var summary: TrackSummary

    public init(number: Int64, id: String, name: String? = nil, summary: TrackSummary) {
        self.number = number
        self.id = id
        self.name = name
        self.summary = summary
    }

    /// Milliseconds since 1970 of the earliest point.
    public var start: Int64? { summary.start }
    /// Milliseconds since 1970 of the latest point.
    public var end: Int64? { summary.end }
    /// The number of all points.
    public var points: Int { summary.points }
    /// The number of points without a time.
    public var untimed: Int { summary.untimed }
    /// Metres along the track's lines.
    public var metres: Double { summary.metres }
    /// The bounding box of the points.
    public var bounds: E7Bounds? { summary.bounds }

    /// The attributes, ordered by name.
    var orderedAttributes: [(key: String, value: String)] { attributes.sorted { $0.key < $1.key } }
}

/// Why an export failed.
public enum ExportError: Error, Equatable {
    /// The points of the track were changed or removed during the export.
    case changed(id: String)
}
