import Digest
import TestSupport
import Testing
import Text
import Tracks

struct ChunkCodecTests {
    private static let units: [CoordinateUnit] = [
        .decimal(places: 0), .decimal(places: 5), .decimal(places: 7), .decimal(places: 9), .semicircles,
    ]

    /// A chunk with all kinds of values, generated from a seed.
    static func chunk(seed: UInt64, count: Int, unit: CoordinateUnit = .decimal(places: 7)) -> PointColumns {
        var random = SeededRandom(seed: seed)
        let half: Int64 = unit == .semicircles ? 1 << 31 : 180 * power(unit)
        var longitudes: [Int64] = []
        var latitudes: [Int64] = []
        var times: [Int64] = []
        var heights: [Int64] = []
        var texts: [String?] = []
        for index in 0..<count {
            longitudes.append(index % 17 == 3 ? -half : random.below(half))
            latitudes.append(index % 19 == 5 ? -half / 2 : random.below(half / 2))
            times.append(
                random.below(11) == 0
                    ? PointColumns.untimed : 1_500_000_000_000 + Int64(index) * 1000 + random.below(2) * 500)
            heights.append(random.below(5) < 2 ? FieldColumn.absent : random.below(1_000_000) - 500_000)
            texts.append(random.below(3) == 0 ? nil : ["3d", "2d", "", "ünïcode"][random.below(4)])
        }
        let starts = (0..<count).filter { $0 % 100 == 0 }
        let fields = [
            FieldColumn(name: "ele", values: .numbers(places: 2, heights)),
            FieldColumn(name: "fix", values: .texts(texts)),
        ]
        return PointColumns(
            unit: unit, longitudes: longitudes, latitudes: latitudes, times: times, segmentStarts: starts,
            fields: fields)
    }

    private static func power(_ unit: CoordinateUnit) -> Int64 {
        guard case .decimal(let places) = unit else { return 1 }
        return FixedDecimal.integerPower(places)
    }

    @Test(arguments: units)
    func `An encoded chunk decodes to the same chunk`(unit: CoordinateUnit) throws {
        for count in [0, 1, 2, 3, 255, PointChunk.capacity] {
            let chunk = Self.chunk(seed: UInt64(count + 7), count: count, unit: unit)
            #expect(try PointColumns(decoding: chunk.encoded()) == chunk)
        }
    }

    @Test func `The earliest and latest possible times survive encoding`() throws {
        let (first, last) = (Instant.bounds.lowerBound, Instant.bounds.upperBound)
        let times: [Int64] = [last, first, 0, last, PointColumns.untimed, first, first]
        let zeros = [Int64](repeating: 0, count: times.count)
        let chunk = PointColumns(
            unit: .decimal(places: 0), longitudes: zeros, latitudes: zeros, times: times, segmentStarts: [])
        #expect(try PointColumns(decoding: chunk.encoded()) == chunk)
    }

    @Test func `Fields can be left out`() throws {
        var chunk = Self.chunk(seed: 5, count: 500)
        let bytes = chunk.encoded()
        chunk.fields = []
        #expect(try PointColumns(decoding: bytes, fields: .none) == chunk)
    }

    @Test func `Reading some fields gives the same values as reading all`() throws {
        let chunk = Self.chunk(seed: 3, count: 200)
        let bytes = chunk.encoded()
        let names = chunk.fields.map(\.name)
        #expect(names.count > 1)
        for subset in 0..<1 << names.count {
            let wanted = names.indices.filter { subset >> $0 & 1 == 1 }
            let strange = (["!"] + wanted.map { names[$0] } + ["\u{10ffff}"]).sorted()
            for asked in [wanted.map { names[$0] }, strange] {
                let read = try PointColumns(decoding: bytes, fields: .only(asked))
                #expect(read.fields == wanted.map { chunk.fields[$0] } && read.times == chunk.times, "\(asked)")
            }
        }
    }

    @Test func `A trace with one point per second takes at most six bytes per point`() {
        var longitude: Int64 = 134_000_000
        var latitude: Int64 = 525_000_000
        var longitudes: [Int64] = []
        var latitudes: [Int64] = []
        for index in 0..<Int64(PointChunk.capacity) {
            longitude += 1000 + (index * 7919) % 600
            latitude -= 500 + (index * 104_729) % 400
            longitudes.append(longitude)
            latitudes.append(latitude)
        }
        let times = (0..<Int64(PointChunk.capacity)).map { 1_700_000_000_000 + $0 * 1000 }
        let chunk = PointColumns(
            unit: .decimal(places: 7), longitudes: longitudes, latitudes: latitudes, times: times, segmentStarts: [0])
        #expect(chunk.encoded().count <= 6 * PointChunk.capacity)
    }

    @Test func `Every truncation is an error`() {
        let bytes = Self.chunk(seed: 3, count: 60).encoded()
        for length in 0..<bytes.count {
            #expect(throws: ChunkCodecError.self) { try PointColumns(decoding: Array(bytes[..<length])) }
        }
    }

    @Test func `Damaged bytes give an error or a chunk whose places are on Earth`() {
        let bytes = Self.chunk(seed: 9, count: 40).encoded()
        for index in bytes.indices {
            for value in [0, 1, 0x7f, 0x80, 0xff, bytes[index] ^ 0x10] as [UInt8] {
                var damaged = bytes
                damaged[index] = value
                guard let chunk = try? PointColumns(decoding: damaged) else { continue }
                for point in 0..<chunk.count {
                    #expect(abs(chunk.unit.nanodegrees(chunk.longitudes[point])) <= 180_000_000_000)
                    #expect(abs(chunk.unit.nanodegrees(chunk.latitudes[point])) <= 90_000_000_000)
                }
            }
        }
    }

    @Test func `Decoding random bytes never traps`() {
        var random = SeededRandom(seed: 5)
        for length in 0..<2000 {
            var bytes: [UInt8] = [1, UInt8(length % 128), 7]
            for _ in 0..<length % 200 {
                bytes.append(UInt8(truncatingIfNeeded: random.next()))
            }
            _ = try? PointColumns(decoding: bytes)
        }
    }

    @Test func `The error names a newer format version`() {
        #expect(throws: ChunkCodecError.newerVersion(2)) { try PointColumns(decoding: [2, 0]) }
    }
}

struct RecordingDigestTests {
    private func digest(_ chunks: [PointColumns]) -> String {
        var digest = RecordingDigest()
        for chunk in chunks { digest.add(chunk) }
        return digest.finish().description
    }

    private func part(_ chunk: PointColumns, _ range: Range<Int>) -> PointColumns {
        PointColumns(
            unit: chunk.unit, longitudes: Array(chunk.longitudes[range]), latitudes: Array(chunk.latitudes[range]),
            times: Array(chunk.times[range]), segmentStarts: [])
    }

    @Test func `The digest does not depend on chunk boundaries`() {
        let chunk = ChunkCodecTests.chunk(seed: 1, count: 300)
        #expect(digest([chunk]) == digest([part(chunk, 0..<1), part(chunk, 1..<200), part(chunk, 200..<300)]))
    }

    @Test func `The digest ignores digits beyond 1e-7 degrees, but no others`() {
        func one(_ longitude: Int64, places: UInt8) -> PointColumns {
            PointColumns(
                unit: .decimal(places: places), longitudes: [longitude], latitudes: [0], times: [5], segmentStarts: [])
        }
        #expect(digest([one(1_234_567_849, places: 9)]) == digest([one(12_345_678, places: 7)]))
        #expect(digest([one(-1_234_567_850, places: 9)]) == digest([one(-12_345_679, places: 7)]))
        #expect(digest([one(120, places: 7)]) == digest([one(12, places: 6)]))
        #expect(digest([one(12, places: 7)]) != digest([one(13, places: 7)]))
    }

    @Test func `The digest depends on order and times`() {
        let chunk = ChunkCodecTests.chunk(seed: 1, count: 3)
        #expect(digest([part(chunk, 0..<1), part(chunk, 1..<2)]) != digest([part(chunk, 1..<2), part(chunk, 0..<1)]))
        var later = chunk
        later.times[0] &+= 1
        #expect(digest([later]) != digest([chunk]))
    }
}
