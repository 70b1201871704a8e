import Decompression
import Foundation
import Testing

/// A stream of a format and what is in it.
struct PackedText: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var bytes: [UInt8]

    static let text = Array("lat,lon\n1,2\n".utf8)

    private init(_ name: String, _ base64: String) {
        testDescription = name
        bytes = Array(Data(base64Encoded: base64) ?? Data())
    }

    // Written by `gzip -n`, `xz` and `bzip2`.
    static let gzip = PackedText("gzip", "H4sIAAAAAAAAA8tJLNHJyc/jMtQx4gIAF5ghqgwAAAA=")
    static let xz = PackedText(
        "xz", "/Td6WFoAAATm1rRGAgAhARYAAAB0L+WjAQALbGF0LGxvbgoxLDIKAGqSHL7hT4sjAAEkDKYY2NgftvN9AQAAAAAEWVo=")
    static let bzip2 = PackedText("bzip2", "QlpoOTFBWSZTWWuWT/QAAAPZgAAQAAQwACAFhAAgACINND1CDJiNbHnJFni7kinChINcsn+g")
    static let all = [gzip, xz, bzip2]
}

/// Decodes everything, with the input in blocks of `block` bytes and output in blocks of `limit`.
private func decoded(_ bytes: [UInt8], block: Int = 1 << 20, limit: Int = 1 << 16) throws -> [UInt8] {
    guard let decoder = try StreamDecoder(recognising: bytes) else { return [] }
    var output: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: block) {
        let input = Array(bytes[start..<min(start + block, bytes.count)])
        var offset = 0
        while true {
            let before = offset
            let more = try decoder.decode(input, from: &offset, limit: limit)
            output += more
            if more.isEmpty, offset == before || offset == input.count { break }
        }
    }
    try decoder.finish()
    #expect(decoder.isFinished)
    return output
}

@Suite struct StreamDecoderTests {
    @Test(arguments: PackedText.all, [1, 2, 3, 7, 1000])
    func `Blocks of any size give the text`(packed: PackedText, size: Int) throws {
        #expect(try decoded(packed.bytes, block: size) == PackedText.text)
        #expect(try decoded(packed.bytes, limit: size) == PackedText.text)
    }

    @Test(arguments: PackedText.all)
    func `Concatenated streams are read as one`(packed: PackedText) throws {
        #expect(try decoded(packed.bytes + packed.bytes, block: 5) == PackedText.text + PackedText.text)
    }

    @Test(arguments: PackedText.all)
    func `A decoder that was given nothing has nothing to finish`(packed: PackedText) throws {
        let decoder = try #require(try StreamDecoder(recognising: packed.bytes))
        try decoder.finish()
        #expect(decoder.isFinished)
    }

    @Test(arguments: PackedText.all)
    func `A stream that is cut anywhere is truncated`(packed: PackedText) {
        for end in 10..<packed.bytes.count {
            #expect(throws: DecompressionError.truncated, "cut at \(end)") { try decoded(Array(packed.bytes[..<end])) }
        }
    }

    @Test(arguments: [PackedText.gzip, .bzip2])
    func `Padding after the stream is ignored`(packed: PackedText) throws {
        #expect(try decoded(packed.bytes + [0, 0, 0]) == PackedText.text)
    }

    @Test(arguments: PackedText.all)
    func `A damaged stream is an error`(packed: PackedText) {
        var bytes = packed.bytes
        for index in bytes.count / 2..<bytes.count { bytes[index] ^= 0x55 }
        #expect(throws: DecompressionError.self) { try decoded(bytes) }
    }

    @Test func `Raw deflate data ends without a trailer`() throws {
        let packed = Array(PackedText.gzip.bytes.dropFirst(10).dropLast(8))
        let decoder = try StreamDecoder(rawDeflate: ())
        var offset = 0
        #expect(try decoder.decode(packed + [1, 2, 3], from: &offset, limit: 100) == PackedText.text)
        #expect(decoder.isFinished)
        #expect(offset == packed.count)
    }

    @Test func `Other bytes have no decoder`() throws {
        #expect(try StreamDecoder(recognising: []) == nil)
        #expect(try StreamDecoder(recognising: Array("lat,lon".utf8)) == nil)
    }
}
