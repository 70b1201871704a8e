public import Database

/// A table whose rows are summed in `row_sum`, and how they are divided into blocks with one sum each.
public struct ChecksummedTable: Sendable, Hashable {
    /// How rows are divided into blocks.
    public enum Blocks: Sendable, Hashable {
        /// By row id, 2^bits to a block.
        case rowID(bits: Int64)
        /// By an INTEGER column that is the first of the primary key.
        case column(String)
        /// All rows in one block.
        case one
    }

    public let name: String
    /// How its rows are divided into blocks.
    public let blocks: Blocks

    /// A table of the main database.
    public init(_ name: String, _ blocks: Blocks) {
        self.name = name
        self.blocks = blocks
    }

    /// Creates the table of sums. A row with an empty name means that some blocks have not been summed yet.
    public static let schema = """
        CREATE TABLE row_sum (name TEXT NOT NULL, block INTEGER NOT NULL, rows INTEGER NOT NULL, sum INTEGER NOT NULL,
            PRIMARY KEY (name, block)) WITHOUT ROWID
        """
    /// Inserts the row which means that some blocks have not been summed yet.
    public static let pendingRowSQL = "INSERT OR REPLACE INTO row_sum VALUES ('', 0, 0, 0)"

    /// Selects the block number and all columns of the rows, ordered by block; `blocks` restricts it to a range of
    /// blocks.
    func selection(within blocks: ClosedRange<Int64>?) -> (sql: String, values: [Value]) {
        let (key, shift): (String, Int64)
        switch self.blocks {
        case .one: return ("SELECT 0, * FROM \(name)", [])
        case .column(let column): (key, shift) = (column, 0)
        case .rowID(let bits): (key, shift) = ("rowid", bits)
        }
        let sql = "SELECT \(key) >> \(shift), * FROM \(name)"
        guard let blocks else { return ("\(sql) ORDER BY \(key)", []) }
        let last = blocks.upperBound << shift | (1 << shift - 1)
        return (
            "\(sql) WHERE \(key) BETWEEN $1 AND $2 ORDER BY \(key)",
            [.integer(blocks.lowerBound << shift), .integer(last)]
        )
    }

    /// The block of a row.
    func block(rowID: Int64, firstColumn: () -> Int64) -> Int64 {
        switch blocks {
        case .one: 0
        case .column: firstColumn()
        case .rowID(let bits): rowID >> bits
        }
    }
}

/// The number of rows of a block, and the sum of their checksums.
struct BlockChecksum: Equatable {
    var rows: Int64 = 0
    /// Modulo 2^62, so that SQLite can add two of them without overflow.
    private(set) var sum: Int64 = 0

    static let mask: Int64 = 1 << 62 - 1

    init() {}

    init(rows: Int64, sum: Int64) {
        self.rows = rows
        self.sum = sum
    }

    mutating func add(_ checksum: UInt64) {
        rows += 1
        sum = (sum + Int64(checksum >> 2)) & Self.mask
    }

    mutating func subtract(_ checksum: UInt64) {
        rows -= 1
        sum = (sum - Int64(checksum >> 2)) & Self.mask
    }
}

extension Connection {
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
