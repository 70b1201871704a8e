/// Selects track fragments by their track.
public enum FragmentFilter: Sendable {
    /// All tracks.
    case all
    /// The tracks with this activity.
    case activity(UInt8, GridTracks)
    /// The tracks in this set.
    case tracks(TrackSet)
    /// The tracks of a layer.
    case members(LayerMembers)

    /// Whether the fragments of a track are selected.
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
