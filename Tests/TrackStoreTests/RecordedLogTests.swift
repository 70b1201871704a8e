import PrimaryStore
import TestLibrary
import Testing
import Tracks

@testable import RecordingStore

extension RecordedLog {
    init(_ recorded: some Sequence<RecordedPoints>) {
        self.init()
        for points in recorded { add(points) }
    }
}

@Suite("Points of a log, by device", .eachStore)
struct RecordedLogTests {
    private let start: Int64 = 1_600_000_000_000

    private func recorded(
        _ times: [Int64], east: Int64 = 1, fields: [FieldColumn] = [], unit: CoordinateUnit = .decimal(places: 7)
    ) -> RecordedPoints {
        RecordedPoints(
            person: nil, device: "phone", source: "test",
            points: PointColumns(
                unit: unit, longitudes: times.map { _ in east }, latitudes: times.map { _ in 1 },
                times: times.map { start + $0 }, segmentStarts: [], fields: fields))
    }

    private func device(_ entries: [RecordedPoints]) throws -> RecordedDevice {
        try #require(RecordedLog(entries).devices.first)
    }

    /// Each entry with a field of its own, which its first point alone has.
    private func entriesOfRareFields(_ count: Int, points: Int) -> [RecordedPoints] {
        (0..<count).map { entry in
            var values = [Int64](repeating: FieldColumn.absent, count: points)
            values[0] = Int64(entry)
            return recorded(
                (0..<points).map { Int64(entry * points + $0) },
                fields: [FieldColumn(name: "f\(entry)", values: .numbers(places: 0, values))])
        }
    }

    @Test func `A field that few points have takes no room for the others`() throws {
        let device = try device(entriesOfRareFields(256, points: 100))
        #expect(device.valueCount == 256)
    }

    @Test func `A step has no more cells than its limit, and all steps together have every point`() throws {
        let device = try device(entriesOfRareFields(256, points: 100))
        let ordered = device.ordered()
        let steps = ordered.steps(points: 5000, cells: 10_000)
        #expect(steps.allSatisfy { $0.count * $0.fieldCount <= 10_000 && $0.count <= 5000 })
        let tables = steps.map { ordered.points(of: $0) }
        #expect(zip(tables, steps).allSatisfy { $0.fields.count == $1.fieldCount && $0.count == $1.count })
        #expect(tables.flatMap(\.times) == (0..<25_600).map { start + $0 })
        let values = tables.flatMap { table in
            (0..<256).compactMap { table.column("f\($0)")?.values }.flatMap { column -> [Int64] in
                guard case .numbers(0, let numbers) = column else { return [] }
                return numbers.filter { $0 != FieldColumn.absent }
            }
        }
        #expect(values.sorted() == (0..<256).map { Int64($0) })
    }

    @Test func `A point with more fields than a step has cells is a step of its own`() throws {
        let fields = (0..<20).map { FieldColumn(name: "f\($0)", values: .numbers(places: 0, [1, 2, 3])) }
        let steps = try device([recorded([0, 1, 2], fields: fields)]).ordered().steps(points: 100, cells: 10)
        #expect(steps.map(\.count) == [1, 1, 1])
    }

    @Test func `Points are ordered by time and place, whatever the unit they came in`() throws {
        let entries = [
            recorded([3, 1], east: 5), recorded([1], east: 4), recorded([2], east: 1, unit: .semicircles),
        ]
        let ordered = try device(entries).ordered()
        let table = ordered.points(of: try #require(ordered.steps(points: 100, cells: 100).first))
        #expect(table.times == [1, 1, 2, 3].map { start + $0 })
        #expect(table.longitudes == [400, 500, 84, 500])
    }

    @Test func `Numbers of different places meet in the finest, and numbers beside words become words`() throws {
        let entries = [
            recorded([0, 1], fields: [FieldColumn(name: "a", values: .numbers(places: 2, [100, 250]))]),
            recorded(
                [2, 3],
                fields: [
                    FieldColumn(name: "a", values: .numbers(places: 0, [7, FieldColumn.absent])),
                    FieldColumn(name: "b", values: .texts(["up", nil])),
                ]),
            recorded([4], fields: [FieldColumn(name: "b", values: .numbers(places: 1, [150]))]),
        ]
        let ordered = try device(entries).ordered()
        let table = ordered.points(of: try #require(ordered.steps(points: 100, cells: 100).first))
        #expect(table.column("a")?.values == .numbers(places: 1, [10, 25, 70, FieldColumn.absent, FieldColumn.absent]))
        #expect(table.column("b")?.values == .texts([nil, nil, "up", nil, "15"]))
    }

    @Test func `The steps depend on the points alone, not on how requests cut them`() throws {
        let entries = entriesOfRareFields(40, points: 50)
        let cut = entries.flatMap { entry in
            [entry.points.slice(0..<20), entry.points.slice(20..<50)].map {
                RecordedPoints(person: nil, device: "phone", source: "test", points: $0)
            }
        }
        let whole = try device(entries).ordered().steps(points: 300, cells: 1000).map(\.count)
        let other = try device(cut.reversed()).ordered().steps(points: 300, cells: 1000).map(\.count)
        #expect(whole == other)
    }

    @Test func `A long name is cut between characters`() throws {
        for (name, kept) in [(999, 999), (998, 1000)] {
            var points = recorded([0])
            points.device = String(repeating: "a", count: name) + "éé"
            let read = try #require(RecordedPoints(decoding: points.encoded()))
            #expect(read.device == String(decoding: points.device.utf8.prefix(kept), as: UTF8.self))
        }
    }
}
