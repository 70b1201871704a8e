import Files
import TileService
import TrackStore

/// The tiles on disk that `prerender` draws and `serve` answers from.
enum DiskCache {
    static func path(in folder: String) -> String { folder + "/pictures.sqlite" }

    /// Drops what may show a change, where there is a cache.
    static func drop(_ change: GridChange, in folder: String) throws {
        let path = path(in: folder)
        guard FileStatus.ifAny(of: path) != nil else { return }
        try PictureCache(path: path).drop(change)
    }

    /// Drops the pictures of layers, where there is a cache.
    static func drop(layers: Set<String>, in folder: String) throws {
        let path = path(in: folder)
        guard FileStatus.ifAny(of: path) != nil else { return }
        try PictureCache(path: path).drop { layers.contains($0.layer) }
    }
}
