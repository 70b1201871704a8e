import Digest
import HeatGrid
import Locking
import Styling
import TileMath
import TrackStore

/// The grid at one state, as far as drawing needs it beside the tiles: layers, and the colours of each zoom level.
final class Edition: Sendable {
    /// Which grid it is.
    let state: GridState
    /// The layers by name: 0 for `all`, else an activity's number.
    let layers: [String: UInt8]
    /// What the grid knows of its tracks.
    let tracks: GridTracks

    /// Whose colours a table holds.
    struct TableKey: Hashable {
        var style: ContentDigest
        var layer: UInt8
        var zoom: ZoomLevel

        /// The deepest level with a grid stands for deeper ones.
        init(_ style: Style, layer: UInt8, zoom: ZoomLevel) {
            self.style = style.digest
            self.layer = layer
            self.zoom = min(zoom, .deepestGrid)
        }
    }

    private let tables = Locked<[TableKey: (style: Style, table: ColorTable)]>([:])

    /// Reads what a snapshot of the grid says; nil where the grid was never made.
    init?(_ reader: GridReader) throws {
        guard let state = try reader.state() else { return nil }
        self.state = state
        tracks = try reader.tracks()
        var layers = [TileRequest.defaultLayer: UInt8(0)]
        // An activity called `all` has no layer of its own: the name is taken.
        for activity in try reader.activities() where activity.name != TileRequest.defaultLayer {
            layers[activity.name] = activity.number
        }
        self.layers = layers
    }

    /// The colours of a style and layer at a zoom level (the deepest with a grid for deeper ones); made once.
    func table(_ style: Style, layer: UInt8, zoom: ZoomLevel, _ reader: GridReader) throws -> ColorTable {
        let key = TableKey(style, layer: layer, zoom: zoom)
        if let known = tables.withLock({ $0[key] }) { return known.table }
        let table = ColorTable(style: style, histogram: try reader.histogram(zoom: key.zoom, layer: layer))
        tables.withLock { $0[key] = (style, table) }
        return table
    }

    /// The tables made so far whose like would be another in `newer`.
    func changedTables(in newer: Edition, _ reader: GridReader) throws -> [TableKey] {
        try tables.withLock { $0 }.compactMap { key, made in
            let now = try newer.table(made.style, layer: key.layer, zoom: key.zoom, reader)
            return now.digest == made.table.digest ? nil : key
        }
    }
}
