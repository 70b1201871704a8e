import Database

/// Rows of a grid that is built from nothing, collected and then loaded table by table: a server of databases takes them as
/// one stream for each table, not as a statement for each row.
final class NewRows {
    private var rows: [String: [[Value]]] = [:]
    private var bytes = 0

    /// Rows of all tracks would not fit in memory; at this size, a load is one of hundreds of rows.
    private static let byteLimit = 8 << 20

    /// Whether what was added should be loaded now.
    var isFull: Bool { bytes >= Self.byteLimit }

    /// Adds a row whose key the table does not have; `values` has all columns in their order.
    func add(_ values: [Value], to table: String) {
        rows[table, default: []].append(values)
        for value in values { bytes += value.byteCount }
    }

    /// Writes what was added, in a transaction of the caller.
    func load(into session: any Session) throws {
        for (table, rows) in rows.sorted(by: { $0.key < $1.key }) {
            try session.load(into: table) { add in
                for row in rows { try add(row) }
            }
        }
        rows.removeAll(keepingCapacity: true)
        bytes = 0
    }
}
