import GridStorage
import Locking
import PrimaryStore
import Replay
import Styling
package import TileMath
import TileRendering
import TrackStore

/// Which pictures a change of the grid invalidates.
package struct TileInvalidation: Sendable {
    /// Whether the picture of a request may have changed.
    package let touches: @Sendable (TileRequest) -> Bool
    /// The packed keys of the tiles touched; nil if not known, so that any tile may have changed.
    package var tiles: Set<UInt64>?
    /// Zoom levels at which the colours of counts have changed, or may have, in a style or layer.
    package var recoloured: Set<ZoomLevel> = []
}

extension TileRenderer {
    /// Reads the grid if it has changed since the last call, and returns what that invalidates; nil if it has not
    /// changed.
    package func refresh() throws -> TileInvalidation? {
        try library.grid.read { reader in
            guard let state = try reader.state() else { return nil }
            let known = newest.withLock { $0 }
            guard state != known?.state, let now = try GridSnapshot(reader, wholeLayerNames: library.wholeLayerNames)
            else {
                return nil
            }
            let recent = recentSnapshots.withLock { recentSnapshots in
                defer { recentSnapshots = [] }
                return recentSnapshots
            }
            defer { newest.withLock { $0 = now } }
            let changed = try changedTracks(from: known?.state, to: now.state)
            trackIDCache.invalidate(changed)
            library.seekIndex.invalidate(changed)
            tileCounts.invalidate()
            partialDayCache.invalidate(exceptIn: now)
            polylineCache.invalidate(exceptIn: now)
            trackIdentities.invalidate(exceptIn: now)
            let touched = try known.flatMap { try reader.tilesTouched(since: $0.state) }
            recordedTiles.invalidate(touched)
            guard let known, let touched else { return TileInvalidation { _ in true } }
            let hasTouchedLongSteps = TouchedTiles.haveLongSteps(touched)
            // Cached pictures may have been drawn with the tables of any snapshot since the last refresh.
            let tables = try ([known] + recent).map { try TableChanges(from: $0, to: now, reader) }
            let touches: @Sendable (TileRequest) -> Bool = { [self] request in
                // The range of a window depends on tiles everywhere. The ids of changed tracks have just been dropped
                // from the cache, so an id that is not cached may be that of a changed track.
                guard request.span == .all, trackIDCache.isCached(request.selection) else { return true }
                guard let layer = now.layer(named: request.layer),
                    known.layer(named: request.layer) == layer,
                    let style = try? style(of: request)
                else { return true }
                if let symbolizer = style.heat {
                    let key = request.tableKey(symbolizer, layer: layer.number, span: .layer)
                    if tables.contains(where: { $0.mayContain(key) }) { return true }
                }
                if case .age = style.lines?.coloring, known.ages != now.ages { return true }
                let hasLines = style.lines != nil || style.points != nil || request.hasDecorations
                let linesRead = hasLines ? [request.lineLayout.sourceTile] : []
                let isTouched = (request.layout(style).tilesRead + linesRead).contains {
                    TileKey($0).map { touched.contains($0.packed) } ?? true
                }
                return isTouched
                    || hasTouchedLongSteps && linesRead.contains { TouchedTiles.haveLongSteps(above: $0, touched) }
            }
            let recoloured = tables.reduce(into: Set<ZoomLevel>()) { $0.formUnion($1.zooms) }
            return TileInvalidation(touches: touches, tiles: touched, recoloured: recoloured)
        }
    }

    /// The tracks that were changed between two states of the grid; nil if not known.
    private func changedTracks(from before: GridState?, to now: GridState) throws -> Set<Int64>? {
        guard let before, before.fingerprint == now.fingerprint,
            try library.database.digest(at: before.revision) == before.digest
        else { return nil }
        let changes = try library.database.changes(since: before.revision)
        return Set(changes.flatMap { $0.added + $0.changed + $0.removed })
    }
}
