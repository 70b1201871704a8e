/// A place in 1e-7°, east and north positive.
public struct PublishedPlace: Sendable, Hashable {
    public var longitude: Int32
    public var latitude: Int32

    /// Creates a place.
    public init(longitude: Int32, latitude: Int32) {
        self.longitude = longitude
        self.latitude = latitude
    }
}

/// What an edition shows of a track: from an export, a stream, or the lines of tiles.
public struct PublishedTrack: Sendable, Equatable {
    /// The visible lines, in the order of time, each with its places in the order of time.
    public var segments: [[PublishedPlace]]
    /// The published length in metres; nil if none is published.
    public var metres: Double?
    /// The published day, as a number of days; nil if none is published. Only equality counts.
    public var day: Int32?

    /// Creates a track.
    public init(segments: [[PublishedPlace]], metres: Double? = nil, day: Int32? = nil) {
        self.segments = segments
        self.metres = metres
        self.day = day
    }
}
