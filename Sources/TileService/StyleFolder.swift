import Files
package import Styling

/// A folder of style files, read again when one of them changes.
package struct StyleFolder: Sendable {
    /// The built-in styles, and those of the folder when it was last valid.
    package private(set) var styleSheet: StyleSheet

    private let path: String
    private var fingerprints: [Fingerprint]

    /// The attributes by which a changed file is detected.
    private struct Fingerprint: Equatable {
        var path: String
        var identity: FileStatus.Identity
        var byteCount: Int64
        var modifiedNanoseconds: Int64
    }

    /// A style is a page of text; a longer file is not a style.
    private static let maxBytes = 1 << 20

    /// Reads the `*.json` files of a folder; throws the problems of all files together (`StyleError`).
    package init(path: String) throws {
        self.path = path
        // The attributes are read before the files: a change in between is detected by the next refresh.
        fingerprints = try Self.fingerprints(path)
        styleSheet = try Self.styleSheet(fingerprints)
    }

    /// Checks whether a file was added, removed or changed; true if the styles have changed.
    ///
    /// Problems are thrown once for each change, and the styles stay as they were. Costs a listing of the folder.
    package mutating func refresh() throws -> Bool {
        let now = try Self.fingerprints(path)
        guard now != fingerprints else { return false }
        fingerprints = now
        styleSheet = try Self.styleSheet(now)
        return true
    }

    private static func fingerprints(_ path: String) throws -> [Fingerprint] {
        var fingerprints: [Fingerprint] = []
        for entry in try Folder.entries(of: path) where entry.kind == .file && entry.path.hasSuffix(".json") {
            // It was removed after the folder was listed.
            guard let facts = FileStatus.ifExists(of: entry.path) else { continue }
            fingerprints.append(
                Fingerprint(
                    path: entry.path, identity: facts.identity, byteCount: facts.byteCount,
                    modifiedNanoseconds: facts.modifiedNanoseconds))
        }
        return fingerprints.sorted { $0.path < $1.path }
    }

    private static func styleSheet(_ fingerprints: [Fingerprint]) throws -> StyleSheet {
        var files: [(name: String, text: [UInt8])] = []
        for fingerprint in fingerprints {
            let name = fingerprint.path.split(separator: "/").last.map(String.init) ?? fingerprint.path
            guard let text = try AtomicFile.read(fingerprint.path, limit: maxBytes) else {
                throw StyleError(
                    file: name, what: "it is longer than \(maxBytes) bytes", remedy: "a style is a page of text")
            }
            files.append((name, text))
        }
        return try StyleSheet(files: files)
    }
}
