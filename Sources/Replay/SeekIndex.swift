import Caching
import Digest
import Locking

/// A cache of reading positions within long tracks, so that a reader who seeks or resumes need not read a track from
/// its beginning: distances and counts up to a point are only known after reading all points before it.
///
/// It is kept in memory, bounded, and affects only speed. A seek point takes about a kilobyte.
public final class SeekIndex: Sendable {
    /// The state of playback at a point of a track, without any steps to return.
    struct SeekPoint: Sendable {
        var progress: ReadingProgress
        /// The last point that was returned.
        var previous: PlayablePoint
        /// The ordinal of that point, from 1.
        var ordinal: Int
        /// Metres up to that point.
        var metres: Double
        /// The end of the last gap before it.
        var idleUntil: Int64?
        /// The time of the track's first point.
        var first: Int64
    }

    private struct Key: Hashable {
        var number: Int64
        var version: ContentDigest

        init(_ track: ReplayTrack) {
            number = track.number
            version = track.version
        }
    }

    private struct Known {
        var isOrdered: Bool?
        /// Ascending.
        var seekPoints: [SeekPoint] = []
    }

    /// The number of points between two seek points.
    let distance: Int
    /// This many points are read in some milliseconds.
    public static let defaultDistance = 1 << 14
    /// The limit of the tracks with an entry together with the seek points, of which each counts as `seekPointCost`
    /// tracks: some megabytes.
    private static let costLimit = 16_384
    private static let seekPointCost = 4

    private let tracks = Locked(BoundedCache<Key, Known>(costLimit: costLimit))

    /// An empty index; `distance` is the number of points between two seek points.
    public init(distance: Int = SeekIndex.defaultDistance) {
        self.distance = distance
    }

    /// Whether a track's points are stored in the order of their times; nil if unknown.
    func isOrdered(_ track: ReplayTrack) -> Bool? {
        tracks.withLock { $0.use(Key(track))?.isOrdered }
    }

    /// Stores whether a track's points are in the order of their times.
    func record(_ track: ReplayTrack, isOrdered: Bool) {
        change(track) { $0.isOrdered = isOrdered }
    }

    /// Stores a seek point, unless there is another one near it.
    func record(_ track: ReplayTrack, _ seekPoint: SeekPoint) {
        change(track) { known in
            let position = known.seekPoints.firstIndex { $0.ordinal > seekPoint.ordinal } ?? known.seekPoints.count
            let near = known.seekPoints[max(0, position - 1)..<min(position + 1, known.seekPoints.count)]
            guard near.allSatisfy({ abs($0.ordinal - seekPoint.ordinal) >= distance / 2 }) else { return }
            known.seekPoints.insert(seekPoint, at: position)
        }
    }

    /// The last seek point before both an instant and the point with an ordinal.
    func last(of track: ReplayTrack, before instant: Int64, ordinal: Int) -> SeekPoint? {
        tracks.withLock { tracks in
            tracks.use(Key(track))?.seekPoints.last { $0.previous.time < instant && $0.ordinal < ordinal }
        }
    }

    /// Removes tracks by their numbers, for instance after deletion; nil removes all.
    public func invalidate(_ numbers: Set<Int64>?) {
        tracks.withLock { $0.removeAll { key, _ in numbers?.contains(key.number) != false } }
    }

    private func change(_ track: ReplayTrack, _ change: (inout Known) -> Void) {
        let key = Key(track)
        tracks.withLock { tracks in
            var known = tracks.use(key) ?? Known()
            change(&known)
            tracks.store(known, for: key, cost: 1 + known.seekPoints.count * Self.seekPointCost)
        }
    }
}
