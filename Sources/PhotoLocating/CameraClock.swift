/// A moment at which both the reading of a camera's clock and the true time are known.
public struct ClockAnchor: Hashable, Sendable {
    /// What the clock showed, in milliseconds; see `ClockReading.shown`.
    public var shown: Int64
    /// Milliseconds since 1970.
    public var instant: Int64
    /// Whether the user gave it; such an anchor is never dropped as an outlier.
    public var isGiven: Bool

    public init(shown: Int64, instant: Int64, isGiven: Bool = false) {
        self.shown = shown
        self.instant = instant
        self.isGiven = isGiven
    }

    /// Milliseconds that the clock is ahead of UTC; zone and error of the clock together.
    public var ahead: Int64 { shown - instant }
}

/// How the clock of a camera goes, learned from photos whose true time is known.
///
/// The clock may be wrong by any amount, goes too fast or too slow by some seconds a day, and is set now and then. So
/// the anchors are cut into segments where the clock was set, and a straight line is fitted to each segment with the
/// estimator of Theil and Sen, which a third of wrong anchors does not move.
public struct CameraClock: Sendable {
    /// The true time of a reading.
    public struct Estimate: Hashable, Sendable {
        /// Milliseconds since 1970.
        public var instant: Int64
        /// The standard deviation, in milliseconds.
        public var deviation: Double
    }

    private struct Segment {
        var first: Int64
        var last: Int64
        /// `ahead` at `first`, in milliseconds.
        var ahead: Double
        /// Milliseconds per millisecond.
        var drift: Double
        var deviation: Double

        func estimate(_ shown: Int64) -> Estimate {
            let outside = Double(max(first - shown, shown - last, 0))
            let span = Double(last - first)
            // A line is not trusted further away than three times its length.
            let furthest = CameraClock.trustedSpans * span
            let x = min(max(Double(shown - first), -furthest), span + furthest)
            let driftDeviation =
                span > 0
                ? max(deviation / span, CameraClock.leastDriftDeviation) : CameraClock.usualDrift
            return Estimate(
                instant: shown - Int64((ahead + drift * x).rounded()),
                deviation: deviation + outside * min(driftDeviation, CameraClock.usualDrift))
        }
    }

    /// Successive medians that differ by more than this show that the clock was set: 4 min, in milliseconds.
    static let setMilliseconds: Int64 = 240_000
    /// A camera whose clock is further away from UTC has a wrong GPS date, or a wrong year: its anchors are outliers.
    static let furthestAhead: Int64 = 366 * 86_400_000
    /// Zones are at most 14 h from UTC: further away, either the clock or the stamp is wrong. One stamp alone does not
    /// show which; two show that it is the clock.
    static let furthestZone: Int64 = 15 * 3_600_000
    /// Stamps of which the distances from the clock differ by less confirm each other: 15 min, in milliseconds.
    private static let confirmingMilliseconds: Int64 = 900_000
    /// The number of anchors of a median on either side of a possible cut.
    private static let medianCount = 3
    /// Zones differ by multiples of a quarter of an hour; a lone anchor so far from its neighbours (± 30 s) shows that
    /// the zone was changed.
    private static let zoneStep: Int64 = 900_000
    private static let zoneTolerance: Int64 = 30_000
    /// More anchors are thinned out, because the estimator compares all pairs.
    private static let fittedAnchors = 400
    /// Clocks of cameras drift by less than this: 17 s a day.
    private static let greatestDrift = 200e-6
    /// 4 s a day.
    private static let usualDrift = 50e-6
    private static let leastDriftDeviation = 2e-6
    private static let trustedSpans = 3.0
    /// Both the clock and the stamp count whole seconds.
    private static let leastDeviation = 500.0

    private let segments: [Segment]

    /// Learns from anchors in any order; nil if none of them is usable.
    public init?(_ anchors: [ClockAnchor]) {
        let unusable = Self.unusable(anchors)
        let usable = anchors.filter { !unusable.contains($0) }
            .sorted { ($0.shown, $0.instant) < ($1.shown, $1.instant) }
        guard !usable.isEmpty else { return nil }
        segments = Self.withoutStrays(Self.cut(usable)).map(Self.fit)
    }

    /// The anchors from which nothing is learned: those that are more than a year away from the clock, and those that are
    /// further away than any zone and that no other anchor confirms.
    public static func unusable(_ anchors: [ClockAnchor]) -> Set<ClockAnchor> {
        let far = anchors.filter { abs($0.ahead) > furthestZone }.sorted { $0.ahead < $1.ahead }
        var unusable: Set<ClockAnchor> = []
        for (index, anchor) in far.enumerated() where !anchor.isGiven {
            let neighbours = [index - 1, index + 1].filter { far.indices.contains($0) }.map { far[$0] }
            let isConfirmed = neighbours.contains { abs($0.ahead - anchor.ahead) <= confirmingMilliseconds }
            if !isConfirmed || abs(anchor.ahead) > furthestAhead { unusable.insert(anchor) }
        }
        return unusable
    }

    /// The possible true times of a reading, the most likely one first: one within a segment or beyond the ends, two
    /// between two segments.
    public func estimates(at shown: Int64) -> [Estimate] {
        if let inside = segments.first(where: { $0.first <= shown && shown <= $0.last }) {
            return [inside.estimate(shown)]
        }
        let near = [segments.last { $0.last < shown }, segments.first { $0.first > shown }].compactMap { $0 }
        let distance = { (segment: Segment) in max(segment.first - shown, shown - segment.last) }
        return near.sorted { distance($0) < distance($1) }.map { $0.estimate(shown) }
    }

    // MARK: Segments

    private static func cut(_ anchors: [ClockAnchor]) -> [[ClockAnchor]] {
        let aheads = anchors.map(\.ahead)
        var parts: [[ClockAnchor]] = []
        var start = 0
        for index in aheads.indices.dropFirst() {
            let before = median(aheads[max(start, index - medianCount)..<index])
            let after = median(aheads[index..<min(aheads.count, index + medianCount)])
            guard abs(after - before) > setMilliseconds, abs(aheads[index] - after) < abs(aheads[index] - before)
            else { continue }
            parts.append(Array(anchors[start..<index]))
            start = index
        }
        parts.append(Array(anchors[start...]))
        return parts
    }

    /// Without lone anchors that are outliers: their distance from the neighbours is not a difference of time zones.
    private static func withoutStrays(_ parts: [[ClockAnchor]]) -> [[ClockAnchor]] {
        guard parts.count > 1 else { return parts }
        var kept: [[ClockAnchor]] = []
        for (index, part) in parts.enumerated() {
            let neighbours = [kept.last, index + 1 < parts.count ? parts[index + 1] : nil].compactMap { $0 }
                .filter { $0.count > 1 }
            guard part.count == 1, !part[0].isGiven, !neighbours.isEmpty else {
                kept.append(part)
                continue
            }
            let isZoneChange = neighbours.contains { neighbour in
                let step = abs(part[0].ahead - median(neighbour.map(\.ahead)[...]))
                let rest = step % zoneStep
                return min(rest, zoneStep - rest) <= zoneTolerance
            }
            if isZoneChange { kept.append(part) }
        }
        return joined(kept)
    }

    /// With neighbours joined again that only a stray had separated.
    private static func joined(_ parts: [[ClockAnchor]]) -> [[ClockAnchor]] {
        var result: [[ClockAnchor]] = []
        for part in parts {
            if let last = result.last,
                abs(
                    median(last.suffix(medianCount).map(\.ahead)[...])
                        - median(part.prefix(medianCount).map(\.ahead)[...]))
                    <= setMilliseconds
            {
                result[result.count - 1] += part
            } else {
                result.append(part)
            }
        }
        return result
    }

    /// The lower one of two in the middle: a fix that is some minutes old makes the clock seem too fast, never too
    /// slow.
    private static func median(_ values: ArraySlice<Int64>) -> Int64 {
        let sorted = values.sorted()
        return sorted[(sorted.count - 1) / 2]
    }

    // MARK: Fitting

    private static func fit(_ anchors: [ClockAnchor]) -> Segment {
        let first = anchors[0].shown
        let last = anchors[anchors.count - 1].shown
        let step = (anchors.count + fittedAnchors - 1) / fittedAnchors
        let thinned = stride(from: 0, to: anchors.count, by: step).map { anchors[$0] }
        let points = thinned.map { (x: Double($0.shown - first), y: Double($0.ahead)) }
        let drift = drift(of: points, span: Double(last - first))
        let rests = points.map { $0.y - drift * $0.x }
        let ahead = middle(rests)
        // 1.4826 times the median deviation is the standard deviation of normal errors.
        let deviation = 1.4826 * middle(rests.map { abs($0 - ahead) })
        return Segment(
            first: first, last: last, ahead: ahead, drift: drift, deviation: max(deviation, leastDeviation))
    }

    /// The median slope of all pairs of points that are at least a quarter of the span apart: near pairs only add noise.
    /// 0 if the slope is greater than any clock's drift.
    ///
    /// Source: P. K. Sen, "Estimates of the regression coefficient based on Kendall's tau", 1968.
    private static func drift(of points: [(x: Double, y: Double)], span: Double) -> Double {
        guard points.count > 1, span > 0 else { return 0 }
        var slopes: [Double] = []
        for (index, left) in points.enumerated() {
            for right in points[(index + 1)...] where right.x - left.x >= span / 4 {
                slopes.append((right.y - left.y) / (right.x - left.x))
            }
        }
        let slope = middle(slopes)
        return abs(slope) <= greatestDrift ? slope : 0
    }

    private static func middle(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        guard !sorted.isEmpty else { return 0 }
        let half = sorted.count / 2
        return sorted.count % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2
    }
}
