/// Which area a track is in, with hysteresis at borders.
struct AreaHysteresis: Sendable {
    /// A place can belong to a country up to this distance from its outline, or up to the accuracy of the point if that
    /// is worse.
    static let candidateMetres = 500.0
    /// Farther than this from the current area it changes at once.
    static let leaveMetres = 3000.0
    /// After this time out of reach of the current area it changes.
    static let leaveMilliseconds: Int64 = 5 * 60_000

    /// The area that counts; nil while the track has only been where several areas are possible.
    var current: Area?
    /// While `current` is nil: the areas that are possible for all points so far; nil before the first one.
    var possible: Set<Area>?
    /// The first draft since the places are in another area, while the current one still counts.
    var pendingFrom: Int?
    /// Since when the current area has been out of reach.
    var absentSince: Int64?
}
