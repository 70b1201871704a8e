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

    private struct TableKey: Hashable {
        var style: String
        var layer: UInt8
        var zoom: ZoomLevel
    }

    private let tables = Locked<[TableKey: ColorTable]>([:])

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
        let level = min(zoom, .deepestGrid)
        let key = TableKey(style: style.name, layer: layer, zoom: level)
        if let known = tables.withLock({ $0[key] }) { return known }
        let table = ColorTable(style: style, histogram: try reader.histogram(zoom: level, layer: layer))
        tables.withLock { $0[key] = table }
        return table
    }

    /// The tables made so far whose like would be another in `newer`: by style, layer and zoom level.
    func changedTables(
        in newer: Edition, _ reader: GridReader, styles: StyleSheet
    ) throws -> [(style: String, layer: UInt8, zoom: ZoomLevel)] {
        var changed: [(style: String, layer: UInt8, zoom: ZoomLevel)] = []
        for (key, table) in tables.withLock({ $0 }) {
            guard let style = styles[key.style] else { continue }
            let now = try newer.table(style, layer: key.layer, zoom: key.zoom, reader)
            if now.digest != table.digest { changed.append((key.style, key.layer, key.zoom)) }
        }
        return changed
    }
}
