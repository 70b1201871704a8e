import Database
import Dispatch
import Files
import HeatGrid
import Locking
import SQLite
import TestLibrary
import Testing
import TileMath
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import RecordingStore
@testable import TrackStore

/// Removals and undone imports while others use the same library.
@Suite(.eachStore) struct ForgettingTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func library() throws -> Library {
        try Library(folder: folder.path + "/library", zoneIfNew: "Europe/Berlin")
    }

    private func add(_ library: Library, latitude: Int64, start: Int64 = 1_559_390_400) throws -> Track {
        try library.database.add(outing(start: start, count: 60, latitude: latitude), source: "\(latitude).gpx")
        return try #require(try library.database.allTracks().first { $0.source == "\(latitude).gpx" })
    }

    private func tiles(of track: Track, _ library: Library) throws -> Set<UInt64> {
        try library.grid.read { Set(try $0.tilesAndMonths(ofTrack: track.number)?.tiles ?? []) }
    }

    /// The process that applies the removal, and what else is applied with it.
    @Test(arguments: ["by itself", "by another", "by another, and an import by itself", "by another, with an import"])
    func `the tiles of a removal are reported in every order of processes`(order: String) throws {
        let library = try library()
        let track = try add(library, latitude: 525_000_000)
        _ = try add(library, latitude: 600_000_000)
        try library.catchUp()
        let touched = try tiles(of: track, library)
        let other = try self.library()
        let told = Locked<GridChange?>(nil)
        _ = try library.removeEverywhere { change in
            told.withLock { $0 = change }
        } _: {
            let revision = try library.database.markRemoved([track.id])
            if order == "by another, with an import" { _ = try add(other, latitude: 610_000_000) }
            if order != "by itself" { try other.catchUp() }
            if order == "by another, and an import by itself" { _ = try add(other, latitude: 610_000_000) }
            return revision
        }
        let change = try #require(told.withLock { $0 })
        let tiles = Set(try #require(change.tiles))
        #expect(!touched.isEmpty && touched.isSubset(of: tiles))
        // Distant tiles that did not change are not dropped.
        let corner = try #require(TileCoordinate(zoom: .deepestGrid, x: 0, y: 0))
        let far = try #require(TileKey(corner))
        #expect(!tiles.contains(far.packed) && tiles.count < touched.count * 8)
        #expect(try library.verify() == [])
    }

    @Test func `all tiles are reported if the grid was rebuilt meanwhile`() throws {
        let library = try library()
        let track = try add(library, latitude: 525_000_000)
        try library.catchUp()
        let told = Locked<GridChange?>(nil)
        _ = try library.removeEverywhere { change in
            told.withLock { $0 = change }
        } _: {
            let revision = try library.database.markRemoved([track.id])
            try self.library().rebuild()
            return revision
        }
        #expect(try #require(told.withLock { $0 }).tiles == nil)
    }

    @Test func `a removal notifies the server of its own process at once`() throws {
        let library = try library()
        let track = try add(library, latitude: 525_000_000)
        try library.catchUp()
        let served = Locked<(any Member)?>(nil)
        let pollCount = Locked(0)
        let member = try library.coordination.membership.join(head: try library.database.head()) {
            [database = library.database] in
            pollCount.withLock { $0 += 1 }
            guard let head = try? database.head() else { return }
            try? served.withLock { $0 }?.publish(head)
        }
        served.withLock { $0 = member }
        #expect(try library.remove([track.id]) { _ in } == library.completeRemoval)
        #expect(pollCount.withLock { $0 } == 1)
        // It is not among the processes that are asked through files.
        served.withLock { $0 = nil }
        guard library.coordination.shared == nil else { return }
        try AtomicFile.write([], to: library.folder + "/serving/\(try memberName(library)).clean")
        #expect(try library.coordination.membership.waitUntilConfirmed(1, timeoutMilliseconds: 0))
        withExtendedLifetime(member) {}
    }

    /// The name of the only file pair in the folder of serving processes.
    private func memberName(_ library: Library) throws -> String {
        let lock = try #require(
            try Folder.entries(of: library.folder + "/serving").map(\.path).first { $0.hasSuffix(".lock") })
        return String(try #require(lock.split(separator: "/").last).dropLast(".lock".count))
    }

    // MARK: Imports

    private func runImport(_ store: TrackDatabase, files: Int, points: Int, device: Bool) throws -> Int64 {
        let number = try store.beginImportRun(["a"])
        let session = try store.beginImport(of: number)
        for index in 0..<files {
            let recording = try session.open()
            for chunk in outing(start: Int64(1_000_000 + index * 10_000), count: points) {
                try session.append(chunk, to: recording)
            }
            _ = try session.close(recording, header: RecordingHeader(source: "\(index).gpx"))
        }
        if device {
            let recording = try session.open()
            for chunk in outing(start: 9_000_000, count: 9000) { try session.append(chunk, to: recording) }
            _ = try session.close(recording, header: RecordingHeader(device: "phone", source: "r"))
        }
        try session.finish()
        return number
    }

    @Test(arguments: [0, 1, 2, 5, 8])
    func `an interrupted undo of an import continues when it is called again`(steps: Int) throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add(outing(start: 5, count: 10), source: "kept.gpx")
        let kept = try store.content()
        let number = try runImport(store, files: 6, points: 20, device: true)
        var left = steps
        _ = try store.undoImport(importNumber: number, stepTime: .zero) {
            left -= 1
            return left < 0
        }
        // Like a process that is started after the other was killed.
        let again = try TrackDatabase.fresh(folder)
        #expect(try again.verify() == [])
        #expect(try again.importRecord(number) != nil)
        _ = try again.undoImport(importNumber: number)
        #expect(try again.content() == kept)
        #expect(try again.verify() == [] && again.importRecord(number) == nil)
    }

    @Test func `others can write while an import is undone`() throws {
        let store = try TrackDatabase.fresh(folder)
        let number = try runImport(store, files: 12, points: 20, device: false)
        var added = 0
        _ = try store.undoImport(importNumber: number, stepTime: .zero) {
            // Neither the lock of this process nor the lock of the database is held between two steps.
            guard added < 5, let other = try? TrackDatabase.fresh(folder) else { return false }
            if (try? store.setZone("UTC")) != nil,
                (try? other.add(outing(start: Int64(added), count: 3), source: "n")) != nil
            {
                added += 1
            }
            return false
        }
        #expect(added == 5)
        #expect(try store.allTracks().count == 5)
        #expect(try store.verify() == [])
    }

    /// Two imports of one track of several chunks: the second adds elevations and another segment.
    private func bringLong(_ store: TrackDatabase, points: Int) throws -> (kept: [TrackContent], number: Int64) {
        try store.add(outing(start: 1_000_000, count: points), source: "a.gpx")
        let kept = try store.content()
        let number = try store.beginImportRun(["b"])
        let session = try store.beginImport(of: number)
        let recording = try session.open()
        let elevation = (0..<points).map { Int64($0 % 900) }
        for chunk in outing(start: 1_000_000, count: points, elevation: elevation, segments: [0, 20]) {
            try session.append(chunk, to: recording)
        }
        _ = try session.close(recording, header: RecordingHeader(name: "b", source: "b.gpx"))
        try session.finish()
        return (kept, number)
    }

    @Test func `a long track is undone in steps, between which others can write`() throws {
        let store = try TrackDatabase.fresh(folder)
        let (kept, number) = try bringLong(store, points: 5 * PointChunk.capacity)
        let other = try TrackDatabase.fresh(folder)
        var steps = 0
        _ = try store.undoImport(importNumber: number, stepTime: .zero) {
            steps += 1
            if (try? other.setZone("UTC")) == nil { steps = .max / 2 }
            return false
        }
        // One step for each chunk, and some more for the contents that are deleted.
        #expect((8..<20).contains(steps))
        #expect(try store.content() == kept && store.verify() == [])
    }

    @Test func `An undone import says what it removed, not counting buffered points that move meanwhile`() throws {
        let library = try library()
        let number = try runImport(library.database, files: 2, points: 60, device: false)
        let buffer = RecordingBuffer(database: library.database, log: library.coordination.recordingLog)
        let points = [100, 130, 160].map {
            SyntheticRecording.Point(second: $0, longitude: 1, latitude: 1, isWaypoint: true)
        }
        try buffer.add([SyntheticRecording.recorded(points)])
        let undone = try library.undoImport(importNumber: number) { _ in }
        #expect(undone == Library.UndoneImport(removal: library.completeRemoval, tracks: 2, points: 120, pins: 0))
        try buffer.stop()
        #expect(try library.database.totals().points == 3)
    }

    @Test func `An undone import counts what it removed, not what others add and remove meanwhile`() throws {
        let library = try library()
        let other = try TrackDatabase.fresh(folder)
        try other.add(outing(start: 7_000_000, count: 40), source: "gone.gpx")
        let gone = try #require(try other.allTracks().first)
        let number = try runImport(library.database, files: 2, points: 60, device: true)
        let points = try library.database.totals().points - 40
        let tracks = try library.database.totals().tracks - 1
        var isFirst = true
        let undone = try library.undoImport(importNumber: number) { _ in
            guard isFirst else { return }
            isFirst = false
            // Between the steps that remove and the end of the removal.
            for index in 0..<5 { try other.add(outing(start: Int64(index), count: 30), source: "new\(index).gpx") }
            _ = try other.markRemoved([gone.id])
        }
        #expect(undone == Library.UndoneImport(removal: undone.removal, tracks: tracks, points: points, pins: 0))
        #expect(try library.database.totals() == (5, 150))
    }

    /// The track is longer than what is measured within a transaction.
    @Test func `an interrupted undo of a long track, when continued, restores the track`() throws {
        for limit in [3, 27, 28] {
            let store = try TrackDatabase.fresh(folder, "\(limit)")
            let (kept, number) = try bringLong(store, points: 26 * PointChunk.capacity)
            var left = limit
            _ = try store.undoImport(importNumber: number, stepTime: .zero) {
                left -= 1
                return left < 0
            }
            let again = try TrackDatabase.fresh(folder, "\(limit)")
            #expect(try again.verify() == [])
            _ = try again.undoImport(importNumber: number)
            #expect(try again.content() == kept && again.verify() == [], "\(limit)")
            #expect(try again.read { try $0.session.integer("SELECT count(*) FROM content") } == 0)
        }
    }
}
