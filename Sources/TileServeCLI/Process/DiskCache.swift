import Digest
import Files
import Foundation
import GridStorage
import PictureStore
import TileDrawing

/// The disk cache of tiles, which `prerender` fills and `serve` reads.
enum DiskCache {
    static func path(in folder: String) -> String { folder + "/pictures.sqlite" }

    /// The index of tiles written to an output folder: in the library, because the output folder may be published.
    static func indexPath(ofOutput output: String, in folder: String) throws -> String {
        let indexes = folder + "/prerendered"
        try Folder.make(indexes, access: .owner)
        let path = URL(fileURLWithPath: output).resolvingSymlinksInPath().path
        return "\(indexes)/\(ContentDigest(of: Array(path.utf8)).description.prefix(digestLength)).sqlite"
    }

    /// 64 bits: enough to distinguish the folders of one library.
    private static let digestLength = 16

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
