internal import CSQLite
internal import Database
internal import Digest

/// Maintains `row_sum`: for each block of rows, their number and the sum of their checksums, updated in the transaction
/// that changes the rows.
///
/// SQLite's preupdate hook reports every inserted, updated and deleted row, whatever the statement, so none is missed.
/// A change made to the file without this connection leaves sums that do not match. Belongs to one connection and is
/// used by one thread at a time. Safe: SQLite calls back only while this connection runs a statement, and the
/// connection keeps the object alive.
@safe
final class BlockChecksums {
    private struct BlockKey: Hashable {
        var table: Int
        var block: Int64
    }

    private let tables: [ChecksummedTable]
    private let seeds: [UInt64]
    private let indices: [String: Int]
    /// The changes of the current transaction.
    private var changes: [BlockKey: BlockChecksum] = [:]
    /// Whether the current transaction has inserted a row, which may have changed `sqlite_sequence`.
    private var hasInserted = false
    private var failure = SQLITE_OK
    private var hasTable = false

    init(_ tables: [ChecksummedTable]) {
        self.tables = tables
        seeds = tables.map { Self.seed(of: $0.name) }
        indices = Dictionary(uniqueKeysWithValues: tables.enumerated().map { ($1.name, $0) })
    }

    static func seed(of name: String) -> UInt64 {
        var checksum = Checksum64()
        for byte in name.utf8 { checksum.update(UInt64(byte)) }
        return checksum.value
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
                failure = status == SQLITE_OK ? SQLITE_NOMEM : status
                continue
            }
            if column == 0 { unsafe firstColumn = sqlite3_value_int64(found) }
            unsafe checksum.update(found)
        }
        return (tables[index].block(rowID: rowID) { firstColumn }, checksum.value)
    }

    // MARK: Writing

    /// Writes the changed sums, as the last step of a transaction.
    func write(_ connection: Connection) throws(StoreError) {
        guard hasChanges else { return }
        defer { discard() }
        guard failure == SQLITE_OK else {
            throw unsafe StoreError.latest(of: nil, status: failure, statement: nil)
        }
        guard try isReady(connection) else { return }
        let isPending = try isPending(connection)
        for (key, change) in changes {
            let values: [Value] = [.text(tables[key.table].name), .integer(key.block)]
            if isPending,
                try connection.number("SELECT rows FROM row_sum WHERE name = $1 AND block = $2", values) == nil
            {
                try sum(tables[key.table], key.block, connection)
                continue
            }
            try connection.run(
                """
                INSERT INTO row_sum VALUES ($1, $2, $3, $4) ON CONFLICT DO UPDATE
                SET rows = rows + excluded.rows, sum = (sum + excluded.sum) & \(BlockChecksum.mask)
                """, values + [.integer(change.rows), .integer(change.sum)])
            guard change.rows <= 0 else { continue }
            try connection.run("DELETE FROM row_sum WHERE name = $1 AND block = $2 AND rows = 0", values)
        }
        // The preupdate hook does not report changes of this internal table.
        if hasInserted || isPending, let sequence = tables.first(where: { $0.name == Self.sequence }) {
            try sum(sequence, 0, connection)
        }
    }

    private static let sequence = "sqlite_sequence"

    /// Sums blocks that have no sum yet, from this position until `shouldStop` returns true. Returns the position at which
    /// to continue, nil at the end.
    func fill(
        from start: ChecksumPosition, _ connection: Connection, until shouldStop: () -> Bool
    ) throws(StoreError) -> ChecksumPosition? {
        guard try isReady(connection), try isPending(connection) else { return nil }
        var next = start
        while next.table < tables.count {
            guard !shouldStop() else { return next }
            let table = tables[next.table]
            guard let block = try connection.firstBlock(of: table, from: next.block) else {
                next = ChecksumPosition(table: next.table + 1, block: .min)
                continue
            }
            let known = try connection.number(
                "SELECT rows FROM row_sum WHERE name = $1 AND block = $2", [.text(table.name), .integer(block)])
            if known == nil { try sum(table, block, connection) }
            let isLast = block == .max || table.blocks == .one
            next =
                isLast
                ? ChecksumPosition(table: next.table + 1, block: .min)
                : ChecksumPosition(table: next.table, block: block + 1)
        }
        try connection.run("DELETE FROM row_sum WHERE name = ''", [])
        return nil
    }

    /// Computes and stores the sum of a block.
    private func sum(_ table: ChecksummedTable, _ block: Int64, _ connection: Connection) throws(StoreError) {
        guard let found = try connection.rowSums(of: table, within: block...block).first?.sum else {
            return try connection.run(
                "DELETE FROM row_sum WHERE name = $1 AND block = $2", [.text(table.name), .integer(block)])
        }
        try connection.run(
            "INSERT OR REPLACE INTO row_sum VALUES ($1, $2, $3, $4)",
            [.text(table.name), .integer(block), .integer(found.rows), .integer(found.sum)])
    }

    /// Whether the table exists: libraries of older versions get it during an upgrade.
    private func isReady(_ connection: Connection) throws(StoreError) -> Bool {
        if !hasTable {
            hasTable = try connection.number("SELECT 1 FROM sqlite_schema WHERE name = 'row_sum'", []) != nil
        }
        return hasTable
    }

    private func isPending(_ connection: Connection) throws(StoreError) -> Bool {
        try connection.number("SELECT 1 FROM row_sum WHERE name = ''", []) != nil
    }
}

/// The checksum of a row's values and their types. Trailing NULLs are ignored, so that a new column changes no
/// checksum.
struct RowChecksum {
    private var checksum: Checksum64
    private var nulls: UInt64 = 0

    init(seed: UInt64) {
        checksum = Checksum64(seed: seed)
    }

    mutating func update(_ value: OpaquePointer) {
        switch unsafe sqlite3_value_type(value) {
        case SQLITE_NULL: nulls += 1
        case SQLITE_INTEGER: update(unsafe sqlite3_value_int64(value))
        case SQLITE_FLOAT:
            let number = unsafe sqlite3_value_double(value)
            // SQLite stores whole numbers of REAL columns as integers, and may report either type.
            if let whole = Int64(exactly: number) { return update(whole) }
            begin(SQLITE_FLOAT)
            checksum.update(number.bitPattern)
        case SQLITE_TEXT:
            begin(SQLITE_TEXT)
            let start = unsafe sqlite3_value_text(value)
            unsafe checksum.update(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        default:
            begin(SQLITE_BLOB)
            let start = unsafe sqlite3_value_blob(value)
            unsafe checksum.update(UnsafeRawBufferPointer(start: start, count: Int(sqlite3_value_bytes(value))))
        }
    }

    private mutating func update(_ number: Int64) {
        begin(SQLITE_INTEGER)
        checksum.update(UInt64(bitPattern: number))
    }

    private mutating func begin(_ type: Int32) {
        checksum.update(nulls << 8 | UInt64(type))
        nulls = 0
    }

    var value: UInt64 { checksum.value }
}

extension Statement {
    /// The checksum of the row's columns from `first` on.
    func checksum(seed: UInt64, from first: Int32) -> UInt64 {
        var checksum = RowChecksum(seed: seed)
        for column in first..<Int32(columnCount) {
            guard let value = unsafe sqlite3_column_value(handle, column) else { continue }
            unsafe checksum.update(value)
        }
        return checksum.value
    }
}

extension Connection {
    /// The first block of a table at or after `block`; nil if there is none.
    fileprivate func firstBlock(of table: ChecksummedTable, from block: Int64) throws(StoreError) -> Int64? {
        let (key, shift): (String, Int64)
        switch table.blocks {
        case .one: return try number("SELECT 0 FROM \(table.name) LIMIT 1", [])
        case .column(let column): (key, shift) = (column, 0)
        case .rowID(let bits): (key, shift) = ("rowid", bits)
        }
        let first = block == .min ? block : block << shift
        return try number(
            "SELECT \(key) >> \(shift) FROM \(table.name) WHERE \(key) >= $1 ORDER BY \(key) LIMIT 1", [.integer(first)]
        )
    }
}
