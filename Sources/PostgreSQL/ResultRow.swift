internal import CPostgreSQL
internal import Database

/// A row of a result, in binary form. Valid only within the closure that gets it.
///
/// Safe: pointers into the result are used only while this object keeps it alive.
@safe
final class ResultRow: Row {
    private var result: QueryResult
    private var index: Int32 = 0
    private let types: [ColumnType?]

    init(_ result: QueryResult) {
        self.result = result
        types = result.columnTypes.map { ColumnType(rawValue: $0) }
    }

    /// Moves to a row of another result of the same statement.
    func move(to result: QueryResult, row: Int) {
        self.result = result
        index = Int32(row)
    }

    /// The first column whose type this program does not read; nil if it reads all.
    var unreadableColumn: Int? { types.firstIndex { $0 == nil } }

    var columnCount: Int { types.count }

    func isNull(_ column: Int) -> Bool {
        unsafe PQgetisnull(result.handle, index, Int32(column)) != 0
    }

    func integer(_ column: Int) -> Int64 {
        switch types[column] {
        case .integer64?: Int64(bitPattern: bits(column))
        case .integer32?: Int64(Int32(truncatingIfNeeded: bits(column)))
        case .integer16?: Int64(Int16(truncatingIfNeeded: bits(column)))
        case .boolean?: Int64(bits(column))
        case .real64?, .real32?: Self.integer(real(column))
        case .text?, .unknown?, .varyingText?, .name?, .bytes?: Self.integer(text(column))
        case nil: 0
        }
    }

    func real(_ column: Int) -> Double {
        switch types[column] {
        case .real64?: Double(bitPattern: bits(column))
        case .real32?: Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits(column))))
        case .text?, .unknown?, .varyingText?, .name?, .bytes?: Double(text(column)) ?? 0
        default: Double(integer(column))
        }
    }

    func text(_ column: Int) -> String {
        switch types[column] {
        case .text?, .unknown?, .varyingText?, .name?, .bytes?:
            withBlob(column) { bytes in
                unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
            }
        case _ where isNull(column): ""
        case .real64?, .real32?: "\(real(column))"
        default: String(integer(column))
        }
    }

    func blob(_ column: Int) -> [UInt8] {
        withBlob(column) { bytes in unsafe bytes.withUnsafeBufferPointer { unsafe Array($0) } }
    }

    func value(_ column: Int) -> Value {
        if isNull(column) { return .null }
        return switch types[column] {
        case .integer64?, .integer32?, .integer16?, .boolean?: .integer(integer(column))
        case .real64?, .real32?: .real(real(column))
        case .text?, .unknown?, .varyingText?, .name?: .text(text(column))
        case .bytes?: .blob(blob(column))
        case nil: .null
        }
    }

    func withBlob<Result, Failure: Error>(
        _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard isNumber(column) else { return try withStoredBytes(column, body) }
        // The bytes of a number are those of its text, as in SQLite.
        let text = Array(text(column).utf8)
        return try body(text.span)
    }

    private func isNumber(_ column: Int) -> Bool {
        switch types[column] {
        case .text?, .unknown?, .varyingText?, .name?, .bytes?: false
        default: true
        }
    }

    private func withStoredBytes<Result, Failure: Error>(
        _ column: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let start = unsafe PQgetvalue(result.handle, index, Int32(column))
        let count = unsafe Int(PQgetlength(result.handle, index, Int32(column)))
        let bytes = unsafe UnsafeRawBufferPointer(start: start, count: count).bindMemory(to: UInt8.self)
        return try unsafe body(bytes.span)
    }

    /// The bytes of a number, the highest first; 0 for NULL.
    private func bits(_ column: Int) -> UInt64 {
        withStoredBytes(column) { bytes in
            var bits: UInt64 = 0
            for index in bytes.indices { bits = bits << 8 | UInt64(bytes[index]) }
            return bits
        }
    }

    /// The whole number at the beginning of a text, as SQLite converts it.
    private static func integer(_ text: String) -> Int64 {
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == "-" || $0 == "+") }
        return Int64(digits) ?? 0
    }

    private static func integer(_ number: Double) -> Int64 {
        Int64(exactly: number.rounded(.towardZero)) ?? (number > 0 ? .max : number < 0 ? .min : 0)
    }
}
