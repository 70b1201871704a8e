internal import CSQLite
internal import Digest

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
        // The NULLs before a value are counted with it: a value that moves to another column changes the checksum.
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
