import Digest
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
    /// To viewers outside the audience, the layer does not exist.
    var audience = Audience.owner

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

        /// Zoom levels deeper than the deepest grid use its table.
        init(
            _ symbolizer: HeatSymbolizer, layer: UInt8, zoom: ZoomLevel, span: ScaleSpan = .layer,
            encodesDifferences: Bool = false
        ) {
            self.symbolizer = symbolizer.digest
            self.layer = layer
            self.zoom = min(zoom, .deepestGrid)
            self.span = symbolizer.scale == .local ? .layer : span
            self.encodesDifferences = encodesDifferences
        }
    }

    /// Tables cached for windows, a few hundred bytes each: a replay asks for one window after another.
    private static let windowLimit = 4096

    private let made = Locked<[TableKey: (symbolizer: HeatSymbolizer, colors: TileColors)]>([:])
    private let samples = Locked<[ZoomLevel: TileSample]>([:])
    private let cachedMonths = Locked(RecentValues<TrackSet, DayWindow>(byteLimit: 1 << 20))

    /// Reads the snapshot; nil if the grid was never built.
    ///
    /// The names in `wholeLayerNames` stand for all tracks.
    init?(_ reader: GridReader, wholeLayerNames: [String]) throws {
        guard let state = try reader.state() else { return nil }
        try reader.checkLists()
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
        for name in wholeLayerNames { layers[name] = .everything }
        self.layers = layers
    }

    /// The layer with this name; nil if there is none, or if the viewer may not see it.
    func layer(named name: String, for viewer: Viewer) -> Layer? {
        layers[name].flatMap { $0.audience.admits(viewer) ? $0 : nil }
    }

    /// The colours of a symbolizer and a layer at a zoom level (of the deepest grid for deeper levels), cached.
    ///
    /// The range of a window costs about 10 ms for its first tile; it is computed from a sample of the zoom level's
    /// tiles. Neighbourhoods (`local`) are always computed over all time.
    func colors(_ symbolizer: HeatSymbolizer, _ key: TableKey, _ reader: GridReader) throws -> TileColors {
        if let known = made.withLock({ $0[key] }) { return known.colors }
        let colors = TileColors(
            symbolizer, encodesDifferences: key.encodesDifferences, histogram: try histogram(key, reader))
        made.withLock { made in
            if key.span != .layer, made.count > Self.windowLimit { made = made.filter { $0.key.span == .layer } }
            made[key] = (symbolizer, colors)
        }
        return colors
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
        if let known = cachedMonths.withLock({ $0[tracks] }) { return known }
        let months = try reader.months(of: tracks)
        cachedMonths.withLock { $0.store(months, for: tracks, bytes: tracks.numbers.count * 8) }
        return months
    }

    /// A sample of the tiles of a zoom level that has a grid.
    private func sample(zoom: ZoomLevel, _ reader: GridReader) throws -> TileSample {
        if let known = samples.withLock({ $0[zoom] }) { return known }
        let sample: TileSample
        if let whole = try TileSample(whole: zoom, reader) {
            sample = whole
        } else if let above = ZoomLevel(zoom.number - 1) {
            sample = try self.sample(zoom: above, reader).deeper(reader)
        } else {
            preconditionFailure("the topmost zoom level has one tile")
        }
        samples.withLock { $0[zoom] = sample }
        return sample
    }

    /// The all-time tables made so far that would be different in `newer`.
    func changedTables(in newer: GridSnapshot, _ reader: GridReader) throws -> [TableKey] {
        try made.withLock { $0 }.compactMap { key, made in
            guard key.span == .layer else { return nil }
            let now = try newer.colors(made.symbolizer, key, reader)
            return now.digest == made.colors.digest ? nil : key
        }
    }
}
