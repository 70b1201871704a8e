/// The properties of a track that conditions test. A missing text is empty.
public struct TrackFacts: Sendable, Equatable {
    /// The word for the activity, such as `running`; conditions test both the word and the activity that it means.
    public var activity = ""
    /// The person who recorded the track; empty for the library's owner.
    public var person = ""
    /// The device that recorded the track.
    public var device = ""
    /// The track's name.
    public var name = ""
    /// The file that the track was imported from.
    public var source = ""
    public var tags: [String] = []
    /// The length along the track's lines in metres.
    public var metres = 0.0
    /// The time from the first to the last point in seconds.
    public var seconds = 0.0
    /// The time of the first point in milliseconds since 1970; nil if no point has a time.
    public var start: Int64?

    /// A track without any known properties.
    public init() {}
}
