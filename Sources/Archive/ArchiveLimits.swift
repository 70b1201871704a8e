/// Limits for archives and compressed files, because libarchive has none for most of this.
public struct ArchiveLimits: Sendable {
    /// Members of an archive: more than any export has, and a bound on the receipts of its members, 1.1 KB each.
    public var members = 500_000
    /// Members of an archive with a directory, which libarchive has in memory: 80 bytes for each without its name.
    public var directoryMembers = 200_000
    /// Bytes of a directory (150 bytes per member), or of anything else that is read before a member begins.
    public var headerBytes = 32 << 20
    /// Bytes of a 7z archive, because it is copied to a temporary file.
    public var copyBytes = 1 << 32
    /// Bytes of the name of a member, with its folders: the limit of Linux.
    public var nameBytes = 4096
    /// Unpacked bytes of a member, and of all members: no recording has a hundredth of it, but a small archive must not
    /// keep an import busy for days.
    public var memberBytes = 1 << 36
    public var totalBytes = 1 << 38
    /// Bytes that a dictionary may take: the limit of zstd's library; `xz -9` needs half of it, the default of 7-Zip a
    /// quarter.
    public var memory = 128 << 20
    /// The largest expansion.
    public var expansion = ExpansionLimit()

    /// The limits of imports.
    public init() {}
}

/// Stops decompression bombs.
public struct ExpansionLimit: Sendable {
    /// Maximum expansion: tracks compress 5- to 20-fold, so a larger factor is treated as a decompression bomb …
    private var maxRatio = 200
    /// … once there are this many decompressed bytes; small files of blanks are harmless.
    private static let minBombBytes = 16 * 1024 * 1024

    /// The limit of imports.
    public init() {}

    /// No limit, for archives of this program.
    public static let none = {
        var limit = ExpansionLimit()
        limit.maxRatio = .max
        return limit
    }()

    /// Throws if `input` compressed bytes have expanded too much.
    public func check(input: Int, output: Int) throws(ArchiveError) {
        guard output < Self.minBombBytes || maxRatio == .max || output / maxRatio < input else {
            throw .bomb(ratio: maxRatio)
        }
    }
}
