import Files
import Styling
import TileService
import TrackStore

/// The styles of a command: those compiled in, and those of a folder.
enum StyleFolder {
    /// A style is a page of text; what is longer is none.
    private static let mostBytes = 1 << 20

    /// All styles; the problems of all files are told together.
    static func sheet(_ folder: String?) throws -> StyleSheet {
        guard let folder else { return .builtIn }
        var files: [(name: String, text: [UInt8])] = []
        for entry in try Folder.entries(of: folder) where entry.kind == .file && entry.path.hasSuffix(".json") {
            guard let text = try WholeFile.read(entry.path, limit: mostBytes) else {
                throw Failure(.badData, "\(entry.path): longer than \(Words.bytes(mostBytes)); a style is shorter")
            }
            files.append((entry.path.split(separator: "/").last.map(String.init) ?? entry.path, text))
        }
        return try StyleSheet(files: files)
    }
}

/// The tiles on disk that `prerender` draws and `serve` answers from.
enum DiskCache {
    static func path(in folder: String) -> String { folder + "/pictures.sqlite" }

    /// Drops what may show a change, where there is a cache.
    static func drop(_ change: GridChange?, in folder: String) throws {
        let path = path(in: folder)
        guard FileFacts.ifAny(of: path) != nil else { return }
        try PictureCache(path: path).drop(change)
    }
}
