import Replay
import Statistics
import Tracks

/// A source of replays whose library a test changes while a replay reads it; used by one thread.
final class ChangingLibrary: ReplaySource, @unchecked Sendable {
    var library: SyntheticLibrary

    init(_ library: SyntheticLibrary) { self.library = library }

    func track(id: String) -> ReplayTrack? { library.track(id: id) }
    func track(number: Int64) -> ReplayTrack? { library.track(number: number) }
    func track(after order: ReplayOrder?, from: Int64, to: Int64) -> ReplayTrack? {
        library.track(after: order, from: from, to: to)
    }
    func track(endingBefore instant: Int64) -> ReplayTrack? { library.track(endingBefore: instant) }
    func totals(from: Int64, to: Int64) -> ReplayTotals { library.totals(from: from, to: to) }
    func maxTracksAtOnce(from: Int64, to: Int64) -> Int { library.maxTracksAtOnce(from: from, to: to) }
    func points(of track: ReplayTrack, at position: ReadingPosition, fields: Bool, most: Int) -> PointReading {
        library.points(of: track, at: position, fields: fields, most: most)
    }
    func photos(after order: ReplayPhoto.Order, of track: ReplayTrack?, limit: Int) -> [ReplayPhoto] {
        library.photos(after: order, of: track, limit: limit)
    }
    func trackNumbers(from: Int64?, to: Int64?) -> [Int64] { library.trackNumbers(from: from, to: to) }
    func forEachVisit(of track: ReplayTrack?, _ body: (Int64, TileVisit) -> Void) {
        library.forEachVisit(of: track, body)
    }
    func revision() -> String { library.revision() }
}
