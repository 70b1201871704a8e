/// Which tracks' parts take part.
public enum FragmentFilter: Sendable {
    /// Every one's.
    case all
    /// Of the tracks that have the activity.
    case activity(UInt8, GridTracks)
    /// Of these tracks.
    case tracks(TrackSet)
    /// Of the tracks of a layer.
    case members(LayerMembers)

    /// Whether the parts of a track take part.
    @inlinable
    @inline(__always)
    public func passes(_ track: Int64) -> Bool {
        switch self {
        case .all: true
        case .activity(let activity, let tracks): tracks.activity(of: track) == activity
        case .tracks(let tracks): tracks.contains(track)
        case .members(let members): members.contains(track)
        }
    }
}
