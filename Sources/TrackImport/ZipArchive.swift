import Zlib

/// Reads the members of a ZIP archive (PKWARE's APPNOTE 6.3) from front to end, so that pipes and what breaks off are read
/// too: by the headers before the members, with ZIP64 and with sizes that follow the data.
struct ZipArchive {
    private static let memberHeader = Array("PK\u{3}\u{4}".utf8)
    private static let sizesHeader = Array("PK\u{7}\u{8}".utf8)
    /// Headers of the directory, of its signature, and of the archive's end: no member follows.
    private static let endHeaders = ["PK\u{1}\u{2}", "PK\u{5}\u{6}", "PK\u{6}\u{6}", "PK\u{6}\u{8}"].map {
        Array($0.utf8)
    }
    /// Stands where a size is in the extra field of ZIP64.
    private static let inExtra = 0xFFFF_FFFF

    private let bytes: ArchiveBytes

    init(_ source: any ByteSource, _ reading: FileReading) {
        bytes = ArchiveBytes(source, reading)
    }

    /// Whether the bytes begin as an archive does, an empty one too.
    static func recognises(_ head: [UInt8]) -> Bool {
        head.starts(with: memberHeader) || head.starts(with: endHeaders[1])
    }

    /// Hands each file in it to `take`, with its path.
    func each(_ take: (String, ArchiveMember) throws -> Void) throws {
        while true {
            let signature = Array(try bytes.peek(4))
            if Self.endHeaders.contains(signature) { return }
            guard signature.count == 4 else { throw ImportFailure.breaksOff }
            guard signature == Self.memberHeader else {
                throw ImportFailure.damaged("no member of a ZIP archive", byte: bytes.position)
            }
            let header = try readHeader()
            let start = bytes.position
            let member = try checked(member(header), header)
            if !header.path.hasSuffix("/") { try take(header.path, member) }
            // What is wrong with a member has been told with it, unless it was left unread.
            do { try member.drain() } catch { if member.failure == nil { throw error } }
            if header.hasSizesBehind {
                // Where a damaged member ends is not known.
                guard member.failure == nil || member.failure == .wrongSum else { throw ImportFailure.breaksOff }
            } else {
                try bytes.skip(start + header.packedSize.bytes - bytes.position)
            }
        }
    }

    private struct Header {
        let path: String
        let method: Int
        let isEncrypted: Bool
        let hasSizesBehind: Bool
        let packedSize: FileSize
        let sum: UInt32
    }

    private func readHeader() throws -> Header {
        let fixed = try bytes.take(30)
        let flags = fixed.little(6, 2)
        let name = try bytes.take(fixed.little(26, 2))
        let extra = try bytes.take(fixed.little(28, 2))
        var packed = FileSize(fixed.little(18, 4))
        if packed?.bytes == Self.inExtra {
            packed = Self.wideSize(extra, hasUnpacked: fixed.little(22, 4) == Self.inExtra)
        }
        guard let packed else { throw ImportFailure.damaged("a size that is no size", byte: bytes.position) }
        return Header(
            path: Text.string(name), method: fixed.little(8, 2), isEncrypted: flags & 1 != 0,
            hasSizesBehind: flags & 8 != 0, packedSize: packed, sum: UInt32(fixed.little(14, 4)))
    }

    /// The packed size in the extra field 1, where the unpacked one stands before it.
    private static func wideSize(_ extra: [UInt8], hasUnpacked: Bool) -> FileSize? {
        var at = 0
        while at + 4 <= extra.count {
            let length = extra.little(at + 2, 2)
            let value = at + 4 + (hasUnpacked ? 8 : 0)
            if extra.little(at, 2) == 1, value + 8 <= min(extra.count, at + 4 + length) {
                return FileSize(extra.little(value, 8))
            }
            at += 4 + length
        }
        // Older archives have members of 4 GiB less a byte.
        return FileSize(inExtra)
    }

    private func member(_ header: Header) throws -> ArchiveMember {
        if header.isEncrypted || (header.method != 0 && header.method != 8) {
            let failure = header.isEncrypted ? ImportFailure.encrypted : .packing(header.method)
            guard !header.hasSizesBehind else { throw failure }
            return ArchiveMember { throw failure }
        }
        if header.method == 8 { return try inflated(header.hasSizesBehind ? .max : header.packedSize.bytes) }
        // Only the data itself could tell where it ends.
        guard !header.hasSizesBehind || header.packedSize.bytes > 0 || header.path.hasSuffix("/") else {
            throw ImportFailure.packing(0)
        }
        return .stored(header.packedSize.bytes, in: bytes)
    }

    /// A member whose checksum is compared once all of it is read; what wrote 0 did not sum.
    private func checked(_ member: ArchiveMember, _ header: Header) -> ArchiveMember {
        var sum = CRC32()
        return ArchiveMember {
            let block = try member.read()
            guard block.isEmpty else {
                sum.add(block)
                return block
            }
            let told = try header.hasSizesBehind ? takeSum() : header.sum
            guard told == sum.value || told == 0 else { throw ImportFailure.wrongSum }
            return []
        }
    }

    /// Unpacks at most `limit` bytes.
    private func inflated(_ limit: Int) throws -> ArchiveMember {
        var rest = limit
        let inflater = try Inflater(raw: true)
        var packed: [UInt8] = []
        var offset = 0
        var growth = Growth()
        return ArchiveMember { [bytes] in
            while !inflater.isFinished {
                let output = try inflater.inflate(packed, from: &offset, limit: blockSize)
                if inflater.isFinished { bytes.giveBack(packed.count - offset) }
                if !output.isEmpty {
                    try growth.add(unpacked: output.count, packed: packed.count)
                    return output
                }
                guard !inflater.isFinished, offset >= packed.count else { continue }
                growth.use(packed.count)
                packed = try bytes.takeSome(min(rest, blockSize))
                rest -= packed.count
                offset = 0
                guard !packed.isEmpty else { throw ZlibError.truncated }
            }
            return []
        }
    }

    /// The checksum behind the data, with a signature before it or without, and sizes behind it of 4 or of 8 bytes each.
    private func takeSum() throws -> UInt32 {
        let ahead = Array(try bytes.peek(28))
        let first = ahead.starts(with: Self.sizesHeader) ? 8 : 4
        // What follows short sizes is a header again.
        let isShort = ahead.count < first + 10 || ahead[(first + 8)..<(first + 10)].elementsEqual("PK".utf8)
        let sum = UInt32(Array(try bytes.take(first)).little(first - 4, 4))
        try bytes.skip(isShort ? 8 : 16)
        return sum
    }
}

/// How much a packed member has grown.
private struct Growth {
    private var packed = 0
    private var unpacked = 0

    mutating func use(_ count: Int) {
        packed += count
    }

    mutating func add(unpacked count: Int, packed underWay: Int) throws {
        unpacked += count
        let isBomb =
            unpacked >= UnpackingSource.ratioFreeBytes
            && unpacked / UnpackingSource.greatestRatio >= packed + underWay
        if isBomb { throw ImportFailure.gzipBomb(ratio: UnpackingSource.greatestRatio) }
    }
}

extension ArchiveMember {
    /// The next `size` bytes of an archive as they are.
    static func stored(_ size: Int, in bytes: ArchiveBytes) -> ArchiveMember {
        var rest = size
        return ArchiveMember {
            guard rest > 0 else { return [] }
            let block = try bytes.takeSome(min(rest, blockSize))
            guard !block.isEmpty else { throw ImportFailure.breaksOff }
            rest -= block.count
            return block
        }
    }
}
