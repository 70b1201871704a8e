import Digest
import TestSupport
import Testing

/// Digests and checksums that libraries contain.
@Suite struct KnownDigestTests {
    @Test func `A content digest is BLAKE2b of 32 bytes`() {
        #expect(
            ContentDigest(of: Array("tileserve".utf8)).description
                == "280b845b24d4ded0c30cf70acfa95985886f8c4ef9b78bd12c90275ea57e26ba")
        #expect(
            ContentDigest(of: []).description == "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8")
        #expect(ContentDigest(of: Array("tileserve".utf8)).first64 == 0xD0DE_D424_5B84_0B28)
    }

    @Test func `A digester adds the length of a text, and numbers as eight bytes`() {
        var digester = Digester()
        digester.update("a")
        digester.update(Int64(-5))
        digester.update(ContentDigest(of: Array("x".utf8)))
        digester.update(bytes: [1, 2])
        #expect(
            digester.finish().description == "320496fcdb49fdb5f021aeb0756bda3d47a2c650fc29bf0102356397ead7d208")
    }

    @Test func `A digest is read from its own text and from nothing else`() {
        let digest = ContentDigest(of: [7])
        let text = digest.description
        #expect(ContentDigest(hexadecimal: text) == digest && ContentDigest(bytes: digest.bytes) == digest)
        for wrong in ["", String(text.dropLast()), text + "0", text.uppercased(), "g" + text.dropFirst()] {
            #expect(ContentDigest(hexadecimal: wrong) == nil, "\(wrong)")
        }
        #expect(ContentDigest(bytes: digest.bytes.dropLast()) == nil && ContentDigest(bytes: digest.bytes + [0]) == nil)
    }

    @Test func `Digests are ordered as their texts`() {
        let digests = (0..<50).map { ContentDigest(of: [$0]) }
        #expect(digests.sorted().map(\.description) == digests.map(\.description).sorted())
    }

    @Test func `Checksums of numbers keep their values`() {
        #expect(Checksum64().value == 0x67AF_059B_7AEC_6AFB)
        var checksum = Checksum64(seed: 7)
        checksum.update(0x0123_4567_89AB_CDEF)
        #expect(checksum.value == 0x6D32_4F6D_0ADA_1BD3)
    }

    /// One byte, one word, three lanes with and without rest.
    @Test(
        arguments: [
            (1, 0x1CDB_CDFB_04C9_D704), (8, 0x162C_6ADF_44E8_9AF4), (47, 0x5EA1_CA72_0EB9_7301),
            (48, 0x413E_8694_BB0C_87D9), (100, 0xA48C_5B88_3F6A_8F25),
        ] as [(Int, UInt64)])
    func `Checksums of bytes keep their values`(count: Int, value: UInt64) {
        let bytes = (0..<count).map { UInt8($0) }
        var checksum = Checksum64()
        checksum.update(bytes.span)
        #expect(checksum.value == value)
    }

    @Test func `A changed, added or moved byte changes the checksum`() {
        var random = SeededRandom(seed: 1)
        func value(_ bytes: [UInt8]) -> UInt64 {
            var checksum = Checksum64()
            checksum.update(bytes.span)
            return checksum.value
        }
        for count in 1...120 {
            let bytes = (0..<count).map { _ in UInt8(random.below(256)) }
            let place = random.below(count)
            var changed = bytes
            changed[place] ^= 1 << UInt8(random.below(8))
            #expect(value(changed) != value(bytes) && value(bytes + [0]) != value(bytes), "\(count) bytes")
            let turned = Array(bytes[place...] + bytes[..<place])
            #expect(turned == bytes || value(turned) != value(bytes), "\(count) bytes turned by \(place)")
        }
    }
}

@Suite struct MD5Tests {
    /// RFC 1321, A.5.
    @Test(arguments: [
        ("", "d41d8cd98f00b204e9800998ecf8427e"), ("a", "0cc175b9c0f1b6a831c399e269772661"),
        ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        (
            "12345678901234567890123456789012345678901234567890123456789012345678901234567890",
            "57edf4a22be3c955ac49da2e2107b67a"
        ),
    ])
    func `digests are those of the RFC`(_ text: String, _ digest: String) {
        #expect(hexadecimal(MD5.digest(of: Array(text.utf8))) == digest)
    }

    @Test func `a digest does not depend on how the bytes are divided`() {
        let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for size in [1, 3, 55, 56, 63, 64, 65, 127, 128, 500] {
            for count in [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 1000] {
                var digest = MD5()
                for start in stride(from: 0, to: count, by: size) {
                    digest.update(Array(bytes[start..<min(start + size, count)]))
                }
                #expect(digest.finish() == MD5.digest(of: Array(bytes[..<count])))
            }
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
