import Text

/// Cuts a CSV file into blocks of whole rows; line breaks in quotes do not end a row.
struct CSVSplitter {
    /// Maximum length of a row in bytes; a longer row is refused and skipped. A cell may have the heading changes of a
    /// point.
    static let rowLimit = TextLimit.headingBytes

    /// A block, or a row that was skipped as too long.
    enum RowBlock {
        case rows([UInt8], isLast: Bool)
        case longRow
    }

    private(set) var source: any ByteSource
    private let separator: UInt8
    private var rest: [UInt8] = []
    private var bytesToSkip: Int
    private var isAtEnd = false
    private var isSkipping = false
    /// Number of bytes searched without finding a row end; searched again when it has doubled, to avoid quadratic cost.
    private var searched = 0

    /// Reads the rows of `source` after its first `headerLength` bytes.
    init(_ source: any ByteSource, headerLength: Int, separator: UInt8) {
        self.source = source
        self.separator = separator
        bytesToSkip = headerLength
    }

    /// Returns the next block or skipped row; nil at the end. `next` reads from the source.
    mutating func rowBlock(_ next: (inout any ByteSource) throws -> [UInt8]) throws -> RowBlock? {
        while !isAtEnd {
            var block = try next(&source)
            isAtEnd = block.isEmpty
            if bytesToSkip > 0 {
                let skipped = min(bytesToSkip, block.count)
                block.removeFirst(skipped)
                bytesToSkip -= skipped
            }
            rest += block
            if isSkipping, !skipLine() { continue }
            if isAtEnd || rest.count < 2 * searched { continue }
            if let end = lastRowEnd() {
                let rows = Array(rest[..<end])
                rest = Array(rest[end...])
                searched = 0
                return .rows(rows, isLast: false)
            }
            searched = rest.count
            if rest.count > Self.rowLimit {
                isSkipping = !skipLine()
                searched = 0
                return .longRow
            }
        }
        return lastBlock()
    }

    private mutating func lastBlock() -> RowBlock? {
        guard !rest.isEmpty, !isSkipping else { return nil }
        // A quote still open at the end is not a quote: the row that opens it is refused, the rows after it are read.
        let scan = scanRows()
        if scan.isQuoted {
            if scan.end > 0 {
                let rows = Array(rest[..<scan.end])
                rest = Array(rest[scan.end...])
                return .rows(rows, isLast: false)
            }
            _ = skipLine()
            return .longRow
        }
        let rows = rest
        rest = []
        return .rows(rows, isLast: true)
    }

    /// Drops bytes to the end of the line; false if the line continues in the next block.
    private mutating func skipLine() -> Bool {
        guard let newline = rest.firstIndex(of: UInt8(ascii: "\n")) else {
            rest = []
            return false
        }
        rest.removeFirst(newline + 1)
        isSkipping = false
        return true
    }

    private func lastRowEnd() -> Int? {
        guard !rest.contains(UInt8(ascii: "\"")) else {
            let end = scanRows().end
            return end > 0 ? end : nil
        }
        return rest.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
    }

    /// The end of the last whole row, and whether the rest is inside quotes; has to match `CSVBlockReader`.
    private func scanRows() -> (end: Int, isQuoted: Bool) {
        let bytes = rest.span
        let quote = UInt8(ascii: "\"")
        var end = 0
        var at = 0
        var atCellStart = true
        while at < bytes.count {
            let byte = bytes[at]
            if byte == quote, atCellStart {
                at += 1
                while at < bytes.count {
                    if bytes[at] == quote {
                        guard at + 1 < bytes.count, bytes[at + 1] == quote else { break }
                        at += 1
                    }
                    at += 1
                }
                guard at < bytes.count else { return (end, true) }
                atCellStart = false
            } else if byte == UInt8(ascii: "\n") {
                end = at + 1
                atCellStart = true
            } else {
                atCellStart = byte == separator
            }
            at += 1
        }
        return (end, false)
    }
}
