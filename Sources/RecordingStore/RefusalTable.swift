package import Database
internal import Digest
internal import PrimaryStore
internal import Text

/// The records of refusals of a library whose processes share a database: one document per device.
package struct RefusalTable: RefusalStore {
    private let shared: any SharedDatabase
    private static let prefix = "refused/"

    package init(_ shared: any SharedDatabase) {
        self.shared = shared
    }

    package func record(of device: String) throws -> RefusedRecord? {
        try mappingErrors { try shared.document(Self.name(of: device)).flatMap { JSONCoding.value(from: $0) } }
    }

    package func all() throws -> [RefusedRecord] {
        try mappingErrors { try shared.documents(withPrefix: Self.prefix).compactMap { JSONCoding.value(from: $0) } }
    }

    package func remove(device: String) throws -> Bool {
        try mappingErrors {
            var isFound = false
            try shared.changeDocument(Self.name(of: device)) { content in
                isFound = content != nil
                content = nil
            }
            return isFound
        }
    }

    package func change(
        device: String, limit: Int, orElse other: String, _ body: (inout RefusedRecord) -> Void
    ) throws {
        try mappingErrors {
            // Several processes may go beyond the limit by one record each.
            let isNew = try shared.documentRevision(Self.name(of: device)) == nil
            let owner = try isNew && shared.documentCount(withPrefix: Self.prefix) >= limit ? other : device
            try shared.changeDocument(Self.name(of: owner)) { content in
                let known = content.flatMap { JSONCoding.value(RefusedRecord.self, from: $0) }
                var record = known ?? RefusedRecord(device: owner)
                body(&record)
                content = try JSONCoding.bytes(of: record)
            }
        }
    }

    private func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        try TrackDatabase.mappingErrors(shared.name, body)
    }

    /// A device may have any name, of any length, so the document is named by a digest.
    private static func name(of device: String) -> String {
        prefix + ContentDigest(of: Array(device.utf8)).description.prefix(32)
    }
}
