import Testing
import Text
import TrackImport
import Tracks

/// Writes FIT, message by message.
private struct FITWriter {
    var body: [UInt8] = []
    let isBigEndian: Bool

    init(isBigEndian: Bool = false) {
        self.isBigEndian = isBigEndian
    }

    func number(_ value: Int, _ count: Int) -> [UInt8] {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
        return isBigEndian ? little.reversed() : little
    }

    /// Fields are (number, size, type); developer fields (number, size, developer).
    mutating func define(
        _ local: UInt8, _ message: Int, _ fields: [(UInt8, UInt8, UInt8)], developer: [(UInt8, UInt8, UInt8)] = []
    ) {
        body += [0x40 | local | (developer.isEmpty ? 0 : 0x20), 0, isBigEndian ? 1 : 0] + number(message, 2)
        body += [UInt8(fields.count)] + fields.flatMap { [$0.0, $0.1, $0.2] }
        if !developer.isEmpty { body += [UInt8(developer.count)] + developer.flatMap { [$0.0, $0.1, $0.2] } }
    }

    mutating func data(_ local: UInt8, _ values: [(Int, Int)], and rest: [UInt8] = []) {
        body += [local] + values.flatMap { number($0.0, $0.1) } + rest
    }

    /// The file with its header (the size is always little-endian) and checksum.
    var file: [UInt8] {
        let size = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> ($0 * 8)) }
        let all = [14, 0x20, 0x54, 0x08] + size + Array(".FIT".utf8) + [0, 0] + body
        var sum: UInt16 = 0
        for byte in all {
            sum ^= UInt16(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xA001 : sum >> 1 }
        }
        return all + [UInt8(sum & 0xFF), UInt8(sum >> 8)]
    }
}

/// 2024-05-01T08:00:00Z as a FIT timestamp.
private let start = 1_714_550_400 - 631_065_600
private let record: [(UInt8, UInt8, UInt8)] = [
    (253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (2, 2, 0x84), (3, 1, 2), (6, 2, 0x84), (13, 1, 1),
]

private func ride(isBigEndian: Bool = false) -> FITWriter {
    var writer = FITWriter(isBigEndian: isBigEndian)
    writer.define(0, 0, [(0, 1, 0), (1, 2, 0x84), (3, 4, 0x8C)])
    writer.data(0, [(4, 1), (1, 2), (4711, 4)])
    writer.define(1, 20, record)
    writer.data(1, [(start, 4), (1 << 29, 4), (-1 << 30, 4), (2562, 2), (140, 1), (3250, 2), (-3, 1)])
    writer.data(1, [(start + 1, 4), (1 << 29, 4), (1 << 30, 4), (0xFFFF, 2), (0xFF, 1), (0xFFFF, 2), (0x7F, 1)])
    writer.define(2, 21, [(0, 1, 0), (1, 1, 0)])
    writer.data(2, [(0, 1), (0, 1)])
    writer.data(1, [(start + 60, 4), (1 << 28, 4), (1 << 30, 4), (2500, 2), (141, 1), (0, 2), (5, 1)])
    writer.define(3, 18, [(5, 1, 0)])
    writer.data(3, [(2, 1)])
    return writer
}

@Suite struct FITTests {
    @Test(arguments: [false, true]) func `Records are points in semicircles with exact decimals`(isBigEndian: Bool) {
        let result = imported(ride(isBigEndian: isBigEndian).file)
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.format == .fit)
        #expect(result.receipt.remarks == [])
        #expect(result.recordings.count == 1)
        let recording = result.recordings[0]
        #expect(recording.chunks.map(\.unit) == [.semicircles])
        #expect(recording.chunks[0].latitudes == [1 << 29, 1 << 29, 1 << 28])
        #expect(recording.points.map(\.longitude) == [-90_000_000_000, 90_000_000_000, 90_000_000_000])
        #expect(recording.points.map(\.time) == [1_714_550_400_000, 1_714_550_401_000, 1_714_550_460_000])
        #expect(recording.segmentStarts == [0, 2])
        #expect(recording.header.activity == "cycling")
        #expect(recording.header.attributes["serial_number"] == "4711")
        #expect(recording.field("ele") == ["12.4", nil, "0.0"])
        #expect(recording.field("hr") == ["140", nil, "141"])
        #expect(recording.field("speed") == ["3.25", nil, "0.00"])
        #expect(recording.field("temp") == ["-3", nil, "5"])
    }

    @Test func `A compressed time continues and wraps around`() {
        var writer = FITWriter()
        writer.define(0, 20, [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85)])
        writer.define(1, 20, [(0, 4, 0x85), (1, 4, 0x85)])
        let base = start / 32 * 32 + 30
        writer.data(0, [(base, 4), (0, 4), (0, 4)])
        for offset in [31, 1, 1, 0] { writer.data(0x80 | 1 << 5 | UInt8(offset), [(1, 4), (1, 4)]) }
        let seconds = imported(writer.file).recordings.flatMap(\.points).map { $0.time / 1000 - 631_065_600 }
        #expect(seconds == [base, base + 1, base + 3, base + 3, base + 34].map { Int64($0) })
    }

    @Test(arguments: [Int.max - 15, Int.min + 1, -1, 0x1_0000_0000, 0xFFFF_FFFE])
    func `A 64-bit time never overflows`(stamp: Int) {
        for base in [0x8E, 0x8F, 0x90] as [UInt8] {
            var writer = FITWriter()
            writer.define(0, 20, [(253, 8, base), (0, 4, 0x85), (1, 4, 0x85)])
            writer.define(1, 20, [(0, 4, 0x85), (1, 4, 0x85)])
            writer.data(0, [(stamp, 8), (1, 4), (1, 4)])
            writer.data(0x80 | 1 << 5 | 7, [(1, 4), (1, 4)])
            let points = imported(writer.file).recordings.flatMap(\.points)
            #expect(points.count == 2)
            for point in points { #expect(point.time == .min || Instant.plausible.contains(point.time)) }
        }
    }

    @Test func `Developer fields have their names and do not replace profile fields`() {
        var writer = FITWriter()
        writer.define(0, 206, [(0, 1, 2), (1, 1, 2), (2, 1, 2), (3, 8, 7)])
        for (number, name) in [(0, "Form"), (1, "power")] {
            let text = Array(name.utf8) + Array(repeating: 0, count: 8 - name.utf8.count)
            writer.data(0, [(0, 1), (number, 1), (0x84, 1)], and: text)
        }
        writer.define(
            1, 20, [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (7, 2, 0x84), (61, 2, 0x84)],
            developer: [(0, 2, 0), (1, 2, 0), (9, 1, 0)])
        writer.data(1, [(start, 4), (1, 4), (1, 4), (200, 2), (7, 2), (33, 2), (210, 2), (1, 1)])
        let recording = imported(writer.file).recordings[0]
        let expected = ["power": "200", "Form": "33", "developer.power": "210", "field_61": "7", "developer_0_9": "1"]
        #expect(recording.fieldNames == Set(expected.keys))
        for (name, value) in expected { #expect(recording.field(name) == [value], "\(name)") }
    }

    @Test func `Enhanced fields replace plain fields in any order`() {
        var writer = FITWriter()
        writer.define(0, 20, [(73, 4, 0x86), (253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (6, 2, 0x84)])
        writer.data(0, [(70_000, 4), (start, 4), (1, 4), (1, 4), (65_000, 2)])
        writer.data(0, [(0xFFFF_FFFF, 4), (start, 4), (1, 4), (1, 4), (1500, 2)])
        #expect(imported(writer.file).recordings[0].field("speed") == ["70.0", "1.5"])
    }

    @Test func `A field with one value that is written as an array has its first value`() {
        var writer = FITWriter()
        writer.define(
            0, 20,
            [
                (253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85), (78, 8, 0x86), (3, 2, 2), (73, 12, 0x86), (17, 2, 2),
                (200, 2, 2),
            ])
        let altitude = (163 + 500) * 5
        writer.data(
            0,
            [
                (start, 4), (1, 4), (1, 4), (altitude, 4), (altitude, 4), (140, 1), (141, 1), (2500, 4), (2500, 4),
                (2500, 4), (16, 1), (32, 1), (1, 1), (2, 1),
            ])
        // The first one that is not absent, and none.
        writer.data(
            0,
            [
                (start + 1, 4), (1, 4), (1, 4), (0xFFFF_FFFF, 4), (altitude, 4), (0xFF, 1), (0xFF, 1), (0xFFFF_FFFF, 4),
                (0xFFFF_FFFF, 4), (3000, 4), (16, 1), (0xFF, 1), (1, 1), (2, 1),
            ])
        let recording = imported(writer.file).recordings[0]
        #expect(recording.field("ele") == ["163", "163"])
        #expect(recording.field("hr") == ["140", nil])
        #expect(recording.field("speed") == ["2.5", "3.0"])
        // Arrays by the profile, and fields that it does not list.
        #expect(recording.field("speed_1s") == ["1.0000,2.0000", "1.0000,"])
        #expect(recording.field("field_200") == ["1,2", "1,2"])
        for case .texts in recording.chunks[0].fields.filter({ ["ele", "hr", "speed"].contains($0.name) }).map(\.values)
        {
            Issue.record("texts")
        }
    }

    @Test func `Chained files and sessions are separate recordings`() {
        var writer = ride()
        writer.data(1, [(start + 99, 4), (1, 4), (1, 4), (2500, 2), (141, 1), (0, 2), (5, 1)])
        writer.data(3, [(1, 1)])
        let result = imported(writer.file + ride().file + [0, 0])
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.map(\.header.activity) == ["cycling", "running", "cycling"])
        #expect(result.recordings.map(\.points.count) == [3, 1, 3])
    }

    @Test(arguments: [6, 5, 34]) func `Courses and other plans are skipped with a word`(type: Int) {
        var writer = FITWriter()
        writer.define(0, 0, [(0, 1, 0)])
        writer.data(0, [(type, 1)])
        writer.define(1, 20, [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85)])
        writer.data(1, [(start, 4), (1 << 29, 4), (1 << 28, 4)])
        // A chain of a plan and an activity.
        let result = imported(writer.file + ride().file)
        #expect(result.receipt.skipped == [.route: 1])
        #expect(result.recordings.map(\.points.count) == [3])
    }

    @Test(arguments: ["before", "after", "between"]) func `Sessions divide the records by their times`(place: String) {
        var writer = FITWriter()
        writer.define(1, 20, [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85)])
        writer.define(3, 18, [(2, 4, 0x86), (7, 4, 0x86), (5, 1, 0)])
        func session(_ writer: inout FITWriter, _ index: Int) {
            writer.data(3, [(start + index * 100, 4), (90_000, 4), ([5, 2, 1][index], 1)])
        }
        if place == "before" { for index in 0..<3 { session(&writer, index) } }
        for index in 0..<3 {
            for second in [0, 40, 80] {
                writer.data(1, [(start + index * 100 + second, 4), (1 << 29, 4), ((index * 100 + second) << 10, 4)])
            }
            if place == "between" { session(&writer, index) }
        }
        // In any order, and with a sum of all.
        if place == "after" {
            writer.data(3, [(start, 4), (290_000, 4), (18, 1)])
            for index in [2, 0, 1] { session(&writer, index) }
        }
        let result = imported(writer.file)
        let parts = result.recordings.sorted { $0.points[0].time < $1.points[0].time }
        #expect(parts.map(\.points.count) == [3, 3, 3])
        #expect(parts.map(\.header.activity) == ["swimming", "cycling", "running"])
        #expect(parts.map(\.segmentStarts) == [[0], [0], [0]])
    }

    @Test func `Sessions may last any number of milliseconds`() {
        var writer = FITWriter()
        writer.define(1, 20, [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85)])
        // The type of the duration is a signed number of 8 bytes.
        writer.define(3, 18, [(2, 4, 0x86), (7, 8, 0x8E), (5, 1, 0)])
        for (sport, elapsed) in [(2, Int.min), (1, 90_000), (5, Int.max - 1)] {
            writer.data(3, [(start, 4), (elapsed, 8), (sport, 1)])
        }
        writer.data(1, [(start, 4), (1 << 29, 4), (1 << 28, 4)])
        let result = imported(writer.file)
        #expect(result.recordings.map(\.points.count) == [1])
        #expect(result.recordings.map(\.header.activity) == ["cycling"])
    }

    @Test func `A wrong checksum is reported and all points are kept`() {
        var bytes = ride().file
        bytes[bytes.count - 1] ^= 0xFF
        let result = imported(bytes)
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.remarks == [.wrongChecksum])
        #expect(result.receipt.outcome.points == 3)
        #expect(result.receipt.lines.contains { $0.contains("checksum") })
    }

    @Test func `A file without a size in its header is read`() {
        var bytes = ride().file.dropLast(2)
        for index in 4..<8 { bytes[index] = 0 }
        let result = imported(Array(bytes))
        #expect(result.receipt.remarks == [.unfinished])
        #expect(result.receipt.outcome.points == 3)
    }

    @Test func `Records without position are reported and latitudes above 90 degrees refused`() {
        var writer = FITWriter()
        writer.define(0, 20, [(253, 4, 0x86), (0, 4, 0x85), (1, 4, 0x85)])
        writer.data(0, [(start, 4), (0x7FFF_FFFF, 4), (0x7FFF_FFFF, 4)])
        writer.data(0, [(start, 4), ((1 << 30) + 1, 4), (0, 4)])
        writer.data(0, [(start, 4), (1 << 30, 4), (-1 << 31, 4)])
        // Seconds since power-on are not an instant.
        writer.data(0, [(77, 4), (0, 4), (0, 4)])
        let result = imported(writer.file)
        #expect(result.receipt.skipped == [.recordWithoutPosition: 1])
        #expect(result.receipt.refused.count == 1)
        #expect(result.recordings.flatMap(\.points).map(\.time) == [1_714_550_400_000, PointColumns.untimed])
        #expect(result.recordings.flatMap(\.points)[0].latitude == 90_000_000_000)
    }

    @Test func `A message without a definition is an error`() {
        var writer = ride()
        writer.data(9, [(1, 1)])
        let result = imported(writer.file)
        guard case .damaged? = result.receipt.failure else {
            Issue.record("\(String(describing: result.receipt.failure))")
            return
        }
        #expect(result.receipt.outcome.points == 3)
    }

    @Test func `The block size does not change the result`() {
        let bytes = ride().file
        let whole = imported(bytes).recordings
        for block in 1...40 { #expect(imported(bytes, block: block).recordings == whole) }
    }

    @Test func `A truncated file keeps its complete points or fails`() {
        handlesTruncation(ride().file)
    }

    @Test func `A file with flipped bits is handled`() {
        handlesFlippedBits(ride().file)
    }
}
