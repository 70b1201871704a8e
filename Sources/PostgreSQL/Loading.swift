internal import CPostgreSQL
public import Database

/// Loading of rows, by COPY or by INSERT.
extension PostgreSQLSession {
    public func load(into table: String, _ body: (_ add: ([Value]) throws -> Void) throws -> Void) throws {
        try changing("INSERT") {
            let types = try columnTypes(of: table)
            if options.accelerations.copies {
                try copy(into: table, types, body)
            } else {
                try insert(into: table, types, body)
            }
        }
    }

    /// The types of the columns of a table.
    private func columnTypes(of table: String) throws(StoreError) -> [UInt32] {
        let text = "SELECT * FROM \(table)"
        let key = "columns: " + text
        if let known = catalog.types(of: key) { return known }
        let link = try connected()
        let results = try perform([.prepare(name: "", text, types: []), .describe(name: "")], link, statement: text)
        let types = results.last?.columnTypes ?? []
        catalog.add(types, of: key)
        return types
    }

    /// Bytes that are sent at once.
    private static let copyBytes = 1 << 18

    private func copy(
        into table: String, _ types: [UInt32], _ body: (_ add: ([Value]) throws -> Void) throws -> Void
    ) throws {
        let sql = "COPY \(table) FROM STDIN (FORMAT binary)"
        let link = try connected()
        try link.send(.plain(sql))
        guard let first = link.next() else { throw link.failure(sql) }
        guard first.status == PGRES_COPY_IN else { throw try Self.drained(link, first, sql) }
        // https://www.postgresql.org/docs/15/sql-copy.html, "Binary Format"
        var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0, 0, 0, 0, 0, 0, 0, 0, 0]
        var rows = 0
        do {
            try body { values in
                precondition(values.count == types.count, "each column must have a value")
                Parameters.append(Int16(values.count), to: &bytes)
                for (value, type) in zip(values, types) { try Self.appendField(value, type, sql, to: &bytes) }
                rows += 1
                if bytes.count >= Self.copyBytes {
                    try link.copy(bytes, sql)
                    bytes.removeAll(keepingCapacity: true)
                }
            }
            Parameters.append(Int16(-1), to: &bytes)
            try link.copy(bytes, sql)
        } catch {
            try? link.endCopy(error: "the rows have ended with an error", sql)
            while link.next() != nil {}
            throw error
        }
        try link.endCopy(error: nil, sql)
        guard let last = link.next() else { throw link.failure(sql) }
        guard last.error == nil else { throw try Self.drained(link, last, sql) }
        while link.next() != nil {}
        if rows > 0 { hasChanged = true }
    }

    private static func appendField(
        _ value: Value, _ type: UInt32, _ sql: String, to bytes: inout [UInt8]
    ) throws(StoreError) {
        guard !Parameters.isNull(value) else { return Parameters.append(Int32(-1), to: &bytes) }
        let start = bytes.count
        Parameters.append(Int32(0), to: &bytes)
        guard Parameters.append(value, type: type, to: &bytes) else {
            throw Parameters.mismatch(type: type, statement: sql)
        }
        let count = UInt32(bytes.count - start - 4)
        for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: count >> (24 - 8 * index)) }
    }

    /// The error of a result, after everything else was read.
    private static func drained(_ link: ServerLink, _ result: QueryResult, _ sql: String) throws -> StoreError {
        while link.next() != nil {}
        guard let error = result.error else { return link.failure(sql) }
        return .server(state: error.state, message: error.message, statement: sql)
    }

    /// Limits of one INSERT: parameters (the protocol has 65,535) and bytes.
    private static let insertedParameters = 2000
    private static let insertedBytes = 1 << 20

    private func insert(
        into table: String, _ types: [UInt32], _ body: (_ add: ([Value]) throws -> Void) throws -> Void
    ) throws {
        var waiting: [Value] = []
        var bytes = 0
        func write() throws {
            guard !waiting.isEmpty else { return }
            let rows = stride(from: 0, to: waiting.count, by: types.count).map { start in
                "(" + (1...types.count).map { "$\(start + $0)" }.joined(separator: ", ") + ")"
            }
            try run("INSERT INTO \(table) VALUES \(rows.joined(separator: ", "))", waiting)
            waiting.removeAll(keepingCapacity: true)
            bytes = 0
        }
        try body { values in
            precondition(values.count == types.count, "each column must have a value")
            waiting += values
            for value in values { bytes += value.byteCount }
            if waiting.count + types.count > Self.insertedParameters || bytes > Self.insertedBytes { try write() }
        }
        try write()
    }
}
