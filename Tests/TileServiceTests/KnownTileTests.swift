import Digest
import HTTPCore
import PNG
import Testing
import TileMath

/// Tiles of one small library, which clients and caches keep for years: equal content has an equal ETag.
@Suite struct KnownTileTests {
    @Test(arguments: [
        ("heat-cells", "\"315d5862c30d0d6cfdcc8d57982b804c\""), ("heat-glow", "\"79bd8d0417b2b5cb3ce04a68a8b6e48d\""),
        ("tracks", "\"f81f3e486595a9f0ee0ed54303efce63\""), ("points", "\"dab62a28ed4a1e6a771cad1036897c7a\""),
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
        #expect(answer[.eTag] == "\"d6fc7253e6a64cc5da1fce805973688f\"")
    }
}
