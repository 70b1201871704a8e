import Digest
import Locking

/// Where long tracks were read through before, so that whoever seeks in one, or comes back to it, need not read it from its
/// beginning: metres and counts up to a point are known only to those who have.
///
/// Kept in memory, bounded, and of no consequence but speed. A milestone takes about a kilobyte.
public final class SeekIndex: Sendable {
    /// A track as far as it was read, nothing of it being asked for.
    struct SeekPoint: Sendable {
        var progress: PlayablePoints.Progress
        /// The last point that was given.
        var previous: PlayablePoint
        /// Which one it is, counted from 1.
        var ordinal: Int
        /// Metres up to it.
        var metres: Double
        /// The end of the last gap before it.
        var idleUntil: Int64?
        /// When the track's first point was.
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
        var milestones: [SeekPoint] = []
    }

    private struct State {
        var tracks: [Key: Known] = [:]
        /// Those noted first stand first.
        var order: [Key] = []
        var count = 0
    }

    /// Points between two milestones.
    let distance: Int
    /// As many are read in some milliseconds.
    public static let usualDistance = 1 << 14
    /// Milestones that are kept: some megabytes.
    private static let most = 4096
    /// Tracks of which anything is kept.
    private static let mostTracks = 16_384

    private let state = Locked(State())

    /// None yet; so many points will lie between two.
    public init(distance: Int = SeekIndex.usualDistance) {
        self.distance = distance
    }

    /// Whether a track's points are stored in the order of their times, where that is known.
    func isOrdered(_ track: ReplayTrack) -> Bool? {
        state.withLock { $0.tracks[Key(track)]?.isOrdered }
    }

    /// Keeps whether they are.
    func note(_ track: ReplayTrack, isOrdered: Bool) {
        change(track) { $0.isOrdered = isOrdered }
    }

    /// Keeps how far a track was read, unless another reading was about there.
    func note(_ track: ReplayTrack, _ milestone: SeekPoint) {
        change(track) { known in
            let place = known.milestones.firstIndex { $0.ordinal > milestone.ordinal } ?? known.milestones.count
            let near = known.milestones[max(0, place - 1)..<min(place + 1, known.milestones.count)]
            guard near.allSatisfy({ abs($0.ordinal - milestone.ordinal) >= distance / 2 }) else { return }
            known.milestones.insert(milestone, at: place)
        }
    }

    /// The last milestone before both an instant and the point with an ordinal.
    func last(of track: ReplayTrack, before instant: Int64, ordinal: Int) -> SeekPoint? {
        state.withLock { state in
            state.tracks[Key(track)]?.milestones.last { $0.previous.time < instant && $0.ordinal < ordinal }
        }
    }

    /// Forgets tracks by their numbers, as of those that were removed; all of them where nil.
    public func forget(_ numbers: Set<Int64>?) {
        state.withLock { state in
            guard let numbers else { return state = State() }
            guard !numbers.isEmpty else { return }
            state.order.removeAll { key in
                guard numbers.contains(key.number) else { return false }
                state.count -= state.tracks.removeValue(forKey: key)?.milestones.count ?? 0
                return true
            }
        }
    }

    private func change(_ track: ReplayTrack, _ change: (inout Known) -> Void) {
        let key = Key(track)
        state.withLock { state in
            if state.tracks[key] == nil { state.order.append(key) }
            var known = state.tracks[key] ?? Known()
            let before = known.milestones.count
            change(&known)
            state.count += known.milestones.count - before
            state.tracks[key] = known
            var dropped = 0
            while state.count > Self.most || state.order.count - dropped > Self.mostTracks, dropped < state.order.count
            {
                state.count -= state.tracks.removeValue(forKey: state.order[dropped])?.milestones.count ?? 0
                dropped += 1
            }
            state.order.removeFirst(dropped)
        }
    }
}
