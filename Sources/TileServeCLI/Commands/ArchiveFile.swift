import Files
import Styling
import TileArchive
import TileService

/// An archive that `serve` is to give back: a name for its tiles, and a file.
struct ArchiveFile: Equatable {
    let name: String
    let path: String

    /// Parses `[NAME=]FILE`; nil if that has no name for tiles. Without a name it is that of the file, in lower case and
    /// without its ending.
    init?(_ text: String) {
        if let equals = text.firstIndex(of: "="), !text[..<equals].contains("/") {
            name = String(text[..<equals])
            path = String(text[text.index(after: equals)...])
        } else {
            path = text
            let file = text[(text.lastIndex(of: "/").map(text.index(after:)) ?? text.startIndex)...]
            name = file[..<(file.lastIndex(of: ".") ?? file.endIndex)].lowercased()
        }
        guard Style.isName(name), !path.isEmpty else { return nil }
    }

    /// Opens all archives. A name that others have is an error, as is a file that cannot be read.
    static func opened(_ files: [ArchiveFile], besides styles: StyleSheet) throws -> [ServedArchive] {
        var names: Set<String> = []
        return try files.map { file in
            if styles[file.name] != nil || StyleSheet.reservedNames.contains(file.name) {
                throw file.taken("a style")
            }
            guard names.insert(file.name).inserted else { throw file.taken("another archive") }
            return try file.open()
        }
    }

    /// Opens the archive. Its size and the time of its last change tell it from later ones of its name.
    func open() throws -> ServedArchive {
        let reader = try TileArchives.open(path)
        let status = FileStatus.ifExists(of: path)
        return ServedArchive(
            name: name, reader: reader, stamp: status.map { "\($0.byteCount) \($0.modifiedNanoseconds)" } ?? "")
    }

    private func taken(_ owner: String) -> Failure {
        Failure(
            .usage,
            "tileserve serve: \(owner) is called '\(name)'; give the archive another name, as in --archive map=\(FileName.shown(path))"
        )
    }
}
