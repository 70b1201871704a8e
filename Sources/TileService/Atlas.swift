package import Digest
package import HTTPCore
import HeatGrid
import Locking
import PieceLog
package import Styling
import TileMath
import TileRendering
package import TrackStore
package import Tracks

/// A tile's picture as drawn, with what it was drawn from and how long it took.
package struct TilePicture: Sendable {
    /// A digest of all that the picture reads.
    package var digest: ContentDigest
    /// The PNG.
    package var bytes: [UInt8]
    /// Whether nothing is on it.
    package var isEmpty: Bool
    /// Where it came from, and how long that took.
    package var timing: TileTiming
}

/// How long the steps of a tile took, in milliseconds.
package struct TileTiming: Sendable, Equatable {
    /// Reading and counting.
    package var grid = 0.0
    /// Counts to pixels.
    package var draw = 0.0
    /// Pixels to PNG.
    package var encode = 0.0
    /// Whether the picture was on the disk already.
    package var fromDisk = false
}

/// Draws the tiles of a library: the one function behind requests and prerendering alike.
///
/// Every call reads the disk: it belongs on the drawing queue.
package final class Atlas: Sendable {
    /// The library.
    package let library: Library
    /// The styles that tiles may have.
    package var styles: StyleSheet { sheet.withLock { $0 } }

    private let sheet: Locked<StyleSheet>
    private let canvases: Canvases
    private let tileReaders = TileReaders()
    private let newest: Locked<Edition?>
    /// Editions that drawings have met since, until the next look takes them up.
    private let passing = Locked<[Edition]>([])
    private let disk: PictureCache?
    private let neighbourhoods = Neighbourhoods()

    /// An atlas of `workers` drawings at once; with `disk`, pictures drawn before are taken from there.
    package init(library: Library, styles: StyleSheet, workers: Int, disk: PictureCache?) throws {
        self.library = library
        sheet = Locked(styles)
        self.disk = disk
        canvases = try Canvases(count: workers)
        newest = Locked(try library.grid.read { try Edition($0) })
    }

    /// Takes other styles, and tells which requests' pictures may be others now.
    package func adopt(_ styles: StyleSheet) -> @Sendable (TileRequest) -> Bool {
        let before = sheet.withLock { sheet in
            defer { sheet = styles }
            return sheet
        }
        return { before[$0.style]?.digest != styles[$0.style]?.digest }
    }

    /// The names of the layers that a viewer may see, `all` first.
    package func layerNames(for viewer: Viewer) -> [String] {
        let layers = newest.withLock { $0?.layers } ?? [:]
        let names = layers.filter { $0.key != TileRequest.defaultLayer && $0.value.audience.admits(viewer) }.map(\.key)
        return [TileRequest.defaultLayer] + names.sorted()
    }

    /// The state of the grid that was read last; nil where it was never made.
    package var state: GridState? { newest.withLock { $0?.state } }

    /// Whether the grid, as read last, has the style and the layer of a request; a problem to answer with where not.
    package func check(_ request: TileRequest) throws(Problem) {
        guard styles[request.style] != nil else {
            let hint = styles.name(like: request.style).map { "; did you mean \($0)?" } ?? "; /styles lists them"
            throw Problem.notFound("no style has this name\(hint)")
        }
        guard layerNames(for: request.viewer).contains(request.layer) else {
            throw Problem.notFound("no layer has this name; /layers lists them")
        }
    }

    /// The digest of all that a tile's picture reads, without drawing it.
    package func digest(of request: TileRequest) throws -> ContentDigest {
        try library.grid.read { try plan(request, $0).digest }
    }

    /// The colours of a tile's counts, as a legend tells them.
    package func table(of request: TileRequest) throws -> ColorTable {
        try library.grid.read { reader in
            let edition = try edition(reader)
            let style = try style(of: request)
            let key = request.tableKey(style, layer: try layer(of: request, edition))
            return try edition.legend(style, key, reader)
        }
    }

    private func layer(of request: TileRequest, _ edition: Edition) throws(Problem) -> UInt8 {
        guard let layer = edition.layer(named: request.layer, for: request.viewer)?.number else {
            throw Problem.notFound("no layer has this name; /layers lists them")
        }
        return layer
    }

    /// How a tile is to look.
    private func style(of request: TileRequest) throws(Problem) -> Style {
        guard let style = styles[request.style] else {
            throw Problem.notFound("no style has this name; /styles lists them")
        }
        let usual = request.minus == nil ? nil : NamedRamp.usualDiverging
        guard let name = request.ramp ?? usual else { return style }
        guard let named = NamedRamp.named(name) else { throw Problem.badRequest("no ramp has this name") }
        return request.minus == nil ? style.with(ramp: named.ramp) : style.forDifferences(ramp: named.ramp)
    }

    /// A tile's picture: from the disk where it is there and is still that of today, else drawn.
    package func picture(_ request: TileRequest) throws -> TilePicture {
        let clock = ContinuousClock()
        let start = clock.now
        let found = try library.grid.read { reader -> Found in
            let plan = try plan(request, reader)
            if plan.isEmpty { return .nothing(plan) }
            if let bytes = try disk?.picture(request, digest: plan.digest) { return .kept(plan, bytes) }
            return try tileReaders.withReader { tiles in
                let keys = plan.recipe.tilesNeeded.compactMap { TileKey($0) }
                let counts = try keys.map { key in
                    let counts = try reader.counts(of: key, plan.question, using: &tiles)
                    guard let minus = plan.minus else { return counts }
                    return counts.difference(to: try reader.counts(of: key, minus, using: &tiles))
                }
                return .counts(plan, counts, try shading(request, plan, reader, using: &tiles))
            }
        }
        var timing = TileTiming(grid: clock.now.milliseconds(since: start))
        switch found {
        case .nothing(let plan):
            return TilePicture(
                digest: plan.digest, bytes: plan.recipe.emptyPicture, isEmpty: true, timing: timing)
        case .kept(let plan, let bytes):
            timing.fromDisk = true
            return TilePicture(digest: plan.digest, bytes: bytes, isEmpty: false, timing: timing)
        case .counts(let plan, let counts, let shading):
            return try canvases.withCanvas { canvas in
                let drawing = clock.now
                canvas.draw(plan.recipe, counts: counts, shading: shading)
                let encoding = clock.now
                let bytes = try canvas.png()
                timing.draw = encoding.milliseconds(since: drawing)
                timing.encode = clock.now.milliseconds(since: encoding)
                // Occupied grid tiles may have nothing where an enlarged part or a window of them is asked for.
                let isEmpty = bytes == plan.recipe.emptyPicture
                return TilePicture(digest: plan.digest, bytes: bytes, isEmpty: isEmpty, timing: timing)
            }
        }
    }

    /// Looks whether the grid has changed since it was read last, and tells which requests' pictures may be others now;
    /// nil where nothing has changed.
    package func refresh() throws -> (@Sendable (TileRequest) -> Bool)? {
        try library.grid.read { reader in
            guard let state = try reader.state() else { return nil }
            let known = newest.withLock { $0 }
            guard state != known?.state, let now = try Edition(reader) else { return nil }
            let passed = passing.withLock { passing in
                defer { passing = [] }
                return passing
            }
            defer { newest.withLock { $0 = now } }
            guard let known, let touched = try reader.tilesTouched(since: known.state), known.layers == now.layers
            else {
                return { _ in true }
            }
            let tables = Set(try ([known] + passed).flatMap { try $0.changedTables(in: now, reader) })
            return { [self] request in
                // The span of a window reads tiles from everywhere.
                guard request.span == .all else { return true }
                if let layer = now.layers[request.layer], let style = try? style(of: request),
                    tables.contains(request.tableKey(style, layer: layer.number))
                {
                    return true
                }
                guard let style = try? style(of: request) else { return true }
                return request.recipe(style).tilesRead.contains {
                    TileKey($0).map { touched.contains($0.packed) } ?? true
                }
            }
        }
    }

    /// How the counts of a plan are coloured.
    private func shading(
        _ request: TileRequest, _ plan: Plan, _ reader: GridReader, using tiles: inout TileReader
    ) throws -> Shading {
        switch plan.colors {
        case .table(let table): return .table(table)
        case .local(let table):
            var question = plan.question
            question.window = .allTime
            var found: [Neighbourhood] = []
            let contents = plan.contents.dropFirst(plan.recipe.tilesNeeded.count)
            for (tile, content) in zip(plan.recipe.neighbourhoodTiles, contents) {
                guard let key = TileKey(tile) else { throw Problem.internalServerError }
                found.append(
                    try neighbourhoods.neighbourhood(
                        of: key, content: content, layer: request.layer, question, reader, using: &tiles))
            }
            return .local(table, found, hasKernel: plan.hasKernel)
        }
    }

    /// What a tile is made of, known before anything is drawn.
    private struct Plan {
        var recipe: HeatRecipe
        var colors: TileColors
        var hasKernel: Bool
        /// The content digests of the recipe's `tilesRead`.
        var contents: [UInt64]
        var question: TileQuestion
        var minus: TileQuestion?
        var digest: ContentDigest
        var isEmpty: Bool
    }

    private enum Found {
        case nothing(Plan)
        case kept(Plan, [UInt8])
        case counts(Plan, [CellCounts], Shading)
    }

    private func plan(_ request: TileRequest, _ reader: GridReader) throws -> Plan {
        let edition = try edition(reader)
        let layer = try layer(of: request, edition)
        let style = try style(of: request)
        let recipe = request.recipe(style)
        let contents = try recipe.tilesRead.map { tile in
            try TileKey(tile).map { try reader.contentDigest(of: $0) } ?? 0
        }
        let colors = try edition.colors(style, request.tableKey(style, layer: layer), reader)
        var digester = Digester()
        digester.update(recipe.digest(contents: contents, table: colors.digest))
        // Digests of contents hold days and activities, and not which of them are asked for.
        digester.update(request.layer)
        for window in [request.window] + (request.minus.map { [$0] } ?? []) {
            digester.update(Int64(window.from ?? .min))
            digester.update(Int64(window.to ?? .max))
        }
        digester.update(edition.state.fingerprint)
        return Plan(
            recipe: recipe, colors: colors, hasKernel: style.kernel != nil, contents: contents,
            question: edition.question(layer: layer, window: request.window),
            minus: request.minus.map { edition.question(layer: layer, window: $0) }, digest: digester.finish(),
            isEmpty: contents.prefix(recipe.tilesNeeded.count).allSatisfy { $0 == 0 })
    }

    /// The edition of a snapshot: the newest one known, or, where the grid has just gone on, that of the snapshot.
    private func edition(_ reader: GridReader) throws -> Edition {
        guard let state = try reader.state() else {
            throw Problem.unavailable("the grid has not been made yet", retryAfterSeconds: Health.retryAfterSeconds)
        }
        if let known = newest.withLock({ $0 }), known.state == state { return known }
        if let known = passing.withLock({ $0.first { $0.state == state } }) { return known }
        guard let now = try Edition(reader) else { throw Problem.internalServerError }
        return passing.withLock { passing in
            if let other = passing.first(where: { $0.state == state }) { return other }
            passing.append(now)
            return now
        }
    }
}

extension TileRequest {
    /// Whose colours the picture has.
    func tableKey(_ style: Style, layer: UInt8) -> Edition.TableKey {
        Edition.TableKey(
            style, layer: layer, zoom: tile.zoom, span: spanWindow, tellsDifferences: minus != nil)
    }

    /// How the tile's picture is made in a style.
    func recipe(_ style: Style) -> HeatRecipe {
        HeatRecipe(
            tile: tile, scale: scale == .double ? .two : .one, kernel: style.kernel, isLocal: style.scale == .local)
    }

    /// The tiles that the picture may read, whatever the style.
    var tilesWithinReach: [TileCoordinate] {
        HeatRecipe(
            tile: tile, scale: scale == .double ? .two : .one, kernel: .pixels(KernelRadius.pixelLimits.upperBound),
            isLocal: true
        ).tilesRead
    }
}

extension ContinuousClock.Instant {
    /// Milliseconds from an earlier instant to this one.
    func milliseconds(since start: ContinuousClock.Instant) -> Double {
        let (seconds, attoseconds) = (self - start).components
        return Double(seconds) * 1000 + Double(attoseconds) / 1e15
    }
}
