import Decompression
import Text

/// Reads the members of a ZIP archive (PKWARE's APPNOTE 6.3) from start to end.
///
/// It uses the local headers, with ZIP64 and with sizes after the data, so that pipes and truncated archives can be
/// read.
struct ZipArchive {
    private static let memberHeader = Array("PK\u{3}\u{4}".utf8)
    private static let dataDescriptorHeader = Array("PK\u{7}\u{8}".utf8)
    /// Signatures of the central directory and of the end of the archive; no member follows.
    private static let endHeaders = ["PK\u{1}\u{2}", "PK\u{5}\u{6}", "PK\u{6}\u{6}", "PK\u{6}\u{8}"].map {
        Array($0.utf8)
    }
    /// Stands for a size that is in the ZIP64 extra field.
    private static let sizeInExtraField = 0xFFFF_FFFF

    private let bytes: ArchiveBytes

    init(_ source: any ByteSource, _ reading: FileReading) {
        bytes = ArchiveBytes(source, reading)
    }

    /// Whether the bytes begin a ZIP archive, which may be empty.
    static func recognises(_ head: [UInt8]) -> Bool {
        head.starts(with: memberHeader) || head.starts(with: endHeaders[1])
    }

    /// Calls `take` with the path and content of each file.
    func each(_ take: (String, ArchiveMember) throws -> Void) throws {
        while true {
            let signature = Array(try bytes.peek(4))
            if Self.endHeaders.contains(signature) { return }
            guard signature.count == 4 else { throw ImportFailure.truncated }
            guard signature == Self.memberHeader else {
                throw ImportFailure.damaged("not a valid ZIP header", byte: bytes.position)
            }
            let header = try readHeader()
            let start = bytes.position
            let member = try checked(member(header), header)
            if !header.path.hasSuffix("/") { try take(header.path, member) }
            // An error of a member is already in its receipt, unless the member was left unread.
            do { try member.drain() } catch { if member.failure == nil { throw error } }
            if header.hasDataDescriptor {
                // The end of a damaged member is unknown.
                guard member.failure == nil || member.failure == .checksumMismatch else {
                    throw ImportFailure.truncated
                }
            } else {
                try bytes.skip(start + header.packedSize.bytes - bytes.position)
            }
        }
    }

    private struct Header {
        let path: String
        let method: Int
        let isEncrypted: Bool
        let hasDataDescriptor: Bool
        let packedSize: FileSize
        let sum: UInt32
    }

    private func readHeader() throws -> Header {
        let fixed = try bytes.take(30)
        let flags = fixed.little(6, 2)
        let name = try bytes.take(fixed.little(26, 2))
        let extra = try bytes.take(fixed.little(28, 2))
        var packed = FileSize(fixed.little(18, 4))
        if packed?.bytes == Self.sizeInExtraField {
            packed = Self.zip64Size(extra, hasUnpacked: fixed.little(22, 4) == Self.sizeInExtraField)
        }
        guard let packed else { throw ImportFailure.damaged("an invalid member size", byte: bytes.position) }
        return Header(
            path: ByteText.string(name), method: fixed.little(8, 2), isEncrypted: flags & 1 != 0,
            hasDataDescriptor: flags & 8 != 0, packedSize: packed, sum: UInt32(fixed.little(14, 4)))
    }

    /// The packed size in extra field 1, after the unpacked size if that is there too.
    private static func zip64Size(_ extra: [UInt8], hasUnpacked: Bool) -> FileSize? {
        var at = 0
        while at + 4 <= extra.count {
            let length = extra.little(at + 2, 2)
            let value = at + 4 + (hasUnpacked ? 8 : 0)
            if extra.little(at, 2) == 1, value + 8 <= min(extra.count, at + 4 + length) {
                return FileSize(extra.little(value, 8))
            }
            at += 4 + length
        }
        // Archives without ZIP64 may have a member of 4 GiB − 1 byte.
        return FileSize(sizeInExtraField)
    }

    private func member(_ header: Header) throws -> ArchiveMember {
        if header.isEncrypted || (header.method != 0 && header.method != 8) {
            let failure = header.isEncrypted ? ImportFailure.encrypted : .unsupportedCompression(header.method)
            guard !header.hasDataDescriptor else { throw failure }
            return ArchiveMember { throw failure }
        }
        if header.method == 8 { return try inflated(header.hasDataDescriptor ? .max : header.packedSize.bytes) }
        // Without a size, the end of stored data is unknown.
        guard !header.hasDataDescriptor || header.packedSize.bytes > 0 || header.path.hasSuffix("/") else {
            throw ImportFailure.unsupportedCompression(0)
        }
        return .stored(header.packedSize.bytes, in: bytes)
    }

    /// Compares the checksum when all of a member has been read; 0 means that the writer computed none.
    private func checked(_ member: ArchiveMember, _ header: Header) -> ArchiveMember {
        var sum = CRC32()
        return ArchiveMember {
            let block = try member.read()
            guard block.isEmpty else {
                sum.add(block)
                return block
            }
            let stated = try header.hasDataDescriptor ? readDataDescriptor() : header.sum
            guard stated == sum.value || stated == 0 else { throw ImportFailure.checksumMismatch }
            return []
        }
    }

    /// Decompresses at most `limit` packed bytes.
    private func inflated(_ limit: Int) throws -> ArchiveMember {
        var rest = limit
        let decoder = try StreamDecoder(rawDeflate: ())
        var packed: [UInt8] = []
        var offset = 0
        var expansion = ExpansionLimit()
        return ArchiveMember { [bytes] in
            while !decoder.isFinished {
                let output = try decoder.decode(packed, from: &offset, limit: blockSize)
                if decoder.isFinished { bytes.giveBack(packed.count - offset) }
                if !output.isEmpty {
                    try expansion.add(output: output.count)
                    return output
                }
                guard !decoder.isFinished, offset >= packed.count else { continue }
                packed = try bytes.readSome(min(rest, blockSize))
                rest -= packed.count
                expansion.add(input: packed.count)
                offset = 0
                guard !packed.isEmpty else { throw DecompressionError.truncated }
            }
            return []
        }
    }

    /// Reads the checksum after the data, with or without a signature, and skips the sizes of 4 or 8 bytes each.
    private func readDataDescriptor() throws -> UInt32 {
        let ahead = Array(try bytes.peek(28))
        let first = ahead.starts(with: Self.dataDescriptorHeader) ? 8 : 4
        // After sizes of 4 bytes another header follows.
        let isShort = ahead.count < first + 10 || ahead[(first + 8)..<(first + 10)].elementsEqual("PK".utf8)
        let sum = UInt32(Array(try bytes.take(first)).little(first - 4, 4))
        try bytes.skip(isShort ? 8 : 16)
        return sum
    }
}

extension ArchiveMember {
    /// The next `size` bytes of an archive, stored without compression.
    static func stored(_ size: Int, in bytes: ArchiveBytes) -> ArchiveMember {
        var rest = size
        return ArchiveMember {
            guard rest > 0 else { return [] }
            let block = try bytes.readSome(min(rest, blockSize))
            guard !block.isEmpty else { throw ImportFailure.truncated }
            rest -= block.count
            return block
        }
    }
}
