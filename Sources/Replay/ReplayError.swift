/// Why a replay cannot start.
public enum ReplayError: Error, Equatable {
    /// The cursor belongs to another query.
    case otherQuery
    /// The cursor is at the last event.
    case complete
    /// There is no such track.
    case noSuchTrack
    /// This many tracks would be active at once: more than `ReplaySequence.maxTracksAtOnce`.
    case tooManyAtOnce(Int)
}
