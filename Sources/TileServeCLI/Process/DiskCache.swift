import Database
import Digest
import Files
import Foundation
import GridStorage
import PictureStore
import PrimaryStore
import TileDrawing
import TrackStore

/// The disk cache of tiles, which `prerender` fills and `serve` reads.
enum DiskCache {
    private static func path(in folder: String) -> String { folder + "/pictures.sqlite" }

    /// The cache of a library, which is created if it does not exist.
    static func open(_ library: Library) throws -> PictureCache {
        try inDatabase(library) ?? PictureCache(path: path(in: library.folder))
    }

    /// The cache of a library; nil if it does not exist.
    private static func ifExists(_ library: Library) throws -> PictureCache? {
        let path = path(in: library.folder)
        return try inDatabase(library) ?? (FileStatus.ifExists(of: path) == nil ? nil : PictureCache(path: path))
    }

    private static func inDatabase(_ library: Library) throws -> PictureCache? {
        let storage = library.database.storage
        return try TrackDatabase.mappingErrors(storage.name(of: .grid)) {
            try storage.pictureTables().map { PictureCache($0) }
        }
    }

    /// The bytes that the cache takes; 0 if there is none.
    static func byteCount(_ library: Library) throws -> Int {
        // A library that cannot be written to may have no tables for pictures.
        if !library.isReadOnly, let cache = try inDatabase(library) { return try cache.totals().bytes }
        let path = path(in: library.folder)
        return Int(["", "-wal"].compactMap { FileStatus.ifExists(of: path + $0)?.byteCount }.reduce(0, +))
    }

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
    static func drop(_ change: GridChange, of library: Library) throws {
        try ifExists(library)?.drop(change)
    }

    /// Removes the tiles of layers, if there is a cache.
    static func drop(layers: Set<String>, of library: Library) throws {
        try ifExists(library)?.drop { layers.contains($0.layer) }
    }
}
