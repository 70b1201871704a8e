import Archive

/// The little-endian bytes of a number; 0 after the eighth.
func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { $0 < 8 ? UInt8(truncatingIfNeeded: value >> ($0 * 8)) : 0 }
}

/// The checksum of ZIP, RAR and 7z.
func crc32(_ bytes: [UInt8]) -> Int {
    Int(
        ~bytes.reduce(UInt32.max) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
        })
}

/// A RAR archive of version 4 with stored files, as described in unrar's `technote.txt`.
func rar4(_ members: [(String, [UInt8])], flags: Int = 0) -> [UInt8] {
    func block(_ type: UInt8, _ flags: Int, _ body: [UInt8]) -> [UInt8] {
        let rest = [type] + little(flags, 2) + little(7 + body.count, 2) + body
        return little(crc32(rest), 2) + rest
    }
    var bytes = Array("Rar!\u{1A}\u{7}\u{0}".utf8) + block(0x73, 0, little(0, 6))
    for (name, content) in members {
        // Sizes, Unix, checksum, time, version 2.0, stored, length of the name, mode.
        var body = little(content.count, 4) + little(content.count, 4) + [3] + little(crc32(content), 4)
        body += little(0x58A1_0000, 4) + [20, 0x30] + little(name.utf8.count, 2) + little(0o100_644, 4)
        bytes += block(0x74, 0x8000 | flags, body + Array(name.utf8)) + content
    }
    return bytes + block(0x7B, 0x4000, [])
}

/// A RAR archive of version 5 with stored files, as described in RARLAB's "RAR 5.0 archive format".
///
/// A reader needs a dictionary of 128 KiB << `dictionary`. In a name, `?` stands for a byte that is invalid in UTF-8.
func rar5(_ members: [(String, [UInt8])], dictionary: Int = 0, isSolid: Bool = false) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
        value < 128 ? [UInt8(value)] : [UInt8(value & 127) | 128] + number(value >> 7)
    }
    func block(_ body: [UInt8]) -> [UInt8] {
        let rest = number(body.count) + body
        return little(crc32(rest), 4) + rest
    }
    var bytes = Array("Rar!\u{1A}\u{7}\u{1}\u{0}".utf8) + block([1, 0, isSolid ? 4 : 0])
    for (name, content) in members {
        let name = name.utf8.map { $0 == UInt8(ascii: "?") ? 0xFF : $0 }
        // With data, its size; with a checksum; unpacked size, mode.
        var body = [2, 2] + number(content.count) + [4] + number(content.count) + number(0o100_644)
        body += little(crc32(content), 4) + number(dictionary << 10) + [1] + number(name.count) + name
        bytes += block(body) + content
    }
    return bytes + block([5, 0, 0])
}

/// The number of the files of an archive, none of which is read.
func skipAll(_ bytes: [UInt8], _ format: ArchiveFormat, _ limits: ArchiveLimits = ArchiveLimits()) throws -> Int {
    var blocks = [bytes]
    let archive = try ArchiveReader(format, limits: limits) { blocks.popLast() ?? [] }
    var files = 0
    while try archive.next() != nil { files += 1 }
    return files
}
