public import Digest
public import Statistics
public import Tracks

/// The source of tracks for a replay. All calls are short, and none holds a lock while the reader waits.
public protocol ReplaySource: Sendable {
    /// A visible track by its id, or by the id of a track that was merged into it.
    func track(id: String) throws -> ReplayTrack?
    /// A visible track of the layer by its number.
    func track(number: Int64) throws -> ReplayTrack?
    /// The first of the layer's tracks after `order` that ends at or after `from` and starts before `to`; nil at the
    /// end.
    func track(after order: ReplayOrder?, from: Int64, to: Int64) throws -> ReplayTrack?
    /// Of the layer's tracks that end before an instant, the one that ends last; of several the last in order.
    func track(endingBefore instant: Int64) throws -> ReplayTrack?
    /// The totals of all tracks that `track(after:from:to:)` returns.
    func totals(from: Int64, to: Int64) throws -> ReplayTotals
    /// The next points of a track, about `most` and at least one. With `fields` those of `ReplayFields` are included,
    /// otherwise only times and places.
    func points(of track: ReplayTrack, at position: ReadingPosition, fields: Bool, most: Int) throws -> PointReading
    /// The maximum number of the layer's tracks that are active at the same instant of the window.
    func maxTracksAtOnce(from: Int64, to: Int64) throws -> Int
    /// The cached seek points; nil if the source keeps none.
    var seekIndex: SeekIndex? { get }
    /// The first photos after one, in order, at most `limit`; of the person of a track if one is given. The place and
    /// the time of a photo do not depend on the tracks that are played.
    func photos(after order: ReplayPhoto.Order, of track: ReplayTrack?, limit: Int) throws -> [ReplayPhoto]
    /// The numbers of the layer's tracks that `track(after:from:to:)` returns, in order; without a window, those
    /// without times first.
    func trackNumbers(from: Int64?, to: Int64?) throws -> [Int64]
    /// Calls `body` with the visits to tiles of a track, or of all tracks, also of other layers.
    func forEachVisit(of track: ReplayTrack?, _ body: (_ track: Int64, TileVisit) -> Void) throws
    /// What counts of each day of a calendar, of the tracks that `trackNumbers(from:to:)` returns, of which several may
    /// have been recorded at the same time; nil if it is not known.
    func countedDays(in calendar: DayCalendar, from: Int64, to: Int64) throws -> CountedDays?
    /// A text that changes whenever the tracks change.
    func revision() throws -> String
}

extension ReplaySource {
    public func photos(after order: ReplayPhoto.Order, of track: ReplayTrack?, limit: Int) -> [ReplayPhoto] { [] }
    public func trackNumbers(from: Int64?, to: Int64?) -> [Int64] { [] }
    public func forEachVisit(of track: ReplayTrack?, _ body: (_ track: Int64, TileVisit) -> Void) {}
    public func countedDays(in calendar: DayCalendar, from: Int64, to: Int64) -> CountedDays? { nil }
    public var seekIndex: SeekIndex? { nil }
}

/// The fields of points that a replay shows, or needs to detect outliers.
public enum ReplayFields {
    /// The names, ascending.
    public static let names = [
        FieldName.elevation, FieldName.horizontalAccuracy, FieldName.waypoint, FieldName.pointName,
    ]
}

/// The result of reading a track's points.
public enum PointReading: Sendable {
    /// At least one point.
    case points(PointChunk)
    /// There are no more points.
    case end
    /// The track was removed or changed after reading began.
    case changed
}

/// How far a track has been read. It is sufficient for files, whose points are numbered, and for streams, whose chunks
/// may be split differently at any time around the same points.
public struct ReadingPosition: Sendable, Equatable {
    /// The number of chunks, or parts of chunks, read.
    public private(set) var chunks = 0
    /// The number of points read.
    public private(set) var points = 0
    /// The time of the last point read.
    public private(set) var lastTime: Int64?
    /// The number of consecutive points with this time that were read last.
    public private(set) var pointsAtLastTime = 0

    /// The beginning of a track.
    public init() {}

    /// Advances past a chunk.
    public mutating func advance(over chunk: PointChunk) {
        chunks += 1
        points += chunk.count
        guard let last = chunk.times.last else { return }
        let run = chunk.times.reversed().prefix { $0 == last }.count
        pointsAtLastTime = run == chunk.count && lastTime == last ? pointsAtLastTime + run : run
        lastTime = last
    }
}

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
        let maxInstant = FileOrderReader.maxTime
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

/// The size of a replay.
public struct ReplayTotals: Sendable, Equatable {
    public var tracks: Int
    /// All points of the tracks, including those outside the window.
    public var points: Int
    /// The time from start to end of each track within the window, added up.
    public var trackMilliseconds: Int64

    public init(tracks: Int, points: Int, trackMilliseconds: Int64) {
        self.tracks = tracks
        self.points = points
        self.trackMilliseconds = trackMilliseconds
    }
}
