import GEOS
import Testing

private func square(_ x: Double, _ y: Double, _ side: Double) -> [PlanePoint] {
    [(x, y), (x + side, y), (x + side, y + side), (x, y + side)].map { PlanePoint(x: $0.0, y: $0.1) }
}

@Suite struct GeometryTests {
    let context: GEOSContext

    init() throws { context = try GEOSContext() }

    private func polygon(_ x: Double, _ y: Double, _ side: Double) throws -> Geometry {
        try Geometry.polygon(square(x, y, side), context)
    }

    @Test func `Union, difference and intersection have the areas of sets`() throws {
        let (one, other) = (try polygon(0, 0, 2), try polygon(1, 1, 2))
        #expect(try one.union(other).area() == 7)
        #expect(try one.difference(other).area() == 3)
        #expect(try one.intersection(other).area() == 1)
        #expect(try Geometry.collection([one, other], context).unaryUnion().area() == 7)
    }

    @Test func `A polygon with a hole keeps its rings, shells counter-clockwise and holes clockwise`() throws {
        let hole = square(1, 1, 1)
        let made = try Geometry.polygon(square(0, 0, 3).reversed(), holes: [hole], context)
        let polygons = try made.polygons()
        #expect(polygons.count == 1)
        #expect(polygons[0].map(\.count) == [4, 4])
        func area(_ ring: [PlanePoint]) -> Double {
            ring.indices.reduce(0) { sum, index in
                let next = ring[(index + 1) % ring.count]
                return sum + (ring[index].x * next.y - next.x * ring[index].y) / 2
            }
        }
        #expect(polygons[0].map(area) == [9, -1])
        #expect(try made.area() == 8)
        #expect(try made.length() == 16)
    }

    @Test func `A buffer with flat caps is as long as its line`() throws {
        let line = try Geometry.line([PlanePoint(x: 0, y: 0), PlanePoint(x: 4, y: 0)], context)
        #expect(abs(try line.buffer(0.5, cap: .flat, join: .mitre(limit: 2)).area() - 4) < 1e-9)
        #expect(try line.buffer(0.5, cap: .square, join: .mitre(limit: 2)).area() == 5)
        let round = try line.buffer(0.5, join: .round(quarterSegments: 8)).area()
        #expect(round > 4.75 && round < 4 + Double.pi / 4)
    }

    @Test func `A ring that crosses itself is made valid`() throws {
        let bow = [(0.0, 0.0), (2, 2), (2, 0), (0, 2)].map { PlanePoint(x: $0.0, y: $0.1) }
        let crossing = try Geometry.polygon(bow, context)
        #expect(try !crossing.isValid())
        let valid = try crossing.madeValid()
        #expect(try valid.isValid())
        #expect(try valid.polygons().count == 2)
        #expect(try valid.area() == 2)
    }

    @Test func `Prepared geometries answer as the others do`() throws {
        let prepared = try PreparedGeometry(try polygon(0, 0, 2))
        #expect(try prepared.contains(try polygon(0.5, 0.5, 1)))
        #expect(try prepared.covers(try polygon(0, 0, 1)))
        #expect(try !prepared.contains(try polygon(1, 1, 2)))
        #expect(try prepared.intersects(try polygon(2, 2, 2)))
        #expect(try !prepared.intersects(try polygon(3, 3, 2)))
        // A point on the outline is covered and not contained.
        let corner = try Geometry.point(PlanePoint(x: 0, y: 1), context)
        #expect(try prepared.covers(corner))
        #expect(try !prepared.contains(corner))
    }

    @Test func `The index finds what touches, in the order of the list`() throws {
        let squares = try (0..<100).map { try polygon(Double($0 % 10) * 2, Double($0 / 10) * 2, 1) }
        let index = try SpatialIndex(squares, context)
        #expect(index.candidates(try polygon(1.5, 1.5, 1)) == [11])
        #expect(index.candidates(try polygon(0.5, 0.5, 2)) == [0, 1, 10, 11])
        #expect(index.candidates(try polygon(100, 100, 1)) == [])
        #expect(try SpatialIndex([], context).candidates(squares[0]) == [])
    }

    @Test func `Points, distances and nearest points`() throws {
        let (one, other) = (try polygon(0, 0, 1), try polygon(4, 0, 1))
        #expect(try one.distance(to: other) == 3)
        let nearest = try #require(try one.nearestPoints(other))
        #expect(nearest.here.x == 1 && nearest.there.x == 4)
        #expect(try one.centroid() == PlanePoint(x: 0.5, y: 0.5))
        let inner = try #require(try one.interiorPoint())
        #expect(inner.x > 0 && inner.x < 1 && inner.y > 0 && inner.y < 1)
        #expect(try Geometry.collection([], context).interiorPoint() == nil)
        #expect(try Geometry.collection([], context).nearestPoints(one) == nil)
    }

    @Test func `Simplifying and rounding keep geometries valid`() throws {
        let ring = (0..<360).map { step in
            let angle = Double(step) * .pi / 180
            return PlanePoint(x: cosine(angle) * 10, y: cosine(angle - .pi / 2) * 10)
        }
        let circle = try Geometry.polygon(ring, context)
        let simple = try circle.simplified(0.1)
        #expect(try simple.polygons()[0][0].count < 60)
        #expect(abs(try simple.area() - Double.pi * 100) < 10)
        let rounded = try circle.rounded(to: 0.5)
        #expect(try rounded.isValid())
        #expect(try rounded.polygons()[0][0].allSatisfy { ($0.x * 2).rounded() == $0.x * 2 })
    }

    @Test func `Errors carry the message of GEOS and rings need three points`() throws {
        #expect(throws: GEOSError.self) {
            try Geometry.polygon([PlanePoint(x: 0, y: 0), PlanePoint(x: 1, y: 0)], context)
        }
        #expect(throws: GEOSError.self) {
            try Geometry.line([PlanePoint(x: .nan, y: 0), PlanePoint(x: 1, y: 0)], context)
        }
        let failure = #expect(throws: GEOSError.self) {
            try Geometry.line([PlanePoint(x: 0, y: 0)], context)
        }
        guard case .failed(let message) = failure else {
            Issue.record("no message")
            return
        }
        #expect(message.contains("IllegalArgumentException"))
    }

    @Test func `A context lives as long as its geometries`() throws {
        func made() throws -> Geometry { try Geometry.polygon(square(0, 0, 2), try GEOSContext()) }
        #expect(try made().area() == 4)
    }

    /// The cosine by its series, because tests of geometry need no other function.
    private func cosine(_ angle: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for step in 1..<30 {
            term *= -angle * angle / Double((2 * step - 1) * (2 * step))
            sum += term
        }
        return sum
    }
}
