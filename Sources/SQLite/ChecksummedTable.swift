internal import Database

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
