import Text

extension JSONReader {
    /// Creates a reader of a file.
    init(_ source: any ByteSource, _ reading: FileReading) {
        var source = source
        self.init { try reading.next(from: &source) }
    }

    /// Reads a string, number or word as the value of a column; `null` and invalid numbers are absent.
    mutating func plainValue() throws -> ColumnValue {
        if try isAtString() { return .text(try string()) }
        switch try wordValue() {
        case .number(let number): return .number(number)
        case .bool(let value): return .bool(value)
        default: return .absent
        }
    }
}
