public import Replay
public import Tracks

/// Where the tracks come from that are written.
public protocol ExportSource: Sendable {
    /// How many tracks there are at most.
    var count: Int { get }
    /// One of them; nil where it has gone since.
    mutating func track(at index: Int) throws -> ExportTrack?
    /// A track's next points with all that they carry.
    mutating func points(of track: ExportTrack, at position: ReadingPosition) throws -> PointReading
}

/// What is written of a track besides its points.
public struct ExportTrack: Sendable {
    /// The library's number for it.
    public var number: Int64
    /// The id that the outside knows.
    public var id: String
    /// What it is called.
    public var name: String?
    /// What was done.
    public var activity: String?
    /// Whose it is; nil for the owner.
    public var person: String?
    /// The device whose stream it is cut from.
    public var device: String?
    /// Labels, ascending.
    public var tags: [String]
    /// What else its file said, by its own names.
    public var notes: [String: String]
    /// Milliseconds since 1970 of the earliest point.
    public var start: Int64?
    /// Milliseconds since 1970 of the latest point.
    public var end: Int64?
    /// All points.
    public var points: Int
    /// Points without a time.
    public var untimed: Int
    /// Metres along its lines.
    public var metres: Double
    /// The box round its places.
    public var bounds: E7Bounds?

    /// A track of the library, to be written.
    public init(
        number: Int64, id: String, name: String? = nil, activity: String? = nil, person: String? = nil,
        device: String? = nil, tags: [String] = [], notes: [String: String] = [:], start: Int64? = nil,
        end: Int64? = nil, points: Int, untimed: Int = 0, metres: Double = 0, bounds: E7Bounds? = nil
    ) {
        self.number = number
        self.id = id
        self.name = name
        self.activity = activity
        self.person = person
        self.device = device
        self.tags = tags
        self.notes = notes
        self.start = start
        self.end = end
        self.points = points
        self.untimed = untimed
        self.metres = metres
        self.bounds = bounds
    }

    /// Notes, ordered by name.
    var orderedNotes: [(key: String, value: String)] { notes.sorted { $0.key < $1.key } }
}

/// Why an export ended before its end.
public enum ExportError: Error, Equatable {
    /// The track's points were changed, or removed, while they were written.
    case changed(id: String)
}
