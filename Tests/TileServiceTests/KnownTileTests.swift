import Digest
import HTTPCore
import PNG
import TestLibrary
import Testing
import TileMath

/// Tiles of one small library, which clients and caches keep for years: equal content has an equal ETag.
@Suite(.eachStore) struct KnownTileTests {
    @Test(arguments: [
        ("heat-cells", "\"02f3abcb3f67aaa8a542b5006aebc1fe\""), ("heat-glow", "\"09502e393c7fa81ded510fe46162ceb1\""),
        ("tracks", "\"d227e33a1064a1b077ff8899aa314512\""), ("points", "\"36a375641c1b84a58c4e67f267f45416\""),
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
        #expect(answer[.eTag] == "\"1beac60b2ab19ed11a63347a7dbc8c72\"")
    }
}
