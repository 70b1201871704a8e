import Archive
import Decompression
import Testing
import TrackImport
import Tracks

/// Raw deflate data, from a gzip stream without name and time: between its header of 10 bytes and trailer of 8 bytes.
private func deflated(_ bytes: [UInt8]) throws -> [UInt8] {
    Array(try Gzip.compress(bytes).dropFirst(10).dropLast(8))
}

/// How a member of a ZIP archive is written.
private enum Packing: CaseIterable {
    case stored, deflated, sizesBehind, sizesBehindWithoutSignature, wide, wideSizesBehind, announcedWideSizesBehind
}

private func zip(
    _ members: [(String, [UInt8])], _ packing: Packing = .deflated, flags: Int = 0, sum: ([UInt8]) -> Int = crc32
) throws -> [UInt8] {
    try zip(names: members.map { (Array($0.utf8), $1) }, packing, flags: flags, sum: sum)
}

private func zip(
    names members: [([UInt8], [UInt8])], _ packing: Packing = .deflated, flags: Int = 0, sum: ([UInt8]) -> Int = crc32
) throws -> [UInt8] {
    var bytes: [UInt8] = []
    for (name, content) in members {
        let data = packing == .stored ? content : try deflated(content)
        let isWideBehind = packing == .wideSizesBehind || packing == .announcedWideSizesBehind
        let isBehind = isWideBehind || packing == .sizesBehind || packing == .sizesBehindWithoutSignature
        let isWide = packing == .wide
        let extra =
            isWide
            ? little(1, 2) + little(16, 2) + little(content.count, 8) + little(data.count, 8)
            // Announces sizes of 8 bytes behind the data (APPNOTE, 4.3.9.2).
            : packing == .announcedWideSizesBehind ? little(1, 2) + little(16, 2) + little(0, 16) : []
        let sizes = isBehind ? [0, 0] : isWide ? [0xFFFF_FFFF, 0xFFFF_FFFF] : [data.count, content.count]
        bytes += Array("PK\u{3}\u{4}".utf8) + little(20, 2) + little(flags | (isBehind ? 8 : 0), 2)
        bytes += little(packing == .stored ? 0 : 8, 2) + little(0, 4)
        bytes += little(isBehind ? 0 : sum(content), 4) + sizes.flatMap { little($0, 4) }
        bytes += little(name.count, 2) + little(extra.count, 2) + name + extra + data
        if isBehind {
            let width = isWideBehind ? 8 : 4
            bytes += packing == .sizesBehindWithoutSignature ? [] : Array("PK\u{7}\u{8}".utf8)
            bytes += little(sum(content), 4) + little(data.count, width) + little(content.count, width)
        }
    }
    return bytes + Array("PK\u{1}\u{2}".utf8) + [UInt8](repeating: 0, count: 42)
}

private func tar(_ members: [(String, [UInt8], String)]) -> [UInt8] {
    func octal(_ value: Int, _ count: Int) -> [UInt8] {
        let digits = String(value, radix: 8)
        return Array((String(repeating: "0", count: count - 1 - digits.count) + digits).utf8) + [0]
    }
    var bytes: [UInt8] = []
    for (name, content, type) in members {
        var header = Array(name.utf8) + [UInt8](repeating: 0, count: 100 - name.utf8.count)
        header += octal(0o644, 8) + octal(0, 8) + octal(0, 8) + octal(content.count, 12) + octal(0, 12)
        header += Array("        ".utf8) + Array(type.utf8) + [UInt8](repeating: 0, count: 100)
        header += Array("ustar\u{0}00".utf8)
        header += [UInt8](repeating: 0, count: 512 - header.count)
        header.replaceSubrange(148..<156, with: octal(header.reduce(0) { $0 + Int($1) }, 7) + [0x20])
        bytes += header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }
    return bytes + [UInt8](repeating: 0, count: 1024)
}

func csv(_ longitude: Int) -> [UInt8] {
    Array("lat,lon,time\n1,\(longitude),1714550400\n".utf8)
}

/// An archive of one stored file with its checksum; or packed with another method, with its unpacked size.
private func summed(
    _ name: String, _ content: [UInt8], sum: UInt32, method: Int = 0, unpacked: Int? = nil
) -> [UInt8] {
    Array("PK\u{3}\u{4}".utf8) + little(20, 2) + little(0, 2) + little(method, 2) + little(0, 4) + little(Int(sum), 4)
        + little(content.count, 4) + little(unpacked ?? content.count, 4)
        + little(name.utf8.count, 2) + little(0, 2) + Array(name.utf8) + content + Array("PK\u{1}\u{2}".utf8)
}

@Suite struct ArchiveTests {
    @Test(arguments: [Int.max, Int.max - 40, 1 << 57, -1])
    func `A member with an invalid size is reported as damaged`(size: Int) {
        for method in [0, 8, 99] {
            let extra = little(1, 2) + little(16, 2) + little(size, 8) + little(size, 8)
            var bytes = Array("PK\u{3}\u{4}".utf8) + little(45, 2) + little(0, 2) + little(method, 2) + little(0, 8)
            bytes += little(0xFFFF_FFFF, 4) + little(0xFFFF_FFFF, 4) + little(5, 2) + little(extra.count, 2)
            bytes += Array("a.csv".utf8) + extra + csv(1)
            #expect(imported(bytes).receipt.failure != nil)
        }
    }

    @Test func `A member with a wrong checksum is reported and its points are kept`() {
        let sum = UInt32(crc32(csv(2)))
        #expect(imported(summed("a.csv", csv(2), sum: sum)).receipt.members.map(\.failure) == [nil])
        let result = imported(summed("a.csv", csv(3), sum: sum))
        #expect(result.receipt.members.map(\.failure) == [.checksumMismatch])
        #expect(result.recordings.map(\.points.count) == [1])
        // Some writers compute no checksum.
        #expect(imported(summed("a.csv", csv(2), sum: 0)).receipt.members.map(\.failure) == [nil])
        // Nothing is read after the end of the JSON.
        let json = Array("{\"type\":\"Feature\",\"geometry\":null}  ".utf8)
        #expect(imported(summed("a.json", json, sum: 1)).receipt.members.map(\.failure) == [.checksumMismatch])
    }

    @Test(arguments: Packing.allCases) fileprivate func a_member_is_read_as_a_file_however_it_is_packed(
        packing: Packing
    ) throws {
        let bytes = try zip([("a/one.csv", csv(1)), ("two.csv", csv(2)), ("photo.jpg", [0xFF, 0xD8, 0])], packing)
        for block in [1, 7, blockSize] {
            let result = imported(bytes, block: block)
            #expect(result.receipt.failure == nil)
            #expect(result.recordings.map(\.header.source) == ["file/a/one.csv", "file/two.csv"])
            #expect(result.recordings.flatMap(\.points).map(\.longitude) == [1_000_000_000, 2_000_000_000])
            let reported = result.receipt.reported
            #expect(reported.map(\.file) == ["folder/file/a/one.csv", "folder/file/two.csv", "folder/file/photo.jpg"])
            #expect(reported.map(\.isUnrecognisedFile) == [false, false, true])
            #expect(reported.prefix(2).map(\.failure) == [nil, nil])
        }
    }

    @Test func `Names are read whatever their encoding`() throws {
        let (utf8, latin1, cp437) = (
            Array("été.csv".utf8), Array("\u{E9}.csv".unicodeScalars.map { UInt8($0.value) }),
            [0x82] + Array(".csv".utf8)
        )
        func names(_ bytes: [UInt8]) -> [String] { imported(bytes).recordings.map { $0.header.source } }
        let utf8Flag = 0x800
        #expect(names(try zip(names: [(utf8, csv(1))], flags: utf8Flag)) == ["file/été.csv"])
        #expect(names(try zip(names: [(utf8, csv(1))])) == ["file/été.csv"])
        #expect(names(try zip(names: [(latin1, csv(1))])) == ["file/é.csv"])
        // The character set of DOS is not known from its bytes; the name is still one of its own.
        #expect(names(try zip(names: [(cp437, csv(1))])) == ["file/\u{82}.csv"])
        #expect(
            names(tar([("pax", Array("18 path=été.csv\n".utf8), "x"), ("short", csv(1), "0")])) == ["file/été.csv"])
        #expect(names(tar([("été.csv", csv(1), "0")])) == ["file/été.csv"])
        // Names in Unicode that are none.
        let invalid = [0x61, 0xFF] + Array(".csv".utf8)
        #expect(
            names(try zip(names: [(invalid, csv(1)), (invalid, csv(2))], flags: utf8Flag)) == [
                "file/file 1", "file/file 2",
            ])
        #expect(names(rar5([("b?.csv", csv(1))])) == ["file/b\u{FF}.csv"])
    }

    @Test func `What libarchive unpacks to skip it is counted`() throws {
        let blanks = [UInt8](repeating: 0x20, count: 40_000_000)
        let bomb = ArchiveError.bomb(ratio: 200)
        // Its size is not known before its end.
        #expect(throws: bomb) {
            _ = try skipAll(zip([("bomb", blanks), ("a", [])], .sizesBehind, sum: { _ in 0 }), .zip)
        }
        // Nor that of a folder, which should have no content.
        #expect(throws: bomb) {
            _ = try skipAll(zip([("bomb/", blanks), ("a", [])], .sizesBehind, sum: { _ in 0 }), .zip)
        }
        #expect(try skipAll(zip([("folder/", []), ("a", csv(1))], .sizesBehind), .zip) == 1)
        #expect(try skipAll(zip([("bomb", blanks), ("a", [])], sum: { _ in 0 }), .zip) == 2)
        // Members of a solid archive are unpacked.
        var limits = ArchiveLimits()
        limits.totalBytes = 2 * csv(1).count
        let members = [("a", csv(1)), ("b", csv(2)), ("c", csv(3))]
        #expect(try skipAll(rar5(Array(members.dropLast()), isSolid: true), .rar5, limits) == 2)
        #expect {
            _ = try skipAll(rar5(members, isSolid: true), .rar5, limits)
        } throws: {
            if case .limit? = $0 as? ArchiveError { true } else { false }
        }
    }

    @Test func `No other member follows a bomb of which the size was not known`() throws {
        let blanks = [UInt8](repeating: 0x20, count: 40_000_000)
        let members = [("bomb", csv(1) + blanks), ("one.csv", csv(1))]
        let result = imported(try zip(members, .sizesBehind, sum: { _ in 0 }))
        #expect(result.receipt.failure == .decompressionBomb(ratio: 200))
        #expect(result.recordings.map(\.header.source) == ["file/bomb"])
    }

    @Test func `An error of an archive is not reported as one of the stream in it`() throws {
        let result = imported(Array(summed("a.csv.gz", try Gzip.compress(csv(1)), sum: 0).dropLast(30)))
        #expect(result.receipt.members.map(\.failure) == [.truncated])
    }

    @Test func `Damage after the end of a tar archive is reported`() throws {
        let archive = tar([("a.csv", csv(1), "0")])
        let packed = try Gzip.compress(archive)
        // An unpacked block behind the archive, without which the archive were not unpacked either.
        var flipped = try Gzip.compress(archive + [UInt8](repeating: 0, count: blockSize))
        // The checksum of the stream.
        flipped[flipped.count - 8] ^= 1
        for (bytes, failure) in [
            (packed, nil), (flipped, ImportFailure.damagedCompression), (packed.dropLast(4), .truncatedCompression),
        ] {
            let result = imported(Array(bytes))
            #expect(result.receipt.failure == failure)
            #expect(result.recordings.map(\.points.count) == [1])
        }
    }

    @Test func `A member that ends with a full block of zstd is complete`() {
        let content = csv(1) + [UInt8](repeating: 0x0A, count: 131_072 - csv(1).count)
        // A frame with a window of 128 KiB, of one block that is the last and not compressed.
        let frame = [0x28, 0xB5, 0x2F, 0xFD, 0, 0x38] + little(131_072 << 3 | 1, 3) + content
        let bytes = summed("a.csv", frame, sum: UInt32(crc32(content)), method: 93, unpacked: content.count)
        let result = imported(bytes)
        #expect(result.receipt.members.map(\.failure) == [nil])
        #expect(result.recordings.map(\.points.count) == [1])
    }

    @Test func `Links and folders of a tar archive are not read`() {
        let result = imported(tar([("a.csv", csv(1), "0"), ("b.csv", [], "1"), ("c.csv", [], "2"), ("d", [], "5")]))
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.members.map(\.file) == ["folder/file/a.csv"])
    }

    @Test func `A member with a compression that may need any memory is not read`() throws {
        var bytes = try zip([("one.csv", csv(1)), ("two.csv", csv(2))])
        // The method of the first member: LZMA.
        bytes[8] = 14
        let result = imported(bytes)
        #expect(result.receipt.reported[0].failure == .unsupportedCompression("lzma"))
        #expect(result.recordings.map(\.header.source) == ["file/two.csv"])
    }

    @Test func `Tar, gzip and nested archives are opened`() throws {
        let inner = try zip([("one.csv.gz", try Gzip.compress(csv(1)))])
        let long = String(repeating: "long/", count: 30) + "two.csv"
        let record = "\(long.utf8.count + 10) path=\(long)\n"
        let outer = tar([
            ("folder/", [], "5"), ("inner.zip", inner, "0"), ("pax", Array(record.utf8), "x"), ("short", csv(2), "0"),
        ])
        let result = imported(try Gzip.compress(outer))
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.map(\.header.source) == ["file/inner.zip/one.csv.gz", "file/" + long])
    }

    @Test func `A pax header that is too long is reported as a part of the archive`() {
        let result = imported(tar([("pax", [UInt8](repeating: 0x20, count: 1_048_577), "x"), ("a.csv", csv(1), "0")]))
        #expect(result.receipt.failure == .archive("Special header too large"))
        #expect(result.recordings.isEmpty)
    }

    @Test func `Archives nested too deeply are not opened`() throws {
        var bytes = csv(1)
        for _ in 0..<5 { bytes = try zip([("in.zip", bytes)], .stored) }
        let result = imported(bytes)
        #expect(result.recordings.isEmpty)
        #expect(result.receipt.reported.map(\.failure) == [.nested(limit: 3)])
    }

    @Test func `A decompression bomb in an archive fails alone and earlier points are kept`() throws {
        let blanks = [UInt8](repeating: 0x20, count: 40_000_000)
        let result = imported(try zip([("bomb", csv(1) + blanks), ("one.csv", csv(1))], sum: { _ in 0 }))
        #expect(result.receipt.reported[0].failure == .decompressionBomb(ratio: 200))
        #expect(result.recordings.map(\.header.source) == ["file/bomb", "file/one.csv"])
    }

    @Test func `An encrypted or damaged member does not affect other members`() throws {
        let locked = imported(try zip([("one.csv", csv(1))], flags: 1))
        #expect(locked.receipt.reported.map(\.failure) == [.encrypted])
        var bytes = try zip([("one.csv", csv(1)), ("two.csv", csv(2))])
        // The first byte of the first member's data: an invalid deflate block type.
        bytes[30 + 7] = 0xFF
        let result = imported(bytes)
        #expect(result.receipt.reported[0].failure == .damagedCompression)
        #expect(result.recordings.map(\.header.source) == ["file/two.csv"])
    }

    @Test func `An importer reports a receipt for each member`() throws {
        var total = ImportReceipt()
        for one in imported(try zip([("one.csv", csv(1)), ("two.csv", csv(2))])).receipt.reported { total.add(one) }
        #expect(total.files == 2)
        #expect(total.outcome.points == 2)
        #expect(total.failed == 0)
    }

    @Test func `A truncated archive keeps its complete points or fails`() throws {
        handlesTruncation(try zip([("one.csv", csv(1)), ("two.csv", csv(2))]))
        handlesTruncation(try zip([("one.csv", csv(1)), ("two.csv", csv(2))], .sizesBehind))
    }

    @Test func `Archives with flipped bits are handled`() throws {
        handlesFlippedBits(try zip([("one.csv", csv(1)), ("two.csv", csv(2))]))
        handlesFlippedBits(tar([("one.csv", csv(1), "0"), ("two.csv", csv(2), "0")]))
    }

    @Test func `Unrecognised members above the limit are only counted`() throws {
        let otherFiles = (0..<3000).map { ("\($0)", [0x78 as UInt8]) }
        let result = imported(try zip(otherFiles + [("one.csv", csv(1))], .stored))
        #expect(result.receipt.members.count == 1001)
        var total = ImportReceipt()
        for one in result.receipt.reported { total.add(one) }
        #expect(total.files == 3001)
        #expect(total.unrecognised == 3000)
        #expect(total.failed == 0)
        #expect(result.receipt.reported.last?.lines == ["folder/file: 2,000 more files skipped: unsupported format"])
    }
}
