internal import Digest
internal import Files
internal import PrimaryStore
internal import Text

/// The records of refusals in the folder `LIBRARY/recording/refused`: one JSON file per device.
package struct RefusalFolder: RefusalStore {
    private let folder: String
    private static let suffix = ".json"
    private static let name = RecordingFolder.name + "/refused"

    /// The records of the library in a folder.
    package init(library: String) {
        folder = library + "/" + Self.name
    }

    /// The files of the records, with their names in the folder of the library.
    package static func files(ofLibrary library: String) throws -> [(name: String, path: String)] {
        guard FileStatus.ifExists(of: library + "/" + name) != nil else { return [] }
        return try LibraryError.mappingFiles {
            try Folder.entries(of: library + "/" + name).filter { $0.path.hasSuffix(suffix) }.map { entry in
                (String(entry.path.dropFirst(library.count + 1)), entry.path)
            }
        }
    }

    package func record(of device: String) throws -> RefusedRecord? {
        try LibraryError.mappingFiles { try read(path(of: device)) }
    }

    package func all() throws -> [RefusedRecord] {
        guard FileStatus.ifExists(of: folder) != nil else { return [] }
        return try LibraryError.mappingFiles {
            try Folder.entries(of: folder).filter { $0.path.hasSuffix(Self.suffix) }.compactMap { try read($0.path) }
        }
    }

    package func remove(device: String) throws -> Bool {
        try LibraryError.mappingFiles {
            guard FileStatus.ifExists(of: path(of: device)) != nil else { return false }
            return try locked { try AtomicFile.remove(path(of: device)) }
        }
    }

    package func change(
        device: String, limit: Int, orElse shared: String, _ body: (inout RefusedRecord) -> Void
    ) throws {
        try LibraryError.mappingFiles {
            try Folder.make(folder, access: .owner)
            try locked {
                let isNew = FileStatus.ifExists(of: path(of: device)) == nil
                let name = try isNew && countRecords() >= limit ? shared : device
                var record = try read(path(of: name)) ?? RefusedRecord(device: name)
                body(&record)
                try AtomicFile.write(JSONCoding.bytes(of: record), to: path(of: name))
            }
        }
    }

    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        let lock = try LockFile.wait(for: folder + "/lock")
        return try withExtendedLifetime(lock) { try body() }
    }

    private func countRecords() throws -> Int {
        try Folder.entries(of: folder).count { $0.path.hasSuffix(Self.suffix) }
    }

    /// nil if there is no record, or it cannot be read.
    private func read(_ path: String) throws -> RefusedRecord? {
        guard FileStatus.ifExists(of: path) != nil, let bytes = try AtomicFile.read(path) else { return nil }
        return JSONCoding.value(from: bytes)
    }

    private func path(of device: String) -> String {
        // A device may have any name, of any length, so the file is named by a digest.
        folder + "/" + String(ContentDigest(of: Array(device.utf8)).description.prefix(32)) + Self.suffix
    }
}
