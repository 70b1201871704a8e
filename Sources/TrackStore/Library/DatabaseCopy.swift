internal import Database
internal import Digest
internal import PrimaryStore

/// Copies the rows of a database into another one, whatever the kinds of both.
///
/// The other database cannot be opened by anybody until `end`, which compares what it contains with what was read.
struct DatabaseCopy {
    private let source: any Session
    private let target: any Database
    private let writer: any Session
    private let tables: [String]
    /// What was read of each table.
    private var sums: [String: TableSum] = [:]

    /// Rows that are written in one transaction: by their bytes, which bounds the memory, and by their number.
    private static let batchBytes = 8 << 20
    private static let batchRows = 20_000

    /// Replaces the tables of the target, however far an earlier copy has come, by empty ones.
    init(from source: any Session, to target: any Database, tables: [String]) throws {
        self.source = source
        self.target = target
        self.tables = tables
        try target.beginCopy()
        let writer = try target.writer()
        self.writer = writer
        // New tables have a few rows, and are waiting for their sums.
        var position: ChecksumPosition? = .beginning
        while let start = position { position = try writer.checksumRows(from: start) { false } }
        try writer.transaction { try writer.deleteAll(from: tables) }
    }

    /// Copies all rows; `report` is called with the bytes of each batch, and ends the copy by throwing.
    mutating func load(_ report: (Int) throws -> Void) throws {
        for table in tables { sums[table] = try load(table, report) }
    }

    private func load(_ table: String, _ report: (Int) throws -> Void) throws -> TableSum {
        var sum = TableSum()
        var rows: [[Value]] = []
        var bytes = 0
        func write() throws {
            guard !rows.isEmpty else { return }
            try writer.transaction {
                try writer.load(into: table) { add in
                    for row in rows { try add(row) }
                }
            }
            rows.removeAll(keepingCapacity: true)
            try report(bytes)
            bytes = 0
        }
        // In the order of the first column, with which each primary key begins.
        try source.forEach("SELECT * FROM \(table) ORDER BY 1") { row in
            let values = CopiedRow.values(of: row, in: table)
            bytes += sum.add(values, of: table)
            rows.append(values)
            if bytes >= Self.batchBytes || rows.count >= Self.batchRows { try write() }
        }
        try write()
        return sum
    }

    /// Ends the copy, if the target has the rows that were read; it can be opened from then on. `numbers` are the
    /// highest that tables have given.
    func end(numbers: [String: Int64], _ report: (Int) throws -> Void) throws {
        try writer.transaction {
            for table in tables {
                var found = TableSum()
                var bytes = 0
                try writer.forEach("SELECT * FROM \(table)") { row in
                    bytes += found.add(CopiedRow.values(of: row, in: table), of: table)
                    if bytes >= Self.batchBytes {
                        try report(bytes)
                        bytes = 0
                    }
                }
                try report(bytes)
                guard found == sums[table] else {
                    throw MigrationError.different(target: target.name, table: table)
                }
            }
            try target.endCopy(numbers: numbers, in: writer)
        }
    }
}

/// The number of rows of a table, and the sum of their checksums, in any order.
private struct TableSum: Equatable {
    private var rows = 0
    private var checksum: UInt64 = 0

    /// Adds a row; returns its bytes.
    mutating func add(_ values: [Value], of table: String) -> Int {
        var row = Checksum64()
        var bytes = 0
        for value in values {
            switch CopiedRow.comparable(value, in: table) {
            case .null:
                row.update(0)
            case .integer(let number):
                row.update(1)
                row.update(UInt64(bitPattern: number))
                bytes += 8
            case .real(let number):
                row.update(2)
                // SQLite stores -0 as 0.
                row.update((number + 0).bitPattern)
                bytes += 8
            case .text(let text):
                let content = Array(text.utf8)
                row.update(3)
                row.update(content.span)
                bytes += content.count
            case .blob(let content):
                row.update(4)
                row.update(content.span)
                bytes += content.count
            }
        }
        rows += 1
        checksum &+= row.value
        return bytes
    }
}

/// The values of a row as every kind of database stores them.
private enum CopiedRow {
    /// The table with a column of texts and integers.
    private static let meta = "meta"

    static func values(of row: any Row, in table: String) -> [Value] {
        var values = (0..<row.columnCount).map { plain(row.value($0)) }
        // PostgreSQL has these integers as their digits.
        if table == meta, values.count == 2, case .text(let name) = values[0], case .text(let text) = values[1],
            !Meta.isText(name), let number = Int64(text), String(number) == text
        {
            values[1] = .integer(number)
        }
        return values
    }

    private static func plain(_ value: Value) -> Value {
        switch value {
        // As PostgreSQL stores it, which has no texts with U+0000.
        case .text(let text) where text.utf8.contains(0): .text(text.replacing("\0", with: "\u{FFFD}"))
        // As SQLite stores it.
        case .real(let number) where number.isNaN: .null
        default: value
        }
    }

    static func comparable(_ value: Value, in table: String) -> Value {
        if table == meta, case .integer(let number) = value { return .text(String(number)) }
        return value
    }
}
