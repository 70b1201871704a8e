import HeatGrid
import LineGrid
import PictureStore
import Styling
import TileLog
import TileMath
import TileRendering
import TrackStore

extension TileRenderer {
    /// A tile's picture: from the disk cache if it is there and up to date, otherwise drawn.
    package func picture(_ request: TileRequest) throws -> TilePicture {
        let clock = ContinuousClock()
        let start = clock.now
        let found = try library.grid.read { reader -> Found in
            let plan = try plan(request, reader)
            if plan.isEmpty { return .nothing(plan) }
            if let key = request.pictureKey, let bytes = try disk?.picture(key, digest: plan.digest) {
                return .kept(plan, bytes)
            }
            var inputs = Inputs()
            if let colors = plan.colors { inputs.heat = try heat(request, plan, colors, reader) }
            if let lines = plan.lines {
                inputs.lines = try self.lines(lines, plan.fragments, reader)
                inputs.dots = try self.dots(lines, plan.fragments, reader)
                if lines.hasDecorations { inputs.decorations = try decorations(in: request.tile, plan.fragments) }
            }
            return .read(plan, inputs)
        }
        var timing = TileTiming(grid: clock.now.milliseconds(since: start))
        switch found {
        case .nothing(let plan):
            return TilePicture(
                digest: plan.digest, bytes: plan.recipe.emptyPicture, isEmpty: true, timing: timing)
        case .kept(let plan, let bytes):
            timing.fromDisk = true
            return TilePicture(digest: plan.digest, bytes: bytes, isEmpty: false, timing: timing)
        case .read(let plan, let inputs):
            return try canvases.withCanvas { canvas in
                let drawing = clock.now
                if let heat = inputs.heat {
                    canvas.draw(plan.recipe, counts: heat.counts, colorMapper: heat.colorMapper)
                } else {
                    canvas.draw(nothing: plan.recipe.scale)
                }
                if let lines = inputs.lines { try canvas.draw(lines) }
                if let dots = inputs.dots { try canvas.draw(dots) }
                if let decorations = inputs.decorations { try canvas.draw(decorations, scale: plan.recipe.scale) }
                let encoding = clock.now
                let bytes = try canvas.png()
                timing.draw = encoding.milliseconds(since: drawing)
                timing.encode = clock.now.milliseconds(since: encoding)
                // Occupied grid tiles can be empty in a window, or in the part that is enlarged.
                let isEmpty = bytes == plan.recipe.emptyPicture
                return TilePicture(digest: plan.digest, bytes: bytes, isEmpty: isEmpty, timing: timing)
            }
        }
    }

    private func heat(
        _ request: TileRequest, _ plan: PicturePlan, _ colors: TileColors, _ reader: GridReader
    ) throws -> (counts: [CellCounts], colorMapper: ColorMapper) {
        try tileReaders.withReader { tiles in
            let keys = plan.recipe.tilesNeeded.compactMap { TileKey($0) }
            let counts = try keys.map { key in
                let counts = try self.counts(of: key, plan.fragments, plan.fragments.days, reader, using: &tiles)
                guard let minus = plan.minus else { return counts }
                return counts.difference(to: try self.counts(of: key, plan.fragments, minus, reader, using: &tiles))
            }
            return (counts, try colorMapper(request, plan, colors, reader, using: &tiles))
        }
    }

    /// How the counts of a plan are coloured.
    private func colorMapper(
        _ request: TileRequest, _ plan: PicturePlan, _ colors: TileColors, _ reader: GridReader,
        using tiles: inout TileReader
    ) throws -> ColorMapper {
        switch colors {
        case .table(let table): return .table(table)
        case .local(let table):
            var found: [CountDistribution] = []
            let contents = plan.contents.dropFirst(plan.recipe.tilesNeeded.count)
            for (tile, content) in zip(plan.recipe.neighbourhoodTiles, contents) {
                guard let key = TileKey(tile) else { throw TileError.inconsistent }
                found.append(
                    try distributions.distribution(
                        of: key, content: content, layer: request.layer, plan.wholeLayer, reader, using: &tiles))
            }
            return .local(table, found, hasKernel: plan.hasKernel)
        }
    }

    private enum Found {
        case nothing(PicturePlan)
        case kept(PicturePlan, [UInt8])
        case read(PicturePlan, Inputs)
    }

    /// The inputs from which a picture is drawn.
    private struct Inputs {
        var heat: (counts: [CellCounts], colorMapper: ColorMapper)?
        var lines: LineDrawing?
        var dots: PointDrawing?
        var decorations: TileDecorations?
    }
}
