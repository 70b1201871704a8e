/// Runs of jumps: a phone that believes a far network for some minutes, and then is back where it was.
extension OutlierDetector {
    /// The maximum number of points in a run of jumps. More points in one place are a stay.
    static let maximumRunPoints = 20
    /// The maximum time from the first point of a run of jumps to the point that is back. In a longer time, somebody can
    /// have been there, and the receiver was off on the way.
    static let maximumRunMilliseconds: Int64 = 15 * 60_000

    /// The maximum number of points that are added, but not yet decided.
    static let maximumUndecided = maximumRunPoints + 1

    /// What a waiting point and the points after it are.
    enum JumpRun: Equatable {
        /// No run begins at the waiting point.
        case none
        /// The points so far may be the beginning of a run.
        case undecided
        /// The waiting point and the points after it, this many in all, are a run; the next point is back.
        case points(Int)
    }

    /// Why a point is an outlier whatever is before and after it, or nil; a point at 0,0 is one within a run.
    func ownExclusion(of point: Candidate) -> OutlierReason? {
        if let exclusion = point.exclusion { return exclusion }
        return point.longitude == 0 && point.latitude == 0 ? .zeroZero : nil
    }

    /// Whether a run of jumps begins at `first`.
    ///
    /// The rule: the steps from the last good point to the run, and from the run back, are faster than the speed of jumps;
    /// the run ends at the first point that is nearer to the last good point than half the way to `first`. Within a run,
    /// points stay together: each is nearer to the first point in its place than half the way to the last good point, and
    /// there is no faster step, except an impossible one to another place. So neither an aircraft that returns nor a
    /// helicopter that circles is a run, because these move between their two fast steps.
    func jumpRun(from first: Candidate, _ following: [Candidate]) -> JumpRun {
        guard let start = previous, let next = following.first, let fastest = outlierRule.jumpMetresPerSecond,
            ownExclusion(of: first) == nil, Self.isFaster(than: fastest, start, first),
            // A single outlier, or a single point that is back at once.
            outlierReason(of: first, next: next) == nil
        else { return .none }
        let way = Self.metres(start, first)
        var place = first
        var last = first
        for (offset, point) in following.enumerated() where ownExclusion(of: point) == nil {
            guard point.time != PointColumns.untimed,
                Self.milliseconds(first, point) <= Self.maximumRunMilliseconds
            else { return .none }
            let distance = Self.metres(start, point)
            if distance * 2 < way {
                let isJump = Self.isFaster(than: fastest, last, point) && distance * 2 < Self.metres(last, point)
                return isJump ? .points(offset + 1) : .none
            }
            if isImpossible(last, point) {
                place = point
            } else if Self.isFaster(than: fastest, last, point)
                || Self.metres(place, point) * 2 >= Self.metres(start, place)
            {
                return .none
            }
            last = point
        }
        return following.count < Self.maximumRunPoints ? .undecided : .none
    }
}
