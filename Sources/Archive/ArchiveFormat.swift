internal import CArchive

/// A format that libarchive reads.
public enum ArchiveFormat: Sendable {
    case zip, tar, sevenZip, rar, rar5
    /// A single file, compressed.
    case xz, bzip2, zstd, lz4

    /// The format that the bytes begin with; nil for others.
    public init?(recognising head: [UInt8]) {
        guard let found = Self.signatures.first(where: { head.starts(with: $0.bytes) })?.format else {
            guard Self.isTarHeader(head.prefix(512)) else { return nil }
            self = .tar
            return
        }
        // A text may begin with the letters of bzip2: its level, and the magic number of a block or of the end, follow.
        if case .bzip2 = found {
            let blocks = [[0x31, 0x41, 0x59, 0x26, 0x53, 0x59], [0x17, 0x72, 0x45, 0x38, 0x50, 0x90]] as [[UInt8]]
            guard head.count >= 10, (0x31...0x39).contains(head[3]), blocks.contains(Array(head[4..<10])) else {
                return nil
            }
        }
        self = found
    }

    /// Whether it has members with names.
    public var isArchive: Bool { filter == nil }

    private static let signatures: [(bytes: [UInt8], format: ArchiveFormat)] = [
        (Array("PK\u{3}\u{4}".utf8), .zip),
        // An archive without members.
        (Array("PK\u{5}\u{6}".utf8), .zip),
        (Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C], .sevenZip),
        (Array("Rar!\u{1A}\u{7}\u{0}".utf8), .rar),
        (Array("Rar!\u{1A}\u{7}\u{1}\u{0}".utf8), .rar5),
        ([0xFD] + Array("7zXZ\u{0}".utf8), .xz),
        (Array("BZh".utf8), .bzip2),
        ([0x28, 0xB5, 0x2F, 0xFD], .zstd),
        ([0x04, 0x22, 0x4D, 0x18], .lz4),
    ]

    /// Whether a header of a tar archive has the right checksum, which counts its own 8 bytes as blanks.
    private static func isTarHeader(_ block: ArraySlice<UInt8>) -> Bool {
        guard block.count == 512, block[block.startIndex] != 0 else { return false }
        let field = block.startIndex + 148..<block.startIndex + 156
        let digits = block[field].drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
        let sum = block.reduce(0) { $0 + Int($1) } - block[field].reduce(0) { $0 + Int($1) } + 8 * 0x20
        return Int(String(decoding: digits, as: UTF8.self), radix: 8) == sum
    }

    private var filter: Int32? {
        switch self {
        case .xz: ARCHIVE_FILTER_XZ
        case .bzip2: ARCHIVE_FILTER_BZIP2
        case .zstd: ARCHIVE_FILTER_ZSTD
        case .lz4: ARCHIVE_FILTER_LZ4
        case .zip, .tar, .sevenZip, .rar, .rar5: nil
        }
    }

    /// Lets libarchive read this format and no other.
    ///
    /// False if libarchive was built without it; it would then start a program, if asked to go on.
    func enable(_ archive: OpaquePointer) -> Bool {
        if let filter {
            return unsafe archive_read_append_filter(archive, filter) == ARCHIVE_OK
                && archive_read_set_format(archive, ARCHIVE_FORMAT_RAW) == ARCHIVE_OK
        }
        let status =
            switch self {
            // From the headers of the members, not from the directory at the end: a pipe or a truncated archive can be
            // read, no byte is unpacked twice, and the memory does not grow with the number of members.
            case .zip: unsafe archive_read_support_format_zip_streamable(archive)
            case .sevenZip: unsafe archive_read_support_format_7zip(archive)
            case .rar: unsafe archive_read_support_format_rar(archive)
            case .rar5: unsafe archive_read_support_format_rar5(archive)
            case .tar, .xz, .bzip2, .zstd, .lz4: unsafe archive_read_support_format_tar(archive)
            }
        return status == ARCHIVE_OK
    }
}
