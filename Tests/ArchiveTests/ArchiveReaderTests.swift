import Archive
import Testing

private func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
}

/// A ZIP archive of files without compression and without checksums.
private func zip(_ members: [(String, [UInt8])]) -> [UInt8] {
    let files = members.map { name, content in
        Array("PK\u{3}\u{4}".utf8) + little(20, 2) + little(0, 4) + little(0, 4) + little(0, 4)
            + little(content.count, 4) + little(content.count, 4) + little(name.utf8.count, 2) + little(0, 2)
            + Array(name.utf8) + content
    }
    return files.flatMap(\.self) + Array("PK\u{1}\u{2}".utf8) + [UInt8](repeating: 0, count: 42)
}

private func reader(_ bytes: [UInt8], _ limits: ArchiveLimits = ArchiveLimits()) throws -> ArchiveReader {
    var blocks = [bytes]
    return try ArchiveReader(.zip, limits: limits) { blocks.popLast() ?? [] }
}

/// The names and sizes of all files.
private func contents(_ reader: ArchiveReader) throws -> [String] {
    var contents: [String] = []
    while let path = try reader.next() {
        var count = 0
        while case let block = try reader.read(), !block.isEmpty { count += block.count }
        contents.append("\(String(decoding: path, as: UTF8.self)) \(count)")
    }
    return contents
}

@Suite struct ArchiveReaderTests {
    private let archive = zip([
        ("a", [1, 2, 3]), ("folder/", []), ("bb", []), ("c", [UInt8](repeating: 7, count: 5000)),
    ])

    @Test func `Files are read in order, folders are left out`() throws {
        #expect(try contents(reader(archive)) == ["a 3", "bb 0", "c 5000"])
    }

    @Test func `A file that is not read is skipped`() throws {
        let reader = try reader(archive)
        var names: [[UInt8]] = []
        while let name = try reader.next() { names.append(name) }
        #expect(names.map(\.count) == [1, 2, 1])
    }

    @Test func `Each limit is exact`() throws {
        func check(_ limit: WritableKeyPath<ArchiveLimits, Int>, enough: Int) throws {
            var limits = ArchiveLimits()
            limits[keyPath: limit] = enough
            #expect(try contents(reader(archive, limits)).count == 3)
            limits[keyPath: limit] = enough - 1
            #expect {
                _ = try contents(reader(archive, limits))
            } throws: {
                if case .limit? = $0 as? ArchiveError { true } else { false }
            }
        }
        try check(\.members, enough: 4)
        try check(\.memberBytes, enough: 5000)
        try check(\.totalBytes, enough: 5003)
        try check(\.nameBytes, enough: 7)
    }

    @Test func `A damaged archive is an error`() throws {
        #expect(throws: ArchiveError.truncated) { _ = try contents(reader(Array(archive.prefix(100)))) }
        #expect(throws: ArchiveError.truncated) { _ = try contents(reader([])) }
    }

    @Test func `An error of the source is passed on`() throws {
        struct Failed: Error, Equatable {}
        var blocks = [Array(archive.prefix(100))]
        let reader = try ArchiveReader(.zip) {
            guard let block = blocks.popLast() else { throw Failed() }
            return block
        }
        #expect(throws: Failed()) { _ = try contents(reader) }
    }

    @Test func `Formats are recognised by their first bytes`() {
        func format(_ head: [UInt8]) -> String { ArchiveFormat(recognising: head).map { "\($0)" } ?? "none" }
        #expect(format(archive) == "zip")
        #expect(format(Array("Rar!\u{1A}\u{7}\u{0}".utf8)) == "rar")
        #expect(format(Array("Rar!\u{1A}\u{7}\u{1}\u{0}".utf8)) == "rar5")
        // The letters of bzip2, in a text.
        #expect(format(Array("BZh9,lat,lon\n".utf8)) == "none")
        // Formats that libarchive knows, too: .Z, .lzma and mtree.
        #expect(format([0x1F, 0x9D, 0x90]) == "none")
        #expect(format([0x5D, 0, 0, 0x80, 0] + [UInt8](repeating: 0xFF, count: 8)) == "none")
        #expect(format(Array("#mtree\n".utf8)) == "none")
        #expect(format([UInt8](repeating: 0, count: 1024)) == "none")
    }
}
