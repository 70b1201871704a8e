import Digest
import HTTPCore
import HeatGrid
import Locking
import Styling
import TileLog
import TileMath
import TrackStore
import Tracks

/// Which tracks are counted, and who may see it.
struct Layer: Hashable, Sendable {
    /// What says which tracks these are.
    enum Kind: String, Hashable, Sendable {
        case all
        case activity
        /// What others shared.
        case inbox
        /// A condition of the operator's.
        case condition = "where"
    }

    /// 0 for `all`, else the number of an activity or of an operator's layer.
    var number: UInt8
    var kind: Kind
    /// Which tracks they are, in words or as the condition says it.
    var description: String
    /// Whether its counts can be read already.
    var isReady = true
    /// To others it is as if it were not there.
    var audience = Audience.owner

    /// Every track.
    static let everything = Layer(number: 0, kind: .all, description: "every track")

    /// What others shared and nobody has accepted yet; its tracks are in a library of their own.
    static let inbox = Layer(number: 0, kind: .inbox, description: "what others shared and is not accepted yet")

    /// Throws the problem to answer with while it is being built.
    func checkReadiness() throws(Problem) {
        guard !isReady else { return }
        throw Problem.unavailable(
            "this layer is being built; /layers tells how far it is", retryAfterSeconds: Health.retryAfterSeconds)
    }
}

/// Whose counts span a scale.
enum ScaleSpan: Hashable, Sendable {
    /// Those of the layer, of all time.
    case layer
    /// Those of the layer in a window.
    case window(DayWindow)
    /// Those of some tracks in a window.
    case tracks(TrackSet, DayWindow)
}

/// The grid at one state, as far as drawing needs it beside the tiles: layers, and the colours of each zoom level.
final class GridSnapshot: Sendable {
    /// Which grid it is.
    let state: GridState
    /// The layers by name.
    let layers: [String: Layer]
    /// What the grid knows of its tracks.
    let tracks: GridTracks
    /// The activities by number.
    let activityNames: [UInt8: String]
    /// The years that ages of tracks are counted in; nil where none has a day.
    let ages: AgeSpan?

    /// Whose colours a table holds.
    struct TableKey: Hashable {
        var look: ContentDigest
        var layer: UInt8
        var zoom: ZoomLevel
        /// Whose counts span the scale.
        var span: ScaleSpan
        var tellsDifferences: Bool

        /// The deepest level with a grid stands for deeper ones.
        init(
            _ look: HeatSymbolizer, layer: UInt8, zoom: ZoomLevel, span: ScaleSpan = .layer,
            tellsDifferences: Bool = false
        ) {
            self.look = look.digest
            self.layer = layer
            self.zoom = min(zoom, .deepestGrid)
            self.span = look.scale == .local ? .layer : span
            self.tellsDifferences = tellsDifferences
        }
    }

    /// Tables kept for windows, a few hundred bytes each: a replay asks for one window after the other.
    private static let mostWindows = 4096

    private let made = Locked<[TableKey: (look: HeatSymbolizer, colors: TileColors)]>([:])
    private let samples = Locked<[ZoomLevel: TileSample]>([:])
    private let monthsOfTracks = Locked(RecentValues<TrackSet, DayWindow>(byteLimit: 1 << 20))

    /// Reads what a snapshot of the grid says; nil where the grid was never made.
    ///
    /// `wholeNames` stand for all tracks.
    init?(_ reader: GridReader, wholeNames: [String]) throws {
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
                description: "tracks of which the activity is \(activity.name)")
        }
        // A layer of the operator's own goes before an activity that has come to be called as it is.
        for layer in try reader.layers() {
            layers[layer.name] = Layer(
                number: layer.number, kind: .condition, description: layer.condition, isReady: layer.isReady)
        }
        for name in wholeNames { layers[name] = .everything }
        self.layers = layers
    }

    /// A layer that the viewer may see; nil where there is none of this name, or none for the viewer.
    func layer(named name: String, for viewer: Viewer) -> Layer? {
        layers[name].flatMap { $0.audience.admits(viewer) ? $0 : nil }
    }

    /// The colours of a look and layer at a zoom level (the deepest with a grid for deeper ones); made once.
    ///
    /// The span of a window costs about 10 ms for its first tile: it is that of a sample of the zoom level's tiles.
    /// Neighbourhoods (`local`) are always those of all time.
    func colors(_ look: HeatSymbolizer, _ key: TableKey, _ reader: GridReader) throws -> TileColors {
        if let known = made.withLock({ $0[key] }) { return known.colors }
        let colors = TileColors(
            look, tellsDifferences: key.tellsDifferences, histogram: try histogram(key, reader))
        made.withLock { made in
            if key.span != .layer, made.count > Self.mostWindows { made = made.filter { $0.key.span == .layer } }
            made[key] = (look, colors)
        }
        return colors
    }

    /// The table of a legend: with `local`, that of places that are like their zoom level.
    func legend(_ look: HeatSymbolizer, _ key: TableKey, _ reader: GridReader) throws -> ColorTable {
        switch try colors(look, key, reader) {
        case .table(let table): table
        case .local: ColorTable(look: look, histogram: try histogram(key, reader))
        }
    }

    private func histogram(_ key: TableKey, _ reader: GridReader) throws -> CountHistogram {
        switch key.span {
        case .layer:
            return try reader.histogram(zoom: key.zoom, layer: key.layer)
        case .window(let window):
            return try sample(zoom: key.zoom, reader).histogram(question(layer: key.layer, window: window), reader)
        case .tracks(let tracks, let window):
            let question = CountQuery(window: window, layer: nil, filter: .tracks(tracks))
            return try TileSample(of: tracks, zoom: key.zoom, reader).histogram(question, reader)
        }
    }

    /// What counts in a layer and a window.
    func question(layer: UInt8, window: DayWindow) -> CountQuery {
        CountQuery(window: window, layer: layer, tracks: tracks)
    }

    /// The digest of what a picture in a layer reads of a tile; 0 for nothing. Names and tags are in no tile's own digest: for
    /// a layer of the operator's it is that of the layer's parts.
    func contentDigest(of tile: TileKey, layer: Layer, _ reader: GridReader) throws -> UInt64 {
        switch layer.kind {
        case .all, .activity, .inbox: try reader.contentDigest(of: tile)
        case .condition: try reader.contentDigest(of: tile, layer: layer.number, tracks: tracks)
        }
    }

    /// A window that no part of some tracks lies outside of: looked up once for all tiles of a view.
    func months(of tracks: TrackSet, _ reader: GridReader) throws -> DayWindow {
        if let known = monthsOfTracks.withLock({ $0[tracks] }) { return known }
        let months = try reader.months(of: tracks)
        monthsOfTracks.withLock { $0.keep(months, for: tracks, bytes: tracks.numbers.count * 8) }
        return months
    }

    /// Tiles that stand for a zoom level with a grid.
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

    /// The colours of all time made so far whose like would be another in `newer`.
    func changedTables(in newer: GridSnapshot, _ reader: GridReader) throws -> [TableKey] {
        try made.withLock { $0 }.compactMap { key, made in
            guard key.span == .layer else { return nil }
            let now = try newer.colors(made.look, key, reader)
            return now.digest == made.colors.digest ? nil : key
        }
    }
}
