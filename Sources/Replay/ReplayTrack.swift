public import Digest
public import Tracks

/// A track, as a replay needs it.
public struct ReplayTrack: Sendable, Equatable {
    /// The library's internal number of the track.
    public var number: Int64
    /// The public id.
    public var id: String
    /// The name given by the file.
    public var name: String?
    /// The numbers of points, the times, the length and the bounding box.
    public var summary: TrackSummary
    /// The rule by which pauses are gaps.
    public var gap = GapRule.standard
    /// The rule by which points are outliers.
    public var outlierRule = OutlierRule.standard
    /// Whether the track is cut out of a stream.
    public var isStream = false
    /// The digest over times and places.
    public var digest: ContentDigest

    public init(number: Int64, id: String, name: String? = nil, summary: TrackSummary, digest: ContentDigest) {
        self.number = number
        self.id = id
        self.name = name
        self.summary = summary
        self.digest = digest
    }

    /// Milliseconds since 1970 of the earliest point; nil if no point has a time.
    public var start: Int64? { summary.start }
    /// Milliseconds since 1970 of the latest point.
    public var end: Int64? { summary.end }
    /// The number of all points.
    public var points: Int { summary.points }
    /// The number of points that have a time, recorded or estimated, and are not outliers.
    public var playablePoints: Int { summary.playablePoints }
    /// The bounding box of the points.
    public var bounds: E7Bounds? { summary.bounds }
    /// Metres along the track's lines.
    public var metres: Double { summary.metres }
    /// The indices of the file's segments that span more than a day.
    public var longSegments: [Int] { summary.longSegments }

    /// Start and end, clamped to the range of times that browsers can represent.
    var playableSpan: ClosedRange<Int64>? {
        guard let start, let end, start <= end else { return nil }
        let maxInstant = PlayableTimes.limit
        return min(max(start, -maxInstant), maxInstant)...min(max(end, -maxInstant), maxInstant)
    }

    /// The position in the order of tracks.
    public var order: ReplayOrder { ReplayOrder(start: start ?? .min, digest: digest, number: number) }

    /// A digest of everything that determines the events of the track, except names and fields.
    public var version: ContentDigest {
        var digester = Digester()
        digester.update(digest)
        switch gap {
        case .standard: digester.update("standard")
        case .none: digester.update("none")
        case .pause(let milliseconds): digester.update(milliseconds)
        }
        digester.update(outlierRule.text)
        digester.update(playablePoints)
        digester.update(isStream ? 1 : 0)
        for segment in longSegments { digester.update(segment) }
        if summary.annotations.changesPath { digester.update(ContentDigest(of: summary.annotations.ofPath.encoded)) }
        return digester.finish()
    }
}

/// The order in which tracks are played: by start, then by content digest; the number distinguishes copies.
public struct ReplayOrder: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970.
    public var start: Int64
    /// The digest over times and places.
    public var digest: ContentDigest
    /// The library's internal number.
    public var number: Int64

    public init(start: Int64, digest: ContentDigest, number: Int64) {
        self.start = start
        self.digest = digest
        self.number = number
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.start, left.digest, left.number) < (right.start, right.digest, right.number)
    }
}
