public import Digest
public import Tracks

/// Where a replay reads tracks: short questions, none of which holds anything while the reader waits.
public protocol ReplaySource: Sendable {
    /// A track that may be seen, by its id or by that of one that was merged into it.
    func track(id: String) throws -> ReplayTrack?
    /// A track that may be seen and belongs to the layer.
    func track(number: Int64) throws -> ReplayTrack?
    /// Of the layer's tracks that end at or after `from` and start before `to`, the first behind `order`; nil at the end.
    func track(behind order: ReplayOrder?, from: Int64, to: Int64) throws -> ReplayTrack?
    /// Of the layer's tracks that end before an instant, the one that ends last; of several the last in order.
    func track(endingBefore instant: Int64) throws -> ReplayTrack?
    /// What `track(behind:from:to:)` gives in all.
    func totals(from: Int64, to: Int64) throws -> ReplayTotals
    /// A track's next points, about `most` of them and at least one; without `fields` times and places alone, else those of
    /// `ReplayFields` too.
    func points(of track: ReplayTrack, at position: ReadingPosition, fields: Bool, most: Int) throws -> PointReading
    /// The most of the layer's tracks that meet the stretch of time and are under way at once.
    func mostTracksAtOnce(from: Int64, to: Int64) throws -> Int
    /// Where tracks were read through before; nil where that is not kept.
    var milestones: SeekIndex? { get }
    /// A text that is another one whenever the tracks are others.
    func revision() throws -> String
}

extension ReplaySource {
    public var milestones: SeekIndex? { nil }
}

/// The fields of points that a replay shows, or judges them by.
public enum ReplayFields {
    /// Their names, ascending.
    public static let names = [
        FieldName.elevation, FieldName.horizontalAccuracy, FieldName.mark, FieldName.pointName,
    ]
}

/// What came of reading a track's points.
public enum PointReading: Sendable {
    /// At least one point.
    case points(PointChunk)
    /// There are no more.
    case end
    /// The track is gone, or no longer as it was when the replay began with it.
    case changed
}

/// How far a track has been read: enough for files, whose points are numbered, and for streams, whose chunks may be cut
/// anew at any time round the same points.
public struct ReadingPosition: Sendable, Equatable {
    /// Chunks, or parts of them, read.
    public private(set) var chunks = 0
    /// Points read.
    public private(set) var points = 0
    /// The time of the last point read.
    public private(set) var lastTime: Int64?
    /// How many points of that time in a row were read last.
    public private(set) var pointsAtLastTime = 0

    /// The beginning.
    public init() {}

    /// Goes on behind a chunk.
    public mutating func advance(over chunk: PointChunk) {
        chunks += 1
        points += chunk.count
        guard let last = chunk.times.last else { return }
        let run = chunk.times.reversed().prefix { $0 == last }.count
        pointsAtLastTime = run == chunk.count && lastTime == last ? pointsAtLastTime + run : run
        lastTime = last
    }
}

/// A track as a replay needs it.
public struct ReplayTrack: Sendable, Equatable {
    /// The library's own number for it.
    public var number: Int64
    /// What the outside calls it.
    public var id: String
    /// The name that the file gave.
    public var name: String?
    /// Milliseconds since 1970 of the earliest point; nil where none carries a time.
    public var start: Int64?
    /// Milliseconds since 1970 of the latest point.
    public var end: Int64?
    /// All points.
    public var points: Int
    /// Points that carry a time and are not marked.
    public var playablePoints: Int
    /// The box round its places.
    public var bounds: E7Bounds?
    /// Metres along its lines.
    public var metres: Double
    /// Which pauses are gaps.
    public var gap: GapRule
    /// Which points take no part.
    public var cleaning: CleaningRule
    /// Whether it is cut out of a stream.
    public var isStream: Bool
    /// Which segments of the file span more than a day.
    public var longSegments: [Int]
    /// The digest over its times and places.
    public var digest: ContentDigest

    /// A track of these parts.
    public init(
        number: Int64, id: String, name: String? = nil, start: Int64?, end: Int64?, points: Int,
        playablePoints: Int, bounds: E7Bounds? = nil, metres: Double = 0, gap: GapRule = .standard,
        cleaning: CleaningRule = .standard, isStream: Bool = false,
        longSegments: [Int] = [], digest: ContentDigest
    ) {
        self.number = number
        self.id = id
        self.name = name
        self.start = start
        self.end = end
        self.points = points
        self.playablePoints = playablePoints
        self.bounds = bounds
        self.metres = metres
        self.gap = gap
        self.cleaning = cleaning
        self.isStream = isStream
        self.longSegments = longSegments
        self.digest = digest
    }

    /// Its start and end, as far as clocks show them.
    var playableSpan: ClosedRange<Int64>? {
        guard let start, let end, start <= end else { return nil }
        let farthest = FileOrderReader.farthestTime
        return min(max(start, -farthest), farthest)...min(max(end, -farthest), farthest)
    }

    /// Where it stands among others.
    public var order: ReplayOrder { ReplayOrder(start: start ?? .min, digest: digest, number: number) }

    /// A digest of all that says which events there are and what is in them, names and fields aside.
    public var version: ContentDigest {
        var digester = Digester()
        digester.update(digest)
        switch gap {
        case .standard: digester.update("standard")
        case .none: digester.update("none")
        case .pause(let milliseconds): digester.update(milliseconds)
        }
        digester.update(cleaning.text)
        digester.update(playablePoints)
        digester.update(isStream ? 1 : 0)
        for segment in longSegments { digester.update(segment) }
        return digester.finish()
    }
}

/// The order in which tracks are played: by start, then by content; the number tells copies apart.
public struct ReplayOrder: Sendable, Hashable, Comparable {
    /// Milliseconds since 1970.
    public var start: Int64
    /// Over times and places.
    public var digest: ContentDigest
    /// The library's own.
    public var number: Int64

    /// A place in the order.
    public init(start: Int64, digest: ContentDigest, number: Int64) {
        self.start = start
        self.digest = digest
        self.number = number
    }

    public static func < (left: Self, right: Self) -> Bool {
        (left.start, left.digest, left.number) < (right.start, right.digest, right.number)
    }
}

/// How much there is to play.
public struct ReplayTotals: Sendable, Equatable {
    /// Tracks.
    public var tracks: Int
    /// All their points, those outside of the window too.
    public var points: Int
    /// From start to end, within the window, added up.
    public var trackMilliseconds: Int64

    /// Totals.
    public init(tracks: Int, points: Int, trackMilliseconds: Int64) {
        self.tracks = tracks
        self.points = points
        self.trackMilliseconds = trackMilliseconds
    }
}
