import Replay
import Text
package import TileMath

/// Which tiles may be drawn differently after a change of the library or of the styles.
package struct TilesChange: Sendable {
    /// The new revision, which `?v=` names.
    var revision: String
    /// For each zoom level with a grid, the Morton codes of the tiles touched; nil if any tile may have changed.
    var touched: [[UInt64]]?
    /// For each of these zoom levels, the tiles whose descendants may all have changed, because of long steps.
    var touchedBelow = [[UInt64]](repeating: [], count: ZoomLevel.deepestGrid.number + 1)
    /// The zoom levels at which the colours of counts have changed everywhere.
    var recoloured: Set<ZoomLevel> = []

    /// A change after which every tile may be drawn differently.
    package init(revision: String) {
        self.revision = revision
    }

    /// A change of the grid; `tiles` are packed keys.
    package init(revision: String, tiles: Set<UInt64>?, recoloured: Set<ZoomLevel>) {
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

    /// Whether no tile has changed.
    var hasNoChanges: Bool { recoloured.isEmpty && touched.map { ($0 + touchedBelow).allSatisfy(\.isEmpty) } ?? false }
}

/// Collects the changes at one zoom level that a reader has not received yet, within a limit of named tiles.
struct ChangedTilesFeed: Sendable {
    private let zoom: ZoomLevel
    private var revision: String?
    /// nil if any tile may have changed.
    private var cover: TileCover?

    /// Limit of tiles named in one event: some kilobytes. More are replaced by their ancestors at a coarser zoom level.
    private static let maxTiles = 512

    /// No changes yet; zoom levels deeper than the deepest grid use its tiles.
    init(zoom: ZoomLevel) {
        self.zoom = min(zoom, .deepestGrid)
        cover = TileCover(zoom: self.zoom, limit: Self.maxTiles)
    }

    /// Adds a change.
    mutating func add(_ change: TilesChange) {
        revision = change.revision
        if change.recoloured.contains(zoom) { cover = nil }
        guard let touched = change.touched else { return cover = nil }
        cover?.insert(touched[zoom.number], of: zoom)
        for (number, codes) in change.touchedBelow.prefix(zoom.number).enumerated() where !codes.isEmpty {
            if let level = ZoomLevel(number) { cover?.insert(codes, of: level) }
        }
    }

    /// The event, without an id, for all collected changes, which are then cleared; nil if there are none.
    mutating func takeEvent() -> [UInt8]? {
        guard let revision else { return nil }
        defer { self = ChangedTilesFeed(zoom: zoom) }
        var json = JSONWriter()
        json.raw("event: tiles\ndata: {\"rev\":")
        json.add(revision)
        if let cover {
            json.raw(",")
            json.add(members: cover)
        } else {
            json.raw(",\"all\":true")
        }
        json.raw("}\n\n")
        return json.bytes
    }
}
