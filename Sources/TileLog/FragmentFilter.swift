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

extension GridTracks {
    /// The fragments that a layer counts: 0 for all tracks, the number of an operator's layer for its members, or else
    /// of an activity.
    public func filter(ofLayer layer: UInt8) -> FragmentFilter {
        if layer == 0 { return .all }
        return layers[layer].map { .members($0) } ?? .activity(layer, self)
    }

    /// The digest of a layer's content in a log: the sum of its fragments' digests, 0 if there are none.
    public func contentDigest(of log: borrowing Span<UInt8>, layer: UInt8) -> UInt64 {
        let filter = filter(ofLayer: layer)
        var digest: UInt64 = 0
        var reader = LogReader(log)
        while let fragment = reader.nextFragment(in: log) {
            if filter.passes(fragment.order.track) { digest &+= fragmentDigest(fragment.order) }
        }
        return digest
    }
}
