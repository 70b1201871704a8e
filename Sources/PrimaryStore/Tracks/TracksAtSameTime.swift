import Database
internal import Tracks

extension TrackDatabase {
    /// The ids of other tracks of the same person that were recorded at the same time as each of some tracks, by number; at
    /// most ten for each.
    public func tracksAtSameTime(as tracks: [Track]) throws -> [Int64: [String]] {
        try read { snapshot in
            var found: [Int64: [String]] = [:]
            var reads = RepeatedReads()
            for track in tracks {
                let classes = try reads.spanClasses(of: track.person, snapshot.session)
                let ids = try SimilarTracks.ids(snapshot.session, atSameTimeAs: track, spanClasses: classes)
                if !ids.isEmpty { found[track.number] = ids }
            }
            return found
        }
    }
}
