import Digest
import HTTPCore
import PNG
import Testing
import TileMath

/// Tiles of one small library, which clients and caches keep for years: equal content has an equal ETag.
@Suite struct KnownTileTests {
    @Test(arguments: [
        ("heat-cells", "\"33113a2b0121e003d32f61bfa412318b\""), ("heat-glow", "\"7352d0574e5323ee6c25229239fcee92\""),
        ("tracks", "\"fff17f9ca7bcfc0c1b16cd82ded1dacc\""), ("points", "\"1abd6fdafc0ea96bfe1864dca4346f2e\""),
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
        #expect(answer[.eTag] == "\"6148287242ad3aaf671bf8acdef33416\"")
    }
}
