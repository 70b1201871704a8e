package import BaseMap
import Caching
package import Digest
package import GridStorage
import HeatGrid
import LineGrid
import Locking
package import PictureStore
import PrimaryStore
package import Styling
import TileLog
import TileMath
import TileRendering
package import TrackStore

/// Draws the tiles of a library, for requests and for prerendering.
///
/// Every call reads the disk, so it belongs on the drawing queue.
package final class TileRenderer: Sendable {
    /// The library.
    package let library: Library
    /// The known styles.
    package var styles: StyleSheet { styleSheet.withLock { $0 } }

    private let styleSheet: Locked<StyleSheet>
    let canvases: CanvasPool
    let tileReaders = TileReaders()
    let newest: Locked<GridSnapshot?>
    /// Snapshots that drawings have read since the last refresh.
    let recentSnapshots = Locked<[GridSnapshot]>([])
    let disk: PictureCache?
    /// Neighbourhoods of at most this many tiles, half a kilobyte each: 16 MB.
    private let distributions = SharedCache<TileContentKey, CountDistribution>(costLimit: 32_768)
    let tileCounts = TileCountsCache()
    let trackIDCache = TrackIDCache()
    let partialDayCache = PartialDayCache()
    let recordedTiles: RecordedTiles
    let polylineCache = PolylineCache()
    let trackIdentities = TrackIdentityCache()
    /// What is drawn below the tiles of posters, pictures and scenes, and as tiles of its own.
    package let baseMap: any MapBackground

    /// A renderer with `workers` simultaneous drawings; with `disk`, prerendered pictures are read from there.
    package init(
        library: Library, styles: StyleSheet, workers: Int, disk: PictureCache?,
        baseMap: any MapBackground = BaseMap.embedded
    ) throws {
        self.baseMap = baseMap
        self.library = library
        recordedTiles = RecordedTiles(library: library)
        styleSheet = Locked(styles)
        self.disk = disk
        canvases = try CanvasPool(count: workers)
        newest = Locked(try library.newestSnapshot())
    }

    /// Replaces the styles; returns a test for the requests whose pictures may have changed.
    package func adopt(_ styles: StyleSheet) -> @Sendable (TileRequest) -> Bool {
        let before = styleSheet.withLock { styleSheet in
            defer { styleSheet = styles }
            return styleSheet
        }
        return { before[$0.style]?.digest != styles[$0.style]?.digest }
    }

    /// The names of the layers, `all` first.
    package var layerNames: [String] {
        let layers = newest.withLock { $0?.layers } ?? [:]
        let names = layers.filter { $0.key != TileRequest.defaultLayer }.map(\.key)
        return [TileRequest.defaultLayer] + names.sorted()
    }

    /// The layers, `all` first.
    package var layers: [(name: String, layer: Layer)] {
        let layers = newest.withLock { $0?.layers } ?? [:]
        return layerNames.map { ($0, layers[$0] ?? .everything) }
    }

    /// Whether there is a layer of this name, which may be another word for an activity.
    package func hasLayer(named name: String) -> Bool {
        newest.withLock { $0?.layer(named: name) } != nil || name == TileRequest.defaultLayer
    }

    /// The state of the grid when it was last read; nil if it was never built.
    package var state: GridState? { newest.withLock { $0?.state } }

    /// The span of years in which ages of tracks are measured; nil if no track has a day.
    package var ages: AgeSpan? { newest.withLock { $0?.ages } }

    /// Checks that the request's style exists and supports its parameters, and that the grid, when last read, has its
    /// layer; throws a problem otherwise.
    package func check(_ request: TileRequest) throws(TileError) {
        _ = try style(of: request)
        let layer = newest.withLock { gridSnapshot in
            // Before the grid is built, there is only the layer of all tracks.
            gridSnapshot.map { $0.layer(named: request.layer) }
                ?? (request.layer == TileRequest.defaultLayer ? .everything : nil)
        }
        guard let layer else { throw TileError.notFound("no layer has this name; /layers lists them") }
        try layer.checkReadiness()
    }

    /// The colour table of a tile's counts, for legends; nil if the style draws no counts.
    package func table(of request: TileRequest) throws -> ColorTable? {
        try library.grid.read { reader in
            let gridSnapshot = try gridSnapshot(reader)
            guard let symbolizer = try style(of: request).heat else { return nil }
            let fragments = try fragments(of: request.selection, gridSnapshot, reader)
            return try gridSnapshot.legend(symbolizer, request.tableKey(symbolizer, fragments), reader)
        }
    }

    /// The style of a tile, with the ramp of the request.
    package func style(of request: TileRequest) throws(TileError) -> Style {
        guard let style = styles[request.style] else {
            let hint = styles.name(like: request.style).map { "; did you mean \($0)?" } ?? "; /styles lists them"
            throw TileError.notFound("no style has this name\(hint)")
        }
        let usual = request.minus == nil ? nil : NamedRamp.defaultDiverging
        guard let name = request.ramp ?? usual else { return styles[request.style, request.theme] ?? style }
        guard let named = NamedRamp.named(name) else { throw TileError.badRequest("no ramp has this name") }
        let ramp = style.takesTheme ? named.ramp(for: request.theme) : named.ramp
        if request.minus == nil {
            guard let other = style.with(ramp: ramp) else {
                throw TileError.badRequest("this style has no ramp that could be replaced")
            }
            return other
        }
        guard let other = style.forDifferences(ramp: ramp) else {
            throw TileError.badRequest("this style draws no counts, so it cannot show differences; use a heat style")
        }
        return other
    }

    /// The key of a request's picture in the cache on disk; nil for what is drawn on request: windows, single tracks,
    /// other ramps.
    func pictureKey(of request: TileRequest) -> PictureKey? {
        guard request.isPlain else { return nil }
        var plain = request
        if styles[request.style]?.takesTheme != true { plain.theme = .light }
        return PictureKey(plain)
    }

    /// The snapshot for a reader: the newest known one or, if the grid has changed since, one read from the reader.
    func gridSnapshot(_ reader: GridReader) throws -> GridSnapshot {
        guard let state = try reader.state() else {
            throw TileError.unavailable("the grid is not built yet")
        }
        if let known = newest.withLock({ $0 }), known.state == state { return known }
        // The grid can change between two refreshes; the drawings of such a state share one snapshot and its tables.
        if let known = recentSnapshots.withLock({ $0.first { $0.state == state } }) { return known }
        guard let now = try GridSnapshot(reader, wholeLayerNames: library.wholeLayerNames) else {
            throw TileError.inconsistent
        }
        return recentSnapshots.withLock { recentSnapshots in
            if let other = recentSnapshots.first(where: { $0.state == state }) { return other }
            recentSnapshots.append(now)
            return now
        }
    }
}

extension TileRenderer {
    /// A tile's picture: from the disk cache if it is there and up to date, otherwise drawn.
    package func picture(_ request: TileRequest) throws -> TilePicture {
        let start = ContinuousClock.now
        // The read transaction ends before drawing, because SQLite cannot reset its WAL while an older reader is open.
        return try request.encoding.encoded(
            draw(
                library.grid.read { reader in
                    try prefetch(request, reader)
                    return try read(request, plan(request, reader), reader)
                }, since: start))
    }

    /// A tile's picture; nil if `isKnown` returns true for the digest of everything that the picture reads. It is asked
    /// in the transaction in which the picture would be read.
    package func picture(_ request: TileRequest, unless isKnown: (ContentDigest) throws -> Bool) throws -> TilePicture?
    {
        let start = ContinuousClock.now
        let found = try library.grid.read { reader -> Found? in
            try prefetch(request, reader)
            let plan = try plan(request, reader)
            return try isKnown(request.encoding.digest(plan.digest)) ? nil : read(request, plan, reader)
        }
        guard let found else { return nil }
        return try request.encoding.encoded(draw(found, since: start))
    }

    /// Reads what a plan's picture is drawn from.
    private func read(_ request: TileRequest, _ plan: PicturePlan, _ reader: GridReader) throws -> Found {
        // Prerendering stores no empty pictures, so the disk is not searched for them.
        if plan.isEmpty { return .nothing(plan) }
        if let key = pictureKey(of: request),
            let bytes = try disk?.picture(key, digest: plan.digest, in: reader.session)
        {
            return .kept(plan, bytes)
        }
        var inputs = Inputs()
        if let colors = plan.colors { inputs.heat = try heat(request, plan, colors, reader) }
        if let lines = plan.lines {
            inputs.lines = try self.lines(lines, plan.fragments, reader)
            inputs.points = try self.points(lines, plan.fragments, reader)
            if lines.hasDecorations { inputs.decorations = try decorations(in: request.tile, plan.fragments) }
        }
        return .read(plan, inputs)
    }

    private func draw(_ found: consuming Found, since start: ContinuousClock.Instant) throws -> TilePicture {
        let clock = ContinuousClock()
        var timing = TileTiming(grid: clock.now.milliseconds(since: start))
        switch found {
        case .nothing(let plan):
            return TilePicture(
                digest: plan.digest, bytes: plan.layout.emptyPicture, isEmpty: true, timing: timing)
        case .kept(let plan, let bytes):
            timing.fromDisk = true
            return TilePicture(digest: plan.digest, bytes: bytes, isEmpty: false, timing: timing)
        case .read(let plan, let inputs):
            return try canvases.withCanvas { canvas in
                let drawing = clock.now
                if let heat = inputs.heat {
                    canvas.draw(plan.layout, counts: heat.counts, colorMapper: heat.colorMapper)
                } else {
                    canvas.draw(nothing: plan.layout.scale)
                }
                if let lines = inputs.lines { try canvas.draw(lines) }
                if let points = inputs.points { try canvas.draw(points) }
                if let decorations = inputs.decorations { try canvas.draw(decorations, scale: plan.layout.scale) }
                let encoding = clock.now
                let bytes = try canvas.png()
                timing.draw = encoding.milliseconds(since: drawing)
                timing.encode = clock.now.milliseconds(since: encoding)
                // Occupied grid tiles can be empty in a window, or in the part that is enlarged.
                let isEmpty = bytes == plan.layout.emptyPicture
                return TilePicture(digest: plan.digest, bytes: bytes, isEmpty: isEmpty, timing: timing)
            }
        }
    }

    private func heat(
        _ request: TileRequest, _ plan: PicturePlan, _ colors: TileColors, _ reader: GridReader
    ) throws -> (counts: [CellCounts], colorMapper: ColorMapper) {
        try tileReaders.withReader { tiles in
            (
                try counts(request, plan, reader, using: &tiles),
                try colorMapper(request, plan, colors, reader, using: &tiles)
            )
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
            // `contents` is in the order of `tilesRead`: first the tiles needed, then the neighbourhood.
            let contents = plan.contents.dropFirst(plan.layout.tilesNeeded.count)
            let wholeLayer = plan.wholeLayer
            for (tile, content) in zip(plan.layout.neighbourhoodTiles, contents) {
                guard let key = TileKey(tile) else { throw TileError.inconsistent }
                found.append(
                    try distribution(
                        of: key, content: content, layer: request.layer, wholeLayer, reader, using: &tiles))
            }
            return .local(table, found, hasKernel: plan.layout.hasKernel)
        }
    }

    /// The neighbourhood of a tile with this content, over all time; used for the tile and for its eight neighbours.
    private func distribution(
        of tile: TileKey, content: UInt64, layer: String, _ query: CountQuery, _ reader: GridReader,
        using tiles: inout TileReader
    ) throws -> CountDistribution {
        guard content != 0 else { return CountDistribution() }
        return try distributions.value(for: TileContentKey(tile: tile, content: content, layer: layer)) {
            try reader.distribution(of: tile, query, using: &tiles)
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
        var points: PointDrawing?
        var decorations: TileDecorations?
    }
}

/// What a tile's picture will be drawn from, known before anything is drawn.
struct PicturePlan {
    var layout: HeatTileLayout
    /// nil if the style draws no counts.
    var colors: TileColors?
    /// The content digests of the layout's `tilesRead`.
    var contents: [UInt64]
    var fragments: SelectedFragments
    /// The days whose counts are subtracted.
    var minus: WindowDays?
    var digest: ContentDigest
    /// What is drawn over the heat; nil for nothing.
    var lines: LinePlan?

    /// Whether the picture is transparent.
    var isEmpty: Bool {
        contents.prefix(layout.tilesNeeded.count).allSatisfy { $0 == 0 } && lines?.isEmpty != false
    }

    /// The query whose counts determine the neighbourhoods.
    var wholeLayer: CountQuery {
        fragments.gridSnapshot.query(layer: fragments.layer.number, window: .allTime)
    }
}

extension TileRenderer {
    func plan(_ request: TileRequest, _ reader: GridReader) throws -> PicturePlan {
        let gridSnapshot = try gridSnapshot(reader)
        let fragments = try fragments(of: request.selection, gridSnapshot, reader)
        let style = try style(of: request)
        let layout = request.layout(style)
        // A style without heat reads no counts.
        let contents =
            style.heat == nil
            ? layout.tilesRead.map { _ in 0 }
            : try gridSnapshot.contentDigests(of: layout.tilesRead, layer: fragments.layer, reader)
        let lines = try LinePlan(request, style, fragments, reader)
        let colors = try style.heat.map { try gridSnapshot.colors($0, request.tableKey($0, fragments), reader) }
        var digester = Digester()
        digester.update(layout.digest(contents: contents, table: colors?.digest ?? style.digest))
        // Content digests contain days and activities, but not which of them are requested.
        digester.update(request.layer)
        fragments.update(&digester)
        let minus = try request.minus.map { try days(of: $0, gridSnapshot.state) }
        for days in [fragments.days, minus].compactMap({ $0 }) { days.update(&digester) }
        lines?.update(&digester, gridSnapshot)
        // The rules by which the grid was derived: its version, gaps and outliers, and the time zone.
        digester.update(gridSnapshot.state.fingerprint)
        return PicturePlan(
            layout: layout, colors: colors, contents: contents, fragments: fragments, minus: minus,
            digest: digester.finish(), lines: lines)
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
    func layout(_ style: Style) -> HeatTileLayout {
        HeatTileLayout(
            tile: tile, scale: scale, kernel: style.heat?.kernel,
            isLocal: style.heat?.scale == .local)
    }

    /// All tiles that the picture may read in any style.
    var tilesWithinReach: [TileCoordinate] {
        HeatTileLayout(
            tile: tile, scale: scale, kernel: .pixels(KernelRadius.pixelLimits.upperBound),
            isLocal: true
        ).tilesRead + [lineLayout.sourceTile]
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
