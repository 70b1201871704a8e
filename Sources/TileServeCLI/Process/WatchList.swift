import Database
import Digest
import Files
import Locking
import Text

/// The files of watched folders that have been imported, and which process reads which folder.
///
/// The list is in the folder of the library, or in its database if processes share that. Then each folder is read by one
/// process at a time, that has a lease for it: folders with one path are taken for one folder, on a disk that the machines
/// share.
final class WatchList: Sendable {
    private let path: String
    private let shared: (any SharedDatabase)?
    private let leases = Locked<[String: any Lease]>([:])

    private static let document = "watched"

    /// The list of a library; `folder` is the folder of its files.
    init(in folder: String, shared: (any SharedDatabase)?) {
        path = folder + "/watched.json"
        self.shared = shared
    }

    /// The imported files, in the state in which they were read; empty if the list cannot be read, so that they are read a
    /// second time.
    func imported() -> [String: FileVersion] {
        let bytes: [UInt8]? =
            if let shared { try? shared.document(Self.document) } else { try? AtomicFile.read(path) }
        return bytes.flatMap { JSONCoding.value(from: $0) } ?? [:]
    }

    /// Adds imported files, and removes those that `isRemoved` accepts; returns the list.
    func change(
        adding files: [String: FileVersion], removing isRemoved: (String, FileVersion) -> Bool
    ) throws -> [String: FileVersion] {
        func changed(_ list: [String: FileVersion]) -> [String: FileVersion] {
            list.merging(files) { $1 }.filter { !isRemoved($0.key, $0.value) }
        }
        guard let shared else {
            let list = changed(imported())
            // If a power failure loses the list, the files are read again and reported as duplicates.
            try AtomicFile.write(JSONCoding.bytes(of: list), to: path, durability: .cached)
            return list
        }
        var list: [String: FileVersion] = [:]
        try shared.changeDocument(Self.document) { content in
            list = changed(content.flatMap { JSONCoding.value(from: $0) } ?? [:])
            content = try JSONCoding.bytes(of: list)
        }
        return list
    }

    /// Whether this process reads a folder: no other process does. `taken` is called when it begins to.
    func isOurs(_ folder: String, taken: () -> Void) throws -> Bool {
        guard let shared else { return true }
        if let known = leases.withLock({ $0[folder] }), !known.isLost { return true }
        let digest = ContentDigest(of: Array(folder.utf8)).description.prefix(32)
        let lease = try shared.lease("watching/\(digest)", value: 0)
        leases.withLock { $0[folder] = lease }
        if lease != nil { taken() }
        return lease != nil
    }

    /// Lets other processes read the folders.
    func release() {
        leases.withLock { $0 = [:] }
    }
}
