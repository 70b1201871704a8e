import GridStorage
import HeatGrid
import LineGrid
import Locking
import PictureStore
import Styling
import TileLog
import TileMath
import TileRendering

extension TileRenderer {
    /// Asks a remote database in one message for what a request's picture is most probably drawn from.
    func prefetch(_ request: TileRequest, _ reader: GridReader) throws {
        try reader.prefetch(gridPrefetch(request))
    }

    private func gridPrefetch(_ request: TileRequest) throws -> GridPrefetch {
        let style = try style(of: request)
        let layer = newest.withLock { $0?.layer(named: request.layer) } ?? .everything
        var prefetch = GridPrefetch()
        if let key = pictureKey(of: request), let query = disk?.query(of: key) { prefetch.others.append(query) }
        if style.heat != nil { add(request.layout(style), of: request, layer, to: &prefetch) }
        if let lines = style.lines {
            add(request.lineLayout, of: request, layer, property: lines.property, to: &prefetch)
        } else if style.points != nil || request.hasDecorations {
            prefetch.lines += [request.lineLayout.sourceTile].compactMap { TileKey($0) }
        }
        return prefetch
    }

    private func add(_ layout: HeatTileLayout, of request: TileRequest, _ layer: Layer, to prefetch: inout GridPrefetch)
    {
        // The digest of what an operator's layer has in a tile follows from the row of the tile.
        let needsRows = layer.kind == .condition
        if !needsRows { prefetch.digests = layout.tilesRead.map { TileKey($0) } }
        prefetch.tiles = (needsRows ? layout.tilesRead : layout.tilesNeeded).compactMap { TileKey($0) }.filter { tile in
            needsRows || !layout.hasKernel || !request.selection.isWholeLayer
                || !tileCounts.probablyContains(tile, layer: request.layer)
        }
        switch layer.kind {
        case .all, .inbox: break
        case .condition: prefetch.denseRows = [.layerRow(layer: layer.number, period: LayerHeader.period)]
        case .activity:
            if request.selection.isWholeLayer {
                prefetch.denseRows = [.sum(layer: layer.number, period: StoredPeriod.all)]
            }
        }
    }

    private func add(
        _ layout: LineTileLayout, of request: TileRequest, _ layer: Layer, property: LineProperty?,
        to prefetch: inout GridPrefetch
    ) {
        guard let tile = TileKey(layout.sourceTile) else { return }
        prefetch.lines.append(tile)
        if layout.canUseRaster, layer.kind == .all, request.selection.tracks.isEmpty {
            prefetch.rasters = (tiles: [tile], haveCodes: property != nil)
        }
    }
}
