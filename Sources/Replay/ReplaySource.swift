public import Statistics
public import Tracks

/// The source of tracks for a replay. All calls are short, and none holds a lock while the reader waits.
public protocol ReplaySource: PointSource {
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
