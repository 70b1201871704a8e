import Testing
import TileMath

@Suite struct EnclosingBoxTests {
    private func box(_ west: Double, _ east: Double, south: Double = 0, north: Double = 1) throws -> BoundingBox {
        try #require(BoundingBox(west: west, south: south, east: east, north: north))
    }

    @Test func `the enclosing box is as narrow as possible and crosses 180° where that is shorter`() throws {
        #expect(BoundingBox.enclosing([]) == nil)
        #expect(try BoundingBox.enclosing([box(5, 6)]) == box(5, 6))
        #expect(try BoundingBox.enclosing([box(5, 6), box(-3, 2)]) == box(-3, 6))
        #expect(try BoundingBox.enclosing([box(170, 171), box(-175, -170)]) == box(170, -170))
        #expect(try BoundingBox.enclosing([box(179, -179), box(-178, -177)]) == box(179, -177))
        #expect(try BoundingBox.enclosing([box(-180, 180), box(3, 4)]) == box(-180, 180))
        #expect(
            try BoundingBox.enclosing([box(1, 2, south: -5, north: 0), box(1, 2, south: 3, north: 7)])
                == box(1, 2, south: -5, north: 7))
    }

    @Test func `the enclosing box contains every box and does not depend on their order`() throws {
        let starts = [-180.0, -170, -60, 0, 10, 100, 175]
        let boxes = try starts.map { try box($0, $0 + 5 > 180 ? $0 + 5 - 360 : $0 + 5) }
        for one in boxes {
            for two in boxes {
                for three in boxes {
                    let round = try #require(BoundingBox.enclosing([one, two, three]))
                    #expect(round == BoundingBox.enclosing([three, one, two]))
                    for part in [one, two, three] {
                        for longitude in [part.west, part.east, part.west + 2] {
                            let place = try #require(GeoPoint(longitude: longitude, latitude: 0.5))
                            #expect(round.contains(place), "\(one) \(two) \(three): \(longitude)")
                        }
                    }
                }
            }
        }
    }
}
