import Text

/// What is stored in a list of its own beside a library: tokens, links.
public protocol StoredRecord: Codable, Equatable, Sendable {
    /// The name of the list in its JSON, and of its document in a database.
    static var listName: String { get }
    /// The name of its file, without its extension.
    static var fileName: String { get }

    /// The error of a list that cannot be read.
    static func damaged(_ place: String) -> any Error

    /// The first version of the format of lists that can have this record.
    var version: Int { get }
}

extension StoredRecord {
    public var version: Int { 1 }
}

/// A list that several processes may use: small, and separate from the tracks, so that a backup or a copy of the tracks does not
/// give access to them.
public protocol RecordStore<Record>: Sendable {
    associatedtype Record: StoredRecord

    /// The place of the list, named in error messages.
    var place: String { get }
    /// All records, the oldest first; empty if none was ever added.
    func all() throws -> [Record]
    /// Replaces the records by what `body` makes of them; durable on return. Other changes wait meanwhile.
    func change<Result>(_ body: (inout [Record]) throws -> Result) throws -> Result
    /// A value that changes with the stored records: cheap enough to be read several times a second.
    func revision() throws -> StoreRevision
    /// How long the records that were read last stay valid while the store fails: 0 if it may be the store that is wrong.
    var outageSeconds: Double { get }
}

extension RecordStore {
    public var outageSeconds: Double { 0 }
}

/// A state of a store; states are only compared.
public struct StoreRevision: Equatable, Sendable {
    private let text: String

    /// The state that a text identifies among the states of the same store.
    public init(_ text: String) {
        self.text = text
    }
}

/// Why a list cannot be changed.
public enum RecordListError: Error, Equatable, Sendable, CustomStringConvertible {
    /// Nothing can be added to it.
    case tooLong(_ place: String)

    public var description: String {
        switch self {
        case .tooLong(let place): "\(place): this list is full; remove entries that are not needed any more"
        }
    }
}

/// Lists of records as JSON: their version, and the records under their name.
enum RecordList<Record: StoredRecord> {
    private struct Content: Codable {
        var version: Int
        var records: [Record]

        private struct Key: CodingKey {
            var stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        private static var versionKey: Key { Key(stringValue: "version") }
        private static var listKey: Key { Key(stringValue: Record.listName) }

        init(_ records: [Record]) {
            version = records.map(\.version).max() ?? 1
            self.records = records
        }

        init(from decoder: any Decoder) throws {
            let container = try decoder.container(keyedBy: Key.self)
            version = try container.decode(Int.self, forKey: Self.versionKey)
            records = try container.decode([Record].self, forKey: Self.listKey)
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: Key.self)
            try container.encode(version, forKey: Self.versionKey)
            try container.encode(records, forKey: Self.listKey)
        }
    }

    private static var versions: ClosedRange<Int> { 1...2 }

    /// Throws if it is not a list of such records, or one of a newer version.
    static func records(_ bytes: [UInt8], _ place: String) throws -> [Record] {
        guard let content = JSONCoding.value(Content.self, from: bytes), versions.contains(content.version) else {
            throw Record.damaged(place)
        }
        return content.records
    }

    /// Throws if the list could not be read again.
    static func bytes(_ records: [Record], _ place: String) throws -> [UInt8] {
        let bytes = try JSONCoding.bytes(of: Content(records), isIndented: true)
        guard bytes.count <= byteLimit else { throw RecordListError.tooLong(place) }
        return bytes
    }

    /// Of a list; thousands of records need less than 1 MB.
    static var byteLimit: Int { 4 << 20 }
}
