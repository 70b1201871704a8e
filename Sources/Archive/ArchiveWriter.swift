internal import CArchive

/// Writes a tar archive (POSIX pax) compressed with zstd, which `tar --zstd` reads.
///
/// Not thread-safe.
@safe
public final class ArchiveWriter {
    private let archive: OpaquePointer
    private let output: ArchiveOutput
    /// Seconds since 1970: the time of all members.
    private let time: Int64

    /// `AE_IFREG`, which is not imported into Swift.
    private static let regularFile: UInt32 = 0o100_000
    /// A member can be read by its owner only.
    private static let permissions: mode_t = 0o600

    /// Begins an archive whose bytes are passed to `write`; its errors are passed on. `time` is in seconds since 1970.
    public init(time: Int64, write: @escaping ([UInt8]) throws -> Void) throws {
        guard let archive = unsafe archive_write_new() else { throw ArchiveError.outOfMemory }
        output = ArchiveOutput(write)
        self.time = time
        unsafe self.archive = archive
        try unsafe check(archive_write_add_filter_zstd(archive))
        // Only members that need it get headers of pax: the others are those of ustar.
        try unsafe check(archive_write_set_format_pax_restricted(archive))
        // Otherwise it pads its output to blocks of tapes, with zeros that are no zstd.
        try unsafe check(archive_write_set_bytes_in_last_block(archive, 1))
        let status = unsafe archive_write_open2(
            archive, Unmanaged.passUnretained(output).toOpaque(), nil,
            { _, output, bytes, count in
                guard let output = unsafe output else { return -1 }
                let object = unsafe Unmanaged<ArchiveOutput>.fromOpaque(output).takeUnretainedValue()
                return unsafe object.write(UnsafeRawBufferPointer(start: bytes, count: count)) ? count : -1
            }, nil, nil)
        try check(status)
    }

    deinit {
        // Writes what is pending unless the archive was closed, if it can; an error has no meaning any more.
        output.isEnded = true
        unsafe archive_write_free(archive)
    }

    /// Adds a file of `byteCount` bytes, which `next` returns one after the other; empty at the end. A file that has
    /// another number of bytes is an error of the caller.
    public func add(_ name: String, byteCount: Int64, _ next: () throws -> [UInt8]) throws {
        guard let entry = unsafe archive_entry_new() else { throw ArchiveError.outOfMemory }
        defer { unsafe archive_entry_free(entry) }
        unsafe archive_entry_set_pathname(entry, name)
        unsafe archive_entry_set_size(entry, byteCount)
        unsafe archive_entry_set_filetype(entry, Self.regularFile)
        unsafe archive_entry_set_perm(entry, Self.permissions)
        unsafe archive_entry_set_mtime(entry, Int(time), 0)
        try unsafe check(archive_write_header(archive, entry))
        var written: Int64 = 0
        while case let bytes = try next(), !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe archive_write_data(archive, buffer.baseAddress, buffer.count)
            }
            guard count == bytes.count else { throw failure() }
            written += Int64(count)
        }
        precondition(written == byteCount, "a member has the size that was stated")
    }

    /// Ends the archive: all its bytes have been passed on.
    public func finish() throws {
        try unsafe check(archive_write_close(archive))
    }

    private func check(_ status: Int32) throws {
        guard status >= ARCHIVE_WARN else { throw failure() }
    }

    /// The error of the output, or that of libarchive.
    private func failure() -> any Error {
        if let error = output.failure { return error }
        let message = unsafe archive_error_string(archive).map { unsafe String(cString: $0) } ?? ""
        return ArchiveError.invalid(message)
    }
}

/// Where libarchive writes an archive.
private final class ArchiveOutput {
    private let next: ([UInt8]) throws -> Void
    private(set) var failure: (any Error)?
    /// Whether nothing more is to be written.
    var isEnded = false

    init(_ next: @escaping ([UInt8]) throws -> Void) {
        self.next = next
    }

    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        if isEnded { return true }
        guard failure == nil else { return false }
        do {
            try unsafe next(Array(bytes))
            return true
        } catch {
            failure = error
            return false
        }
    }
}
