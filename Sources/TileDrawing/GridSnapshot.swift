import Caching
import Digest
import GridStorage
import HeatGrid
import Locking
import Styling
import TileLog
import TileMath
import TrackStore
import Tracks

/// Which tracks are counted, and who may see them.
package struct Layer: Hashable, Sendable {
    /// What selects the tracks.
    package enum Kind: String, Hashable, Sendable {
        case all
        case activity
        /// Tracks shared by other people.
        case inbox
        /// A condition defined by the operator.
        case condition = "where"
    }

    /// 0 for `all`, else the number of an activity or of an operator's layer.
    package var number: UInt8
    package var kind: Kind
    /// Which tracks, in words or as the condition is written.
    package var description: String
    /// Whether its counts can be read already.
    package var isReady = true

    /// Every track.
    package static let everything = Layer(number: 0, kind: .all, description: "every track")

    /// Tracks that other people shared and that are not accepted yet; they are in a library of their own.
    package static let inbox = Layer(number: 0, kind: .inbox, description: "shared tracks that are not accepted yet")

    /// Throws `unavailable` while the layer is being built.
    func checkReadiness() throws(TileError) {
        guard !isReady else { return }
        throw TileError.unavailable(
            "this layer is being built; /layers shows the progress")
    }
}

/// Which counts determine the range of a scale.
enum ScaleSpan: Hashable, Sendable {
    /// The counts of the layer over all time.
    case layer
    /// The counts of the layer in a window.
    case window(DayWindow)
    /// The counts of some tracks in a window.
    case tracks(TrackSet, DayWindow)
}

/// One state of the grid: what drawing needs besides the tiles, that is, layers and the colours of each zoom level.
final class GridSnapshot: Sendable {
    /// The state that was read.
    let state: GridState
    /// The layers by name.
    let layers: [String: Layer]
    /// The tracks of the grid.
    let tracks: GridTracks
    /// The activities by number.
    let activityNames: [UInt8: String]
    /// The span of years in which ages of tracks are measured; nil if no track has a day.
    let ages: AgeSpan?

    /// Identifies a colour table.
    struct TableKey: Hashable {
        var symbolizer: ContentDigest
        var layer: UInt8
        var zoom: ZoomLevel
        /// Which counts determine the range of the scale.
        var span: ScaleSpan
        var encodesDifferences: Bool
        /// Whether all zoom levels use the same table.
        var coversAllZooms: Bool

        /// The zoom levels that use the table.
        var zooms: [ZoomLevel] {
            coversAllZooms ? (0...ZoomLevel.deepest.number).compactMap { ZoomLevel($0) } : [zoom]
        }

        /// The memory of the key and its entry, about.
        var byteCount: Int {
            guard case .tracks(let tracks, _) = span else { return GridSnapshot.tableEntryBytes }
            return GridSnapshot.tableEntryBytes + 8 * tracks.numbers.count
        }

        /// The zoom level is the one whose counts determine the range of the symbolizer.
        init(
            _ symbolizer: HeatSymbolizer, layer: UInt8, zoom: ZoomLevel, span: ScaleSpan = .layer,
            encodesDifferences: Bool = false
        ) {
            self.symbolizer = symbolizer.digest
            self.layer = layer
            self.zoom = symbolizer.rangeZoom(for: zoom)
            coversAllZooms = symbolizer.range == .library
            self.span = symbolizer.scale == .local ? .layer : span
            self.encodesDifferences = encodesDifferences
        }
    }

    /// A table of all time, with what is needed to make it again.
    struct AllTimeTable {
        var symbolizer: HeatSymbolizer
        var colors: TileColors
    }

    /// Bytes of the tables of all time, and also of those of windows. A table has about 0.5–16 KB; requests can name
    /// any of many ramps, and a replay asks for one window after another.
    private static let tablesByteLimit = 4 << 20

    /// The tables of all time, one for each symbolizer, layer and zoom level.
    let allTimeTables: SharedCache<TableKey, AllTimeTable>
    private let windowTables: SharedCache<TableKey, TileColors>
    private let samples = Locked<[ZoomLevel: TileSample]>([:])
    /// Bytes of an entry besides the table.
    private static let tableEntryBytes = 512
    /// Bytes of an entry besides its set of tracks.
    private static let entryBytes = 256
    /// Bytes of the sets of tracks whose months are cached.
    private static let monthsByteLimit = 1 << 20
    private let cachedMonths = SharedCache<TrackSet, DayWindow>(costLimit: monthsByteLimit)

    /// Reads the snapshot; nil if the grid was never built.
    ///
    /// The names in `wholeLayerNames` stand for all tracks.
    init?(_ reader: GridReader, wholeLayerNames: [String], tablesByteLimit: Int = tablesByteLimit) throws {
        guard let state = try reader.state() else { return nil }
        try reader.checkLists()
        allTimeTables = SharedCache(costLimit: tablesByteLimit)
        windowTables = SharedCache(costLimit: tablesByteLimit)
        self.state = state
        tracks = try reader.tracks()
        let activities = try reader.activities()
        activityNames = Dictionary(activities.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
        ages = try reader.dayBounds().map { AgeSpan($0) }
        var layers: [String: Layer] = [:]
        for activity in activities {
            layers[activity.name] = Layer(
                number: activity.number, kind: .activity,
                description: "tracks whose activity is \(activity.name)")
        }
        // An operator's layer has priority over an activity of the same name.
        for layer in try reader.layers() {
            layers[layer.name] = Layer(
                number: layer.number, kind: .condition, description: layer.condition, isReady: layer.isReady)
        }
        // Last, so that no activity and no operator's layer can take the place of `all`.
        for name in wholeLayerNames { layers[name] = .everything }
        self.layers = layers
    }

    /// The layer with this name; nil if there is none. The layer of an activity also
    /// has the other words for it as names: `running` is `run`.
    func layer(named name: String) -> Layer? {
        layers[name] ?? Activity(knownWord: name).flatMap { layers[$0.rawValue] }
    }

    /// The colours of a symbolizer and a layer at a zoom level (of the deepest grid for deeper levels), cached.
    ///
    /// The range of a window costs about 10 ms for its first tile; it is computed from a sample of the zoom level's
    /// tiles. Neighbourhoods (`local`) are always computed over all time.
    func colors(_ symbolizer: HeatSymbolizer, _ key: TableKey, _ reader: GridReader) throws -> TileColors {
        func make() throws -> TileColors {
            TileColors(symbolizer, encodesDifferences: key.encodesDifferences, histogram: try histogram(key, reader))
        }
        guard key.span == .layer else {
            return try windowTables.value(for: key, cost: { $0.byteCount + key.byteCount }, make: make)
        }
        return try allTimeTables.value(for: key, cost: { $0.colors.byteCount + key.byteCount }) {
            AllTimeTable(symbolizer: symbolizer, colors: try make())
        }.colors
    }

    /// The colour table of a legend; for `local`, the table of places whose neighbourhood is like the whole zoom level.
    func legend(_ symbolizer: HeatSymbolizer, _ key: TableKey, _ reader: GridReader) throws -> ColorTable {
        switch try colors(symbolizer, key, reader) {
        case .table(let table): table
        case .local: ColorTable(symbolizer: symbolizer, histogram: try histogram(key, reader))
        }
    }

    private func histogram(_ key: TableKey, _ reader: GridReader) throws -> CountHistogram {
        switch key.span {
        case .layer:
            return try reader.histogram(zoom: key.zoom, layer: key.layer)
        case .window(let window):
            return try sample(zoom: key.zoom, reader).histogram(query(layer: key.layer, window: window), reader)
        case .tracks(let tracks, let window):
            let query = CountQuery(window: window, layer: nil, filter: .tracks(tracks))
            return try TileSample(of: tracks, zoom: key.zoom, reader).histogram(query, reader)
        }
    }

    /// The query for a layer in a window.
    func query(layer: UInt8, window: DayWindow) -> CountQuery {
        CountQuery(window: window, layer: layer, tracks: tracks)
    }

    /// The digests of what a picture of a layer reads from tiles, in their order; 0 for nothing.
    func contentDigests(of tiles: [TileCoordinate], layer: Layer, _ reader: GridReader) throws -> [UInt64] {
        // One statement reads the digests of a tile and of its neighbours.
        guard layer.kind == .condition else { return try reader.contentDigests(of: tiles.map { TileKey($0) }) }
        return try tiles.map { tile in
            try TileKey(tile).map { try contentDigest(of: $0, layer: layer, reader) } ?? 0
        }
    }

    /// The digest of what a picture of a layer reads from a tile; 0 for nothing. Names and tags are not part of a
    /// tile's own digest, so an operator's layer uses the digest of the fragments it selects.
    func contentDigest(of tile: TileKey, layer: Layer, _ reader: GridReader) throws -> UInt64 {
        switch layer.kind {
        case .all, .activity, .inbox: try reader.contentDigest(of: tile)
        case .condition: try reader.contentDigest(of: tile, layer: layer.number, tracks: tracks)
        }
    }

    /// A window of months that contains all fragments of some tracks; cached for all tiles of a view.
    func months(of tracks: TrackSet, _ reader: GridReader) throws -> DayWindow {
        try cachedMonths.value(for: tracks, cost: { _ in tracks.numbers.count * 8 + Self.entryBytes }) {
            try reader.months(of: tracks)
        }
    }

    /// A sample of the tiles of a zoom level that has a grid.
    private func sample(zoom: ZoomLevel, _ reader: GridReader) throws -> TileSample {
        if let known = samples.withLock({ $0[zoom] }) { return known }
        let sample: TileSample
        if let whole = try TileSample(whole: zoom, reader) {
            sample = whole
        } else if let above = ZoomLevel(zoom.number - 1) {
            // From one level to the next, at most 4 × 256 digests are read; listing all tiles of a deep level would
            // cost as much as the library has tiles.
            sample = try self.sample(zoom: above, reader).deeper(reader)
        } else {
            preconditionFailure("the topmost zoom level has one tile")
        }
        // Another thread may have made it meanwhile: both are equal, because the hash decides.
        samples.withLock { $0[zoom] = sample }
        return sample
    }
}

/// The colours of a zoom level's counts under a symbolizer.
enum TileColors: Sendable {
    /// One table for all tiles.
    case table(ColorTable)
    /// A table that depends on each tile's neighbourhoods.
    case local(LocalTable)

    init(_ symbolizer: HeatSymbolizer, encodesDifferences: Bool, histogram: CountHistogram) {
        if encodesDifferences {
            self = .table(ColorTable(differencesOf: symbolizer, histogram: histogram))
        } else if symbolizer.scale == .local {
            self = .local(LocalTable(symbolizer: symbolizer, histogram: histogram))
        } else {
            self = .table(ColorTable(symbolizer: symbolizer, histogram: histogram))
        }
    }

    var digest: ContentDigest {
        switch self {
        case .table(let table): table.digest
        case .local(let table): table.digest
        }
    }

    var byteCount: Int {
        switch self {
        case .table(let table): table.byteCount
        case .local(let table): table.byteCount
        }
    }
}

/// A selection resolved in a snapshot of the grid: which fragments of tiles take part, and which layer determines the
/// colours.
package struct SelectedFragments {
    /// The layer whose all-time counts determine the colours.
    let layer: Layer
    /// The requested tracks that are in the layer; nil for the whole layer.
    let tracks: TrackSet?
    /// The days of the window.
    let days: WindowDays
    /// A window of months that contains all their fragments.
    private let months: DayWindow
    let gridSnapshot: GridSnapshot

    /// `tracks` are the numbers of the selection's ids, `days` those of its window. Throws a `404` if there is no
    /// such layer, a `503` if it is not ready.
    init(
        _ selection: TileSelection, tracks: TrackSet?, days: WindowDays, in gridSnapshot: GridSnapshot,
        _ reader: GridReader
    ) throws {
        guard let layer = gridSnapshot.layer(named: selection.layer) else {
            throw TileError.notFound("no layer has this name; /layers lists them")
        }
        try layer.checkReadiness()
        self.layer = layer
        self.days = days
        self.gridSnapshot = gridSnapshot
        // A set of tracks replaces the layer in queries, so tracks that are not in the layer are left out here.
        let filter = gridSnapshot.query(layer: layer.number, window: .allTime).filter
        self.tracks = tracks.map { TrackSet($0.numbers.filter { filter.passes($0) }) }
        months = try self.tracks.map { try gridSnapshot.months(of: $0, reader) } ?? .allTime
    }

    /// The query for a window's whole days. For a set of tracks it reads only the logs of their months.
    func query(_ window: DayWindow) -> CountQuery {
        guard let tracks else { return gridSnapshot.query(layer: layer.number, window: window) }
        return CountQuery(window: window.shared(with: months), layer: nil, filter: .tracks(tracks))
    }

    /// The range of a scale over the selection's counts. It covers whole days, so that one table serves all instants of
    /// a day.
    var span: ScaleSpan {
        tracks.map { .tracks($0, days.touched) } ?? .window(days.touched)
    }

    /// Adds the tracks to a picture's digest: by content, because numbers are not part of any content digest.
    func update(_ digester: inout Digester) {
        guard let tracks else { return }
        digester.update("tracks")
        // Sorted, because numbers follow the order of import, and the same data must give the same ETag.
        for digest in tracks.numbers.map({ gridSnapshot.tracks.digest(of: $0) }).sorted() { digester.update(digest) }
    }
}
