import TileMath

/// One step of a track's playback.
struct TrackStep: Equatable {
    enum What: Equatable {
        case track
        case gap(Gap)
        case frame(Frame)
        /// These tiles change at the step's instant.
        case tiles(TileCover)
        case waypoint(Waypoint)
        case trackEnd
        /// With several tracks on one clock: no track is moving.
        case commonGap(Gap)
    }

    let what: What
    /// The position of the step in its track.
    let position: StepPosition
    /// Milliseconds of track time since the previous step, without skipped gaps.
    var advance: Int64
    /// The end of the last gap; nil if there was none.
    let idleUntil: Int64?
}

/// An interval between two points in which nothing is known.
struct Gap: Equatable {
    enum Reason: String {
        /// The position after the gap is near the position before it.
        case idle
        /// The position has changed without being recorded, or no track is active.
        case untracked
    }

    var from: Int64
    var to: Int64
    var reason: Reason
}

/// A point that somebody added by hand.
struct Waypoint: Equatable {
    var frame: Frame
    var name: String?
}

/// The order of steps within a track: by point, then by time, then by rank.
struct StepPosition: Comparable {
    enum Rank: Int {
        case opening
        /// The tiles at the end of a run, before the gap.
        case passed
        case gap, frame
        /// The tiles visited up to a frame.
        case tiles
        case waypoint
        /// The tiles at the end of the track.
        case passedLast
        case closing
    }

    /// 0 for the opening step; for all others the playable point, from 1, at or before which the step happens.
    var ordinal: Int
    var rank: Rank
    /// Milliseconds since 1970.
    var instant: Int64

    static func < (left: Self, right: Self) -> Bool {
        if left.rank == .closing || right.rank == .closing { return left.rank.rawValue < right.rank.rawValue }
        return (left.ordinal, left.instant, left.rank.rawValue) < (right.ordinal, right.instant, right.rank.rawValue)
    }
}

/// The first step of a track to return.
enum StepLowerBound: Equatable {
    case none
    /// Steps at this instant or later.
    case instant(Int64)
    /// Steps after this one.
    case after(StepPosition)

    func admits(_ position: StepPosition) -> Bool {
        switch self {
        case .none: true
        case .instant(let first): position.instant >= first
        case .after(let seen): seen < position
        }
    }

    /// Steps before this instant are not returned; nil if there is no limit.
    var earliest: Int64? {
        switch self {
        case .none: nil
        case .instant(let first): first
        case .after(let seen): seen.instant
        }
    }
}
