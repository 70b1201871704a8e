public import Database

/// A list of a library whose processes share a database, in a document of it.
public struct RecordTable<Record: StoredRecord>: RecordStore {
    private let shared: any SharedDatabase
    private let revisions = ObservedAnswer<Int64?, ContinuousClock.Instant>(.document)

    /// The list of the library of this database, whose tables need not exist yet.
    public init(_ shared: any SharedDatabase) {
        self.shared = shared
    }

    public var place: String { shared.name }

    /// While the server cannot be reached, nothing that it has is served either, after this time.
    public var outageSeconds: Double { Double(LeaseTerms.certainSeconds) }

    public func all() throws -> [Record] {
        guard let bytes = try shared.document(Record.listName) else { return [] }
        return try RecordList.records(bytes, place)
    }

    public func change<Result>(_ body: (inout [Record]) throws -> Result) throws -> Result {
        var result: Result?
        try shared.changeDocument(Record.listName) { content in
            let before: [Record] = try content.map { try RecordList.records($0, place) } ?? []
            var after = before
            result = try body(&after)
            guard after != before else { return }
            content = try RecordList.bytes(after, place)
        }
        revisions.forget()
        guard let result else { preconditionFailure("a document was not changed") }
        return result
    }

    public func revision() throws -> StoreRevision {
        let number = try revisions.answer(shared, now: .now) { try shared.documentRevision(Record.listName) }
        return StoreRevision(number.map { "\($0)" } ?? "")
    }
}
