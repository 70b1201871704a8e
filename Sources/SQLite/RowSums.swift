public import Database

/// Writes and checks the sums of `row_sum`.
extension Connection {
    /// Writes the changed sums, as the last step of a transaction.
    func write(_ sums: BlockChecksums) throws(StoreError) {
        guard sums.hasChanges else { return }
        defer { sums.discard() }
        try sums.check()
        guard try hasRowSums() else { return }
        let isPending = try areSumsPending()
        let tables = sums.tables
        for (key, change) in sums.changes {
            let values: [Value] = [.text(tables[key.table].name), .integer(key.block)]
            // A block without a sum has not been summed yet: a difference is of no use, and the rows are read instead.
            if isPending,
                try number("SELECT rows FROM row_sum WHERE name = $1 AND block = $2", values) == nil
            {
                try sum(tables[key.table], key.block)
                continue
            }
            try run(
                """
                INSERT INTO row_sum VALUES ($1, $2, $3, $4) ON CONFLICT DO UPDATE
                SET rows = rows + excluded.rows, sum = (sum + excluded.sum) & \(BlockChecksum.mask)
                """, values + [.integer(change.rows), .integer(change.sum)])
            // A block without rows has no sum: `verify` reports a sum that no row belongs to.
            guard change.rows <= 0 else { continue }
            try run("DELETE FROM row_sum WHERE name = $1 AND block = $2 AND rows = 0", values)
        }
        // The preupdate hook does not report changes of this internal table.
        if sums.hasInserted || isPending, let sequence = tables.first(where: { $0.name == Self.sequence }) {
            try sum(sequence, 0)
        }
    }

    private static let sequence = "sqlite_sequence"

    /// Sets the highest numbers that were given in tables with AUTOINCREMENT, within a transaction.
    public func setHighestNumbers(_ numbers: [String: Int64]) throws(StoreError) {
        try run("DELETE FROM sqlite_sequence", [])
        for (name, number) in numbers.sorted(by: { $0.key < $1.key }) {
            try run("INSERT INTO sqlite_sequence (name, seq) VALUES ($1, $2)", [.text(name), .integer(number)])
        }
        if let table = rowSums?.tables.first(where: { $0.name == Self.sequence }) { try sum(table, 0) }
    }

    /// Sums blocks that have no sum yet, from this position until `shouldStop` returns true. Returns the position at which
    /// to continue, nil at the end.
    func fill(
        _ sums: BlockChecksums, from start: ChecksumPosition, until shouldStop: () -> Bool
    ) throws(StoreError) -> ChecksumPosition? {
        guard try hasRowSums(), try areSumsPending() else { return nil }
        let tables = sums.tables
        var next = start
        while next.table < tables.count {
            guard !shouldStop() else { return next }
            let table = tables[next.table]
            guard let block = try firstBlock(of: table, from: next.block) else {
                next = ChecksumPosition(table: next.table + 1, block: .min)
                continue
            }
            let known = try number(
                "SELECT rows FROM row_sum WHERE name = $1 AND block = $2", [.text(table.name), .integer(block)])
            if known == nil { try sum(table, block) }
            let isLast = block == .max || table.blocks == .one
            next =
                isLast
                ? ChecksumPosition(table: next.table + 1, block: .min)
                : ChecksumPosition(table: next.table, block: block + 1)
        }
        try run("DELETE FROM row_sum WHERE name = ''", [])
        return nil
    }

    /// Computes and stores the sum of a block.
    private func sum(_ table: ChecksummedTable, _ block: Int64) throws(StoreError) {
        guard let found = try rowSums(of: table, within: block...block).first?.sum else {
            return try run(
                "DELETE FROM row_sum WHERE name = $1 AND block = $2", [.text(table.name), .integer(block)])
        }
        try run(
            "INSERT OR REPLACE INTO row_sum VALUES ($1, $2, $3, $4)",
            [.text(table.name), .integer(block), .integer(found.rows), .integer(found.sum)])
    }

    /// Whether the table exists: libraries of older versions get it during an upgrade.
    private func hasRowSums() throws(StoreError) -> Bool {
        if !hasRowSumTable {
            hasRowSumTable = try number("SELECT 1 FROM sqlite_schema WHERE name = 'row_sum'", []) != nil
        }
        return hasRowSumTable
    }

    /// Whether some blocks have not been summed yet.
    func areSumsPending() throws(StoreError) -> Bool {
        try number("SELECT 1 FROM row_sum WHERE name = ''", []) != nil
    }

    /// The first block of a table at or after `block`; nil if there is none.
    private func firstBlock(of table: ChecksummedTable, from block: Int64) throws(StoreError) -> Int64? {
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

    /// The blocks that do not match their sums, table by table. Reads all rows: 1 GB/s.
    public func alteredBlocks(of tables: [ChecksummedTable]) throws -> [AlteredBlock] {
        var sums: [String: [Int64: BlockChecksum]] = [:]
        try forEach("SELECT name, block, rows, sum FROM row_sum") { row in
            sums[row.text(0), default: [:]][row.integer(1)] = BlockChecksum(rows: row.integer(2), sum: row.integer(3))
        }
        let isPending = sums.removeValue(forKey: "") != nil
        var altered: [AlteredBlock] = []
        for table in tables {
            var stored = sums.removeValue(forKey: table.name) ?? [:]
            for (block, found) in try rowSums(of: table, within: nil) {
                let written = stored.removeValue(forKey: block)
                if written == nil, isPending { continue }
                guard written != found else { continue }
                altered.append(
                    AlteredBlock(table: table.name, block: block, written: written?.rows, found: found.rows))
            }
            // Earlier versions stored an empty sum for rows that one transaction had both inserted and deleted.
            for (block, written) in stored.sorted(by: { $0.key < $1.key }) where written != BlockChecksum() {
                altered.append(AlteredBlock(table: table.name, block: block, written: written.rows, found: 0))
            }
        }
        for name in sums.keys.sorted() {
            altered.append(AlteredBlock(table: name, block: 0, written: nil, found: 0))
        }
        return altered
    }

    /// The sums computed from a table's rows, block by block.
    func rowSums(
        of table: ChecksummedTable, within blocks: ClosedRange<Int64>?
    ) throws(StoreError) -> [(block: Int64, sum: BlockChecksum)] {
        var sums: [(block: Int64, sum: BlockChecksum)] = []
        var indices: [Int64: Int] = [:]
        let seed = BlockChecksums.seed(of: table.name)
        let (sql, values) = table.selection(within: blocks)
        try scan(sql, values) { row in
            let block = row.integer(0)
            // Rows can be out of order, for example if a key is not a number; they are still added to their block.
            if sums.last?.block != block, indices[block] == nil {
                indices[block] = sums.count
                sums.append((block, BlockChecksum()))
            }
            let index = sums[sums.count - 1].block == block ? sums.count - 1 : indices[block] ?? 0
            sums[index].sum.add(row.checksum(seed: seed, from: 1))
        }
        return sums
    }
}
