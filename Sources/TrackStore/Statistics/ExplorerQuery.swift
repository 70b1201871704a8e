import GridStorage
package import Statistics
import Text
import Tracks

/// Which visits count for an explorer's map.
package struct ExplorerQuery: Sendable, Hashable {
    /// 14 or 17.
    package var zoom = ExplorerQuery.zooms[0]
    /// Only visits that end at or after this instant, in milliseconds since 1970.
    package var from: Int64?
    /// Only visits that begin before this instant.
    package var to: Int64?
    package var tracks = TrackSelection()

    /// The zoom levels of explorers' maps.
    package static let zooms = [14, 17]

    /// Creates a query for all visits of all tracks, at zoom level 14.
    package init() {}
}

/// An explorer's map: visited tiles with their figures, and which of them are new.
package struct ExplorerMap: Sendable, Equatable {
    /// The tiles that were visited in the window.
    package let tiles: ExplorerTiles
    /// For each of these whether it was visited for the first time in the window.
    package let areNew: [Bool]
    /// The number of new tiles.
    package let newCount: Int
}

extension Library {
    /// The explorer's map of a query: some 100 ms for a million visits.
    ///
    /// Throws `SelectionError` if layer or person does not exist.
    package func explorerMap(_ query: ExplorerQuery) throws -> ExplorerMap {
        let calendar = try calendar()
        let selected = try members(of: query, calendar)
        let levels = TileVisit.zoom - query.zoom
        let isWhole = query.from == nil && query.to == nil
        let (from, to) = (query.from ?? .min, query.to ?? .max)
        var firsts: [ExplorerTile: Int64] = [:]
        var visited: [ExplorerTile] = []
        // Tracks visit several tiles of zoom level 17 in one of the query: each run counts once.
        var run: (tile: ExplorerTile, first: Int64)?
        func endRun() {
            guard !isWhole, let run, run.first < firsts[run.tile] ?? .max else { return }
            firsts[run.tile] = run.first
        }
        try grid.read { reader in
            try reader.forEachTrackRow(.visits) { number, bytes in
                guard selected(number) else { return }
                TileVisits.forEach(in: bytes) { visit in
                    let tile = visit.tile.ancestor(levels)
                    // The time of such a visit is unknown, so its tile is not new in any window.
                    let enter = visit.enter ?? .min
                    if let last = run, last.tile == tile {
                        if enter < last.first { run = (tile, enter) }
                    } else {
                        endRun()
                        run = (tile, enter)
                    }
                    let isInWindow = visit.exit.map { $0 >= from && enter < to } ?? false
                    if isWhole || isInWindow, visited.last != tile { visited.append(tile) }
                }
            }
        }
        endRun()
        let tiles = ExplorerTiles(visited, zoom: query.zoom)
        // `.min` is a visit without time; from `.min + 1` on, a tile is new if no such visit may have been earlier.
        let areNew = tiles.tiles.map { tile in isWhole || firsts[tile].map { $0 >= query.from ?? .min + 1 } ?? false }
        return ExplorerMap(tiles: tiles, areNew: areNew, newCount: areNew.reduce(0) { $0 + ($1 ? 1 : 0) })
    }

    /// Whether a track is selected by a query.
    private func members(
        of query: ExplorerQuery, _ calendar: DayCalendar
    ) throws -> (Int64) -> Bool {
        if query.tracks == TrackSelection() { return { _ in true } }
        var members: Set<Int64> = []
        // Every track in the grid has totals.
        try forEachTotals(query.tracks, calendar) { number, _ in members.insert(number) }
        return { members.contains($0) }
    }
}

extension ExplorerMap {
    /// The figures as a JSON object.
    package var json: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.add("zoom", tiles.zoom)
            json.add("tiles", tiles.tiles.count)
            json.add("cluster", tiles.cluster)
            json.object("square") { json in
                json.add("side", tiles.square?.side ?? 0)
                json.add("x", tiles.square.map { Double($0.corner.x) })
                json.add("y", tiles.square.map { Double($0.corner.y) })
            }
            json.add("new", newCount)
        }
        json.raw("\n")
        return json.bytes
    }
}
