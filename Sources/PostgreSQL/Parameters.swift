internal import Database

/// Values in the binary form of PostgreSQL: numbers with the highest byte first.
struct Parameters {
    /// The values one after the other. Never empty: a null pointer would be NULL.
    private var bytes: [UInt8] = [0]
    /// Where each value is; nil for NULL.
    private var ranges: [Range<Int>?] = []

    init() {}

    /// Encodes values for parameters of these types.
    init(_ values: [Value], types: [UInt32], statement: String) throws(StoreError) {
        precondition(values.count == types.count, "the number of values must match the statement's parameters")
        ranges.reserveCapacity(values.count)
        for (value, type) in zip(values, types) {
            let start = bytes.count
            if Self.isNull(value) {
                ranges.append(nil)
            } else if Self.append(value, type: type, to: &bytes) {
                ranges.append(start..<bytes.count)
            } else {
                throw Self.mismatch(type: type, statement: statement)
            }
        }
    }

    /// NULL, and what SQLite stores as NULL: no number.
    static func isNull(_ value: Value) -> Bool {
        switch value {
        case .null: true
        case .real(let number): number.isNaN
        case .integer, .text, .blob: false
        }
    }

    /// PostgreSQL has no texts with U+0000; SQLite has.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        if text.utf8.contains(0) {
            bytes.append(contentsOf: text.replacing("\0", with: "\u{FFFD}").utf8)
        } else {
            bytes.append(contentsOf: text.utf8)
        }
    }

    var count: Int { ranges.count }
    var byteCount: Int { bytes.count }

    static func mismatch(type: UInt32, statement: String?) -> StoreError {
        StoreError(
            .other, code: "PostgreSQL type \(type)", message: "a value cannot be converted to this type",
            statement: statement)
    }

    /// Appends the binary form of a value, converted as SQLite does for a column of this type; false if it has none.
    static func append(_ value: Value, type: UInt32, to bytes: inout [UInt8]) -> Bool {
        guard let type = ColumnType(rawValue: type) else { return false }
        switch (type, value) {
        case (.integer64, .integer(let number)):
            append(number, to: &bytes)
        case (.integer32, .integer(let number)):
            guard let small = Int32(exactly: number) else { return false }
            append(small, to: &bytes)
        case (.real64, .real(let number)):
            append(number.bitPattern, to: &bytes)
        case (.real64, .integer(let number)):
            append(Double(number).bitPattern, to: &bytes)
        case (.text, .text(let text)), (.unknown, .text(let text)), (.varyingText, .text(let text)),
            (.name, .text(let text)):
            append(text, to: &bytes)
        case (.bytes, .text(let text)):
            bytes.append(contentsOf: text.utf8)
        case (.text, .integer(let number)):
            bytes.append(contentsOf: String(number).utf8)
        case (.text, .real(let number)):
            bytes.append(contentsOf: "\(number)".utf8)
        case (.bytes, .blob(let blob)):
            bytes.append(contentsOf: blob)
        default:
            return false
        }
        return true
    }

    static func append(_ number: some FixedWidthInteger, to bytes: inout [UInt8]) {
        for shift in stride(from: number.bitWidth - 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: number >> shift))
        }
    }

    /// Calls `body` with what libpq takes: pointers to the values, their lengths, and their formats, all binary.
    @unsafe
    func withPointers<Result>(
        _ body: (
            _ values: UnsafePointer<UnsafePointer<CChar>?>?, _ lengths: UnsafePointer<Int32>?,
            _ formats: UnsafePointer<Int32>?
        ) -> Result
    ) -> Result {
        let lengths = ranges.map { Int32($0?.count ?? 0) }
        let formats = [Int32](repeating: 1, count: ranges.count)
        return unsafe bytes.withUnsafeBytes { buffer in
            let start = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var pointers: [UnsafePointer<CChar>?] = unsafe []
            for range in ranges {
                guard let range, let start = unsafe start else {
                    unsafe pointers.append(nil)
                    continue
                }
                unsafe pointers.append(start + range.lowerBound)
            }
            return unsafe body(pointers, lengths, formats)
        }
    }
}
