import Database
import Files
import Foundation
import SQLite
import SQLiteStorage
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore

@Suite(.eachStore) struct ImportTests {
    /// The content of an import: recordings that other imports contain, too, with other fields and names; and points of
    /// devices.
    private func made(_ random: inout SeededRandom) -> [([PointColumns], RecordingHeader)] {
        (0..<(1 + random.below(3))).map { _ in
            var header = RecordingHeader(source: "\(random.below(4)).gpx")
            if random.below(2) == 0 { header.name = "Name \(random.below(3))" }
            if random.below(3) == 0 { header.activity = ["ride", "walk"][random.below(2)] }
            if random.below(3) == 0 { header.attributes = ["desc": "\(random.below(3))"] }
            guard random.below(2) == 0 else {
                let start = Int64(1_000_000 + random.below(4) * 100_000)
                // Recordings of one start begin with all points of the shorter ones.
                let count = [20, 35, 50, 50][random.below(4)]
                let elevation: [Int64]? =
                    switch random.below(3) {
                    case 0: nil
                    case 1: (0..<count).map { Int64($0 * 10) }
                    default: (0..<count).map { Int64(($0 + random.below(3)) * 10) }
                    }
                let segments = random.below(3) == 0 ? [0, 15] : [0]
                return (outing(start: start, count: count, elevation: elevation, segments: segments), header)
            }
            header.device = "phone \(random.below(2))"
            // In one of three parts of the time, or within a short pause of others.
            let steps = random.below(4) == 0 ? 4 : 120
            var first = 2_000_000 + random.below(3) * 20_000
            if steps == 4 { first += random.below(116) * 97 + 40 }
            let seconds = (0..<(5 + random.below(40))).map { _ in Int64(first + random.below(steps) * 97) }
            var chunk = trickle(Array(Set(seconds)).sorted())
            if random.below(2) == 0 {
                let values = chunk.times.map { _ in random.below(3) == 0 ? FieldColumn.absent : Int64(random.below(50))
                }
                chunk.fields = [FieldColumn(name: "ele", values: .numbers(places: 0, values))]
            }
            return ([chunk], header)
        }
    }

    /// Everything that a library stores about its tracks, except ids.
    private func content(_ store: TrackDatabase) throws -> [String] {
        try store.allTracks().map { track in
            let points = try store.points(of: track)
            let fields = [
                track.personName ?? "", track.name ?? "", track.activityWord ?? "", track.device ?? "", track.source,
                "\(track.attributes.sorted { $0.key < $1.key })", "\(track.digest)", "\(track.points)",
                "\(track.metres)",
                "\(track.gap)", "\(track.longSegments)", "\(track.outliers)",
                "\(points.gathered(0..<points.count))",
            ]
            return fields.joined(separator: " | ")
        }.sorted()
    }

    /// A database to compare with. Always in SQLite: that is quicker, and the content must be the same in both.
    private func emptyDatabase() throws -> TrackDatabase {
        try TrackDatabase(SQLiteStorage.temporary(), zoneIfNew: "Europe/Berlin", now: { 1000 })
    }

    private typealias Recordings = [([PointColumns], RecordingHeader)]

    @discardableResult
    private func runImport(_ recordings: Recordings, to store: TrackDatabase) throws -> Int64 {
        try runImport(files: [recordings], to: store, first: 0)
    }

    /// Imports files, which are numbered from `first` on.
    @discardableResult
    private func runImport(files: [Recordings], to store: TrackDatabase, first: Int = 1) throws -> Int64 {
        let number = try store.beginImportRun(["a", "b"])
        let session = try store.beginImport(of: number)
        for (index, recordings) in files.enumerated() {
            let outcome = OutcomeCollector(file: first + index)
            for (chunks, header) in recordings {
                let recording = try session.open()
                for chunk in chunks { try session.append(chunk, to: recording) }
                try session.end(recording, header: header)?.store(outcome)
            }
        }
        try session.finish()
        return number
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `A library in which files were read anew equals one that read them so from the beginning`(seed: UInt64) throws
    {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        let store = try TrackDatabase.fresh(folder)
        var there: [(origin: ImportOrigin, recordings: Recordings)] = []
        for step in 0..<12 {
            if there.count > 1, random.below(5) == 0 {
                let number = there[random.below(there.count)].origin.importNumber
                _ = try store.undoImport(importNumber: number)
                there.removeAll { $0.origin.importNumber == number }
            } else {
                let files = (0..<(1 + random.below(3))).map { _ in made(&random) }
                let number = try runImport(files: files, to: store)
                let origins = files.indices.map { ImportOrigin(import: number, file: $0 + 1) }
                // What was read before of some files is replaced by the first of the new ones.
                for _ in 0..<random.below(3) where !there.isEmpty {
                    try store.replace([there.remove(at: random.below(there.count)).origin], by: origins[0])
                }
                there += zip(origins, files).map { ($0, $1) }
            }
            let other = try emptyDatabase()
            for (_, recordings) in there.shuffled(using: &random) { try runImport(recordings, to: other) }
            try #require(try content(store) == content(other), "step \(step)")
            let problems = try store.verify()
            try #require(problems == [], "step \(step)")
        }
        for number in Set(there.map(\.origin.importNumber)) { _ = try store.undoImport(importNumber: number) }
        #expect(try store.allTracks().isEmpty && store.imports().isEmpty && store.eraseRemoved() != .prevented)
        #expect(try store.verify() == [])
    }

    @Test func `What a repeated import of a long recording replaces is deleted in short transactions`() throws {
        let folder = try TemporaryFolder()
        let store = try TrackDatabase.fresh(folder)
        let count = (TrackWriter.deletedChunks + 1) * PointChunk.capacity
        func chunks(_ name: String?) -> [PointColumns] {
            outing(start: 1_600_000_000, count: count).map { chunk in
                var chunk = chunk
                let values = (0..<chunk.count).map { Int64($0 % 50) }
                chunk.fields = name.map { [FieldColumn(name: $0, values: .numbers(places: 0, values))] } ?? []
                return chunk
            }
        }
        func contents() throws -> Int64? {
            try store.read { try $0.session.integer("SELECT count(*) FROM content") }
        }
        let header = RecordingHeader(source: "a.gpx")
        try runImport([(chunks(nil), header)], to: store)
        // This import has the recording twice, with another field each time.
        let second = try runImport([(chunks("ele"), header), (chunks("hr"), header)], to: store)
        #expect(try contents() == 3 && store.verify() == [])
        #expect(try store.eraseRemoved() != .prevented && contents() == 2 && store.verify() == [])
        _ = try store.undoImport(importNumber: second)
        #expect(try store.content().first?.points.fields == [])
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func `After an undo the library equals one without the import, whatever other imports added`(seed: UInt64) throws {
        let folder = try TemporaryFolder()
        var random = SeededRandom(seed: seed &* 0x9E37_79B9_7F4A_7C15)
        let store = try TrackDatabase.fresh(folder)
        var there: [(number: Int64, recordings: [([PointColumns], RecordingHeader)])] = []
        for step in 0..<10 {
            if there.count > 1, random.below(3) == 0 {
                let gone = there.remove(at: random.below(there.count))
                _ = try store.undoImport(importNumber: gone.number)
            } else {
                let recordings = made(&random)
                there.append((try runImport(recordings, to: store), recordings))
            }
            let other = try emptyDatabase()
            for (_, recordings) in there.reversed() { try runImport(recordings, to: other) }
            try #require(try content(store) == content(other), "step \(step)")
            let problems = try store.verify()
            try #require(problems == [], "step \(step)")
        }
        for (number, _) in there { _ = try store.undoImport(importNumber: number) }
        #expect(try store.allTracks().isEmpty && store.imports().isEmpty && store.eraseRemoved() != .prevented)
        let left = try store.read { snapshot in
            try ["chunk", "stream_chunk", "content", "source", "source_beginning", "stream_source", "stream"].map {
                try snapshot.session.integer("SELECT count(*) FROM \($0)")
            }
        }
        #expect(left == [0, 0, 0, 0, 0, 0, 0])
    }

    @Test func `A removed track leaves nothing of what its imports added`() throws {
        let folder = try TemporaryFolder()
        let store = try TrackDatabase.fresh(folder)
        let plain = outing(start: 1_000_000, count: 20)
        let rich = outing(start: 1_000_000, count: 20, elevation: (0..<20).map { Int64($0) })
        try runImport(
            [(plain, RecordingHeader(source: "a")), ([trickle([5, 10])], RecordingHeader(device: "p", source: "a"))],
            to: store)
        let second = try runImport(
            [(rich, RecordingHeader(source: "b")), ([trickle([5, 15])], RecordingHeader(device: "p", source: "b"))],
            to: store)
        try store.markRemoved(try store.allTracks().map(\.id))
        try store.eraseRemoved()
        let chunks = try store.read { snapshot in
            try ["chunk", "stream_chunk", "source", "stream_source"].map {
                try snapshot.session.integer("SELECT count(*) FROM \($0)")
            }
        }
        #expect(chunks == [0, 0, 0, 0])
        _ = try store.undoImport(importNumber: second)
        #expect(try store.verify() == [] && store.allTracks().isEmpty)
    }

    @Test func `Receipts are stored with their import, and an empty import is deleted`() throws {
        let folder = try TemporaryFolder()
        let store = try TrackDatabase.fresh(folder)
        let first = try runImport([(outing(start: 0, count: 5), RecordingHeader(source: "a"))], to: store)
        try store.storeReceipts(["a", "b"].map { StoredReceipt(json: "{\"file\":\"\($0)\"}") }, ofImport: first)
        let empty = try store.beginImportRun(["c"])
        #expect(try store.deleteEmptyImport(empty) && store.deleteEmptyImport(first) == false)
        #expect(try store.receipts(ofImport: first) == ["{\"file\":\"a\"}", "{\"file\":\"b\"}"])
        #expect(
            try store.imports() == [
                ImportRecord(
                    number: first, time: 1000, given: ["a", "b"], files: 2, recordings: 1, streams: 0, pins: 0)
            ])
        _ = try store.undoImport(importNumber: first)
        let next = try store.beginImportRun([])
        #expect(next > empty)
    }

    @Test(.onlySQLite("libraries of earlier versions are files"))
    func `Tracks from before imports were recorded belong to import 0`() throws {
        let folder = try TemporaryFolder()
        var before: [String] = []
        do {
            let store = try TrackDatabase.fresh(folder)
            try store.add(outing(start: 0, count: 5))
            try store.add([trickle([5, 10])], device: "phone")
            before = try content(store)
        }
        let connection = try Connection(
            path: folder.path + "/library/tracks.sqlite", options: OpenOptions(mode: .create))
        for table in ["import", "import_file", "content", "source", "source_beginning", "stream_source"] {
            try connection.execute("DROP TABLE \(table)")
        }
        try connection.setUserVersion(2)
        let store = try TrackDatabase.fresh(folder)
        let second = try runImport(
            [
                (outing(start: 0, count: 5, elevation: [1, 2, 3, 4, 5]), RecordingHeader(name: "x", source: "z")),
                ([trickle([10, 15])], RecordingHeader(device: "phone", source: "z")),
            ], to: store)
        #expect(try content(store) != before)
        _ = try store.undoImport(importNumber: second)
        #expect(try content(store) == before && store.verify() == [])
    }
}
