/// The times in which tracks were recorded, by person.
public struct TrackTimes: Sendable, Equatable {
    struct Span: Sendable, Equatable {
        var first: Int64
        var last: Int64
    }

    /// Disjoint and ascending; the key of the owner is empty.
    private(set) var spans: [String: [Span]] = [:]

    /// The times of tracks, in any order, in milliseconds since 1970; a nil person is the owner.
    public init(_ tracks: [(person: String?, first: Int64, last: Int64)]) {
        for track in tracks.sorted(by: { $0.first < $1.first }) {
            let person = track.person ?? ""
            var known = spans.removeValue(forKey: person) ?? []
            if let last = known.last, track.first <= last.last {
                known[known.count - 1].last = max(last.last, track.last)
            } else {
                known.append(Span(first: track.first, last: track.last))
            }
            spans[person] = known
        }
    }

    /// Whether a track of a person was recorded at a time.
    public func contains(_ time: Int64, of person: String?) -> Bool {
        spans[person ?? ""].map { Self.contains(time, in: $0) } ?? false
    }

    static func contains(_ time: Int64, in spans: [Span]) -> Bool {
        var (low, high) = (0, spans.count)
        while low < high {
            let middle = (low + high) / 2
            if spans[middle].last < time { low = middle + 1 } else { high = middle }
        }
        return low < spans.count && spans[low].first <= time
    }
}
