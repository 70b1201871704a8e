import Digest
import HTTPCore
import PNG
import Testing
import TileMath

/// Tiles of one small library, which clients and caches keep for years: equal content has an equal ETag.
@Suite struct KnownTileTests {
    @Test(arguments: [
        ("heat-cells", "\"dcdd158ff98f9f71498255bc168953fb\""), ("heat-glow", "\"82d2c841402373854ae68b37a51c19bc\""),
        ("tracks", "\"32fe1046ac8e00f806e7ee7c35917193\""), ("points", "\"885d087c9daad6f5e3ae60d52da0a4cf\""),
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
        #expect(answer[.eTag] == "\"3b68f4f152a1024aee871b998fbce42c\"")
    }
}
