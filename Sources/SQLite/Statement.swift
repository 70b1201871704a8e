internal import CSQLite
public import Database

/// A prepared statement, positioned on a row; columns are numbered from 0.
///
/// Lent by the connection for one run and reset afterwards: keep the column values, never the statement. Safe: the
/// handle is private and lives as long as the object, and blobs are only accessible within a closure.
@safe
public final class Statement: Row {
    let sql: String
    let handle: OpaquePointer
    private let database: OpaquePointer
    /// Whether it is in use.
    var isLent = false

    init(_ sql: String, in database: OpaquePointer) throws(StoreError) {
        var handle: OpaquePointer?
        let status = unsafe sqlite3_prepare_v3(
            database, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &handle, nil)
        guard status == SQLITE_OK, let prepared = unsafe handle else {
            throw unsafe StoreError.latest(of: database, status: status, statement: sql)
        }
        self.sql = sql
        unsafe self.handle = prepared
        unsafe self.database = database
    }

    deinit {
        // The status repeats that of the last step, which was checked.
        unsafe sqlite3_finalize(handle)
    }

    /// Whether the statement does not change the database.
    var isReadOnly: Bool {
        unsafe sqlite3_stmt_readonly(handle) != 0
    }

    public var columnCount: Int {
        unsafe Int(sqlite3_column_count(handle))
    }

    public var columnNames: [String] {
        (0..<Int32(columnCount)).map { column in
            let name = unsafe sqlite3_column_name(handle, column)
            return unsafe name.map { unsafe String(cString: $0) } ?? ""
        }
    }

    /// The column with its storage class.
    public func value(_ column: Int) -> Value {
        switch unsafe sqlite3_column_type(handle, Int32(column)) {
        case SQLITE_INTEGER: .integer(integer(column))
        case SQLITE_FLOAT: .real(real(column))
        case SQLITE_TEXT: .text(text(column))
        case SQLITE_BLOB: .blob(blob(column))
        default: .null
        }
    }

    public func isNull(_ column: Int) -> Bool {
        unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL
    }

    /// The column as INTEGER; 0 for NULL.
    public func integer(_ column: Int) -> Int64 {
        unsafe sqlite3_column_int64(handle, Int32(column))
    }

    /// The column as REAL; 0 for NULL.
    public func real(_ column: Int) -> Double {
        unsafe sqlite3_column_double(handle, Int32(column))
    }

    /// The column as TEXT; empty for NULL.
    public func text(_ column: Int) -> String {
        guard let start = unsafe sqlite3_column_text(handle, Int32(column)) else { return "" }
        let count = unsafe Int(sqlite3_column_bytes(handle, Int32(column)))
        return unsafe String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
    }

    /// The column as BLOB, copied; empty for NULL.
    public func blob(_ column: Int) -> [UInt8] {
        guard let start = unsafe sqlite3_column_blob(handle, Int32(column)) else { return [] }
        let count = unsafe Int(sqlite3_column_bytes(handle, Int32(column)))
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    /// Passes the bytes of a BLOB to `body` without copying them; an empty span for NULL.
    public func withBlob<Result, Failure: Error>(
        _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = unsafe sqlite3_column_blob(handle, Int32(column))
        let count = unsafe start == nil ? 0 : Int(sqlite3_column_bytes(handle, Int32(column)))
        let bytes = unsafe UnsafeBufferPointer(start: start?.assumingMemoryBound(to: UInt8.self), count: count)
        return try unsafe body(bytes.span)
    }

    func bind(_ values: [Value]) throws(StoreError) {
        precondition(
            unsafe values.count == Int(sqlite3_bind_parameter_count(handle)),
            "the number of values must match the statement's parameters")
        for (index, value) in values.enumerated() {
            let status = bind(value, at: Int32(index + 1))
            guard status == SQLITE_OK else { throw error(status) }
        }
    }

    /// Advances to the next row; false after the last.
    func step() throws(StoreError) -> Bool {
        let status = unsafe sqlite3_step(handle)
        switch status {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default: throw error(status)
        }
    }

    func reset() {
        // Both statuses repeat that of the last step, which was checked.
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_clear_bindings(handle)
    }

    private func bind(_ value: Value, at index: Int32) -> Int32 {
        switch value {
        case .null:
            return unsafe sqlite3_bind_null(handle, index)
        case .integer(let number):
            return unsafe sqlite3_bind_int64(handle, index, number)
        case .real(let number):
            return unsafe sqlite3_bind_double(handle, index, number)
        case .text(var text):
            return text.withUTF8 { bytes in
                unsafe bytes.withMemoryRebound(to: CChar.self) { characters in
                    // A null pointer would bind NULL, not an empty text; the same holds for an empty blob below.
                    guard let start = characters.baseAddress else {
                        return unsafe tileserve_bind_text(handle, index, "", 0)
                    }
                    return unsafe tileserve_bind_text(handle, index, start, UInt64(characters.count))
                }
            }
        case .blob(let bytes):
            guard !bytes.isEmpty else { return unsafe sqlite3_bind_zeroblob(handle, index, 0) }
            return unsafe bytes.withUnsafeBytes { buffer in
                unsafe tileserve_bind_blob(handle, index, buffer.baseAddress, UInt64(buffer.count))
            }
        }
    }

    private func error(_ status: Int32) -> StoreError {
        unsafe StoreError.latest(of: database, status: status, statement: sql)
    }
}
