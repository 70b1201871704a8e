internal import Files

/// Bytes that can be read at any offset.
package protocol ByteSource: Sendable {
    var byteCount: Int64 { get throws }

    /// `count` bytes from `offset` on; fewer at the end.
    func bytes(at offset: Int64, count: Int) throws -> [UInt8]
}

extension RandomAccessFile: ByteSource {
    package func bytes(at offset: Int64, count: Int) throws -> [UInt8] { try read(at: offset, count: count) }
}

/// Bytes in memory.
package struct BytesInMemory: ByteSource {
    private let all: [UInt8]

    package init(_ bytes: [UInt8]) { all = bytes }

    package var byteCount: Int64 { Int64(all.count) }

    package func bytes(at offset: Int64, count: Int) -> [UInt8] {
        Array(all.dropFirst(Int(clamping: offset)).prefix(count))
    }
}
