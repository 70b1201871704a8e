/// The directory at the end of a 7z archive, read before libarchive reads it: libarchive allocates what it states, such
/// as 1.7 GB for 20 million files that a file of 511 bytes names.
///
/// It follows libarchive where that deviates from `7zFormat.txt` of 7-Zip, which describes the format.
struct SevenZipDirectory {
    private let limits: ArchiveLimits
    private let archiveBytes: Int
    private let bytes: [UInt8]
    private var at = 0
    /// Unpacked bytes of all files.
    private var total: UInt64 = 0
    /// Unpacked bytes of each file that has any, as libarchive computes them; too large if that is not known.
    private var sizes: [UInt64] = []

    /// Throws if reading the archive needs more than the limits permit, or if its directory is damaged.
    ///
    /// `unpack` returns the content of the only file of an archive, which is made of a packed directory.
    static func check(
        _ file: ArchiveFile, _ limits: ArchiveLimits, unpack: ([[UInt8]]) throws -> [UInt8]
    ) throws {
        let start = try SevenZipDirectory(file.bytes(at: 0, count: 32), limits, file)
        let (offset, count) = (start.little(12, 8), start.little(20, 8))
        // An archive without files.
        guard count > 0 else { return }
        guard count <= limits.headerBytes else { throw Self.tooLong }
        guard offset < UInt64(Int.max) else { throw ArchiveError.truncated }
        var directory = try SevenZipDirectory(file.bytes(at: offset + 32, count: count), limits, file)
        if try directory.byte() == Property.encodedHeader {
            directory = SevenZipDirectory(try unpack(directory.unpackable(file)), limits, file)
            guard try directory.byte() == Property.header else { throw Self.damaged }
        }
        try directory.readHeader()
    }

    private init(_ bytes: [UInt8], _ limits: ArchiveLimits, _ file: ArchiveFile) {
        self.bytes = bytes
        self.limits = limits
        archiveBytes = file.byteCount
    }

    private enum Property {
        static let end: UInt8 = 0x00
        static let header: UInt8 = 0x01
        static let mainStreams: UInt8 = 0x04
        static let files: UInt8 = 0x05
        static let packing: UInt8 = 0x06
        static let unpacking: UInt8 = 0x07
        static let subStreams: UInt8 = 0x08
        static let size: UInt8 = 0x09
        static let checksum: UInt8 = 0x0A
        static let folder: UInt8 = 0x0B
        static let unpackedSize: UInt8 = 0x0C
        static let streamsOfFolder: UInt8 = 0x0D
        static let emptyStream: UInt8 = 0x0E
        static let emptyFile: UInt8 = 0x0F
        static let anti: UInt8 = 0x10
        static let times: ClosedRange<UInt8> = 0x12...0x14
        static let attributes: UInt8 = 0x15
        static let encodedHeader: UInt8 = 0x17
    }

    static let tooLong = ArchiveError.limit("its directory is too long")
    private static let damaged = ArchiveError.invalid("the directory of the 7z archive is damaged")

    // MARK: The directory as a file

    /// The parts of an archive whose only file is the packed directory.
    private mutating func unpackable(_ file: ArchiveFile) throws -> [[UInt8]] {
        guard try byte() == Property.packing else { throw Self.damaged }
        let position = try number()
        let rest = bytes[at...]
        guard try number() == 1, try byte() == Property.size, rest.last == Property.end else { throw Self.damaged }
        let count = try number()
        // Before it is read: the copy of the archive may have 4 GiB.
        guard count <= limits.headerBytes else { throw Self.tooLong }
        let packed = try file.bytes(at: position.addingReportingOverflow(32).partialValue, count: count)
        // The description of the packed bytes stays as it is, but they begin at 0.
        var header = [Property.header, Property.mainStreams, Property.packing, 0] + rest.dropLast()
        header += [Property.subStreams, Property.end, Property.end]
        // One file with the name "d".
        header += [Property.files, 1, 0x11, 5, 0, UInt8(ascii: "d"), 0, 0, 0, Property.end, Property.end]
        let next = Self.little(packed.count, 8) + Self.little(header.count, 8) + Self.little(Int(Self.crc32(header)), 4)
        let archive =
            ([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C, 0, 4] as [UInt8]) + Self.little(Int(Self.crc32(next)), 4) + next
        return [archive, packed, header]
    }

    private static func little(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }

    /// The checksum of the format, bit by bit: it is needed for a few bytes.
    private static func crc32(_ bytes: [UInt8]) -> UInt32 {
        ~bytes.reduce(~0) { sum, byte in
            (0..<8).reduce(sum ^ UInt32(byte)) { sum, _ in sum >> 1 ^ (sum & 1 == 0 ? 0 : 0xEDB8_8320) }
        }
    }

    // MARK: Structure

    private mutating func readHeader() throws {
        var property = try byte()
        if property == Property.mainStreams {
            try readStreams()
            property = try byte()
        }
        guard property != Property.end else { return }
        guard property == Property.files else { throw Self.damaged }
        let files = try count()
        var empty: [Int] = []
        var links: Set<Int> = []
        while case let property = try byte(), property != Property.end {
            let size = try number()
            guard size <= bytes.count - at else { throw Self.damaged }
            let end = at + Int(size)
            switch property {
            case Property.emptyStream: empty = try flags(files)
            case Property.emptyFile where !empty.isEmpty, Property.anti where !empty.isEmpty:
                _ = try flags(empty.count)
            case _ where Property.times.contains(property):
                let defined = try byte() == 0 ? try flags(files).count : files
                // Times may be in another stream. libarchive reads its number, but takes what follows for times.
                guard try byte() == 0 else { throw Self.damaged }
                try skip(8 * defined)
            case Property.attributes:
                // libarchive expects the second byte before the flags.
                let isAll = try byte() != 0
                try skip(1)
                for file in isAll ? Array(0..<files) : try flags(files) {
                    try skip(4)
                    // The mode of a file of Unix is in the high half; a symbolic link has 0xA in its highest digit.
                    if bytes[at - 1] & 0xF0 == 0xA0 { links.insert(file) }
                }
            default: at = end
            }
            // libarchive does not skip what a property has too much.
            guard at == end else { throw Self.damaged }
        }
        // libarchive keeps the target of a link in memory, however long it is.
        let withContent = Set(0..<files).subtracting(empty).sorted()
        for (file, size) in zip(withContent, sizes) where links.contains(file) { try need(min(size, total)) }
    }

    private mutating func readStreams() throws {
        var property = try byte()
        var folders: [Folder] = []
        if property == Property.packing {
            _ = try number()
            let streams = try count()
            guard try byte() == Property.size else { throw Self.damaged }
            for _ in 0..<streams { _ = try number() }
            property = try byte()
            if property == Property.checksum {
                _ = try checksums(streams)
                property = try byte()
            }
            guard property == Property.end else { throw Self.damaged }
            property = try byte()
        }
        if property == Property.unpacking {
            folders = try readFolders()
            property = try byte()
        }
        if property == Property.subStreams {
            try readSubStreams(folders)
            property = try byte()
        }
        guard property == Property.end else { throw Self.damaged }
        guard total <= Int.max else { throw Self.damaged }
        try limits.expansion.check(input: archiveBytes, output: Int(total))
    }

    private struct Folder {
        var outputs = 0
        /// Whether it joins streams, such as BCJ2; libarchive has all but one of them in memory.
        var isJoined = false
        var hasChecksum = false
        /// The unpacked bytes; nil if its outputs have different sizes, because which is the last is not looked up.
        var size: UInt64?
    }

    private mutating func readFolders() throws -> [Folder] {
        guard try byte() == Property.folder else { throw Self.damaged }
        let folderCount = try count()
        // Folders may be in another stream, which libarchive does not support.
        guard try byte() == 0 else { throw Self.damaged }
        var folders: [Folder] = []
        for _ in 0..<folderCount { folders.append(try readFolder()) }
        guard try byte() == Property.unpackedSize else { throw Self.damaged }
        for index in folders.indices {
            var outputs: [UInt64] = []
            for _ in 0..<folders[index].outputs { outputs.append(try number()) }
            let largest = outputs.max() ?? 0
            total = total.addingReportingOverflow(largest).overflow ? .max : total + largest
            if folders[index].isJoined { try need(max(largest, UInt64(archiveBytes))) }
            folders[index].size = outputs.min() == largest ? largest : nil
        }
        var property = try byte()
        if property == Property.checksum {
            for index in try checksums(folderCount) { folders[index].hasChecksum = true }
            property = try byte()
        }
        guard property == Property.end else { throw Self.damaged }
        return folders
    }

    private mutating func readFolder() throws -> Folder {
        let coders = try number()
        guard coders <= 4 else { throw Self.damaged }
        var (inputs, outputs) = (0, 0)
        for _ in 0..<coders {
            let flags = try byte()
            let start = at
            try skip(Int(flags & 0x0F))
            let id = Array(bytes[start..<at])
            if flags & 0x10 == 0 {
                inputs += 1
                outputs += 1
            } else {
                inputs += try count(limit: 32)
                outputs += try count(limit: 32)
            }
            guard flags & 0x20 != 0 else { continue }
            let length = try number()
            guard length <= bytes.count - at else { throw Self.damaged }
            try checkMemory(of: id, bytes[at..<at + Int(length)])
            at += Int(length)
        }
        guard outputs > 0, inputs >= outputs - 1 else { throw Self.damaged }
        for _ in 0..<2 * (outputs - 1) { _ = try number() }
        let packed = inputs - (outputs - 1)
        if packed != 1 { for _ in 0..<packed { _ = try number() } }
        return Folder(outputs: outputs, isJoined: inputs > outputs)
    }

    /// Checks the dictionary of LZMA, LZMA2 or PPMd.
    private func checkMemory(of coder: [UInt8], _ properties: ArraySlice<UInt8>) throws {
        switch coder {
        case [0x03, 0x01, 0x01], [0x03, 0x04, 0x01]:
            guard properties.count >= 5 else { throw Self.damaged }
            try need(little(properties.startIndex + 1, 4))
        case [0x21]:
            guard let size = properties.first.flatMap(XZDictionary.bytes(ofLZMA2:)) else { throw Self.damaged }
            try need(UInt64(size))
        default: break
        }
    }

    private mutating func readSubStreams(_ folders: [Folder]) throws {
        var property = try byte()
        var counts = folders.map { _ in 1 }
        if property == Property.streamsOfFolder {
            for index in counts.indices { counts[index] = try count() }
            property = try byte()
        }
        let sum = counts.reduce(0, +)
        guard sum <= limits.directoryMembers else { throw tooManyMembers }
        for (folder, count) in zip(folders, counts) where count > 0 {
            var rest = folder.size
            for _ in 1..<count where property == Property.size {
                sizes.append(try number())
                rest? &-= sizes[sizes.count - 1]
            }
            // The last has the rest, without a check that there is one.
            sizes.append(rest ?? .max)
        }
        if property == Property.size { property = try byte() }
        if property == Property.checksum {
            let known = folders.indices.filter { folders[$0].hasChecksum && counts[$0] == 1 }.count
            _ = try checksums(sum - known)
            property = try byte()
        }
        guard property == Property.end else { throw Self.damaged }
    }

    // MARK: Values

    private mutating func byte() throws(ArchiveError) -> UInt8 {
        guard at < bytes.count else { throw Self.damaged }
        defer { at += 1 }
        return bytes[at]
    }

    private mutating func skip(_ count: Int) throws(ArchiveError) {
        guard count <= bytes.count - at else { throw Self.damaged }
        at += count
    }

    /// A number: the leading ones of the first byte say how many bytes follow.
    private mutating func number() throws(ArchiveError) -> UInt64 {
        let first = try byte()
        var value: UInt64 = 0
        for index in 0..<8 {
            let mask: UInt8 = 0x80 >> index
            guard first & mask != 0 else { return value | UInt64(first & (mask - 1)) << (8 * index) }
            value |= UInt64(try byte()) << (8 * index)
        }
        return value
    }

    /// A number of files, streams or so.
    private mutating func count(limit: Int? = nil) throws(ArchiveError) -> Int {
        let number = try number()
        guard number <= limit ?? limits.directoryMembers else { throw tooManyMembers }
        return Int(number)
    }

    /// Reads one bit per item, and returns which are set.
    private mutating func flags(_ count: Int) throws(ArchiveError) -> [Int] {
        let start = at
        try skip((count + 7) / 8)
        return (0..<count).filter { bytes[start + $0 / 8] & 0x80 >> ($0 % 8) != 0 }
    }

    /// Reads the checksums of some of `count` items, and returns which.
    private mutating func checksums(_ count: Int) throws(ArchiveError) -> [Int] {
        let defined = try byte() == 0 ? try flags(count) : Array(0..<count)
        try skip(4 * defined.count)
        return defined
    }

    private func little(_ offset: Int, _ count: Int) -> UInt64 {
        (0..<count).reversed().reduce(0) { $0 << 8 | UInt64(bytes[offset + $1]) }
    }

    private func need(_ count: UInt64) throws(ArchiveError) {
        guard count <= limits.memory else { throw .memory(bytes: limits.memory) }
    }

    private var tooManyMembers: ArchiveError { .limit("more than \(limits.directoryMembers) files") }
}
