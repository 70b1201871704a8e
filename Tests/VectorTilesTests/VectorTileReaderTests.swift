import TestSupport
import Testing
import VectorTiles

@Suite struct VectorTileReaderTests {
    private static func tile() -> [UInt8] {
        var roads = VectorLayer("roads")
        var line = VectorGeometry.lines
        line.addLine([TilePlace(-64, 3), TilePlace(100, 200), TilePlace(4160, 9)][...])
        line.addLine([TilePlace(5, 5), TilePlace(6, 5)][...])
        roads.add(
            id: 7, line,
            [("kind", .text("street")), ("rank", .integer(-3)), ("width", .number(2.5)), ("oneway", .truth(true))])
        var areas = VectorLayer("areas")
        let ring = [TilePlace(0, 0), TilePlace(10, 0), TilePlace(10, 10), TilePlace(0, 10)]
        areas.add(id: nil, .polygons([[ring, [TilePlace(2, 2), TilePlace(4, 2), TilePlace(4, 4)]]]), [])
        areas.add(id: nil, .points([TilePlace(1, 2), TilePlace(3, 4)]), [("name", .text("Ä"))])
        return VectorTile.bytes(of: [roads, areas])
    }

    private static func parts(_ shape: VectorShape) -> [[TilePlace]] {
        (0..<shape.partCount).map { Array(shape.places[shape.part($0)]) }
    }

    @Test func `what was written is read`() throws {
        let tile = try VectorTileReader(Self.tile())
        #expect(tile.layerNames == ["roads", "areas"])
        #expect(try tile.layer("water") == nil)
        let roads = try #require(try tile.layer("roads"))
        #expect(roads.extent == 4096 && roads.features.count == 1 && roads.features[0].kind == .lines)
        var found: [String: VectorValue] = [:]
        roads.forEachAttribute(of: roads.features[0]) { found[roads.keys[$0]] = roads.values[$1] }
        #expect(
            found == ["kind": .text("street"), "rank": .integer(-3), "width": .number(2.5), "oneway": .truth(true)])
        var shape = VectorShape()
        roads.read(roads.features[0], into: &shape)
        #expect(
            Self.parts(shape) == [
                [TilePlace(-64, 3), TilePlace(100, 200), TilePlace(4160, 9)], [TilePlace(5, 5), TilePlace(6, 5)],
            ])
        let areas = try #require(try tile.layer("areas"))
        areas.read(areas.features[0], into: &shape)
        #expect(shape.partCount == 2 && shape.part(0).count == 4 && shape.part(1).count == 3)
        areas.read(areas.features[1], into: &shape)
        #expect(areas.features[1].kind == .points && Self.parts(shape) == [[TilePlace(1, 2)], [TilePlace(3, 4)]])
    }

    @Test func `numbers of other programs are read, and unknown fields skipped`() throws {
        // A layer a with the values float 1.5, uint 9, sint −2, a field 9 of 64 bits, and an extent of 512.
        let values: [[UInt8]] = [[0x15, 0, 0, 0xC0, 0x3F], [0x28, 9], [0x30, 3]]
        var layer: [UInt8] = [0x0A, 1, UInt8(ascii: "a"), 0x49, 1, 2, 3, 4, 5, 6, 7, 8]
        for value in values { layer += [0x22, UInt8(value.count)] + value }
        layer += [0x28, 0x80, 4, 0x78, 2]
        let found = try #require(try VectorTileReader([0x1A, UInt8(layer.count)] + layer).layer("a"))
        #expect(found.values == [.number(1.5), .integer(9), .integer(-2)] && found.extent == 512)
    }

    @Test func `damaged tiles throw or give less, and never stop the program`() throws {
        let whole = Self.tile()
        for count in 1..<whole.count where (try? VectorTileReader(Array(whole.prefix(count)))) != nil {
            // Only where a layer ends.
            #expect(try VectorTileReader(Array(whole.prefix(count))).layerNames == ["roads"])
        }
        var numbers = SeededRandom(seed: 5)
        var read = 0
        for _ in 0..<20_000 {
            var bytes = whole
            for _ in 0..<Int(numbers.next() % 4 + 1) {
                bytes[Int(numbers.next() % UInt64(bytes.count))] = UInt8(truncatingIfNeeded: numbers.next())
            }
            guard let tile = try? VectorTileReader(bytes) else { continue }
            for name in tile.layerNames {
                guard let layer = try? tile.layer(name) else { continue }
                var shape = VectorShape()
                for feature in layer.features {
                    layer.read(feature, into: &shape)
                    layer.forEachAttribute(of: feature) { _, _ in read += 1 }
                    #expect(shape.places.count <= bytes.count)
                }
            }
        }
        #expect(read > 10_000)
    }
}
