import Text

/// Converts texts to UTF-8 without a byte order mark.
enum PlainText {
    /// Removes a byte order mark and converts UTF-16 to UTF-8; other bytes stay as they are.
    static func source(_ source: PeekedSource, wanted: Int) throws -> PeekedSource {
        let mark = ByteOrderMark.length(in: source.head)
        if mark > 0 { return try PeekedSource(SkippingSource(source, mark), wanted: wanted) }
        guard let isBigEndian = byteOrder(source.head) else { return source }
        return try PeekedSource(UTF16Source(source, isBigEndian: isBigEndian), wanted: wanted)
    }

    /// Whether UTF-16 is big-endian; nil for other bytes. Without a byte order mark, four ASCII characters decide.
    private static func byteOrder(_ head: [UInt8]) -> Bool? {
        if head.starts(with: [0xFF, 0xFE]) { return false }
        if head.starts(with: [0xFE, 0xFF]) { return true }
        guard head.count >= 8 else { return nil }
        let (even, odd) = ([head[0], head[2], head[4], head[6]], [head[1], head[3], head[5], head[7]])
        func isASCII(_ bytes: [UInt8]) -> Bool { bytes.allSatisfy { (0x09..<0x7F).contains($0) } }
        if isASCII(even), odd.allSatisfy({ $0 == 0 }) { return false }
        if isASCII(odd), even.allSatisfy({ $0 == 0 }) { return true }
        return nil
    }
}

/// A source without its first bytes.
private struct SkippingSource: ByteSource {
    private var source: any ByteSource
    private var bytesToSkip: Int

    init(_ source: any ByteSource, _ count: Int) {
        self.source = source
        bytesToSkip = count
    }

    mutating func read() throws -> [UInt8] {
        var block = try source.read()
        while bytesToSkip > 0, !block.isEmpty {
            let skipped = min(bytesToSkip, block.count)
            block.removeFirst(skipped)
            bytesToSkip -= skipped
            if block.isEmpty { block = try source.read() }
        }
        return block
    }
}

/// Converts UTF-16 to UTF-8 without its byte order mark; unpaired surrogates become U+FFFD.
private struct UTF16Source: ByteSource {
    private var source: any ByteSource
    private let isBigEndian: Bool
    private var buffer: [UInt8] = []
    private var isAtStart = true
    private var isAtEnd = false

    init(_ source: any ByteSource, isBigEndian: Bool) {
        self.source = source
        self.isBigEndian = isBigEndian
    }

    mutating func read() throws -> [UInt8] {
        while !isAtEnd {
            let block = try source.read()
            isAtEnd = block.isEmpty
            let result = transcoded(buffer + block)
            if !result.isEmpty { return result }
        }
        return []
    }

    private mutating func transcoded(_ bytes: [UInt8]) -> [UInt8] {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        for at in stride(from: 0, to: bytes.count - 1, by: 2) {
            let (first, second) = (UInt16(bytes[at]), UInt16(bytes[at + 1]))
            units.append(isBigEndian ? first << 8 | second : second << 8 | first)
        }
        var used = units.count * 2
        // The other half of the pair is in the next block.
        if !isAtEnd, let last = units.last, UTF16.isLeadSurrogate(last) {
            units.removeLast()
            used -= 2
        }
        buffer = Array(bytes[used...])
        if isAtStart, let first = units.first {
            isAtStart = false
            if first == 0xFEFF { units.removeFirst() }
        }
        return Array(String(decoding: units, as: UTF16.self).utf8)
    }
}
