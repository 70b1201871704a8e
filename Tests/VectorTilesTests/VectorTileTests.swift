import TestSupport
import Testing

@testable import VectorTiles

@Suite("Vector tiles") struct VectorTileTests {
    private func line(_ places: [(Int32, Int32)]) -> VectorGeometry {
        var geometry = VectorGeometry.lines
        geometry.addLine(places.map { TilePlace($0.0, $0.1) }[...])
        return geometry
    }

    private func decoded(_ layers: VectorLayer...) throws -> DecodedVectorTile {
        try DecodedVectorTile(VectorTile.bytes(of: layers))
    }

    /// The examples of the specification, chapter 4.3.5.
    @Test func `geometries are the commands of the specification's examples`() {
        let point = VectorGeometry.points([TilePlace(25, 17)])
        #expect(point.bytes == [9, 50, 34])
        let points = VectorGeometry.points([TilePlace(5, 7), TilePlace(3, 2)])
        #expect(points.bytes == [17, 10, 14, 3, 9])
        #expect(line([(2, 2), (2, 10), (10, 10)]).bytes == [9, 4, 4, 18, 0, 16, 16, 0])
        var lines = line([(2, 2), (2, 10), (10, 10)])
        lines.addLine([TilePlace(1, 1), TilePlace(3, 5)])
        #expect(lines.bytes == [9, 4, 4, 18, 0, 16, 16, 0, 9, 17, 17, 10, 4, 8])
        let polygon = VectorGeometry.polygons([[[TilePlace(3, 6), TilePlace(8, 12), TilePlace(20, 34)]]])
        #expect(polygon.bytes == [9, 6, 12, 18, 10, 12, 24, 44, 15])
    }

    @Test func `rings are stored so that shells have a positive area, and holes a negative one`() throws {
        let shell = [TilePlace(0, 0), TilePlace(10, 0), TilePlace(10, 10), TilePlace(0, 10)]
        let hole = [TilePlace(2, 2), TilePlace(5, 2), TilePlace(5, 5)]
        for (outer, inner) in [
            (shell, hole), (shell.reversed(), hole), (shell, hole.reversed()), (shell.reversed(), hole.reversed()),
        ] {
            var layer = VectorLayer("rooms")
            // A ring may repeat places; a ring without an area is left out.
            let repeated = outer + [outer[3], outer[0]]
            layer.add(
                id: 1, .polygons([[repeated, inner], [[TilePlace(0, 0), TilePlace(4, 4), TilePlace(8, 8)]]]), [])
            let parts = try #require(try decoded(layer)["rooms"]).features[0].parts
            #expect(parts.map(\.count) == [4, 3])
            #expect(DecodedVectorTile.area(parts[0]) == 200 && DecodedVectorTile.area(parts[1]) == -9)
        }
    }

    @Test func `attributes of all types come back, and keys and values are stored once`() throws {
        var layer = VectorLayer("tracks")
        let values: [(key: String, value: VectorValue)] = [
            ("text", .text("Füße")), ("empty", .text("")), ("small", .integer(-1)), ("large", .integer(.max)),
            ("number", .number(0.5)), ("yes", .truth(true)), ("no", .truth(false)), ("same", .text("Füße")),
        ]
        layer.add(id: 7, line([(0, 0), (1, 1)]), values)
        layer.add(id: nil, line([(0, 0), (1, 1)]), values.reversed())
        let features = try #require(try decoded(layer)["tracks"]).features
        #expect(features.map(\.id) == [7, nil])
        for feature in features {
            #expect(
                feature.attributes == [
                    "text": .text("Füße"), "empty": .text(""), "small": .integer(-1), "large": .integer(.max),
                    "number": .number(0.5), "yes": .truth(true), "no": .truth(false), "same": .text("Füße"),
                ])
        }
    }

    @Test func `a layer without features is not there, and a tile without layers is empty`() throws {
        var empty = VectorLayer("empty")
        let isAdded = empty.add(id: 1, .points([]), [("a", .truth(true))])
        #expect(!isAdded)
        #expect(VectorTile.bytes(of: [empty]).isEmpty)
        var full = VectorLayer("full")
        full.add(id: 1, .points([TilePlace(1, 2)]), [])
        let tile = try decoded(empty, full)
        #expect(tile.layers.map(\.name) == ["full"] && tile.layers[0].extent == 4096)
    }

    @Test func `ids fit into numbers of JavaScript`() throws {
        var layer = VectorLayer("a")
        layer.add(id: .max, .points([TilePlace(1, 2)]), [])
        #expect(try decoded(layer)["a"]?.features[0].id == 1 << 53 - 1)
    }

    @Test func `a reversed layer has the first feature last`() throws {
        var layer = VectorLayer("a", isReversed: true)
        for id in UInt64(1)...3 { layer.add(id: id, .points([TilePlace(1, 2)]), [("id", .integer(Int64(id)))]) }
        #expect(try decoded(layer)["a"]?.features.map(\.id) == [3, 2, 1])
    }

    @Test func `the limit is that of the tile's bytes, and what does not fit changes nothing`() throws {
        var random = SeededRandom(seed: 1)
        for limit in [40, 100, 127, 128, 129, 300, 1000, 16_383, 16_500, 20_000] {
            var layer = VectorLayer("tracks")
            var added = 0
            while layer.add(
                id: UInt64(added), line([(0, 0), (Int32(random.next() % 4000) + 1, 5)]),
                [("id", .text("track \(added)")), ("key \(added % 7)", .integer(Int64(added % 5)))], limit: limit)
            { added += 1 }
            let bytes = VectorTile.bytes(of: [layer])
            #expect(bytes.count <= limit && bytes.count > limit - 60)
            #expect(layer.count == added)
            if added > 0 { #expect(try DecodedVectorTile(bytes)["tracks"]?.features.count == added) }
        }
    }

    // MARK: Cutting

    /// The lines of random walks, cut by the clipper, and the walks.
    @Test(arguments: [UInt64(1), 2, 3])
    func `cut lines are within the border, and every place within the border is on a line`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var clipper = TileLineClipper()
        for _ in 0..<400 {
            clipper.removeAll()
            let far: Int64 = random.next() % 8 == 0 ? 1 << 40 : 6000
            let walk = (0..<Int(random.next() % 8 + 1)).map { _ in
                (x: Int64(random.next() % UInt64(2 * far)) - far, y: Int64(random.next() % 12_000) - 4000)
            }
            for place in walk { clipper.add(x: place.x, y: place.y) }
            clipper.endLine()
            let border = Int32(-64)...Int32(4160)
            for line in clipper.lines {
                #expect(line.count > 1)
                #expect(line.allSatisfy { border.contains($0.x) && border.contains($0.y) })
                for (one, next) in zip(line, line.dropFirst()) { #expect(one != next) }
            }
            for (one, next) in zip(walk, walk.dropFirst()) {
                for step in 0...64 {
                    let share = Double(step) / 64
                    let x = Double(one.x) + Double(next.x - one.x) * share
                    let y = Double(one.y) + Double(next.y - one.y) * share
                    guard x >= -60, x <= 4156, y >= -60, y <= 4156 else { continue }
                    #expect(distance(x, y, clipper) < 1.5, "\(walk)")
                }
            }
            // And nothing else: each place of the result is on the walk.
            if walk.count > 1 {
                for place in clipper.places where Set(walk.map { "\($0)" }).count > 1 {
                    let near = zip(walk, walk.dropFirst()).map {
                        distance(Double(place.x), Double(place.y), $0, $1)
                    }.min()
                    #expect((near ?? .infinity) < 1.5)
                }
            }
        }
    }

    private func distance(_ x: Double, _ y: Double, _ clipper: TileLineClipper) -> Double {
        clipper.lines.flatMap { line in
            zip(line, line.dropFirst()).map {
                distance(x, y, (Int64($0.x), Int64($0.y)), (Int64($1.x), Int64($1.y)))
            }
        }.min() ?? .infinity
    }

    private func distance(
        _ x: Double, _ y: Double, _ one: (x: Int64, y: Int64), _ other: (x: Int64, y: Int64)
    ) -> Double {
        let (dx, dy) = (Double(other.x - one.x), Double(other.y - one.y))
        let square = dx * dx + dy * dy
        let (toX, toY) = (x - Double(one.x), y - Double(one.y))
        let share = square > 0 ? min(max((toX * dx + toY * dy) / square, 0), 1) : 0
        let (awayX, awayY) = (toX - share * dx, toY - share * dy)
        return (awayX * awayX + awayY * awayY).squareRoot()
    }

    @Test func `a line that leaves and comes back becomes two`() {
        var clipper = TileLineClipper()
        for (x, y) in [(100, 100), (100, -1000), (200, -1000), (200, 100)] as [(Int64, Int64)] {
            clipper.add(x: x, y: y)
        }
        clipper.endLine()
        #expect(
            clipper.lines.map { $0.map { [$0.x, $0.y] } } == [[[100, 100], [100, -64]], [[200, -64], [200, 100]]])
    }

    @Test func `a place alone is a line of one unit, and one outside is nothing`() {
        var clipper = TileLineClipper()
        clipper.add(x: 5, y: 6)
        clipper.add(x: 5, y: 6)
        clipper.endLine()
        clipper.add(x: 5000, y: 6)
        clipper.endLine()
        #expect(clipper.lines.map { Array($0) } == [[TilePlace(5, 6), TilePlace(6, 6)]])
    }

    // MARK: Coverage

    @Test func `coverage tells whether lines reach a pixel that none of their class has reached`() {
        func lines(_ places: [(Int64, Int64)]) -> TileLineClipper {
            var clipper = TileLineClipper()
            for (x, y) in places { clipper.add(x: x, y: y) }
            clipper.endLine()
            return clipper
        }
        var coverage = TileCoverage()
        func isNew(_ places: [(Int64, Int64)], _ number: UInt8) -> Bool { coverage.add(lines(places), class: number) }
        #expect(isNew([(0, 0), (4000, 0)], 1))
        #expect(!isNew([(100, 3), (2000, 15)], 1))
        #expect(isNew([(100, 3), (2000, 15)], 2))
        #expect(isNew([(100, 3), (2000, 17)], 1))
        // Outside of the tile.
        #expect(!isNew([(-60, 100), (-60, 2000)], 3))
    }
}
