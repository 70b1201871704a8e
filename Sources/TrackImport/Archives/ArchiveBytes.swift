/// The bytes of an archive, read once from start to end.
final class ArchiveBytes {
    private let reading: FileReading
    private var source: any ByteSource
    private var buffer: [UInt8] = []
    private var at = 0
    private var bufferOffset = 0

    init(_ source: any ByteSource, _ reading: FileReading) {
        self.source = source
        self.reading = reading
    }

    /// Offset of the next byte in the archive.
    var position: Int { bufferOffset + at }

    /// Returns up to `count` bytes without consuming them; fewer at the end.
    func peek(_ count: Int) throws -> ArraySlice<UInt8> {
        while buffer.count - at < count {
            let block = try reading.next(from: &source)
            if block.isEmpty { break }
            discardConsumed()
            buffer.append(contentsOf: block)
        }
        return buffer[at...].prefix(count)
    }

    /// Reads exactly `count` bytes; throws `truncated` if there are fewer.
    func take(_ count: Int) throws -> [UInt8] {
        let bytes = Array(try peek(count))
        guard bytes.count == count else { throw ImportFailure.truncated }
        at += count
        return bytes
    }

    /// Reads at least one byte and at most `limit`; empty at the end.
    func readSome(_ limit: Int) throws -> [UInt8] {
        guard limit > 0, try !peek(1).isEmpty else { return [] }
        let bytes = Array(buffer[at...].prefix(limit))
        at += bytes.count
        return bytes
    }

    /// Moves back by `count` of the bytes read last, so that they are read again.
    func giveBack(_ count: Int) {
        precondition(count <= at, "cannot move back further than the buffer")
        at -= count
    }

    /// Skips `count` bytes; throws `truncated` if there are fewer.
    func skip(_ count: Int) throws {
        var rest = count
        while rest > 0 {
            let bytes = try readSome(min(rest, blockSize))
            guard !bytes.isEmpty else { throw ImportFailure.truncated }
            rest -= bytes.count
        }
    }

    private func discardConsumed() {
        bufferOffset += at
        buffer.removeFirst(at)
        at = 0
    }
}

/// The unpacked bytes of an archive member.
final class ArchiveMember: ByteSource {
    private let next: () throws -> [UInt8]
    private var isAtEnd = false
    /// The error that ended the reading; nil if there was none.
    private(set) var failure: ImportFailure?

    init(_ next: @escaping () throws -> [UInt8]) {
        self.next = next
    }

    func read() throws -> [UInt8] {
        guard !isAtEnd else { return [] }
        do {
            let block = try next()
            isAtEnd = block.isEmpty
            return block
        } catch {
            isAtEnd = true
            failure = ImportFailure(error)
            throw error
        }
    }

    /// Reads the rest, so that the archive can continue with the next member.
    func drain() throws {
        while try !read().isEmpty {}
    }
}

extension [UInt8] {
    /// The little-endian number in `count` bytes at `offset`.
    func little(_ offset: Int, _ count: Int) -> Int {
        (0..<count).reversed().reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}
