import Files

/// A list in a file of the folder of a library.
public struct RecordFile<Record: StoredRecord>: RecordStore {
    public let path: String
    private let folder: String

    /// The list of the library in `folder`, which must exist.
    public init(folder: String) {
        self.folder = folder
        path = "\(folder)/\(Record.fileName).json"
    }

    public var place: String { path }

    /// All records, the oldest first; empty if there is no file. Throws `Record.damaged` or a `FileError`.
    public func all() throws -> [Record] {
        OwnerOnly.restrict(path)
        let bytes: [UInt8]?
        do throws(FileError) {
            bytes = try AtomicFile.read(path, limit: RecordList<Record>.byteLimit)
        } catch {
            if error.isMissing { return [] }
            throw error
        }
        guard let bytes else { throw Record.damaged(path) }
        return try RecordList.records(bytes, path)
    }

    public func change<Result>(_ body: (inout [Record]) throws -> Result) throws -> Result {
        let lock = try LockFile.wait(for: "\(folder)/\(Record.fileName).lock")
        defer { withExtendedLifetime(lock) {} }
        let before = try all()
        var records = before
        let result = try body(&records)
        guard records != before else { return result }
        try AtomicFile.write(RecordList.bytes(records, path), to: path)
        return result
    }

    public func revision() -> StoreRevision {
        guard let status = FileStatus.ifExists(of: path) else { return StoreRevision("") }
        let file = status.identity
        // A change makes a new file: its number is another one even where size and time are the same.
        return StoreRevision("\(file.device) \(file.number) \(status.byteCount) \(status.modifiedNanoseconds)")
    }
}
