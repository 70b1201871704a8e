import Database
import Files
import Foundation
import PrimaryStore
import Replay
import SQLite
import TestLibrary
import TestSupport
import Testing
import Text
import TrackExport
import Tracks

@testable import RecordingStore
@testable import TrackStore

@Suite("Changes of heading", .eachStore)
struct HeadingTests {
    let folder: TemporaryFolder
    private static let start: Int64 = 1_582_999_200

    init() throws {
        folder = try TemporaryFolder()
    }

    private func library(_ name: String) throws -> Library {
        try Library(folder: folder.path + "/" + name, zoneIfNew: "Europe/Berlin")
    }

    private func chunk(_ seconds: [Int64]) -> PointColumns {
        PointColumns(
            unit: .decimal(places: 7), longitudes: seconds.map { 134_000_000 + $0 * 10 },
            latitudes: seconds.map { _ in 525_000_000 }, times: seconds.map { (Self.start + $0) * 1000 },
            segmentStarts: [])
    }

    private func heading(_ second: Int64, _ degrees: Int64, _ id: String = "") throws -> HeadingChange {
        try #require(
            HeadingChange(
                time: (Self.start + second) * 1000, degrees: FixedDecimal(mantissa: degrees, places: 1), id: id))
    }

    private func recorded(_ seconds: [Int64], _ headings: [HeadingChange]) -> RecordedPoints {
        RecordedPoints(person: nil, device: "d", source: "t", points: chunk(seconds), headings: headings)
    }

    /// One text for each exported point: its second, and its headings in degrees.
    private func exported(_ library: Library) throws -> [[String]] {
        try library.database.allTracks().sorted { ($0.start ?? 0) < ($1.start ?? 0) }.map { track in
            var source = try TrackExportSource(library, [track])
            let known = try #require(try source.track(at: 0))
            var lines: [String] = []
            var position = ReadingPosition()
            while case .points(let chunk) = try source.points(of: known, at: position) {
                let texts = chunk.fields.first { $0.name == FieldName.headingChanges }?.values
                for index in 0..<chunk.count {
                    var line = "\(chunk.times[index] / 1000 - Self.start)"
                    if case .texts(let texts)? = texts, let text = texts[index] {
                        line +=
                            ":"
                            + HeadingChange.entries(of: text).map { $0.split(separator: " ")[1] }.joined(separator: ",")
                    }
                    lines.append(line)
                }
                position.advance(over: chunk)
            }
            return lines
        }
    }

    @Test(arguments: 1...3 as ClosedRange<UInt64>)
    func `In any order and grouping they belong to the point before them`(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        let seconds: [Int64] = [0, 0, 5, 10, 11, 4000, 4005, 9000]
        let headings = try [
            (-3, 5), (0, 10), (4, 20), (4, 30), (10, 40), (12, 50), (3999, 60), (4005, 70), (20_000, 80),
        ].map {
            try heading($0.0, $0.1)
        }
        let batch = try library("batch")
        try batch.record([recorded(seconds, headings)])
        let expected = [
            ["0:0.5,1,2,3", "5", "10:4", "11:5,6"], ["4000", "4005:7"], ["9000:8"],
        ]
        #expect(try exported(batch) == expected)
        let trickle = try library("trickle")
        let buffer = RecordingBuffer(database: trickle.database)
        for heading in headings + headings.shuffled(using: &random) {
            let point = seconds[random.below(seconds.count)]
            try buffer.add([recorded([point], [heading])])
            if random.below(3) == 0 { try buffer.flush() }
        }
        for second in seconds.shuffled(using: &random) { try buffer.add([recorded([second], [])]) }
        try buffer.stop()
        #expect(try exported(trickle) == expected)
    }

    @Test func `They are exported as GPS Log writes them`() throws {
        let library = try library("gpslog")
        try library.record([recorded([0, 5], [heading(1, 2715, "H1"), heading(2, 2800)])])
        let track = try #require(try library.database.allTracks().first)
        var export = Export(try TrackExportSource(library, [track]), as: .gpslog)
        var bytes: [UInt8] = []
        while let portion = try export.next() { bytes += portion }
        let rows = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.contains("<DataPoint") }
        #expect(rows.count == 4)
        #expect(
            rows[1].contains(
                #"Latitude="0" Longitude="0" TimeStamp="1901-01-01T00:00:00Z" EntryID="H1" Heading="271.5""#))
        #expect(rows[1].contains(#"HeadingChanged="true" HeadingTimeStamp="2020-02-29T18:00:01Z""#))
        #expect(rows[2].contains(#"Heading="280""#))
    }

    @Test func `New ones alone are recorded in the change log`() throws {
        let library = try library("told")
        try library.record([recorded([0, 5], [])])
        let before = try library.database.head()
        try library.record([recorded([0], [heading(1, 10)])])
        let changes = try library.database.read { try $0.changes(since: before.revision) }
        #expect(try Set(changes.flatMap(\.metadataChanged)) == Set(library.database.allTracks().map(\.number)))
        #expect(changes.allSatisfy { $0.changed.isEmpty && $0.added.isEmpty })
    }

    private func storedHeadings(_ library: Library) throws -> Int64? {
        try library.database.read { try $0.session.integer("SELECT count(*) FROM heading") }
    }

    @Test func `A removed track removes its own changes of heading, and no others`() throws {
        let library = try library("removed")
        try library.record([
            recorded([0, 4000, 9000], [heading(-5, 5), heading(1, 10), heading(4001, 20), heading(9001, 30)])
        ])
        let tracks = try library.database.allTracks().sorted { ($0.start ?? 0) < ($1.start ?? 0) }
        #expect(try library.remove([tracks[1].id]) { _ in } == library.completeRemoval)
        #expect(try exported(library) == [["0:0.5,1"], ["9000:3"]])
        #expect(try library.remove([tracks[0].id, tracks[2].id]) { _ in } == library.completeRemoval)
        #expect(try storedHeadings(library) == 0)
    }

    @Test func `An existing text of headings is kept, and contains each of them once`() throws {
        let library = try library("text")
        var old = chunk([0, 5])
        old.fields = [
            FieldColumn(
                name: FieldName.headingChanges,
                values: .texts(["2020-02-29T18:00:01Z 24.0 H1; 2020-02-29T18:00:02Z 2", nil]))
        ]
        try library.record([RecordedPoints(person: nil, device: "d", source: "t", points: old)])
        try library.record([recorded([0], [heading(2, 20), heading(3, 30)])])
        #expect(try exported(library) == [["0:24.0,2,3", "5"]])
    }

    @Test func `A log contains them, and a log of an older version is read`() throws {
        let entry = try recorded([0, 5], [heading(1, 2715, "H é"), heading(2, 0)])
        #expect(RecordedPoints(decoding: entry.encoded()) == entry)
        let plain = recorded([0], [])
        #expect(plain.encoded().first == 1 && RecordedPoints(decoding: plain.encoded()) == plain)
        let bytes = entry.encoded()
        for count in 0..<bytes.count { #expect(RecordedPoints(decoding: Array(bytes[..<count])) == nil) }
    }

    @Test(.onlySQLite("libraries of earlier versions are files"))
    func `A library of the previous version is upgraded and stores them`() throws {
        let path = folder.path + "/old"
        do {
            let library = try Library(folder: path, zoneIfNew: "UTC")
            try library.record([recorded([0], [])])
        }
        do {
            let connection = try Connection(path: path + "/tracks.sqlite", options: OpenOptions(mode: .create))
            try connection.execute("DROP TABLE heading; PRAGMA user_version = 3")
        }
        let library = try Library(folder: path)
        try library.record([recorded([0], [heading(1, 10)])])
        #expect(try exported(library) == [["0:1"]])
    }

    @Test func `Tens of thousands at one point are moved within the time limit of a stop`() throws {
        let library = try library("many")
        let headings = try (0..<80_000).map { try heading($0 + 1, $0 % 3600) }
        do {
            let buffer = RecordingBuffer(database: library.database)
            try buffer.add([recorded([0], headings)])
            try buffer.add([recorded([1], headings)])
            let start = ContinuousClock.now
            try buffer.stop()
            #expect(ContinuousClock.now - start < .seconds(5))
        }
        let isMoved = try eventually {
            _ = RecordingBuffer(database: library.database)
            return try library.database.hasMovedEverything()
        }
        #expect(isMoved)
        let count = try exported(library)[0].filter { $0.contains(":") }.reduce(0) {
            $0 + $1.split(separator: ",").count
        }
        #expect(count == 80_000)
    }

    @Test func `A flush in progress ends when the buffer is stopped`() throws {
        let library = try library("stopping")
        let headings = try (0..<60_000).map { try heading($0 + 1, $0 % 3600) }
        do {
            let buffer = RecordingBuffer(database: library.database)
            try buffer.add([recorded([0], headings)])
            let flushing = BackgroundLoop { _ = try? buffer.flush() }
            let start = ContinuousClock.now
            try buffer.stop()
            #expect(ContinuousClock.now - start < .seconds(5))
            flushing.stop()
        }
        // The next buffer moves the rest, once nothing holds the stopped buffer.
        for _ in 0..<200 where try storedHeadings(library) != 60_000 {
            try RecordingBuffer(database: library.database).stop()
            Thread.sleep(forTimeInterval: 0.02)
        }
        #expect(try storedHeadings(library) == 60_000)
    }
}

extension Library {
    /// Records points and moves them into their streams.
    fileprivate func record(_ points: [RecordedPoints]) throws {
        let buffer = RecordingBuffer(database: database)
        try buffer.add(points)
        try buffer.stop()
    }
}
