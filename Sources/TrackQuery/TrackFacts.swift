/// What conditions ask of a track. A text that it does not have is empty.
public struct TrackFacts: Sendable, Equatable {
    /// What was done.
    public var activity = ""
    /// Whose it is; empty for the library's owner.
    public var person = ""
    /// The device that recorded it.
    public var device = ""
    /// What it is called.
    public var name = ""
    /// The file it came from.
    public var source = ""
    /// What it was labelled with.
    public var tags: [String] = []
    /// Metres along its lines.
    public var metres = 0.0
    /// From its first to its last point.
    public var seconds = 0.0
    /// Milliseconds since 1970 of its first point; nil where no point has a time.
    public var start: Int64?

    /// A track of which nothing is known.
    public init() {}
}
