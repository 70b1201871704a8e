import Files
package import Styling

/// A folder of style files, which is read again where one of them has changed.
package struct StyleFolder: Sendable {
    /// The styles compiled in, and those of the folder when it was well last.
    package private(set) var sheet: StyleSheet

    private let path: String
    private var marks: [Mark]

    /// By what a file that has changed is known.
    private struct Mark: Equatable {
        var path: String
        var identity: FileStatus.Identity
        var byteCount: Int64
        var modifiedNanoseconds: Int64
    }

    /// A style is a page of text; what is longer is none.
    private static let mostBytes = 1 << 20

    /// Reads the `*.json` of a folder; the problems of all files are told together (`StyleError`).
    package init(path: String) throws {
        self.path = path
        // Looked at before it is read: what changes meanwhile is seen to be new at the next look.
        marks = try Self.marks(path)
        sheet = try Self.sheet(marks)
    }

    /// Looks whether a file has come, gone or changed; true where there are other styles now.
    ///
    /// Problems are thrown once for each change, and leave the styles as they were. Costs a listing of the folder.
    package mutating func refresh() throws -> Bool {
        let now = try Self.marks(path)
        guard now != marks else { return false }
        marks = now
        sheet = try Self.sheet(now)
        return true
    }

    private static func marks(_ path: String) throws -> [Mark] {
        var marks: [Mark] = []
        for entry in try Folder.entries(of: path) where entry.kind == .file && entry.path.hasSuffix(".json") {
            // One that has gone since the folder was listed is none.
            guard let facts = FileStatus.ifAny(of: entry.path) else { continue }
            marks.append(
                Mark(
                    path: entry.path, identity: facts.identity, byteCount: facts.byteCount,
                    modifiedNanoseconds: facts.modifiedNanoseconds))
        }
        return marks.sorted { $0.path < $1.path }
    }

    private static func sheet(_ marks: [Mark]) throws -> StyleSheet {
        var files: [(name: String, text: [UInt8])] = []
        for mark in marks {
            let name = mark.path.split(separator: "/").last.map(String.init) ?? mark.path
            guard let text = try AtomicFile.read(mark.path, limit: mostBytes) else {
                throw StyleError(
                    file: name, what: "it is longer than \(mostBytes) bytes", remedy: "a style is a page of text")
            }
            files.append((name, text))
        }
        return try StyleSheet(files: files)
    }
}
