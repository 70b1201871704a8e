package import PictureStore
import TileMath
import TileRendering
package import TrackStore

extension PictureKey {
    /// The request that the picture answers.
    var request: TileRequest { TileRequest(style: style, layer: layer, tile: tile, scale: scale) }
}

extension TileRequest {
    /// The key of its picture in the cache; nil for what is drawn as it is asked for: windows, single tracks, other ramps.
    var pictureKey: PictureKey? {
        isPlain ? PictureKey(style: style, layer: layer, tile: tile, scale: scale) : nil
    }
}

extension PictureCache {
    /// Drops every picture that may show a change of the grid, which has been applied, and erases it from the file;
    /// all pictures where the change has no list of tiles. Pictures drawn before the call cannot be kept any more.
    package func drop(_ change: GridChange) throws {
        let touched = change.tiles.map { Set($0) }
        let hasLongSteps = touched.map { TouchedTiles.haveLongSteps($0) } ?? false
        try dropEndingGeneration { key in
            guard let touched else { return true }
            let request = key.request
            // Which styles draw lines is not known here.
            if hasLongSteps, TouchedTiles.haveLongSteps(above: request.lineLayout.sourceTile, touched) { return true }
            return request.tilesWithinReach.contains { TileKey($0).map { touched.contains($0.packed) } ?? true }
        }
    }
}
