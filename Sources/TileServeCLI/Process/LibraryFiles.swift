import Files
import PictureStore
import TileDrawing
import TileService
import TrackStore

/// The disk cache of tiles, which `prerender` fills and `serve` reads.
enum DiskCache {
    static func path(in folder: String) -> String { folder + "/pictures.sqlite" }

    /// Removes the tiles that a change affects, if there is a cache.
    static func drop(_ change: GridChange, in folder: String) throws {
        let path = path(in: folder)
        guard FileStatus.ifExists(of: path) != nil else { return }
        try PictureCache(path: path).drop(change)
    }

    /// Removes the tiles of layers, if there is a cache.
    static func drop(layers: Set<String>, in folder: String) throws {
        let path = path(in: folder)
        guard FileStatus.ifExists(of: path) != nil else { return }
        try PictureCache(path: path).drop { layers.contains($0.layer) }
    }
}
