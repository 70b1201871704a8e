import Testing
import TrackExport
import TrackImport
import Tracks

@Suite("Changes of heading in exports")
struct HeadingRowTests {
    private static let start: Int64 = 1_700_000_000_000

    private func chunk(_ texts: [String?]) -> PointColumns {
        PointColumns(
            unit: .decimal(places: 1), longitudes: texts.indices.map { Int64($0) }, latitudes: texts.map { _ in 1 },
            times: texts.indices.map { Self.start + Int64($0) * 60_000 }, segmentStarts: [0],
            fields: [FieldColumn(name: FieldName.headingChanges, values: .texts(texts))])
    }

    private func rows(_ bytes: [UInt8]) -> Int {
        String(decoding: bytes, as: UTF8.self).split(separator: "\n").count { $0.contains("<DataPoint") }
    }

    @Test func `GPS Log writes them as separate rows that import unchanged`() throws {
        let texts = [
            "2023-11-14T22:13:21Z 24.0 H1; 2023-11-14T22:13:22.500Z 280", nil,
            (0..<20_000).map { "2023-11-14T22:15:21Z \($0 % 360) H \($0) <&\">" }.joined(separator: "; "),
        ]
        let bytes = try exported(MemoryTracks([chunk(texts)]), as: .gpslog)
        #expect(rows(bytes) == 3 + 2 + 20_000)
        let (receipt, recordings) = imported(bytes)
        #expect(receipt.failure == nil)
        #expect(recordings.flatMap { points($0.chunks) }.map { $0.fields[FieldName.headingChanges] } == texts)
    }

    @Test(arguments: ExportFormat.allCases)
    func `A hundred thousand behind one point come back from each format`(format: ExportFormat) throws {
        let many = (0..<100_000).map { "2023-11-14T22:13:2\($0 % 10)Z \($0 % 360).5 H\($0)" }.joined(separator: "; ")
        #expect(many.utf8.count > 3 << 20)
        let chunk = chunk([nil, many, "2023-11-14T22:15:21Z 24"])
        let (receipt, recordings) = imported(try exported(MemoryTracks([chunk]), as: format))
        #expect(receipt.failure == nil && receipt.refused.count == 0)
        let known = recordings.flatMap { points($0.chunks) }.map { $0.fields[FieldName.headingChanges] }
        #expect(known == [nil, many, "2023-11-14T22:15:21Z 24"])
    }

    @Test(arguments: [
        "soon 24 H1", "2023-11-14T22:13:21Z", "2023-11-14 22:13:21 24", "2023-11-14T22:13:21Z east",
        "2023-11-14T22:13:21Z 24 a;b", "2023-11-14T22:13:21Z 24; ", "2023-11-14T22:13:21Z 24  two",
    ])
    func `An invalid text is kept as an attribute`(text: String) throws {
        let bytes = try exported(MemoryTracks([chunk([text])]), as: .gpslog)
        #expect(rows(bytes) == 1)
        let known = imported(bytes).recordings.flatMap { points($0.chunks) }.map { $0.fields[FieldName.headingChanges] }
        #expect(known.map { $0?.split(separator: " ") } == [text.split(separator: " ")])
    }
}
