import Digest
import GridStorage
import HeatGrid
import TileLog
import TileMath
import TileRendering

extension TileRenderer {
    /// The counts of the tiles that a plan needs, in their order.
    func counts(
        _ request: TileRequest, _ plan: PicturePlan, _ reader: GridReader, using tiles: inout TileReader
    ) throws -> [CellCounts] {
        func digest(_ days: WindowDays) -> ContentDigest {
            var digester = Digester()
            plan.fragments.update(&digester)
            days.update(&digester)
            return digester.finish()
        }
        let days = plan.fragments.days
        let selection = plan.layout.hasKernel && !request.selection.isWholeLayer ? digest(days) : nil
        let minus = plan.layout.hasKernel ? plan.minus.map { digest($0) } : nil
        // One message for what is not cached, of all tiles and all days.
        try reader.prefetchCounts(
            of: zip(plan.layout.tilesNeeded, plan.contents).compactMap { tile, content in
                guard content != 0, let key = TileKey(tile) else { return nil }
                let isCached =
                    plan.layout.hasKernel
                    && tileCounts.contains(
                        TileCountsCache.Key(
                            tile: TileContentKey(tile: key, content: content, layer: request.layer),
                            selection: selection))
                return isCached ? nil : key
            }, [days, plan.minus].compactMap { $0 }.map { plan.fragments.query($0.whole) })
        var found: [CellCounts] = []
        for (tile, content) in zip(plan.layout.tilesNeeded, plan.contents) {
            guard content != 0, let key = TileKey(tile) else {
                found.append(CellCounts())
                continue
            }
            let contentKey = TileContentKey(tile: key, content: content, layer: request.layer)
            func counts(_ days: WindowDays, _ selection: ContentDigest?) throws -> CellCounts {
                // Without a kernel, each tile is needed for one picture only.
                guard plan.layout.hasKernel else {
                    return try self.counts(of: key, plan.fragments, days, reader, using: &tiles)
                }
                return try tileCounts.value(for: TileCountsCache.Key(tile: contentKey, selection: selection)) {
                    try self.counts(of: key, plan.fragments, days, reader, using: &tiles)
                }
            }
            let whole = try counts(days, selection)
            found.append(try plan.minus.map { whole.difference(to: try counts($0, minus)) } ?? whole)
        }
        return found
    }

    /// The counts of a tile on some days: of whole days from the log, of partial days from the points of the tracks.
    func counts(
        of tile: TileKey, _ fragments: SelectedFragments, _ days: WindowDays, _ reader: GridReader,
        using tiles: inout TileReader
    ) throws -> CellCounts {
        let query = fragments.query(days.whole)
        let whole = try reader.counts(of: tile, query, using: &tiles)
        var personDays: [[PathCells]] = []
        for partial in days.partial {
            var last: Int64?
            for fragment in try reader.fragments(of: tile, day: partial.day, query.filter) {
                let cells = try partialDayCache.cells(of: fragment.track, partial, fragments.gridSnapshot, in: library)
                // A day's fragments of one person are next to each other in the log, and count once together.
                if fragment.person == last {
                    personDays[personDays.count - 1].append(cells)
                } else {
                    personDays.append([cells])
                }
                last = fragment.person
            }
        }
        return personDays.isEmpty ? whole : tiles.counts(whole, adding: personDays, in: tile)
    }
}
