import Digest
import HeatGrid
import Styling
import TileLog
import TileMath
import TileRendering
import TrackStore

/// What a tile's picture will be drawn from, known before anything is drawn.
struct PicturePlan {
    var recipe: HeatRecipe
    /// nil if the style draws no counts.
    var colors: TileColors?
    var hasKernel: Bool
    /// The content digests of the recipe's `tilesRead`.
    var contents: [UInt64]
    var fragments: SelectedFragments
    /// The days whose counts are subtracted.
    var minus: WindowDays?
    /// The query whose counts determine the neighbourhoods.
    var wholeLayer: CountQuery
    var digest: ContentDigest
    /// What is drawn over the heat; nil for nothing.
    var lines: LinePlan?
    var isEmpty: Bool
}

extension TileRenderer {
    func plan(_ request: TileRequest, _ reader: GridReader) throws -> PicturePlan {
        let gridSnapshot = try gridSnapshot(reader)
        let fragments = try fragments(of: request.selection, gridSnapshot, reader)
        let style = try style(of: request)
        let recipe = request.recipe(style)
        let contents = try recipe.tilesRead.map { tile in
            // A style without heat reads no counts.
            guard style.heat != nil, let key = TileKey(tile) else { return UInt64(0) }
            return try gridSnapshot.contentDigest(of: key, layer: fragments.layer, reader)
        }
        let lines = try LinePlan(request, style, fragments, reader)
        let colors = try style.heat.map { try gridSnapshot.colors($0, request.tableKey($0, fragments), reader) }
        var digester = Digester()
        digester.update(recipe.digest(contents: contents, table: colors?.digest ?? style.digest))
        // Content digests contain days and activities, but not which of them are requested.
        digester.update(request.layer)
        fragments.update(&digester)
        let minus = try request.minus.map { try days(of: $0, gridSnapshot.state) }
        for days in [fragments.days, minus].compactMap({ $0 }) { days.update(&digester) }
        lines?.update(&digester, gridSnapshot)
        digester.update(gridSnapshot.state.fingerprint)
        return PicturePlan(
            recipe: recipe, colors: colors, hasKernel: style.heat?.kernel != nil, contents: contents,
            fragments: fragments, minus: minus,
            wholeLayer: gridSnapshot.query(layer: fragments.layer.number, window: .allTime), digest: digester.finish(),
            lines: lines,
            isEmpty: contents.prefix(recipe.tilesNeeded.count).allSatisfy { $0 == 0 } && lines?.isEmpty != false)
    }
}

extension TileRequest {
    /// The key of the picture's colour table.
    func tableKey(_ symbolizer: HeatSymbolizer, _ fragments: SelectedFragments) -> GridSnapshot.TableKey {
        tableKey(symbolizer, layer: fragments.layer.number, span: span == .window ? fragments.span : .layer)
    }

    /// The key of the colour table of a layer, for a range.
    func tableKey(_ symbolizer: HeatSymbolizer, layer: UInt8, span: ScaleSpan) -> GridSnapshot.TableKey {
        GridSnapshot.TableKey(symbolizer, layer: layer, zoom: tile.zoom, span: span, encodesDifferences: minus != nil)
    }

    /// How the tile's picture is made in a style.
    func recipe(_ style: Style) -> HeatRecipe {
        HeatRecipe(
            tile: tile, scale: scale, kernel: style.heat?.kernel,
            isLocal: style.heat?.scale == .local)
    }

    /// All tiles that the picture may read in any style.
    var tilesWithinReach: [TileCoordinate] {
        HeatRecipe(
            tile: tile, scale: scale, kernel: .pixels(KernelRadius.pixelLimits.upperBound),
            isLocal: true
        ).tilesRead + [lineRecipe.sourceTile]
    }
}

extension WindowDays {
    /// Adds the days to a picture's digest, because content digests do not contain which days are requested.
    func update(_ digester: inout Digester) {
        digester.update(Int64(whole.from ?? .min))
        digester.update(Int64(whole.to ?? .max))
        digester.update(partial.count)
        for day in partial {
            digester.update(Int64(day.day))
            for timeRange in day.timeRanges {
                digester.update(timeRange.lowerBound)
                digester.update(timeRange.upperBound)
            }
        }
    }
}
