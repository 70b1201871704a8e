import Archive
import Decompression
import Foundation
import Testing
import TrackImport
import Tracks

private func bytes(_ base64: String) -> [UInt8] { Array(Data(base64Encoded: base64) ?? Data()) }

/// Archives and streams written by `7z`, `zstd` and `lz4`, of files that each have one point:
/// `printf 'lat,lon,time\n1,1,1714550400\n' > one.csv`, with the longitudes 2 and 3 in `two.csv` and `été.csv`.
private enum Written {
    /// `7z a two.7z one.csv two.csv été.csv`
    static let sevenZip = bytes(
        """
        N3q8ryccAATDokW3ngAAAAAAAAAhAAAAAAAAAPjKGjrgAFMAJl0ANhhK6vDhFbpLMxTNL19NBArLVhN46Co+O4xTbHT2Sulfk2qGxAAA\
        AACBMweuD9Dij7yfP0dBBA9xDQhRdJ30p5JoQuwo1z6O5ItnnYLa5rt77cwB44YN8Bkgog60Eb3PNLDa5h7l0WbkQS1LiAAZLua3ztyn\
        dxegzemOeOFCa8E/k3oQA28qrXlAwZfz39vJ/hkiiAAAABcGLgEJcAAHCwEAASMDAQEFXQAQAAAMgKIKAQ90CmIAAA==
        """)
    /// `7z a -mhc=off plain.7z one.csv two.csv`
    static let plainSevenZip = bytes(
        """
        N3q8ryccAATHECKaKwAAAAAAAAB2AAAAAAAAAGH26bDgADcAI10ANhhK6vDhFbpLMxTNL19NBArLVhN46Co+O4xTbHT2StMo6AAAAQQG\
        AAEJKwAHCwEAASEhAQAMOAAIDQIJHAoBt5zKAXnwALwAAAUCGQQAAAAAESEAbwBuAGUALgBjAHMAdgAAAHQAdwBvAC4AYwBzAHYAAAAZ\
        AgAAFBIBAACAhYJam9oBAICFglqb2gEVCgEAIICkgSCApIEAAA==
        """)
    /// `7z a -psecret locked.7z one.csv`
    static let lockedSevenZip = bytes(
        """
        N3q8ryccAAQ1DuYjIAAAAAAAAABqAAAAAAAAADizwPVAzhyFsxrqoSp5sig3bGDtQMwbhknYUZ2KVHSiskQuswEEBgABCSAABwsBAAIk\
        BvEHARJTD8kjFrBar8wNOca8/JqEnyghIQEAAQAMIBwACAoBt5zKAQAABQEZAQAREQBvAG4AZQAuAGMAcwB2AAAAGQIAABQKAQAAgIWC\
        WpvaARUGAQAggKSBAAA=
        """)
    /// `7z a -psecret -mhe=on hidden.7z one.csv`
    static let hiddenSevenZip = bytes(
        """
        N3q8ryccAARYzdF0kAAAAAAAAAAuAAAAAAAAAGkyKfN7MmSE5jTQM6ORb1d4xCf3dMTdYjKcaOwYteE+4CuUYYmRa7Zaly3l45+k49wd\
        ph2oDkbFVsD/mZHEExsWOe+MUsUfcT6EI1B7wZv5gx+xoXPIhQCnOuhXn+H7ck2CNsfzG5MpW8XBORUA9Owhlxv3TZIbB22o3h3sMPbc\
        49AW6108kgMZFKjxzFJkIDL7ffQXBiABCXAABwsBAAEkBvEHARJTDyIEmbJLU6xyq0TStiZ2i1QMagoBahMmwAAA
        """)
    /// `tar -cf t.tar one.csv two.csv; zstd -19 t.tar; lz4 -9 t.tar`
    static let tarZstd = bytes(
        """
        KLUv/WQAJ40DABJFEBKQzwFgI7IM9f+EnSDbHjnuTAYFxUsZ/P1zmiRBAHuNChidoMoxjVH+LBWdlfmBkTGFmJsmqAm3+c/d6GznGgzG\
        ECDwcmGL1f2vh/bqzanKJANEOXCnzgUUCVALXsQGPCj83wfZ2ycKBw2wnFQczkVRZQ==
        """)
    static let tarLZ4 = bytes(
        """
        BCJNGGRAp7IAAACPb25lLmNzdgABAEmSMDAwMDY0NAAwAQAMCADRMDAzNAAxNDYxNDMwMxgAnzEyMzM2ACAwAAEAUM91c3RhcgAw\
        MHJvb3QoAAkPIAANDN0ADwEAlP8ObGF0LGxvbix0aW1lCjEsMSwxNzE0NTUwNDAwCgABAP/RP3R3bwAEgh82AAT/ZB4yAAQPAQD/\
        ///////////////////////////////////////////nUAAAAAAAAAAAAK/Ityw=
        """)
    /// `zstd one.csv; lz4 one.csv`
    static let zstd = bytes("KLUv/SQc4QAAbGF0LGxvbix0aW1lCjEsMSwxNzE0NTUwNDAwCqIK5D8=")
    static let lz4 = bytes("BCJNGGRApxwAAIBsYXQsbG9uLHRpbWUKMSwxLDE3MTQ1NTA0MDAKAAAAAKXdK5U=")
    /// The point and 40 MB of blanks: `(cat one.csv; head -c 40000000 /dev/zero | tr '\\0' ' ') | zstd -19`
    static let bombZstd = bytes(
        """
        KLUv/YRoHFpiAiQBANBsYXQsbG9uLHRpbWUKMSw3MTQ1NTA0MDAKIAIA4P9u7gW4OgIAECACABAgAgAQIAIAECACABAgAgAQIAIA\
        ECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECAC\
        ABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAg\
        AgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQ\
        IAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIA\
        ECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECAC\
        ABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAg\
        AgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQ\
        IAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIA\
        ECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECAC\
        ABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAg\
        AgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQ\
        IAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIA\
        ECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECAC\
        ABAgAgAQIAIAECACABAgAgAQIEQAAAABAP3/zAsQAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECAC\
        ABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAg\
        AgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAgAgAQIAIAECACABAg49AC\
        IOyJ1UA=
        """)
}

/// A 7z archive with this directory and these packed bytes.
private func sevenZip(_ directory: [UInt8], _ packed: [UInt8] = []) -> [UInt8] {
    let next = little(packed.count, 8) + little(directory.count, 8) + little(crc32(directory), 4)
    return Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C, 0, 4] + little(crc32(next), 4) + next + packed + directory
}

/// A 7z archive of one file without compression, or with a coder that is said to have packed it; or of several, all but
/// the last of which have 1 byte.
private func sevenZip(
    coder: [UInt8] = [1, 0], content: [UInt8] = csv(1), size: Int? = nil, name: Int = 0x61, modes: [Int] = [0o100_644],
    properties: [UInt8] = []
) -> [UInt8] {
    let length = [0xF0] + little(content.count, 4)
    let unpacked = size.map { [0xFF] + little($0, 8) } ?? length
    let count = UInt8(modes.count)
    var directory = [1, 4, 6, 0, 1, 9] + length + [0, 7, 0x0B, 1, 0, 1] + coder + [0x0C] + unpacked
    directory += [0, 8, 0x0D, count, 9] + [UInt8](repeating: 1, count: modes.count - 1) + [0, 0]
    directory += [5, count] + properties + [0x11, 4 * count + 1, 0] + modes.flatMap { _ in little(name, 4) }
    directory += [0x15, 4 * count + 2, 1, 0] + modes.flatMap { little($0 << 16 | 0x8000, 4) } + [0, 0]
    return sevenZip(directory, content)
}

@Suite struct ArchiveFormatTests {
    @Test(arguments: [1, 7, blockSize]) func `Archives of 7z are read`(block: Int) {
        let result = imported(Written.sevenZip, block: block)
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.members.map(\.failure) == [nil, nil, nil])
        #expect(result.recordings.map(\.header.source) == ["file/one.csv", "file/two.csv", "file/été.csv"])
        #expect(result.recordings.flatMap(\.points).map(\.longitude) == [1_000_000_000, 2_000_000_000, 3_000_000_000])
        #expect(imported(Written.plainSevenZip).recordings.map(\.header.source) == ["file/one.csv", "file/two.csv"])
        #expect(imported(sevenZip()).recordings.map(\.header.source) == ["file/a"])
    }

    @Test(arguments: [
        rar4([("a/one.csv", csv(1)), ("été.csv", csv(2))]), rar5([("a/one.csv", csv(1)), ("été.csv", csv(2))]),
    ])
    func `Archives of RAR are read`(bytes: [UInt8]) {
        for block in [1, 7, blockSize] {
            let result = imported(bytes, block: block)
            #expect(result.receipt.failure == nil)
            #expect(result.receipt.members.map(\.failure) == [nil, nil])
            #expect(result.recordings.map(\.header.source) == ["file/a/one.csv", "file/été.csv"])
            #expect(result.recordings.flatMap(\.points).map(\.longitude) == [1_000_000_000, 2_000_000_000])
        }
    }

    @Test(arguments: [Written.zstd, Written.lz4]) func `Streams of zstd and lz4 are read`(bytes: [UInt8]) {
        for block in [1, 7, blockSize] {
            let result = imported(bytes, block: block)
            #expect(result.receipt.failure == nil)
            #expect(result.recordings.map(\.points.count) == [1])
        }
        // The header of the second table is a row without coordinates.
        #expect(imported(bytes + bytes).receipt.outcome.points == 2)
        for length in 12..<bytes.count {
            let result = imported(Array(bytes[..<length]))
            #expect(result.receipt.failure == .truncatedCompression, "\(length)")
            #expect(result.sink.openCount == 0)
        }
        handlesFlippedBits(bytes, rounds: 200)
    }

    @Test(arguments: [Written.tarZstd, Written.tarLZ4])
    func `Archives in a stream of zstd and lz4 are opened`(bytes: [UInt8]) {
        let result = imported(bytes)
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.map(\.header.source) == ["file/one.csv", "file/two.csv"])
    }

    @Test func `A 7z archive in another archive is opened`() throws {
        let result = imported(try Gzip.compress(rar5([("in.7z", Written.sevenZip), ("four.csv", csv(4))])))
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.count == 4)
        #expect(result.recordings.last?.header.source == "file/four.csv")
    }

    @Test func `Encrypted archives are reported as such`() {
        #expect(imported(Written.lockedSevenZip).receipt.reported.map(\.failure) == [.encrypted])
        #expect(imported(Written.hiddenSevenZip).receipt.failure == .encrypted)
        #expect(imported(rar4([("one.csv", csv(1))], flags: 4)).receipt.reported[0].failure == .encrypted)
    }

    @Test func `Truncated and damaged archives are handled`() {
        let points = [("one.csv", csv(1)), ("two.csv", csv(2))]
        for bytes in [Written.sevenZip, Written.plainSevenZip, rar4(points), rar5(points)] {
            handlesTruncation(bytes)
            handlesFlippedBits(bytes, rounds: 200)
        }
        let cut = imported(Array(Written.sevenZip.dropLast(3)))
        #expect(cut.receipt.failure == .truncated)
        #expect(imported(Array(rar5(points).dropLast(20))).recordings.count == 1)
        var damaged = sevenZip()
        // A digit of the longitude; the archive has no checksum of it.
        damaged[32 + 15] ^= 1
        #expect(imported(damaged).recordings.count == 1)
    }

    @Test func `A decompression bomb of zstd or 7z is stopped`() {
        let result = imported(Written.bombZstd)
        #expect(result.receipt.failure == .decompressionBomb(ratio: 200))
        #expect(imported(sevenZip(size: 1 << 40)).receipt.failure == .decompressionBomb(ratio: 200))
    }

    @Test func `A 7z directory that names too many files is not read`() throws {
        // 511 bytes that name 20 million files, with a packed directory; `seven_zip_seeds` of Scripts/fuzz-seeds makes such.
        let bomb = bytes(
            """
            N3q8ryccAATU3s6muwEAAAAAAAAkAAAAAAAAADcahM0AAIGaOZnaFwpfqjQDQ9G6UBc8/ml1/dYdi1d2buzthqVU5GnSV1IvM03c\
            1pNguNXtNiEvbcMiRDr/GoYftnU/LwYhy15rsXn9eMx7AB9bw4iKGxUewkD6MdrglEI7LfzqOSyhXar/WiascgwWkqe+OY8k4XCe\
            pyNf7CjLhdGVmIp+KpHyJ3X3GcAGmE2Y/div1ZAPxCVT+PWRNjEFpbDub8FwTUcM0ZERqq1gHbrOsScYXFmG6WZSWL7pdqxZ5OVb\
            BQj5x9qt/PtSK3TNHlsgQvndUz34KWQJO4DLKmzftTvwxL0uX6oPPktmQpATDv8Qk/hxeFn4C83/lShGD6n8fN77mjAuVsCPhfOD\
            gcBlxCVT+PWRNjEFpbDub8FwTUcM0ZERqq1gHbrOsScYXFmG6WZSWL7pdqxZ5OVbBQj5x9qt/PtSK3TNHlsgQvndUz34KWQJO4DL\
            KmzftTvwxL0uX6oPPktmQpATDv8Qk/hxeFn4C83/lShGD6n8fN77mjAuVsCPhfODgcBlxCVT+PWRNjEFpbDub8FwTUcM0ZERqq1g\
            HbrOsScYXFmG6WZR90gAeQUqH////X8AABcGAAEJgbsABwsBAAEjAwEBBV0AABAADOCtJSYKAWXBsiIAAA==
            """)
        #expect(bomb.count == 511)
        #expect(imported(bomb).receipt.failure == .archive("more than 200000 files"))
        // The same with a directory that is not packed, for files and for streams.
        let number = [0xF0] + little(240_000, 4) as [UInt8]
        let flags = [0x0E, 0xF0] + little(30_000, 4) + [UInt8](repeating: 0xFF, count: 30_000)
        #expect(
            imported(sevenZip([1, 5] + number + flags + [0, 0])).receipt.failure == .archive("more than 200000 files"))
        let streams =
            [1, 4, 6, 0, 1, 9, 1, 0, 7, 0x0B, 1, 0, 1, 1, 0, 0x0C, 1, 0, 8, 0x0D] + number + [0, 0] as [UInt8]
        #expect(imported(sevenZip(streams + [5, 1, 0, 0], [0])).receipt.failure == .archive("more than 200000 files"))
        // A packed directory of 33 MiB; its first bytes keep it from being a decompression bomb.
        var random: UInt32 = 1
        let noise = (0..<200_000).map { _ in
            random = random &* 1_664_525 &+ 1_013_904_223
            return UInt8(random >> 24)
        }
        let size = 33 << 20
        let deflated = Array(
            try Gzip.compress(noise + [UInt8](repeating: 0, count: size - noise.count)).dropFirst(10).dropLast(8))
        let packed =
            [0x17, 6, 0, 1, 9, 0xF0] + little(deflated.count, 4) + [0, 7, 0x0B, 1, 0, 1, 3, 4, 1, 8, 0x0C, 0xF0]
        #expect(
            imported(sevenZip(packed + little(size, 4) + [0, 0], deflated)).receipt.failure
                == .archive("its directory is too long"))
        // A directory of 4 GiB.
        var long = sevenZip()
        long.replaceSubrange(20..<28, with: little(1 << 32, 8))
        #expect(imported(long).receipt.failure == .archive("its directory is too long"))
    }

    @Test func `A link does not prevent that a large file of a 7z archive is read`() {
        let content = [0x78] + csv(1) + [UInt8](repeating: 0x0A, count: 800_000)
        func archive(_ modes: [Int]) -> [UInt8] { sevenZip(content: content, size: 150 << 20, modes: modes) }
        let result = imported(archive([0o120_777, 0o100_644]))
        // The content is shorter than the archive states, so that it need not be made here.
        #expect(result.receipt.failure == .archive("Truncated 7-Zip file body"))
        #expect(result.recordings.map(\.points.count) == [1])
        #expect(
            imported(archive([0o100_644, 0o120_777])).receipt.failure == .decompressionMemory(bytes: 128 << 20))
    }

    @Test func `A file of a 7z archive without a valid name has one of its own`() {
        #expect(imported(sevenZip(name: 0xD800)).recordings.map(\.header.source) == ["file/file 1"])
    }

    @Test func `A 7z archive of which the copy would be too large is not copied`() throws {
        var limits = ArchiveLimits()
        limits.copyBytes = sevenZip().count
        #expect(try skipAll(sevenZip(), .sevenZip, limits) == 1)
        limits.copyBytes -= 1
        #expect(throws: ArchiveError.limit("the 7z archive is larger than 0 GiB")) {
            _ = try skipAll(sevenZip(), .sevenZip, limits)
        }
    }

    @Test func `A dictionary that needs too much memory is refused`() {
        let refused = ImportFailure.decompressionMemory(bytes: 128 << 20)
        // LZMA, LZMA2 and PPMd in 7z.
        for coder in [
            [0x23, 3, 1, 1, 5, 93, 0, 0, 0, 0xFF], [0x21, 0x21, 1, 40], [0x23, 3, 4, 1, 5, 6, 0, 0, 0, 0xF0],
        ] {
            #expect(imported(sevenZip(coder: coder.map { UInt8($0) })).receipt.failure == refused)
        }
        // BCJ2, whose streams are in memory.
        let joined = [0x14, 3, 3, 1, 0x1B, 4, 1, 0, 1, 2, 3] as [UInt8]
        #expect(
            imported(sevenZip(coder: joined, content: [UInt8](repeating: 0, count: 800_000), size: 150 << 20)).receipt
                .failure == refused)
        // The target of a link.
        #expect(
            imported(sevenZip(content: [UInt8](repeating: 0, count: 800_000), size: 150 << 20, modes: [0o120_777]))
                .receipt
                .failure == refused)
        // libarchive reads a number if times are in another stream, by which a link could be hidden.
        let times = [0x14, 10, 1, 1] as [UInt8]
        #expect(
            imported(sevenZip(properties: times + little(0, 8))).receipt.failure
                == .archive("the directory of the 7z archive is damaged"))
        // xz: the property of LZMA2 in the header of the first block, which has a checksum.
        #expect(imported(Self.xz(dictionary: 0x1C)).receipt.failure == nil)
        #expect(imported(Self.xz(dictionary: 40)).receipt.failure == refused)
        // zstd: a window of 256 MiB.
        #expect(imported([0x28, 0xB5, 0x2F, 0xFD, 0, 18 << 3, 0xE1, 0, 0] + csv(1)).receipt.failure == refused)
        #expect(
            imported(rar5([("one.csv", csv(1))], dictionary: 15)).receipt.failure
                == .unsupportedCompression("Declared dictionary size is not supported."))
    }

    /// One point, in a stream that states this dictionary.
    private static func xz(dictionary: UInt8) -> [UInt8] {
        var stream = bytes(
            "/Td6WFoAAAD/EtlBAgAhARYAAAB0L+WjAQAbbGF0LGxvbix0aW1lCjEsMSwxNzE0NTUwNDAwCgAAASwcyoK2DQZynnoBAAAAAABZWg==")
        stream[16] = dictionary
        stream.replaceSubrange(20..<24, with: little(crc32(Array(stream[12..<20])), 4))
        return stream
    }
}
