import Database
import Dispatch
import Files
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import TrackStore

@Suite(.eachStore) struct ContinuedRecordingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private let header = RecordingHeader(source: "ride.gpx")

    /// Imports the first points of an outing as an import of its own.
    private func runImport(
        _ count: Int, to store: TrackDatabase, elevated: Bool = true, person: String? = nil
    ) throws -> (number: Int64, outcome: RecordingOutcome) {
        let number = try store.beginImportRun(["ride.gpx"])
        let session = try store.beginImport(of: number)
        let recording = try session.open()
        let elevations = elevated ? (0..<count).map { Int64($0 % 90) } : nil
        for chunk in outing(start: 1_600_000_000, count: count, elevation: elevations) {
            try session.append(chunk, to: recording)
        }
        var header = header
        header.person = person
        let outcome = try session.close(recording, header: header)
        try session.finish()
        return (number, outcome.outcome)
    }

    private func library(of counts: [Int], _ name: String) throws -> TrackDatabase {
        let store = try TrackDatabase.fresh(folder, name)
        for count in counts { _ = try runImport(count, to: store) }
        return store
    }

    @Test(arguments: [(1, 2), (10, 4096), (4095, 4096), (4096, 4097), (4097, 9000), (5000, 8192), (8192, 9000)])
    func `A recording that begins with all points of a stored one is united with it`(short: Int, long: Int) throws {
        let store = try TrackDatabase.fresh(folder)
        let first = try runImport(short, to: store)
        let track = try #require(try store.allTracks().first)
        let begun = try store.content()
        let second = try runImport(long, to: store)
        #expect(second.outcome.points == long - short && second.outcome.duplicatePoints == short)
        #expect(second.outcome.newTracks == 0 && second.outcome.continuedTracks == 1)
        #expect(try store.allTracks().map(\.id) == [track.id])
        #expect(try store.content() == library(of: [long], "long").content())
        #expect(try store.verify() == [])

        _ = try store.undoImport(importNumber: second.number)
        #expect(try store.allTracks().map(\.id) == [track.id])
        #expect(try store.content() == begun)
        #expect(try store.verify() == [])

        _ = try runImport(long, to: store)
        _ = try store.undoImport(importNumber: first.number)
        #expect(try store.allTracks().map(\.id) == [track.id])
        #expect(try store.content() == library(of: [long], "long again").content())
        #expect(try store.verify() == [])
    }

    @Test(arguments: [(10, 4096), (4096, 4097), (4097, 9000)])
    func `The beginning of a stored recording is a duplicate of it`(short: Int, long: Int) throws {
        let store = try TrackDatabase.fresh(folder)
        let first = try runImport(long, to: store)
        let whole = try store.content()
        let second = try runImport(short, to: store)
        #expect(second.outcome.points == 0 && second.outcome.duplicatePoints == short)
        #expect(try store.content() == whole)
        _ = try store.undoImport(importNumber: first.number)
        #expect(try store.content() == library(of: [short], "short").content())
        #expect(try store.verify() == [])
        _ = try store.undoImport(importNumber: second.number)
        #expect(try store.allTracks().isEmpty && store.eraseRemoved() != .prevented)
    }

    @Test(arguments: 0..<6)
    func `A file imported many times while it grew is one track, and every import can be undone`(seed: Int) throws {
        var random = SeededRandom(seed: seed + 1)
        let counts = [40, 90, 4096, 4100, 6000, 8192, 8300]
        let store = try TrackDatabase.fresh(folder)
        var imports = try counts.shuffled(using: &random).map {
            ($0, try runImport($0, to: store, elevated: random.below(3) > 0).number)
        }
        #expect(try store.allTracks().map(\.points) == [8300])
        while imports.count > 1 {
            let (_, number) = imports.remove(at: random.below(imports.count))
            _ = try store.undoImport(importNumber: number)
            #expect(try store.allTracks().map(\.points) == [imports.map(\.0).max()])
            #expect(try store.verify() == [])
        }
    }

    @Test func `Tracks of other persons, or with another point, are not united`() throws {
        let store = try TrackDatabase.fresh(folder)
        _ = try runImport(10, to: store)
        #expect(try runImport(20, to: store, person: "ada").outcome.newTracks == 1)
        let other = outing(start: 1_600_000_000, count: 20, latitude: 525_000_001)
        #expect(try store.add(other).newTracks == 1)
        #expect(try store.allTracks().count == 3)
    }

    @Test func `A track keeps its edits when it is continued`() throws {
        let store = try TrackDatabase.fresh(folder)
        _ = try runImport(10, to: store)
        let id = try #require(try store.allTracks().first?.id)
        var edit = TrackEdit()
        edit.name = "Mine"
        _ = try store.edit([id], edit)
        _ = try runImport(20, to: store)
        #expect(try store.allTracks().map(\.name) == ["Mine"])
    }

    @Test func `The grid of a continued track is that of the whole recording`() throws {
        let library = try Library(folder: folder.path + "/drawn", zoneIfNew: "Europe/Berlin")
        let whole = try Library(folder: folder.path + "/whole", zoneIfNew: "Europe/Berlin")
        let first = try runImport(300, to: library.database)
        try library.catchUp()
        let second = try runImport(5000, to: library.database)
        try library.catchUp()
        _ = try runImport(5000, to: whole.database)
        try whole.catchUp()
        func tiles(_ library: Library) throws -> [String] {
            try library.grid.database.snapshot {
                try $0.rows("SELECT key, data FROM tiles ORDER BY key") { "\($0.integer(0)) \($0.blob(1))" }
            }
        }
        #expect(try tiles(library) == tiles(whole))
        #expect(try library.database.verify().isEmpty)
        _ = first
        _ = try library.undoImport(importNumber: second.number) { _ in }
        let short = try Library(folder: folder.path + "/short", zoneIfNew: "Europe/Berlin")
        _ = try runImport(300, to: short.database)
        try short.catchUp()
        #expect(try tiles(library) == tiles(short))
    }

    @Test func `Of imports at the same time, exactly one claims the points`() throws {
        let path = folder.path + "/shared"
        let stores = try (0..<3).map { _ in try TrackDatabase(folder: path) }
        let results = OutcomeCollector()
        DispatchQueue.concurrentPerform(iterations: 3) { process in
            do {
                let session = try stores[process].beginImport(of: try stores[process].beginImportRun(["a"]))
                for number in 0..<300 {
                    let recording = try session.open()
                    for chunk in outing(start: Int64(1_500_000_000 + number * 1000), count: 30) {
                        try session.append(chunk, to: recording)
                    }
                    let device = number % 3 == 0 ? "phone" : nil
                    try session.end(recording, header: RecordingHeader(device: device, source: "a"))?.store(results)
                }
                try session.finish()
            } catch {
                Issue.record(error)
            }
        }
        let totals = try stores[0].totals()
        #expect(results.outcome.points == totals.points && results.outcome.newTracks == totals.tracks)
        #expect(totals.points == 9000 && results.outcome.duplicatePoints == 18_000)
    }
}
