package import Digest
import Locking
package import PictureStore
package import Styling
import TileLog
import TileMath
import TileRendering
package import TrackStore
package import Tracks

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
    let distributions = CountDistributionCache()
    let trackNames = TrackNames()
    let partialDayCache = PartialDayCache()
    let recordedTiles: RecordedTiles
    let polylineCache = PolylineCache()

    /// A renderer with `workers` simultaneous drawings; with `disk`, prerendered pictures are read from there.
    package init(library: Library, styles: StyleSheet, workers: Int, disk: PictureCache?) throws {
        self.library = library
        recordedTiles = RecordedTiles(library: library)
        styleSheet = Locked(styles)
        self.disk = disk
        canvases = try CanvasPool(count: workers)
        newest = Locked(try Self.newestSnapshot(of: library))
    }

    /// nil if the grid was never built or is damaged.
    private static func newestSnapshot(of library: Library) throws -> GridSnapshot? {
        do {
            return try library.grid.read { try GridSnapshot($0, wholeLayerNames: library.wholeLayerNames) }
        } catch LibraryError.gridDamaged {
            return nil
        }
    }

    /// Replaces the styles; returns a test for the requests whose pictures may have changed.
    package func adopt(_ styles: StyleSheet) -> @Sendable (TileRequest) -> Bool {
        let before = styleSheet.withLock { styleSheet in
            defer { styleSheet = styles }
            return styleSheet
        }
        return { before[$0.style]?.digest != styles[$0.style]?.digest }
    }

    /// The names of the layers that a viewer may see, `all` first.
    package func layerNames(for viewer: Viewer) -> [String] {
        let layers = newest.withLock { $0?.layers } ?? [:]
        let names = layers.filter { $0.key != TileRequest.defaultLayer && $0.value.audience.admits(viewer) }.map(\.key)
        return [TileRequest.defaultLayer] + names.sorted()
    }

    /// The layers that a viewer may see, `all` first.
    package func layers(for viewer: Viewer) -> [(name: String, layer: Layer)] {
        let layers = newest.withLock { $0?.layers } ?? [:]
        return layerNames(for: viewer).map { ($0, layers[$0] ?? .everything) }
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
            gridSnapshot.map { $0.layer(named: request.layer, for: request.viewer) }
                ?? (request.layer == TileRequest.defaultLayer ? .everything : nil)
        }
        guard let layer else { throw TileError.notFound("no layer has this name; /layers lists them") }
        try layer.checkReadiness()
    }

    /// The digest of everything that a tile's picture reads, without drawing it.
    package func digest(of request: TileRequest) throws -> ContentDigest {
        try library.grid.read { try plan(request, $0).digest }
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
        guard let name = request.ramp ?? usual else { return style }
        guard let named = NamedRamp.named(name) else { throw TileError.badRequest("no ramp has this name") }
        if request.minus == nil {
            guard let other = style.with(ramp: named.ramp) else {
                throw TileError.badRequest("this style has no ramp that could be replaced")
            }
            return other
        }
        guard let other = style.forDifferences(ramp: named.ramp) else {
            throw TileError.badRequest("this style draws no counts, so it cannot show differences; use a heat style")
        }
        return other
    }

    /// The snapshot for a reader: the newest known one or, if the grid has changed since, one read from the reader.
    func gridSnapshot(_ reader: GridReader) throws -> GridSnapshot {
        guard let state = try reader.state() else {
            throw TileError.unavailable("the grid is not built yet")
        }
        if let known = newest.withLock({ $0 }), known.state == state { return known }
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
