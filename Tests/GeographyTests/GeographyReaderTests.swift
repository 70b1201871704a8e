import Geography
import TestSupport
import Testing
import Text

/// Writes map data, as `GEOGRAPHY.md` describes it.
struct GeographyWriter {
    var bytes: [UInt8] = Array("TSGEO\u{1}".utf8)

    mutating func number(_ value: Int) { Varint.append(UInt64(value), to: &bytes) }

    mutating func signed(_ value: Int) { Varint.append(Varint.zigzag(Int64(value)), to: &bytes) }

    mutating func text(_ value: String) {
        number(value.utf8.count)
        bytes += value.utf8
    }

    mutating func line(_ vertices: [(x: Int, y: Int, level: Int)]) {
        number(vertices.count)
        var last = (x: 0, y: 0)
        for vertex in vertices {
            Varint.append(Varint.zigzag(Int64(vertex.x - last.x)) << 4 | UInt64(vertex.level), to: &bytes)
            signed(vertex.y - last.y)
            last = (vertex.x, vertex.y)
        }
    }

    /// Two squares of 1° side by side, at 10° E and 11° E, from the equator northwards.
    static var twoSquares: [UInt8] {
        var writer = GeographyWriter()
        writer.number(2)
        for (code, name) in [("AA", "Aland"), ("X-BBB", "Beland")] {
            writer.text(code)
            writer.text("\(code.suffix(2))X")
            writer.text(name)
            writer.text("Somewhere")
            writer.number(code == "AA" ? 0 : 1)
            writer.signed(105_000)
            writer.signed(5000)
            writer.number(5000)
        }
        writer.number(3)
        let (west, middle, east, top) = (100_000, 110_000, 120_000, 10_000)
        // The border from south to north: the first country is on the left.
        for (left, right, line) in [
            (1, 2, [(middle, 0), (middle, top)]),
            (0, 1, [(middle, 0), (west, 0), (west, top), (middle, top)]),
            (0, 2, [(middle, top), (east, top), (east, 0), (middle, 0)]),
        ] {
            writer.number(left)
            writer.number(right)
            writer.number(0)
            writer.line(line.map { ($0.0, $0.1, 0) })
        }
        writer.number(2)
        for (country, arcs) in [(0, [1 << 1, 0 << 1 | 1]), (1, [2 << 1, 0 << 1])] {
            writer.number(country)
            writer.number(arcs.count)
            for arc in arcs { writer.number(arc) }
        }
        writer.number(1)
        writer.number(3)
        writer.line([(101_000, 1000, 0), (102_000, 1000, 5), (102_000, 2000, 15), (101_000, 1000, 0)])
        writer.number(0)
        writer.number(1)
        writer.number(17)
        writer.number(1_000_000)
        writer.text("Zürich")
        writer.signed(-5000)
        writer.signed(8000)
        writer.number(1)
        return writer.bytes
    }
}

@Suite struct GeographyReaderTests {
    @Test func `What was written is read`() throws {
        let geography = try Geography(GeographyWriter.twoSquares)
        #expect(geography.countries.map(\.code) == ["AA", "X-BBB"])
        #expect(geography.countries.map(\.isDisputed) == [false, true])
        #expect(geography.arcs.map(\.isBorder) == [true, false, false])
        #expect(geography.rings.map(\.country) == [0, 1])
        #expect(geography.lakes.count == 1)
        #expect(geography.lakes[0].line.range.map { geography.vertices.levels[$0] } == [0, 5, 15, 0])
        #expect(geography.towns[0].name == "Zürich")
        #expect(abs(geography.towns[0].place.x - (0.5 - 0.5 / 360)) < 1e-9)
        #expect(geography.towns[0].place.y < 0.5)
    }

    @Test func `Truncated bytes are refused at every length`() {
        let bytes = GeographyWriter.twoSquares
        for count in bytes.indices {
            #expect(throws: TableError.self, "\(count) bytes") { try Geography(Array(bytes.prefix(count))) }
        }
        #expect(throws: TableError.damaged(offset: bytes.count)) { try Geography(bytes + [0]) }
        #expect(throws: TableError.otherFormat) { try Geography(Array("TSGEO\u{2}".utf8)) }
    }

    @Test(arguments: 1...20) func `Any damaged byte gives an error or other values, and never a trap`(seed: UInt64) {
        var numbers = SeededRandom(seed: seed)
        let bytes = GeographyWriter.twoSquares
        for index in 6..<bytes.count {
            var damaged = bytes
            damaged[index] = UInt8(truncatingIfNeeded: numbers.next())
            if let geography = try? Geography(damaged) { #expect(geography.towns.count < bytes.count) }
        }
    }

    @Test func `The embedded data have all countries, and towns by importance`() {
        let geography = Geography.embedded
        #expect(geography.countries.count > 240)
        #expect(Set(geography.countries.map(\.longCode)).count == geography.countries.count)
        for code in ["FR", "NO", "XK", "TW", "X-SOL"] {
            #expect(geography.countries.contains { $0.code == code }, "\(code)")
        }
        #expect(geography.towns.map(\.firstZoomTimesTen) == geography.towns.map(\.firstZoomTimesTen).sorted())
        #expect(geography.towns.contains { $0.name == "São Paulo" })
        // Every arc has land on one side at least, and every border on both.
        #expect(geography.arcs.allSatisfy { $0.left != nil || $0.right != nil })
        #expect(geography.arcs.count { $0.isBorder } > 300)
    }
}
