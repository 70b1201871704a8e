/// An end of a visible line: the line may go on in a hidden area.
struct TrackEnd: Sendable {
    enum Role: Sendable {
        /// The first place of a track.
        case departure
        /// The last place of a track.
        case arrival
        /// Between two segments of a track.
        case gap
    }

    var place: PublishedPlace
    var role: Role
    /// Indices of the track and its segment.
    var track: Int
    var segment: Int
    /// Whether the line begins here rather than ends here.
    var isFirst: Bool

    /// The ends of tracks, in the order of the tracks.
    static func all(of tracks: [PublishedTrack]) -> [TrackEnd] {
        var ends: [TrackEnd] = []
        for (number, track) in tracks.enumerated() {
            let last = track.segments.lastIndex { !$0.isEmpty }
            let start = track.segments.firstIndex { !$0.isEmpty }
            for (index, segment) in track.segments.enumerated() {
                guard let first = segment.first, let final = segment.last else { continue }
                ends.append(
                    TrackEnd(
                        place: first, role: index == start ? .departure : .gap, track: number, segment: index,
                        isFirst: true))
                ends.append(
                    TrackEnd(
                        place: final, role: index == last ? .arrival : .gap, track: number, segment: index,
                        isFirst: false))
            }
        }
        return ends
    }
}
