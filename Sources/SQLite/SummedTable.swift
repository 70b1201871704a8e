/// A table whose rows have sums in `row_sum`, and how its rows are gathered into blocks of one sum each.
public struct SummedTable: Sendable, Hashable {
    /// How rows are gathered.
    public enum Blocks: Sendable, Hashable {
        /// By their row id, 2^bits of them to a block.
        case rowID(bits: Int64)
        /// By a column that is an INTEGER and the first of the primary key.
        case column(String)
        /// All in one.
        case one
    }

    /// The table.
    public let name: String
    /// How its rows are gathered.
    public let blocks: Blocks

    /// A table of the main database.
    public init(_ name: String, _ blocks: Blocks) {
        self.name = name
        self.blocks = blocks
    }

    /// Creates the table of sums. A row without a name says that not every block has been summed yet.
    public static let schema = """
        CREATE TABLE row_sum (name TEXT NOT NULL, block INTEGER NOT NULL, rows INTEGER NOT NULL, sum INTEGER NOT NULL,
            PRIMARY KEY (name, block)) WITHOUT ROWID
        """
    /// Says that not every block has been summed yet.
    public static let pendingMark = "INSERT OR REPLACE INTO row_sum VALUES ('', 0, 0, 0)"

    /// The rows' blocks and all their columns, block by block; `within` only those of blocks from one number to another.
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
            "\(sql) WHERE \(key) BETWEEN ? AND ? ORDER BY \(key)",
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

/// How many rows there are, and the sum of their checksums.
struct RowSum: Equatable {
    var rows: Int64 = 0
    /// Modulo 2^62, so that SQLite can add two of them.
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

/// A block of rows that are not those that were written.
public struct AlteredBlock: Sendable, Equatable {
    /// The table.
    public var table: String
    /// The block's number; nil where the table has none of this name.
    public var block: Int64
    /// How many rows were written; nil where that is not known.
    public var written: Int64?
    /// How many there are.
    public var found: Int64
}

extension Connection {
    /// The blocks of tables that are not as their sums say, table by table. Reads everything: 1 GB/s.
    public func alteredBlocks(of tables: [SummedTable]) throws -> [AlteredBlock] {
        var sums: [String: [Int64: RowSum]] = [:]
        try forEach("SELECT name, block, rows, sum FROM row_sum") { row in
            sums[row.text(0), default: [:]][row.integer(1)] = RowSum(rows: row.integer(2), sum: row.integer(3))
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
            for (block, written) in stored.sorted(by: { $0.key < $1.key }) {
                altered.append(AlteredBlock(table: table.name, block: block, written: written.rows, found: 0))
            }
        }
        for name in sums.keys.sorted() {
            altered.append(AlteredBlock(table: name, block: 0, written: nil, found: 0))
        }
        return altered
    }

    /// The sums of a table's rows as they are, block by block.
    func rowSums(
        of table: SummedTable, within blocks: ClosedRange<Int64>?
    ) throws(SQLiteError) -> [(block: Int64, sum: RowSum)] {
        var sums: [(block: Int64, sum: RowSum)] = []
        var places: [Int64: Int] = [:]
        let seed = RowSums.seed(of: table.name)
        let (sql, values) = table.selection(within: blocks)
        try scan(sql, values) { row in
            let block = row.integer(0)
            // Rows out of their order, as of a key that is no number, come to their block all the same.
            if sums.last?.block != block, places[block] == nil {
                places[block] = sums.count
                sums.append((block, RowSum()))
            }
            let place = sums[sums.count - 1].block == block ? sums.count - 1 : places[block] ?? 0
            sums[place].sum.add(row.checksum(seed: seed, from: 1))
        }
        return sums
    }
}
