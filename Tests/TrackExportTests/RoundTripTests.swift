import Foundation
import TestSupport
import Testing
import Text
import TrackExport
import TrackImport
import Tracks

private let formats = ExportFormat.allCases
/// 2023-11-14T22:13:20Z.
private let start: Int64 = 1_700_000_000_000

@Suite struct RoundTripTests {
    @Test(arguments: formats)
    func `Points and fields round-trip`(format: ExportFormat) throws {
        for seed in 1...60 as ClosedRange<UInt64> {
            let chunks = randomChunks(seed, format.capabilities)
            let bytes = try exported(MemoryTracks(chunks), as: format)
            let (receipt, recordings) = imported(bytes)
            try #require(receipt.failure == nil, "seed \(seed): \(receipt)")
            try #require(recordings.count == 1, "seed \(seed)")
            let expected = points(chunks)
            let found = points(recordings[0].chunks)
            try #require(found.count == expected.count, "seed \(seed)")
            for (one, other) in zip(expected, found) { try #require(one == other, "seed \(seed)") }
        }
    }

    @Test(arguments: formats)
    func `The digest round-trips, also for FIT semicircles`(format: ExportFormat) throws {
        for seed in 1...20 as ClosedRange<UInt64> {
            for semicircles in [false, true] {
                let chunks = randomChunks(seed, format.capabilities, semicircles: semicircles)
                let (_, recordings) = imported(try exported(MemoryTracks(chunks), as: format))
                #expect(recordings.map { digest($0.chunks) } == [digest(chunks)])
            }
        }
    }

    private func digest(_ chunks: [PointColumns]) -> String {
        var digest = RecordingDigest()
        for chunk in chunks { digest.add(chunk) }
        return "\(digest.finish())"
    }

    @Test(arguments: formats)
    func `Several tracks are imported as the same number of recordings`(format: ExportFormat) throws {
        let all = (1...5).map { number in
            let chunks = randomChunks(UInt64(number) + 100, format.capabilities)
            return (ExportTrack(Int64(number), chunks, name: "Track \(number)"), chunks)
        }
        let (_, recordings) = imported(try exported(MemoryTracks(all), as: format))
        #expect(recordings.map { points($0.chunks) } == all.map { points($0.1) })
    }

    @Test func `A KML track has times before coordinates, and only its own fields`() throws {
        func chunk(_ field: String) -> PointColumns {
            PointColumns(
                unit: .decimal(places: 1), longitudes: [1, 2], latitudes: [3, 4], times: [start, start + 1000],
                segmentStarts: [0],
                fields: [FieldColumn(name: field, values: .numbers(places: 0, [5, 6]))])
        }
        let tracks = [chunk("hr"), chunk("power")].enumerated().map { (ExportTrack(Int64($0 + 1), [$1]), [$1]) }
        let text = String(decoding: try exported(MemoryTracks(tracks), as: .kml), as: UTF8.self)
        for part in text.components(separatedBy: "<gx:Track>").dropFirst() {
            let lastWhen = try #require(part.range(of: "</when>", options: .backwards))
            let firstCoord = try #require(part.range(of: "<gx:coord>"))
            #expect(lastWhen.upperBound <= firstCoord.lowerBound)
            #expect(part.components(separatedBy: "<gx:SimpleArrayData").count == 2)
        }
        #expect(!text.contains("<gx:value/>"))
    }

    @Test func `Every point of a KML track has a time, and points without one are read without one`() throws {
        let chunk = PointColumns(
            unit: .decimal(places: 0), longitudes: [1, 2, 3, 4], latitudes: [3, 4, 5, 6],
            times: [PointColumns.untimed, start, PointColumns.untimed, start + 1000], segmentStarts: [0])
        let untimed = PointColumns(
            unit: .decimal(places: 0), longitudes: [1, 2], latitudes: [3, 4],
            times: [PointColumns.untimed, PointColumns.untimed], segmentStarts: [0],
            fields: [FieldColumn(name: "hr", values: .numbers(places: 0, [5, 6]))])
        for chunk in [chunk, untimed] {
            let bytes = try exported(MemoryTracks([chunk]), as: .kml)
            #expect(!String(decoding: bytes, as: UTF8.self).contains("<when/>"))
            let (_, recordings) = imported(bytes)
            #expect(recordings.map { points($0.chunks) } == [points([chunk])])
            #expect(recordings.first?.chunks.flatMap(\.fields).map(\.name) == chunk.fields.map(\.name))
        }
    }

    @Test(arguments: formats)
    func `Every hostile field name round-trips`(format: ExportFormat) throws {
        for name in hostileNames {
            let chunk = PointColumns(
                unit: .decimal(places: 1), longitudes: [1, 2], latitudes: [3, 4], times: [start, start + 1000],
                segmentStarts: [0],
                fields: [FieldColumn(name: name, values: .numbers(places: 1, [15, 25]))])
            let (_, recordings) = imported(try exported(MemoryTracks([chunk]), as: format))
            #expect(recordings.map { points($0.chunks) } == [points([chunk])], "\(name)")
        }
    }

    @Test(arguments: [ExportFormat.gpx, .geojson, .kml])
    func `Attributes, name and activity of a track round-trip`(format: ExportFormat) throws {
        let attributes = [
            "cmt": "a <b> & \"c\"", "desc": "d", "two words": "x\ny", "number": "12", "creator": "A watch",
        ]
        var source = MemoryTracks(randomChunks(3), name: "Über & <Berg>", attributes: attributes)
        source.tracks[0].track.activity = "ride"
        let (_, recordings) = imported(try exported(source, as: format))
        let header = try #require(recordings.first?.header)
        #expect(header.name == "Über & <Berg>" && header.activity == "ride")
        #expect(header.attributes == attributes)
    }

    @Test(arguments: formats)
    func `A track without attributes has none after a round trip`(format: ExportFormat) throws {
        var source = MemoryTracks(randomChunks(3, format.capabilities), name: "Ride")
        source.tracks[0].track.activity = "gliding"
        let (_, recordings) = imported(try exported(source, as: format))
        // TCX requires the id of an activity, and GPS Log that of a session.
        #expect(recordings.map { $0.header.attributes.filter { $0.key != "id" && $0.key != "session" } } == [[:]])
    }

    @Test(arguments: [ExportFormat.gpx, .geojson, .kml])
    func `Any text of a link round-trips`(format: ExportFormat) throws {
        for link in [
            "https://example.org/?a=1&b=\"2\"", "\"/><trk><name>other</name></trk><a b=\"", "<![CDATA[x]]>",
            "' onclick='x",
            "a\tb\r\nc", "&amp;&#34;", "Ü 🚲", "--><!--",
        ] {
            let source = MemoryTracks(randomChunks(3, format.capabilities), name: link, attributes: ["link": link])
            let (receipt, recordings) = imported(try exported(source, as: format))
            #expect(receipt.failure == nil && recordings.count == 1, "\(link)")
            #expect(
                recordings.first?.header.attributes["link"] == link && recordings.first?.header.name == link, "\(link)")
        }
    }

    @Test(arguments: formats)
    func `No text of a track adds a point, a track or a field to any format`(format: ExportFormat) throws {
        let controls = String(String.UnicodeScalarView((0x00...0x20).compactMap { Unicode.Scalar($0) }))
        for text in [
            "\"'<>&", "\"><x y=\"", "</name></trk></kml>", "]]>", controls, "\u{7f}\u{85}\u{2028}\u{FFFF}", "\r\n1,2,3",
            "\"\u{301},\r\n1,2,3\r\n", "<\u{338}/name>", "&\u{301}", "\\\"\u{301}}",
        ] {
            var chunks = randomChunks(5, format.capabilities)
            for index in chunks.indices {
                chunks[index].fields = [
                    FieldColumn(name: "note", values: .texts(Array(repeating: "a\(text)b", count: chunks[index].count)))
                ]
            }
            let attributes = Dictionary(
                uniqueKeysWithValues: ["link", "cmt", "desc", "src", "number", "notes", "type", text].map { ($0, text) }
            )
            var source = MemoryTracks(chunks, name: text, attributes: attributes)
            source.tracks[0].track.activity = text
            source.tracks[0].track.person = "a\(text)"
            source.tracks[0].track.device = "b\(text)"
            source.tracks[0].track.tags = [text]
            let (receipt, recordings) = imported(try exported(source, as: format))
            #expect(receipt.failure == nil && recordings.count == 1, "\(text) \(receipt)")
            let found = points(recordings.flatMap(\.chunks))
            let expected = points(chunks)
            #expect(found.map(\.longitude) == expected.map(\.longitude), "\(text)")
            #expect(found.map(\.time) == expected.map(\.time), "\(text)")
            #expect(found.allSatisfy { Array($0.fields.keys) == ["note"] }, "\(text)")
        }
    }

    @Test(arguments: formats)
    func `A longitude of 180 is one that the schema of the format allows, at the same place`(format: ExportFormat)
        throws
    {
        for places in UInt8(0)...9 {
            let half = 180 * FixedDecimal.integerPower(places)
            let chunk = PointColumns(
                unit: .decimal(places: places), longitudes: [half - 1, half, -half, half], latitudes: [0, 1, 2, 3],
                times: (0..<4).map { start + $0 * 1000 }, segmentStarts: [0])
            let text = try exported(MemoryTracks([chunk]), as: format)
            let (receipt, recordings) = imported(text)
            #expect(receipt.failure == nil)
            let longitudes = points(recordings.flatMap(\.chunks)).map(\.longitude)
            let edge: Int64 = 180_000_000_000
            let written = format == .gpx ? -edge : edge
            #expect(longitudes == [edge - FixedDecimal.integerPower(9 - places), written, -edge, written])
        }
    }

    @Test(arguments: formats)
    func `Person and device round-trip, so that points are added to their stream`(format: ExportFormat) throws {
        var source = MemoryTracks(randomChunks(4, format.capabilities))
        source.tracks[0].track.person = "Ada, \"the\" first"
        source.tracks[0].track.device = "phone;1"
        let (_, recordings) = imported(try exported(source, as: format))
        #expect(recordings.map(\.header.person) == ["Ada, \"the\" first"])
        #expect(recordings.map(\.header.device) == ["phone;1"])
    }

    @Test(arguments: ExportFormat.allCases)
    func `Control characters that XML cannot represent do not break files`(format: ExportFormat) throws {
        let name = String(
            String.UnicodeScalarView([0x61, 0x01, 0x0B, 0x1F, 0xFFFE, 0x62].compactMap(Unicode.Scalar.init)))
        let chunk = PointColumns(
            unit: .decimal(places: 1), longitudes: [1], latitudes: [3], times: [start], segmentStarts: [0],
            fields: [FieldColumn(name: name, values: .texts([name]))])
        let bytes = try exported(MemoryTracks([chunk], name: name, attributes: [name: name]), as: format)
        let (receipt, recordings) = imported(bytes)
        #expect(receipt.failure == nil && recordings.count == 1)
        #expect(recordings.first?.chunks.first?.fields.count == 1)
    }
}

@Suite struct ExportTests {
    @Test func `Skipped points without a time are counted`() throws {
        let timed = PointColumns(
            unit: .decimal(places: 0), longitudes: [1, 2], latitudes: [3, 4], times: [start, PointColumns.untimed],
            segmentStarts: [0])
        let untimed = PointColumns(
            unit: .decimal(places: 0), longitudes: [1], latitudes: [3], times: [PointColumns.untimed],
            segmentStarts: [0])
        let source = MemoryTracks([(ExportTrack(1, [timed]), [timed]), (ExportTrack(2, [untimed]), [untimed])])
        var export = Export(source, as: .tcx)
        var bytes: [UInt8] = []
        while let portion = try export.next() { bytes += portion }
        #expect((export.skippedPoints, export.skippedTracks, export.writtenTracks) == (2, 1, 1))
        #expect(imported(bytes).recordings.map { points($0.chunks).count } == [1])
    }

    @Test func `Activities of a TCX file have ids of their own, also if they start at the same time`() throws {
        func chunk(_ time: Int64) -> PointColumns {
            PointColumns(
                unit: .decimal(places: 0), longitudes: [1, 2], latitudes: [3, 4], times: [time, time + 1000],
                segmentStarts: [0])
        }
        let starts = [start, start, start + 1, start, start + 5000]
        let chunks = starts.map { chunk($0) }
        let source = MemoryTracks(
            zip(1..., chunks).map { (number, chunk) in (ExportTrack(Int64(number), [chunk]), [chunk]) })
        let text = String(decoding: try exported(source, as: .tcx), as: UTF8.self)
        let ids = text.components(separatedBy: "<Id>").dropFirst().map { String($0.prefix { $0 != "<" }) }
        #expect(ids.count == starts.count && Set(ids).count == ids.count)
        #expect(
            ids.first
                == text.components(separatedBy: "StartTime=\"").dropFirst().first?.split(separator: "\"").first.map {
                    String($0)
                })
    }

    @Test func `A track that changes during an export causes an error`() throws {
        var source = MemoryTracks([randomChunks(8), randomChunks(9)].flatMap(\.self))
        source.changesAfter = 1
        #expect(throws: ExportError.changed(id: "track1")) { _ = try exported(source, as: .gpx) }
    }

    @Test(arguments: ExportFormat.allCases)
    func `An empty export is a valid file without tracks`(format: ExportFormat) throws {
        let bytes = try exported(MemoryTracks([(ExportTrack, [PointColumns])]()), as: format)
        #expect(!bytes.isEmpty)
    }

    @Test func `A portion does not grow with the points of a track`() throws {
        let chunk = PointColumns(
            unit: .decimal(places: 7), longitudes: Array(repeating: 1_234_567, count: 4096),
            latitudes: Array(repeating: 7_654_321, count: 4096), times: (0..<4096).map { Int64($0) * 1000 },
            segmentStarts: [])
        var export = Export(MemoryTracks(Array(repeating: chunk, count: 50)), as: .kml)
        var most = 0
        while let portion = try export.next() { most = max(most, portion.count) }
        #expect(most < 1 << 20)
    }

    @Test(arguments: 1...9) func `Any name round-trips as an element name`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let letters: [Unicode.Scalar] = ["_", "x", "0", "4", "A", "a", " ", ":", "é", "🚲", "-"]
        for _ in 0..<500 {
            var name = ""
            for _ in 0..<random.below(12) { name.unicodeScalars.append(letters[random.below(letters.count)]) }
            for escapesFirst in [false, true] {
                let element = ElementName.encoded(name, escapesFirst: escapesFirst)
                #expect(ElementName.decoded(element) == name)
                #expect(element.utf8.allSatisfy { $0 < 0x80 } && element.first?.isNumber == false)
            }
        }
    }
}
