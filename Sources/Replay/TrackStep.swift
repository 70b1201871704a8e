import TileMath

/// One thing that happens while a track is played.
struct TrackStep: Equatable {
    enum What: Equatable {
        case track
        case gap(Gap)
        case frame(Frame)
        /// These tiles look otherwise as of the step's instant.
        case tiles(TileCover)
        case mark(Waypoint)
        case trackEnd
        /// Of several tracks on one clock: nobody is on the way.
        case commonGap(Gap)
    }

    let what: What
    /// Where it stands in its track.
    let place: StepPlace
    /// Milliseconds of the tracks' time since what was before it, as far as they are played.
    var advance: Int64
    /// Until when nothing moved before it, where a gap was last.
    let idleUntil: Int64?
}

/// A stretch of time between two points of which nothing is known.
struct Gap: Equatable {
    enum Reason: String {
        /// One was about where one had been.
        case idle
        /// One went on, and nothing was recorded; or there is no track.
        case untracked
    }

    var from: Int64
    var to: Int64
    var reason: Reason
}

/// A place marked by hand.
struct Waypoint: Equatable {
    var frame: Frame
    var name: String?
}

/// Where a step stands among all of its track: by point, then by time, then as listed.
struct StepPlace: Comparable {
    enum Rank: Int {
        case opening
        /// The tiles at a run's end, before the gap.
        case passed
        case gap, frame
        /// The tiles passed up to a frame.
        case tiles
        case mark
        /// The tiles at the track's end.
        case passedLast
        case closing
    }

    /// 0 for the opening; of all others the playable point at, or before which, it happens, counted from 1.
    var ordinal: Int
    var rank: Rank
    /// Milliseconds since 1970.
    var instant: Int64

    static func < (left: Self, right: Self) -> Bool {
        if left.rank == .closing || right.rank == .closing { return left.rank.rawValue < right.rank.rawValue }
        return (left.ordinal, left.instant, left.rank.rawValue) < (right.ordinal, right.instant, right.rank.rawValue)
    }
}

/// From where on a track's steps are given.
enum StepLowerBound: Equatable {
    case none
    /// What happens at this instant or later.
    case instant(Int64)
    /// What stands behind a step.
    case behind(StepPlace)

    func admits(_ place: StepPlace) -> Bool {
        switch self {
        case .none: true
        case .instant(let first): place.instant >= first
        case .behind(let seen): seen < place
        }
    }

    /// Nothing before this is given.
    var earliest: Int64? {
        switch self {
        case .none: nil
        case .instant(let first): first
        case .behind(let seen): seen.instant
        }
    }
}
