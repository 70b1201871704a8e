import Files

/// Bytes that are read at any offset.
protocol ByteSource: AnyObject {
    var count: Int64 { get }
    /// The bytes at an offset: fewer at the end, none after it.
    func bytes(at offset: Int64, count: Int) throws -> [UInt8]
}

/// Bytes in memory.
final class MemoryBytes: ByteSource {
    private let all: [UInt8]

    init(_ all: [UInt8]) { self.all = all }

    var count: Int64 { Int64(all.count) }

    func bytes(at offset: Int64, count: Int) -> [UInt8] {
        guard offset >= 0, offset < Int64(all.count), count > 0 else { return [] }
        let start = Int(offset)
        return Array(all[start..<min(all.count, start + min(count, all.count))])
    }
}

/// The bytes of a file, read in blocks where they are needed.
final class FileBytes: ByteSource {
    /// The head of a photo is often smaller than this.
    private static let blockBytes = 16 * 1024

    private let file: FileSource
    private var block: [UInt8] = []
    private var blockStart: Int64 = 0

    init(path: String) throws(FileError) {
        file = try FileSource(path: path)
    }

    var count: Int64 { file.fileStatus.byteCount }

    func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        guard offset >= 0, offset < self.count, count > 0 else { return [] }
        if let cached = cached(offset, count) { return cached }
        if file.position != offset { try file.move(to: offset) }
        let wanted = max(min(Int64(count), self.count - offset), Int64(Self.blockBytes))
        var read: [UInt8] = []
        while read.count < wanted {
            let more = try file.read(upTo: Int(wanted) - read.count)
            if more.isEmpty { break }
            read += more
        }
        block = read
        blockStart = offset
        return Array(read.prefix(count))
    }

    private func cached(_ offset: Int64, _ count: Int) -> [UInt8]? {
        let start = offset - blockStart
        guard start >= 0, start < block.count else { return nil }
        let end = start + Int64(count)
        guard end <= block.count || blockStart + Int64(block.count) >= self.count else { return nil }
        return Array(block[Int(start)..<min(block.count, Int(min(end, Int64(block.count))))])
    }
}

/// A part of other bytes.
final class PartialBytes: ByteSource {
    private let whole: any ByteSource
    private let range: Range<Int64>

    /// The range is cut at the end of `whole`.
    init(_ whole: any ByteSource, _ range: Range<Int64>) {
        self.whole = whole
        self.range = range.clamped(to: 0..<max(0, whole.count))
    }

    var count: Int64 { range.upperBound - range.lowerBound }

    func bytes(at offset: Int64, count: Int) throws -> [UInt8] {
        guard offset >= 0, offset < self.count, count > 0 else { return [] }
        return try whole.bytes(
            at: range.lowerBound + offset, count: Int(min(Int64(count), self.count - offset)))
    }
}

extension ByteSource {
    /// Exactly this many bytes; nil if there are fewer.
    func exactly(_ count: Int, at offset: Int64) throws -> [UInt8]? {
        let bytes = try bytes(at: offset, count: count)
        return bytes.count == count ? bytes : nil
    }
}

/// Whole numbers in bytes.
enum WholeNumber {
    /// The most significant byte first.
    static func big(_ bytes: some Collection<UInt8>) -> UInt64 {
        bytes.reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// The least significant byte first.
    static func little(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
