import Replay
import TileMath

/// Which tiles are others since a change of the library or of the styles.
struct TilesChange: Sendable {
    /// What `?v=` names from now on.
    var revision: String
    /// For each zoom level with a grid the tiles touched, on its Morton curve; nil where any tile may have been.
    var touched: [[UInt64]]?
    /// For each of these zoom levels the tiles of which all deeper ones may be others, as long steps are.
    var touchedBelow = [[UInt64]](repeating: [], count: ZoomLevel.deepestGrid.number + 1)
    /// The zoom levels on which counts have got other colours, everywhere.
    var recoloured: Set<ZoomLevel> = []

    /// A change after which every tile may be another.
    init(revision: String) {
        self.revision = revision
    }

    /// A change of the grid; `tiles` are packed keys.
    init(revision: String, tiles: Set<UInt64>?, recoloured: Set<ZoomLevel>) {
        self.revision = revision
        self.recoloured = recoloured
        guard let tiles else { return }
        var levels = [[UInt64]](repeating: [], count: ZoomLevel.deepestGrid.number + 1)
        for packed in tiles {
            if let key = TileKey(packed: packed) {
                levels[key.zoom].append(key.morton)
            } else if let key = TileKey(packedLongSteps: packed) {
                touchedBelow[key.zoom].append(key.morton)
            }
        }
        touched = levels
    }

    /// Whether no tile is another.
    var isNothing: Bool { recoloured.isEmpty && touched.map { ($0 + touchedBelow).allSatisfy(\.isEmpty) } ?? false }
}

/// Changes that a reader has not been told of, of a zoom level; as far as the bound on named tiles goes.
struct ChangedTilesFeed: Sendable {
    private let zoom: ZoomLevel
    private var revision: String?
    /// nil where any tile may be another.
    private var patch: TileCover?

    /// Tiles named at most: some kilobytes. More are told by those of a coarser zoom level which hold them.
    private static let mostTiles = 512

    /// Nothing yet; a zoom level below the grid's deepest is told by the tiles of that.
    init(zoom: ZoomLevel) {
        self.zoom = min(zoom, .deepestGrid)
        patch = TileCover(zoom: self.zoom, most: Self.mostTiles)
    }

    /// Notes a change.
    mutating func add(_ change: TilesChange) {
        revision = change.revision
        if change.recoloured.contains(zoom) { patch = nil }
        guard let touched = change.touched else { return patch = nil }
        patch?.insert(touched[zoom.number], of: zoom)
        for (number, codes) in change.touchedBelow.prefix(zoom.number).enumerated() where !codes.isEmpty {
            if let level = ZoomLevel(number) { patch?.insert(codes, of: level) }
        }
    }

    /// The event that tells of all changes noted, without an id; nil where there are none. They are forgotten.
    mutating func takeEvent() -> [UInt8]? {
        guard let revision else { return nil }
        defer { self = ChangedTilesFeed(zoom: zoom) }
        var json = JSONBytes()
        json.raw("event: tiles\ndata: {\"rev\":")
        json.add(revision)
        if let patch {
            json.raw(",")
            json.add(members: patch)
        } else {
            json.raw(",\"all\":true")
        }
        json.raw("}\n\n")
        return json.bytes
    }
}
