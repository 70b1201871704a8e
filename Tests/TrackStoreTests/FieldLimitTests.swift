import Files
import Testing
import Text
import Tracks

@testable import PrimaryStore

/// A chunk of points, of which the first has the numbered fields.
private func chunk(_ points: Int64, fields: Range<Int>) -> PointColumns {
    var chunk = PointColumns(
        unit: .decimal(places: 7), longitudes: (0..<points).map { 134_000_000 + $0 * 1001 },
        latitudes: (0..<points).map { 525_000_000 + ($0 % 7) * 100 },
        times: (0..<points).map { (1_559_390_400 + $0) * 1000 }, segmentStarts: [0])
    var numbers = [Int64](repeating: FieldColumn.absent, count: Int(points))
    numbers[0] = 1
    chunk.fields = fields.map { FieldColumn(name: "f\(100_000 + $0)", values: .numbers(places: 0, numbers)) }
    return chunk
}

@Suite struct FieldLimitTests {
    private let folder: TemporaryFolder
    private let database: TrackDatabase

    init() throws {
        folder = try TemporaryFolder()
        database = try TrackDatabase.fresh(folder)
    }

    @Test func `A recording with too many fields is refused with a message`() throws {
        let session = try database.beginImport()
        let recording = try session.open()
        #expect(throws: RecordingRejected.self) {
            try session.append(chunk(10, fields: 0..<PointChunk.fieldLimit + 2), to: recording)
        }
    }

    @Test func `Fields above the limit are never dropped silently`() throws {
        var builder = ChunkBuilder()
        let one = FixedDecimal(mantissa: 1, places: 0)
        builder.addPoint(longitude: one, latitude: one, time: nil)
        for number in 0..<5000 { builder.set("f\(number)", to: one) }
        let taken = builder.takeChunk()
        let session = try database.beginImport()
        let recording = try session.open()
        #expect(throws: RecordingRejected.self) { try session.append(try #require(taken), to: recording) }
    }

    @Test func `Points added in parts are refused if one chunk would have too many fields`() throws {
        let session = try database.beginImport()
        let recording = try session.open()
        try session.append(chunk(100, fields: 0..<PointChunk.fieldLimit), to: recording)
        #expect(throws: RecordingRejected.self) {
            try session.append(chunk(100, fields: 5000..<5010), to: recording)
        }
    }

    @Test func `A recording imported repeatedly with other fields stays readable`() throws {
        for round in 0..<3 {
            try database.add([chunk(20, fields: round * PointChunk.fieldLimit..<(round + 1) * PointChunk.fieldLimit)])
        }
        let content = try database.content()
        #expect(content.count == 1)
        #expect(content.first?.points.fields.count == PointChunk.fieldLimit + 1)
        #expect(content.first?.points.fields.last?.name == FieldName.otherFields)
        #expect(content.first?.points.fields.first?.name == "f100000")
    }
}
