package import GridStorage
import HeatGrid
import PrimaryStore
import Text
package import TileLog
import TileMath
import TrackStore
import Tracks

/// The answer of `/v1/at`.
package struct PlaceVisits: Encodable, Sendable {
    /// A track that passed.
    struct PassingTrack: Encodable, Sendable {
        var id: String
        var name: String?
        var activity: String?
        var start: String?
        var end: String?
    }

    struct Cell: Encodable, Sendable {
        /// West, south, east, north.
        var bbox: [Double]
    }

    let lon: Double
    let lat: Double
    let z: Int
    /// Person-days in the cell with the greatest count within the radius.
    var count: UInt32 = 0
    /// The share of the zoom level's occupied cells with at most this count, over all time.
    var quantile = 0.0
    /// Instants, or days if the instants are not known. These and the following members are about all cells within the
    /// radius.
    var first: String?
    var last: String?
    /// The number of days on which somebody passed.
    var days = 0
    /// The tracks that passed last, newest first.
    var tracks: [PassingTrack] = []
    /// Whether there are more tracks.
    var more = false
    let cell: Cell

    init(_ query: PlaceQuery, cell: Cell) {
        (lon, lat) = (query.place.longitude, query.place.latitude)
        z = query.zoom.number
        self.cell = cell
    }
}

extension TileRenderer {
    /// Limit of tracks in one answer.
    private static let maxTracks = 20
    /// Limit of tracks of a day whose points are read for an instant; with more, only the day is given.
    private static let pathLimit = 64

    /// Who passed a place, and when. One pass over the logs of the tile, or of the up to four tiles, that contain the
    /// cells.
    package func visits(_ query: PlaceQuery) throws -> PlaceVisits {
        try library.grid.read { reader in
            let gridSnapshot = try gridSnapshot(reader)
            let fragments = try fragments(of: query.selection, gridSnapshot, reader)
            let place = PlaceCells(query)
            let greatest = try tileReaders.withReader { tiles in
                try self.greatest(of: place, fragments, reader, using: &tiles)
            }
            let passing = greatest == nil ? [] : try self.fragments(through: place, fragments, reader)
            let timed = passing.filter { $0.day != FragmentOrder.untimedDay }
            let histogram = try reader.histogram(zoom: place.zoom, layer: fragments.layer.number)
            var visits = PlaceVisits(query, cell: PlaceVisits.Cell(bbox: place.box(of: greatest?.code ?? place.middle)))
            visits.count = greatest?.count ?? 0
            visits.quantile = histogram.share(upTo: visits.count)
            visits.first = try end(of: timed, at: timed.map(\.day).min(), place, fragments) { $0.lowerBound }
            visits.last = try end(of: timed, at: timed.map(\.day).max(), place, fragments) { $0.upperBound }
            visits.days = Set(timed.map(\.day)).count
            (visits.tracks, visits.more) = try newest(of: passing)
            return visits
        }
    }

    /// The cell with the greatest count; among equal ones, the nearest to the place.
    private func greatest(
        of place: PlaceCells, _ fragments: SelectedFragments, _ reader: GridReader, using tiles: inout TileReader
    ) throws -> (code: UInt64, count: UInt32)? {
        var found: (code: UInt64, count: UInt32)?
        for (tile, cells) in place.tiles {
            let counts = try counts(of: tile, fragments, fragments.days, reader, using: &tiles)
            let wanted = Set(cells)
            for (cell, count) in zip(counts.cells, counts.counts) where wanted.contains(cell) {
                let code = tile.morton << 16 | UInt64(cell)
                guard let best = found else {
                    found = (code, count)
                    continue
                }
                let isNearer = (place.distance(of: code), code) < (place.distance(of: best.code), best.code)
                if count > best.count || (count == best.count && isNearer) { found = (code, count) }
            }
        }
        return found
    }

    /// The fragments that pass through one of the cells: for whole days from the logs, for partial days from the points
    /// of the tracks.
    package func fragments(
        through place: PlaceCells, _ fragments: SelectedFragments, _ reader: GridReader
    ) throws -> Set<FragmentOrder> {
        var found: Set<FragmentOrder> = []
        let query = fragments.query(fragments.days.whole)
        for (tile, cells) in place.tiles {
            found.formUnion(try reader.fragments(of: tile, through: cells, query))
            for partial in fragments.days.partial {
                for fragment in try reader.fragments(of: tile, day: partial.day, query.filter)
                where !found.contains(fragment) {
                    let cells = try partialDayCache.cells(
                        of: fragment.track, partial, fragments.gridSnapshot, in: library)
                    if cells.contains(zoom: place.zoom, where: { place.codes.contains($0) }) { found.insert(fragment) }
                }
            }
        }
        return found
    }

    /// The tracks that passed last, ordered by the day on which they did and then by their start, and whether there are
    /// more.
    private func newest(
        of fragments: Set<FragmentOrder>
    ) throws -> (listed: [PlaceVisits.PassingTrack], more: Bool) {
        var lastDays: [Int64: Int32] = [:]
        for fragment in fragments { lastDays[fragment.track] = max(lastDays[fragment.track] ?? .min, fragment.day) }
        let days = Dictionary(grouping: lastDays.keys) { lastDays[$0] ?? .min }.sorted { $0.key > $1.key }
        var listed: [PlaceVisits.PassingTrack] = []
        for (_, numbers) in days {
            // Enough tracks have been found: earlier days are not needed.
            // One more than the limit is looked for: it tells that there are more.
            guard listed.count <= Self.maxTracks else { break }
            let tracks = try library.database.read { snapshot in
                try numbers.compactMap { try snapshot.track(number: $0) }
            }
            let newestFirst = tracks.sorted { (one: Track, other: Track) -> Bool in
                (one.start ?? .min, one.digest) > (other.start ?? .min, other.digest)
            }
            listed += newestFirst.map { PlaceVisits.PassingTrack($0) }
        }
        return (Array(listed.prefix(Self.maxTracks)), listed.count > Self.maxTracks)
    }

    /// The first or the last instant of the fragments of a day in the cells; the day itself if there are too many
    /// tracks or their points have changed; nil without a day.
    private func end(
        of fragments: Set<FragmentOrder>, at day: Int32?, _ place: PlaceCells, _ selected: SelectedFragments,
        _ end: (ClosedRange<Int64>) -> Int64
    ) throws -> String? {
        guard let day else { return nil }
        let tracks = Set(fragments.filter { $0.day == day }.map(\.track))
        guard tracks.count <= Self.pathLimit else { return InstantFormatter.text(CivilDay(daysSince1970: day)) }
        let calendar: DayCalendar
        var times: [ClosedRange<Int64>] = []
        do {
            calendar = try partialDayCache.calendar(of: selected.gridSnapshot.state, in: library)
            let partial = selected.days.partial.first { $0.day == day }
            let timeRanges = partial?.timeRanges ?? calendar.timeRanges(ofDay: day)
            for track in tracks {
                let path = try partialDayCache.path(of: track, on: day, selected.gridSnapshot, in: library)
                if let found = place.times(of: timeRanges.flatMap { path.lines(within: $0) }) { times.append(found) }
            }
        } catch is TileError {
            return InstantFormatter.text(CivilDay(daysSince1970: day))
        }
        guard let first = times.map(\.lowerBound).min(), let last = times.map(\.upperBound).max() else {
            return InstantFormatter.text(CivilDay(daysSince1970: day))
        }
        return InstantFormatter.utc(end(first...last))
    }
}

extension PlaceVisits.PassingTrack {
    init(_ track: Track) {
        self.init(
            id: track.id, name: track.name, activity: track.activity?.rawValue,
            start: track.start.map(InstantFormatter.utc),
            end: track.end.map(InstantFormatter.utc))
    }
}

extension CountHistogram {
    /// The share of cells with at most this count, to a millionth; 0 if nothing is counted.
    func share(upTo count: UInt32) -> Double {
        let cells = ascending.reduce(0) { $0 + $1.cells }
        guard cells > 0 else { return 0 }
        let below = ascending.filter { $0.count <= count }.reduce(0) { $0 + $1.cells }
        return (Double(below) / Double(cells) * 1e6).rounded() / 1e6
    }
}
