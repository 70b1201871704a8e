import Digest
import HTTPCore
import PNG
import Testing
import TileMath

/// Tiles of one small library, which clients and caches keep for years: equal content has an equal ETag.
@Suite struct KnownTileTests {
    @Test(arguments: [
        ("heat-cells", "\"18631d7a73da8c7b05457c73aace1a02\""), ("heat-glow", "\"c734641be98c04c5eac275d9a9b88868\""),
        ("tracks", "\"00477058404d570da273b4ed59faeeba\""), ("points", "\"e996ddbaa5e79cbc42a6ab240ed1c38a\""),
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
        #expect(answer[.eTag] == "\"322fa31519a7b280cf726bfe18d53465\"")
    }
}
