import Files
import Foundation
import PrimaryStore
import Testing
import TrackExport
import TrackStore
import Tracks

@testable import TileServeCLI

/// What a library exports is in it already when it is imported again.
@Suite struct ExportedAgainTests {
    private func chunk(
        _ start: Int64, _ count: Int, unit: CoordinateUnit = .decimal(places: 7), step: Int64 = 1000,
        segments: [Int] = [0], fields: [FieldColumn] = []
    ) -> PointColumns {
        let scale: Int64 = unit == .decimal(places: 5) ? 100 : 1
        return PointColumns(
            unit: unit, longitudes: (0..<Int64(count)).map { (134_000_000 + $0 * 1001) / scale },
            latitudes: (0..<Int64(count)).map { (525_000_000 + $0 % 7 * 137) / scale },
            times: (0..<Int64(count)).map { start + $0 * step }, segmentStarts: segments, fields: fields)
    }

    /// Streams and recordings with milliseconds, segments, persons, fields, and several units of coordinates.
    private var recordings: [(PointColumns, RecordingHeader)] {
        let heading = FieldColumn(name: FieldName.heading, values: .numbers(places: 1, (0..<50).map { $0 * 10 }))
        let elevation = FieldColumn(name: FieldName.elevation, values: .numbers(places: 1, (0..<50).map { 4000 + $0 }))
        let text = FieldColumn(name: "note", values: .texts((0..<50).map { $0 % 3 == 0 ? "<\($0)> & more" : nil }))
        return [
            (chunk(1_600_000_000_000, 50), RecordingHeader(name: "A & B", activity: "ride", source: "a.gpx")),
            (
                chunk(1_610_000_000_123, 50, step: 777, segments: [0, 20], fields: [elevation, text]),
                RecordingHeader(person: "ada", source: "b.gpx", attributes: ["desc": "d"])
            ),
            (chunk(1_620_000_000_001, 50, unit: .semicircles), RecordingHeader(activity: "walk", source: "c.fit")),
            (chunk(1_630_000_000_000, 50, unit: .decimal(places: 5)), RecordingHeader(source: "d.csv")),
            (chunk(1_640_000_000_250, 50, fields: [heading]), RecordingHeader(device: "phone", source: "r")),
            (
                chunk(1_640_001_000_000, 50, step: 100, fields: [elevation]),
                RecordingHeader(person: "bea & co", device: "watch \"2\"", source: "r")
            ),
        ]
    }

    @Test(arguments: ExportFormat.allCases)
    func `An exported track is a duplicate when it is imported again`(format: ExportFormat) throws {
        let line = try CommandLineHarness()
        let database = try Library(folder: line.library, zoneIfNew: "Europe/Zurich").database
        let session = try database.beginImport()
        for (chunk, header) in recordings {
            let recording = try session.open()
            try session.append(chunk, to: recording)
            try session.close(recording, header: header)
        }
        try session.finish()
        let before = try database.totals()
        for id in try line.ids() + [""] {
            let path = line.folder.path + "/exported"
            let written = line.run(
                ["tracks", "export", "--format", format.rawValue, "--output", path] + (id.isEmpty ? [] : [id]))
            #expect(written.code == .done, "\(written.err)")
            let read = line.run("import", "--json", path)
            let total = try #require(try line.objects(read.out).last)
            #expect(total["points"] as? Int == 0 && total["refused"] as? Int == 0, "\(id): \(read.out)")
            try FileManager.default.removeItem(atPath: path)
        }
        #expect(try database.totals() == before)
        #expect(try database.persons().count == 3)
    }
}
