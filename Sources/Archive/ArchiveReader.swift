internal import CArchive
internal import Files
internal import Glibc

/// Reads the members of an archive, or a single compressed file, from start to end with libarchive.
///
/// A 7z archive is copied to a temporary file first, because its directory is at its end. Not thread-safe.
@safe
public final class ArchiveReader {
    private let format: ArchiveFormat
    private let limits: ArchiveLimits
    private let archive: OpaquePointer
    private let input: ArchiveInput
    private var isInMember = false
    /// The type of the member, such as `regularFile`.
    private var type: UInt32 = 0
    /// The unpacked size in the header of the member; nil if the header has none.
    private var statedSize: Int?
    private var isEncrypted = false
    /// The compression of the member, if it is not supported.
    private var unsupported: String?
    /// A warning about the block that was returned last.
    private var warning: ArchiveError?
    /// The error after which no other member is read.
    private var ending: (any Error)?
    private var members = 0
    /// Where the packed bytes of the member begin.
    private var memberStart = 0
    /// Unpacked bytes of the member, and of all.
    private var memberBytes = 0
    private var totalBytes = 0

    /// The end of libarchive's warning if the writer of a ZIP archive computed no checksum.
    private static let noChecksum = " should be 0x0"
    /// The compressions in ZIP whose memory libarchive limits. For others the archive states how much they need.
    private static let zipMethods = ["uncompressed", "deflation", "bzip", "zstd"]
    /// `AE_IFREG` and `AE_IFDIR`, which are not imported into Swift.
    private static let regularFile: UInt32 = 0o100_000
    private static let folder: UInt32 = 0o040_000
    /// More than deflate (1,032, https://zlib.net/zlib_tech.html) and RAR 5 (4 KiB for a bit) expand.
    private static let largestExpansion = 1 << 15

    /// Opens an archive of which `read` returns the next bytes, empty at the end; its errors are passed on.
    ///
    /// The first bytes must contain the headers of an xz stream.
    public convenience init(
        _ format: ArchiveFormat, limits: ArchiveLimits = ArchiveLimits(), read: @escaping () throws -> [UInt8]
    ) throws {
        switch format {
        case .sevenZip:
            let file = try ArchiveFile(copying: read, limit: limits.copyBytes)
            try SevenZipDirectory.check(file, limits) { try Self.content($0, limits) }
            try self.init(format, limits, try ArchiveInput(file))
        case .xz:
            let head = try read()
            try XZDictionary.check(head, limits)
            var blocks = [head]
            try self.init(format, limits, ArchiveInput { try blocks.popLast() ?? read() })
        default:
            try self.init(format, limits, ArchiveInput(read))
        }
    }

    private init(_ format: ArchiveFormat, _ limits: ArchiveLimits, _ input: ArchiveInput) throws {
        guard let archive = unsafe archive_read_new() else { throw ArchiveError.outOfMemory }
        self.format = format
        self.limits = limits
        self.input = input
        unsafe self.archive = archive
        guard unsafe format.enable(archive) else { throw ArchiveError.unsupported("\(format)") }
        if input.file != nil {
            unsafe archive_read_set_seek_callback(archive) { _, input, offset, whence in
                unsafe ArchiveReader.input(input)?.seek(offset, whence: whence) ?? -1
            }
        }
        input.allowance = limits.headerBytes
        let status = unsafe archive_read_open2(
            archive, Unmanaged.passUnretained(input).toOpaque(), nil,
            { _, input, pointer in unsafe ArchiveReader.input(input)?.read(into: pointer) ?? -1 }, nil, nil)
        guard status >= ARCHIVE_WARN else { throw failure(inData: false) }
        // A compressed file is a member without a name.
        if !format.isArchive { _ = try next() }
    }

    /// The content of the only file of a 7z archive in parts.
    private static func content(_ parts: [[UInt8]], _ limits: ArchiveLimits) throws -> [UInt8] {
        var limits = limits
        limits.memberBytes = limits.headerBytes
        var rest = parts[...]
        let reader = try ArchiveReader(.sevenZip, limits: limits) { rest.popFirst() ?? [] }
        guard try reader.next() != nil else { throw ArchiveError.invalid("the directory of the archive is empty") }
        var content: [UInt8] = []
        do {
            while case let block = try reader.read(), !block.isEmpty { content += block }
        } catch ArchiveError.limit {
            throw SevenZipDirectory.tooLong
        }
        return content
    }

    deinit {
        unsafe archive_read_free(archive)
    }

    private static func input(_ pointer: UnsafeMutableRawPointer?) -> ArchiveInput? {
        unsafe pointer.map { unsafe Unmanaged<ArchiveInput>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Moves to the next file, and returns the bytes of its path; nil at the end.
    ///
    /// The rest of the file before it is skipped. Folders and links are left out.
    public func next() throws -> [UInt8]? {
        while true {
            if let ending { throw ending }
            input.allowance = .max
            if isInMember { try skipRest() }
            isInMember = false
            input.allowance = limits.headerBytes
            let (status, entry, path) = unsafe UTF8Locale.using { unsafe readHeader() }
            input.allowance = .max
            if status == ARCHIVE_EOF {
                if isWithoutEnd { throw ArchiveError.truncated }
                // A tar archive ends before its input, which may be damaged or truncated there.
                if format == .tar { try input.readToEnd() }
                return nil
            }
            guard status == ARCHIVE_OK || status == ARCHIVE_WARN, let entry = unsafe entry else {
                throw failure(inData: false)
            }
            isInMember = true
            members += 1
            guard members <= limits.members else { throw ArchiveError.limit("more than \(limits.members) files") }
            guard path.count <= limits.nameBytes else {
                throw ArchiveError.limit("the name of a file is longer than \(limits.nameBytes) bytes")
            }
            unsafe begin(entry)
            let isFile = unsafe type == Self.regularFile && archive_entry_hardlink(entry) == nil
            guard isFile, path.last != UInt8(ascii: "/") else { continue }
            // The name is missing or invalid in the character set that the archive states.
            return path.isEmpty ? Array("file \(members)".utf8) : path
        }
    }

    private func begin(_ entry: OpaquePointer) {
        type = unsafe archive_entry_filetype(entry)
        statedSize = unsafe archive_entry_size_is_set(entry) != 0 ? Int(archive_entry_size(entry)) : nil
        isEncrypted = unsafe archive_entry_is_data_encrypted(entry) != 0
        unsupported = format == .zip ? unsupportedZipMethod() : nil
        warning = nil
        memberBytes = 0
        memberStart = packedBytes
    }

    /// Skips the rest of the member; what libarchive would unpack for it is counted.
    ///
    /// libarchive unpacks a deflated member of a ZIP archive whose header does not state the packed size (if it states the
    /// unpacked size alone, as no writer does, this is not noticed), and all members of a solid RAR archive of version 5;
    /// which archives are solid is not known here.
    private func skipRest() throws {
        if format == .zip && statedSize == nil || format == .rar5 && statedSize != 0 && type != Self.folder {
            while let block = try? read(), !block.isEmpty {}
            if let ending { throw ending }
        }
        // Folders and links cannot be read, but may have content that is unpacked: at most a block of it …
        let isEmpty = format == .zip ? type != Self.regularFile : format == .rar5 && statedSize == 0
        if isEmpty { input.allowance = FileSource.blockBytes }
        let start = packedBytes
        guard unsafe archive_read_data_skip(archive) >= ARCHIVE_WARN else { throw failure(inData: false) }
        // … which counts as much as it can be. A folder of Java's library has 2 bytes.
        if isEmpty { try add(Self.largestExpansion * (packedBytes - start)) }
    }

    /// Whether the header at the end of a RAR archive is missing: for libarchive the end of the bytes is one, too.
    private var isWithoutEnd: Bool {
        switch format {
        case .rar: input.isAtEnd
        // libarchive wants more bytes than the header has, which are its checksum, its length of 3 and its type 5.
        case .rar5: input.isAtEnd && !input.lastBytes.dropFirst(4).starts(with: [3, 5])
        default: false
        }
    }

    /// The next header, and the bytes of its path: empty if it has none.
    private func readHeader() -> (status: Int32, entry: OpaquePointer?, path: [UInt8]) {
        var entry: OpaquePointer?
        let status = unsafe archive_read_next_header(archive, &entry)
        guard status == ARCHIVE_OK || status == ARCHIVE_WARN else { return unsafe (status, entry, []) }
        // If a name cannot be converted, libarchive ends the process if it finds ENOMEM here, even that of an earlier call.
        errno = 0
        // RAR 5 has names in UTF-8 that may be invalid.
        guard let name = unsafe archive_entry_pathname(entry) ?? archive_entry_pathname_utf8(entry) else {
            return unsafe (status, entry, [])
        }
        let path = unsafe UnsafeBufferPointer(start: name, count: strlen(name)).map { UInt8(bitPattern: $0) }
        return unsafe (status, entry, path)
    }

    /// From the name of the format, such as `ZIP 2.0 (deflation)`.
    private func unsupportedZipMethod() -> String? {
        let name = unsafe archive_format_name(archive).map { unsafe String(cString: $0) } ?? ""
        let method = String(name.drop { $0 != "(" }.dropFirst().dropLast())
        return Self.zipMethods.contains(method) ? nil : method
    }

    /// The packed bytes that were used so far.
    private var packedBytes: Int { unsafe Int(archive_filter_bytes(archive, -1)) }

    /// The next bytes of the file; empty at its end.
    public func read() throws -> [UInt8] {
        do {
            return try readBlock()
        } catch {
            if isFinal(error) { ending = error }
            throw error
        }
    }

    /// Whether no other member is read after an error.
    private func isFinal(_ error: any Error) -> Bool {
        switch error {
        case ArchiveError.truncated: true
        // To skip the rest, libarchive would unpack it.
        case ArchiveError.bomb, ArchiveError.limit: format != .zip || statedSize == nil
        // The member was read.
        case ArchiveError.checksum: false
        // The rest of a solid archive would be unpacked without being counted.
        default: format == .rar5
        }
    }

    private func readBlock() throws -> [UInt8] {
        if isEncrypted { throw ArchiveError.encrypted }
        if let unsupported { throw ArchiveError.unsupported(unsupported) }
        while warning == nil {
            var pointer: UnsafeRawPointer?
            var count = 0
            var offset: Int64 = 0
            let status = unsafe archive_read_data_block(archive, &pointer, &count, &offset)
            if status == ARCHIVE_EOF { return [] }
            guard status >= ARCHIVE_WARN else {
                // libarchive misses the end of zstd in ZIP if the last block fills its buffer, and compares no checksum.
                if format == .zip, memberBytes == statedSize, message.hasPrefix("Truncated zstd") { return [] }
                throw failure(inData: true)
            }
            if status == ARCHIVE_WARN { warning = dataWarning() }
            guard count > 0 else { continue }
            guard offset == memberBytes else { throw ArchiveError.unsupported("sparse file") }
            try add(count)
            return unsafe Array(UnsafeRawBufferPointer(start: pointer, count: count))
        }
        throw warning ?? .damagedData
    }

    private func add(_ count: Int) throws(ArchiveError) {
        memberBytes += count
        totalBytes += count
        guard memberBytes <= limits.memberBytes, totalBytes <= limits.totalBytes else {
            throw .limit(
                "more than \(limits.memberBytes >> 30) GiB of a file, or \(limits.totalBytes >> 30) GiB of all")
        }
        // Members of 7z and RAR 5 may share packed bytes.
        if format == .sevenZip || format == .rar5 {
            try limits.expansion.check(input: input.file?.byteCount ?? packedBytes, output: totalBytes)
        } else {
            try limits.expansion.check(input: packedBytes - memberStart, output: memberBytes)
        }
    }

    private var message: String {
        unsafe archive_error_string(archive).map { unsafe String(cString: $0) } ?? ""
    }

    /// Warnings about the content of a member are about its size and its checksum.
    private func dataWarning() -> ArchiveError? {
        // Some writers put sizes of 8 bytes behind the data without announcing them. libarchive takes the high half of the
        // packed size, which is 0, for the unpacked size, and compares no checksum.
        let isWideSize =
            statedSize == nil && message.contains("uncompressed data is wrong size")
            && message.contains("expected 0)")
        return isWideSize || message.hasSuffix(Self.noChecksum) ? nil : .checksum
    }

    /// The error of the source, or that of libarchive.
    private func failure(inData: Bool) -> any Error {
        if let error = input.failure { return error }
        let message = message
        if unsafe archive_errno(archive) == ENOMEM { return ArchiveError.outOfMemory }
        if message.contains("too much memory") { return ArchiveError.memory(bytes: limits.memory) }
        if message.contains("ncrypt") || message.contains("assphrase") { return ArchiveError.encrypted }
        // A 7z archive is complete: the directory at its end was there.
        if input.isAtEnd, input.file == nil { return ArchiveError.truncated }
        if message.contains("nsupported") || message.contains("not supported") {
            return ArchiveError.unsupported(message)
        }
        guard inData else { return ArchiveError.invalid(message) }
        return message.contains("CRC") || message.contains("Checksum") ? ArchiveError.checksum : .damagedData
    }
}
