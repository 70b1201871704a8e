import Locking
import Styling
import TileMath
import TileRendering
import TrackStore

extension Atlas {
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
                    let look = style.heat, tables.contains(request.tableKey(look, layer: layer.number))
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
}
