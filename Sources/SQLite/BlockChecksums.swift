internal import CSQLite
internal import Database
internal import Digest

/// Collects the changes of `row_sum`: for each block of rows, their number and the sum of their checksums, written in the
/// transaction that changes the rows (`RowSums.swift`).
///
/// SQLite's preupdate hook reports every inserted, updated and deleted row, whatever the statement, so none is missed.
/// A change made to the file without this connection leaves sums that do not match. Belongs to one connection and is
/// used by one thread at a time. Safe: SQLite calls back only while this connection runs a statement, and the
/// connection keeps the object alive.
@safe
final class BlockChecksums {
    /// A block of one of `tables`.
    struct BlockKey: Hashable {
        var table: Int
        var block: Int64
    }

    let tables: [ChecksummedTable]
    private let seeds: [UInt64]
    private let indices: [String: Int]
    /// The changes of the current transaction.
    private(set) var changes: [BlockKey: BlockChecksum] = [:]
    /// Whether the current transaction has inserted a row, which may have changed `sqlite_sequence`.
    private(set) var hasInserted = false
    private var failure = SQLITE_OK

    init(_ tables: [ChecksummedTable]) {
        self.tables = tables
        seeds = tables.map { Self.seed(of: $0.name) }
        indices = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.name, $0) })
    }

    /// The start of a table's checksums: equal rows of two tables have different ones.
    static func seed(of name: String) -> UInt64 {
        var checksum = Checksum64()
        for byte in name.utf8 { checksum.update(UInt64(byte)) }
        return checksum.value
    }

    /// Throws if a change of the current transaction could not be recorded.
    func check() throws(StoreError) {
        guard failure == SQLITE_OK else {
            throw unsafe StoreError.latest(of: nil, status: failure, statement: nil)
        }
    }

    var hasChanges: Bool { !changes.isEmpty || failure != SQLITE_OK }

    /// Discards the current transaction's changes to tables that are emptied.
    func discard(tables names: [String]) {
        let emptied = Set(names.compactMap { indices[$0] })
        changes = changes.filter { !emptied.contains($0.key.table) }
    }

    func discard() {
        changes.removeAll(keepingCapacity: true)
        hasInserted = false
        failure = SQLITE_OK
    }

    // MARK: Called by SQLite

    func listen(to database: OpaquePointer) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe sqlite3_preupdate_hook(
            database,
            { context, database, operation, schema, table, before, after in
                // Attached and temporary databases have no sums: `row_sum` is a table of the main one.
                guard let context = unsafe context, let database = unsafe database, let table = unsafe table,
                    let schema = unsafe schema, unsafe String(cString: schema) == "main"
                else { return }
                let sums = unsafe Unmanaged<BlockChecksums>.fromOpaque(context).takeUnretainedValue()
                unsafe sums.recordChange(operation, in: String(cString: table), rowIDs: (before, after), database)
            }, context)
    }

    static func stopListening(to database: OpaquePointer) {
        unsafe sqlite3_preupdate_hook(database, nil, nil)
    }

    private func recordChange(_ operation: Int32, in name: String, rowIDs: (Int64, Int64), _ database: OpaquePointer) {
        guard let index = indices[name] else { return }
        hasInserted = hasInserted || operation == SQLITE_INSERT
        let count = unsafe sqlite3_preupdate_count(database)
        if operation != SQLITE_INSERT {
            let (block, checksum) = unsafe row(index, count, rowID: rowIDs.0) {
                unsafe sqlite3_preupdate_old(database, $0, $1)
            }
            changes[BlockKey(table: index, block: block), default: BlockChecksum()].subtract(checksum)
        }
        if operation != SQLITE_DELETE {
            let (block, checksum) = unsafe row(index, count, rowID: rowIDs.1) {
                unsafe sqlite3_preupdate_new(database, $0, $1)
            }
            changes[BlockKey(table: index, block: block), default: BlockChecksum()].add(checksum)
        }
    }

    private func row(
        _ index: Int, _ count: Int32, rowID: Int64,
        _ value: (Int32, UnsafeMutablePointer<OpaquePointer?>) -> Int32
    ) -> (block: Int64, checksum: UInt64) {
        var firstColumn: Int64 = 0
        var checksum = RowChecksum(seed: seeds[index])
        for column in 0..<count {
            var found: OpaquePointer?
            let status = unsafe value(column, &found)
            guard status == SQLITE_OK, let found = unsafe found else {
                // The hook cannot make a statement fail, so the failure is kept for `check`, which ends the
                // transaction.
                failure = status == SQLITE_OK ? SQLITE_NOMEM : status
                continue
            }
            if column == 0 { unsafe firstColumn = sqlite3_value_int64(found) }
            unsafe checksum.update(found)
        }
        return (tables[index].block(rowID: rowID) { firstColumn }, checksum.value)
    }
}
