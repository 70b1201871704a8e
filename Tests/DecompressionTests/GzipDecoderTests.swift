import Decompression
import Foundation
import Testing

private let text = Array("lat,lon\n1,2\n".utf8)
/// The text, written by `gzip -n`.
private let packed = Array(Data(base64Encoded: "H4sIAAAAAAAAA8tJLNHJyc/jMtQx4gIAF5ghqgwAAAA=") ?? Data())

/// Decodes everything, with the input in blocks of `block` bytes and output in blocks of `limit`.
private func decoded(_ bytes: [UInt8], block: Int = 1 << 20, limit: Int = 1 << 16) throws -> [UInt8] {
    let decoder = try GzipDecoder()
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

@Suite struct GzipDecoderTests {
    @Test(arguments: [1, 2, 3, 7, 1000]) func `Blocks of any size give the text`(size: Int) throws {
        #expect(try decoded(packed, block: size) == text)
        #expect(try decoded(packed, limit: size) == text)
    }

    @Test func `Concatenated streams are read as one`() throws {
        #expect(try decoded(packed + packed, block: 5) == text + text)
    }

    @Test func `A decoder that was given nothing has nothing to finish`() throws {
        let decoder = try GzipDecoder()
        try decoder.finish()
        #expect(decoder.isFinished)
    }

    @Test func `A stream that is cut anywhere is truncated`() {
        for end in 1..<packed.count {
            #expect(throws: DecompressionError.truncated, "cut at \(end)") { try decoded(Array(packed[..<end])) }
        }
    }

    @Test func `Padding after the stream is ignored`() throws {
        #expect(try decoded(packed + [0, 0, 0]) == text)
    }

    @Test func `A damaged stream is an error`() {
        var bytes = packed
        for index in bytes.count / 2..<bytes.count { bytes[index] ^= 0x55 }
        #expect(throws: DecompressionError.self) { try decoded(bytes) }
    }
}
