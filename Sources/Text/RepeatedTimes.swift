/// The offset from UTC at a local time.
public struct LocalOffset: Sendable, Hashable {
    /// Milliseconds ahead of UTC; at a time that clocks show twice, those before the change.
    public var milliseconds: Int64
    /// How far clocks are set back, if they show the time twice; otherwise 0.
    public var shift: Int64

    public init(milliseconds: Int64, shift: Int64 = 0) {
        self.milliseconds = milliseconds
        self.shift = shift
    }
}

/// Decides which of two instants is meant by a local time that clocks show twice in autumn, by the order of points.
///
/// The first one is meant, unless time would then run back by more than half of the shift within a segment while the
/// second one fits, or unless the point before was after the change already. In a track whose times run back elsewhere,
/// the order shows nothing.
public struct RepeatedTimes: Sendable {
    /// A step back of time by more than this is not an inaccuracy of a clock: it counts as `stepLimit` steps.
    private static let inaccuracyMs: Int64 = 60_000
    /// From this number of steps back on, the order of the track's times shows nothing.
    private static let stepLimit = 3

    private var last: (instant: Int64, isSecond: Bool)?
    private var isSegmentNew = false
    private var stepsBack = 0

    public init() {}

    /// Forgets the earlier points: the next one belongs to another track.
    public mutating func beginTrack() {
        last = nil
        stepsBack = 0
    }

    /// Begins a segment: only a time after the change shows what the next one means.
    public mutating func beginSegment() { isSegmentNew = true }

    /// The instant of the next point. `first` is that before the change, `shift` how far clocks are set back; 0 if they
    /// show the time once.
    public mutating func instant(_ first: Int64, shift: Int64) -> Int64 {
        let isSecond = shift > 0 && stepsBack < Self.stepLimit && isSecondMeant(first, shift)
        let instant = isSecond ? first + shift : first
        // A segment may begin before the end of the one before.
        if let last, !isSegmentNew, instant < last.instant {
            stepsBack += instant < last.instant - Self.inaccuracyMs ? Self.stepLimit : 1
        }
        last = (instant, isSecond)
        isSegmentNew = false
        return instant
    }

    private func isSecondMeant(_ first: Int64, _ shift: Int64) -> Bool {
        guard let last else { return false }
        let second = first + shift
        if isSegmentNew { return last.isSecond && second >= last.instant }
        let half = shift / 2
        return second > last.instant - half && first < last.instant - (last.isSecond ? 0 : half)
    }
}
