import Digest
import HTTPCore
import PNG
import Testing
import TileMath

/// Tiles of one small library, which clients and caches keep for years: equal content has an equal ETag.
@Suite struct KnownTileTests {
    @Test(arguments: [
        ("heat-cells", "\"386893114b33589cd0cd556062fe86ab\""), ("heat-glow", "\"7c12195a8f6227d99622716caf5b274c\""),
        ("tracks", "\"77f00b8fa3b11af979837d381208eeda\""), ("points", "\"f0854f1834d86f76744a870b1ec43d22\""),
    ])
    func `The ETag of a tile keeps its value`(style: String, eTag: String) throws {
        let answer = try Town().get("/tiles/\(style)/\(try Town.tile(14)).png")
        #expect(answer.status == .ok)
        #expect(answer[.eTag] == eTag)
    }

    @Test func `The pixels of a heat tile keep their values`() throws {
        let answer = try Town().get("/tiles/heat-cells/\(try Town.tile(16)).png")
        let image = try PNGReader.image(of: answer.bytes)
        #expect(
            ContentDigest(of: image.bytes).description
                == "f5d448371db56b2416432044b9939674fbd6678ce19ca7ea47a9facbf0dec0fa")
    }

    @Test func `The ETag of a tile without tracks keeps its value`() throws {
        let answer = try Town().get("/tiles/heat/3/0/0.png")
        #expect(answer.status == .ok)
        #expect(answer[.eTag] == "\"ea99f361ee250a57d64a2b83090bf135\"")
    }
}
