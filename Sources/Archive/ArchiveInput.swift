internal import CArchive
internal import Files

/// The bytes of an archive, as libarchive asks for them.
///
/// It gets blocks of equal size, so that what is read of a damaged archive does not depend on the blocks of the source.
@safe
final class ArchiveInput {
    private let next: () throws -> [UInt8]
    private var block: ArraySlice<UInt8> = []
    /// libarchive keeps a pointer to the last block until it asks for another.
    private let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: FileSource.blockBytes)
    /// The file to move in, if the format has a directory at its end.
    let file: ArchiveFile?
    /// The number of bytes that may be read yet.
    var allowance = Int.max
    /// The error that ended the reading; nil if there was none.
    private(set) var failure: (any Error)?
    /// Whether libarchive wanted more bytes than there are.
    private(set) var isAtEnd = false

    /// The last 8 bytes that were read.
    private(set) var lastBytes: [UInt8] = []

    init(_ next: @escaping () throws -> [UInt8]) {
        self.next = next
        file = nil
    }

    init(_ file: ArchiveFile) throws {
        try file.source.move(to: 0)
        next = { try file.source.read(upTo: FileSource.blockBytes) }
        self.file = file
    }

    deinit {
        unsafe buffer.deallocate()
    }

    /// Passes the next bytes to libarchive; their number, 0 at the end, or an error.
    func read(into pointer: UnsafeMutablePointer<UnsafeRawPointer?>?) -> Int {
        var filled = 0
        do {
            while failure == nil, unsafe filled < buffer.count {
                if block.isEmpty { block = try next()[...] }
                guard !block.isEmpty else { break }
                let part = unsafe block.prefix(buffer.count - filled)
                _ = unsafe UnsafeMutableBufferPointer(rebasing: buffer[filled...]).update(fromContentsOf: part)
                block = block.dropFirst(part.count)
                filled += part.count
            }
        } catch {
            failure = error
        }
        allowance -= filled
        if allowance < 0 { failure = failure ?? ArchiveError.limit("a header is too long") }
        guard failure == nil || (filled > 0 && allowance >= 0) else { return -1 }
        isAtEnd = isAtEnd || filled == 0
        lastBytes = unsafe Array((lastBytes + buffer[..<filled].suffix(8)).suffix(8))
        unsafe pointer?.pointee = UnsafeRawPointer(buffer.baseAddress)
        return filled
    }

    /// Reads what libarchive did not need; throws the error that ended the reading, if there was one.
    func readToEnd() throws {
        block = []
        while failure == nil, try !next().isEmpty {}
        if let failure { throw failure }
    }

    /// Moves to an offset of the file; -1 if that is impossible.
    func seek(_ offset: Int64, whence: Int32) -> Int64 {
        guard let file, failure == nil else { return -1 }
        let origin = whence == 0 ? 0 : whence == 1 ? file.source.position : Int64(file.byteCount)
        let (target, isOverflow) = origin.addingReportingOverflow(offset)
        do {
            guard !isOverflow, target >= 0 else { return -1 }
            try file.source.move(to: target)
        } catch {
            failure = error
            return -1
        }
        block = []
        return target
    }
}

/// A temporary copy of an archive whose directory is at its end.
final class ArchiveFile {
    private let file: TemporaryFile
    let source: FileSource
    let byteCount: Int

    /// Throws if there are more than `limit` bytes.
    init(copying next: () throws -> [UInt8], limit: Int) throws {
        file = try TemporaryFile()
        var count = 0
        while case let block = try next(), !block.isEmpty {
            count += block.count
            guard count <= limit else {
                throw ArchiveError.limit("the 7z archive is larger than \(limit >> 30) GiB")
            }
            try file.append(block)
        }
        byteCount = count
        source = try FileSource(path: file.path)
    }

    /// The bytes of a range; throws `truncated` if it is not within the file.
    func bytes(at offset: UInt64, count: UInt64) throws -> [UInt8] {
        guard let offset = Int64(exactly: offset), let count = Int(exactly: count), offset <= byteCount,
            count <= byteCount - Int(offset)
        else { throw ArchiveError.truncated }
        try source.move(to: offset)
        var bytes: [UInt8] = []
        while bytes.count < count {
            let block = try source.read(upTo: count - bytes.count)
            guard !block.isEmpty else { throw ArchiveError.truncated }
            bytes += block
        }
        return bytes
    }
}
