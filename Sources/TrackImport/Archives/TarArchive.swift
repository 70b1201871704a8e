import Text

/// Reads the members of a tar archive (POSIX ustar and pax, GNU long names) from start to end.
struct TarArchive {
    /// Headers and data are padded to blocks of this many bytes.
    static let blockSize = 512
    /// Maximum length of a pax header or a long name, in bytes.
    private static let headerLimit = 1024 * 1024

    private let bytes: ArchiveBytes

    init(_ source: any ByteSource, _ reading: FileReading) {
        bytes = ArchiveBytes(source, reading)
    }

    /// Whether the bytes begin with a tar header whose checksum is correct.
    static func recognises(_ head: [UInt8]) -> Bool {
        head.count >= blockSize && isHeader(Array(head.prefix(blockSize)))
    }

    /// The checksum counts its own 8 bytes as blanks.
    private static func isHeader(_ block: [UInt8]) -> Bool {
        guard let stated = octal(block[148..<156]), block[0] != 0 else { return false }
        let sum = block.enumerated().reduce(0) { $0 + ((148..<156).contains($1.offset) ? 0x20 : Int($1.element)) }
        return sum == stated
    }

    /// Calls `take` with the path and content of each file.
    func each(_ take: (String, ArchiveMember) throws -> Void) throws {
        var attributes: [String: String] = [:]
        while true {
            let ahead = try bytes.peek(Self.blockSize)
            guard !ahead.isEmpty, ahead.contains(where: { $0 != 0 }) else { return }
            let header = try bytes.take(Self.blockSize)
            guard Self.isHeader(header) else {
                throw ImportFailure.damaged("not a valid tar header", byte: bytes.position - Self.blockSize)
            }
            let stated = attributes["size"].flatMap { Int($0) } ?? Self.size(header)
            guard let size = stated.flatMap({ FileSize($0) })?.bytes else {
                throw ImportFailure.damaged("an invalid member size", byte: bytes.position - Self.blockSize)
            }
            let padding = (Self.blockSize - size % Self.blockSize) % Self.blockSize
            switch header[156] {
            case UInt8(ascii: "x"):
                for (name, value) in Self.records(try headerData(size)) where Self.wanted.contains(name) {
                    attributes[name] = value
                }
                try bytes.skip(padding)
            case UInt8(ascii: "L"):
                attributes["path"] = Self.text(try headerData(size)[...])
                try bytes.skip(padding)
            case UInt8(ascii: "0"), 0, UInt8(ascii: "7"):
                let member = ArchiveMember.stored(size, in: bytes)
                let path = attributes["path"] ?? Self.path(header)
                if !path.hasSuffix("/") { try take(path, member) }
                try member.drain()
                guard member.failure == nil else { throw ImportFailure.truncated }
                try bytes.skip(padding)
                attributes = [:]
            default:
                try bytes.skip(size)
                try bytes.skip(padding)
                // A global header has nothing that is needed; links and folders have no data.
                if header[156] != UInt8(ascii: "g") { attributes = [:] }
            }
        }
    }

    private func headerData(_ size: Int) throws -> [UInt8] {
        guard size <= Self.headerLimit else {
            throw ImportFailure.damaged(
                "a name or pax header of the archive is longer than \(Self.headerLimit) bytes",
                byte: bytes.position - Self.blockSize)
        }
        return try bytes.take(size)
    }

    private static func path(_ header: [UInt8]) -> String {
        let name = text(header[0..<100])
        guard header[257..<262].elementsEqual("ustar".utf8), header[345] != 0 else { return name }
        return text(header[345..<500]) + "/" + name
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        ByteText.string(Array(bytes.prefix { $0 != 0 }))
    }

    /// Parses octal digits, or a binary number if the highest bit is set.
    private static func size(_ header: [UInt8]) -> Int? {
        let field = header[124..<136]
        guard header[124] & 0x80 != 0 else { return octal(field) }
        return field.suffix(7).reduce(0) { $0 << 8 | Int($1) }
    }

    private static func octal(_ bytes: ArraySlice<UInt8>) -> Int? {
        let digits = bytes.drop { $0 == 0x20 }.prefix { $0 != 0x20 && $0 != 0 }
        guard !digits.isEmpty else { return 0 }
        return Int(String(decoding: digits, as: UTF8.self), radix: 8)
    }

    /// The pax records that are used; an archive may contain any number of others.
    private static let wanted: Set<String> = ["path", "size"]

    /// Parses pax records: `LENGTH NAME=VALUE\n`.
    private static func records(_ data: [UInt8]) -> [(name: String, value: String)] {
        var records: [(name: String, value: String)] = []
        var rest = data[...]
        while let blank = rest.firstIndex(of: 0x20), let length = Int(String(decoding: rest[..<blank], as: UTF8.self)),
            length > blank - rest.startIndex + 1, length <= rest.count
        {
            let record = rest[(blank + 1)..<(rest.startIndex + length)].dropLast()
            if let equals = record.firstIndex(of: UInt8(ascii: "=")) {
                records.append(
                    (ByteText.string(Array(record[..<equals])), ByteText.string(Array(record[(equals + 1)...]))))
            }
            rest = rest[(rest.startIndex + length)...]
        }
        return records
    }
}
