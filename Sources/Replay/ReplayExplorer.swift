public import Statistics
import Text

/// When each explorer tile is visited for the first time in a replay.
public struct FirstVisits: Sendable {
    /// The order of visits: by track if tracks are played one after another, then by time.
    struct Moment: Sendable, Comparable {
        /// The position of the track in the order of tracks; 0 on one clock, -1 for visits of an unknown time.
        var track: Int
        /// Milliseconds since 1970.
        var time: Int64

        static let end = Moment(track: .max, time: .max)

        static func < (left: Self, right: Self) -> Bool { (left.track, left.time) < (right.track, right.time) }
    }

    private let from: Int64?
    private let to: Int64?
    private let isTogether: Bool
    /// The zoom levels between visits and tiles.
    private let levels: Int
    private var positions: [Int64: Int] = [:]
    private var moments: [ExplorerTile: Moment] = [:]

    /// Creates an empty collection. `tracks` are those of the query, in order, and visits of others do not count.
    init(_ query: ReplayQuery, zoom: Int, tracks: [Int64]) {
        levels = TileVisit.zoom - zoom
        if case .window(let from, let to, _) = query.scope {
            (self.from, self.to) = (from, to)
        } else {
            (from, to) = (nil, nil)
        }
        isTogether = query.isTogether
        for (position, number) in tracks.enumerated() { positions[number] = position }
    }

    /// Adds a visit, in any order. As in an explorer's map, visits without time count only without a window.
    public mutating func add(_ visit: TileVisit, of track: Int64) {
        guard let position = positions[track] else { return }
        var moment = Moment(track: -1, time: .min)
        if let enter = visit.enter, let exit = visit.exit {
            guard exit >= from ?? .min, to.map({ enter < $0 }) ?? true else { return }
            moment = Moment(track: isTogether ? 0 : position, time: enter)
        } else if from != nil || to != nil {
            return
        }
        let tile = visit.tile.ancestor(levels)
        if let known = moments[tile], known <= moment { return }
        moments[tile] = moment
    }

    /// The tiles in the order in which they are visited.
    var sorted: [(moment: Moment, tile: ExplorerTile)] {
        moments.map { ($0.value, $0.key) }.sorted { ($0.moment, $0.tile) < ($1.moment, $1.tile) }
    }

    /// The moment of a position in the replay; nil if it belongs to no track.
    func moment(of cursor: ReplayCursor?) -> Moment? {
        guard let cursor, let instant = cursor.instant, let position = positions[cursor.track] else { return nil }
        return Moment(track: isTogether ? 0 : position, time: instant)
    }
}

/// Inserts the figures of explorer tiles before the events at which they have grown.
///
/// The tiles visited before an event depend on the position of the event, the query and the tracks only. An `explorer`
/// event has the id of the event before it, so a reader that resumes may receive figures twice, but misses none.
struct ExplorerSchedule: Sendable {
    private struct Figures: Equatable {
        var tiles: Int
        var cluster: Int
        var square: Int
    }

    private let query: ReplayQuery
    private let zoom: Int
    private let track: ReplayTrack?
    private var firsts: FirstVisits?
    /// The tiles that are visited later, the next one last.
    private var upcoming: [(moment: FirstVisits.Moment, tile: ExplorerTile)] = []
    private var visited: GrowingExplorerTiles
    private var sent: Figures?
    /// The event that comes after the figures.
    private var held: ReplayEvent?
    private var lastCursor: ReplayCursor?

    /// nil if the query asks for no figures. `track` is the only track that is played, nil for several; `cursor` is
    /// that of the event after which a reader resumes.
    init?(_ query: ReplayQuery, track: ReplayTrack?, after cursor: ReplayCursor?) {
        guard let zoom = query.explorer else { return nil }
        self.query = query
        self.zoom = zoom
        self.track = track
        visited = GrowingExplorerTiles(zoom: zoom)
        lastCursor = cursor
    }

    /// Takes an event; returns what is sent now, the event itself or the figures before it.
    mutating func take(_ event: ReplayEvent, _ source: any ReplaySource) throws -> ReplayEvent {
        if event.name == .reset { restart() }
        let firsts = try firsts ?? load(source)
        guard let moment = event.name == .end ? .end : event.track == nil ? nil : firsts.moment(of: event.cursor) else {
            lastCursor = event.cursor ?? lastCursor
            return event
        }
        advance(to: moment)
        let time = event.cursor?.instant ?? lastCursor?.instant
        defer { lastCursor = event.cursor }
        let figures = figures
        guard figures != sent ?? Figures(tiles: 0, cluster: 0, square: 0) else { return event }
        sent = figures
        held = event.advancing(by: 0)
        return ReplayEvent(
            name: .explorer, cursor: lastCursor, content: .text(data(time)), track: nil,
            advanceMilliseconds: event.advanceMilliseconds)
    }

    /// The event that was held; nil if there is none.
    mutating func next() -> ReplayEvent? {
        defer { held = nil }
        return held
    }

    /// Visits are read again, because the library has changed. If the figures are others now, they are sent.
    mutating func reread() { firsts = nil }

    /// Begins anew, because the playback does.
    mutating func restart() {
        firsts = nil
        sent = nil
        held = nil
        lastCursor = nil
    }

    private mutating func load(_ source: any ReplaySource) throws -> FirstVisits {
        var from: Int64?
        var to: Int64?
        if case .window(let begin, let end, _) = query.scope { (from, to) = (begin, end) }
        let tracks = try track.map { [$0.number] } ?? source.trackNumbers(from: from, to: to)
        var read = FirstVisits(query, zoom: zoom, tracks: tracks)
        try source.forEachVisit(of: track) { read.add($1, of: $0) }
        firsts = read
        upcoming = read.sorted.reversed()
        visited = GrowingExplorerTiles(zoom: zoom)
        if let moment = read.moment(of: lastCursor) {
            advance(to: moment)
            // Whoever resumes has these; whoever plays on receives them if they have changed.
            if sent == nil { sent = figures }
        }
        return read
    }

    private mutating func advance(to moment: FirstVisits.Moment) {
        while let next = upcoming.last, next.moment <= moment {
            visited.insert(next.tile)
            upcoming.removeLast()
        }
    }

    private var figures: Figures {
        Figures(tiles: visited.count, cluster: visited.cluster, square: visited.square?.side ?? 0)
    }

    private func data(_ time: Int64?) -> [UInt8] {
        var json = JSONWriter()
        json.raw("{\"zoom\":")
        json.add(zoom)
        json.raw(",\"tiles\":")
        json.add(visited.count)
        json.raw(",\"cluster\":")
        json.add(visited.cluster)
        json.raw(",\"square\":{\"side\":")
        json.add(visited.square?.side ?? 0)
        json.raw(",\"x\":")
        json.add(orNull: visited.square.map { Int64($0.corner.x) })
        json.raw(",\"y\":")
        json.add(orNull: visited.square.map { Int64($0.corner.y) })
        json.raw("},\"time\":")
        json.add(orNull: time)
        json.raw("}")
        return json.bytes
    }
}
