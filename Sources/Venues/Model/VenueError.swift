/// Why bytes give no venue.
public enum VenueError: Error, Equatable, Sendable {
    /// The text is not JSON or XML, or ends early; with the reason.
    case malformed(String)
    /// It has no part of a building: no unit, no level, no room.
    case notAVenue
    /// It is larger than the limit; the text is the limit.
    case tooLarge(String)
    /// Stored bytes are damaged, or of a version that this program does not know.
    case damaged(String)
    /// The geometry cannot be computed; with the message of GEOS.
    case geometry(String)
    /// The work was stopped by its caller.
    case cancelled

    /// One sentence for a receipt.
    public var reason: String {
        switch self {
        case .malformed(let reason): reason
        case .notAVenue: "there is no part of a building in it"
        case .tooLarge(let limit): "it is larger than \(limit)"
        case .damaged(let reason): "the stored venue is damaged: \(reason)"
        case .geometry(let message): "its geometry cannot be computed: \(message)"
        case .cancelled: "it was stopped"
        }
    }
}

/// Bounds on what a venue may have. The largest buildings (airports, trade fairs) stay below a tenth of each.
public enum VenueLimits {
    /// Bytes of a file or of a member of an archive.
    public static let bytes = 64 << 20
    /// Features of a venue.
    public static let features = 200_000
    /// Points of all its shapes.
    public static let points = 4_000_000
    /// Levels on which one feature may be: more than the highest building has.
    public static let levelsOfFeature = 200
    /// Stops of a route.
    public static let stopsOfRoute = 20
    /// Levels of a venue.
    public static let levels = 500
}
