import Database
import Digest
import Files
import SQLite
import TestLibrary
import TestSupport
import Testing
import Tracks

@testable import PrimaryStore
@testable import TrackStore

@Suite(.eachStore) struct TrackDatabaseTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `A library stores its time zone and its log`() throws {
        let store = try TrackDatabase.fresh(folder)
        #expect(try store.zone() == "Europe/Berlin")
        try store.setZone("Asia/Tokyo")
        try store.add(outing(start: 1, count: 3))
        let head = try store.head()
        let again = try TrackDatabase(folder: store.folder, zoneIfNew: "UTC")
        #expect(try again.zone() == "Asia/Tokyo")
        #expect(try again.head() == head)
        #expect(try again.digest(at: head.revision) == head.digest)
        #expect(try again.digest(at: head.revision + 1) == nil)
    }

    @Test func `Each digest of the log is chained to the previous one`() throws {
        let store = try TrackDatabase.fresh(folder)
        for index in 0..<5 { try store.add(outing(start: Int64(index * 10_000), count: 3)) }
        let changes = try store.changes(since: 0)
        #expect(changes.map(\.revision) == [1, 2, 3, 4, 5])
        #expect(Set(changes.map(\.digest)).count == 5)
        #expect(try store.changes(since: 3).map(\.revision) == [4, 5])
        try store.write { try $0.session.run("UPDATE change SET time = 7 WHERE revision = 2") }
        #expect(try store.verify() == ["the change log is broken at revision 2"])
    }

    @Test(.onlySQLite("libraries of earlier versions are files")) func `A file of a newer version is refused`() throws {
        let store = try TrackDatabase.fresh(folder)
        try Connection(path: store.folder + "/tracks.sqlite").setUserVersion(99)
        let error = #expect(throws: LibraryError.self) { try TrackDatabase(folder: store.folder) }
        #expect(error?.description.contains("was written by a newer tileserve") == true)
    }

    @Test(.onlySQLite("it damages the file")) func `A file of another program is refused and not changed`() throws {
        let path = folder.path + "/tracks.sqlite"
        try Connection(path: path).execute("CREATE TABLE mine (a)")
        let foreign = #expect(throws: LibraryError.self) { try TrackDatabase(folder: folder.path) }
        #expect(foreign?.description.contains("is not a database of tileserve") == true)
        try AtomicFile.write(Array("no database at all, but rather long".utf8), to: path)
        #expect(throws: LibraryError.self) { try TrackDatabase(folder: folder.path) }
        #expect(try AtomicFile.read(path)?.count == 35)
    }

    @Test(.onlySQLite("it looks into the files")) func `A removal leaves nothing of the removed tracks`() throws {
        let store = try TrackDatabase.fresh(folder)
        var random = SeededRandom(seed: 1)
        let secret = outing(
            start: 1_600_000_000, count: 5000, elevation: (0..<5000).map { _ in Int64(random.below(999)) })
        try store.add([
            (
                secret,
                RecordingHeader(name: "Geheimnis", activity: "Heimlichtun", person: "Unbekannte", source: "secret.gpx")
            )
        ])
        try store.add(outing(start: 1_700_000_000, count: 100))
        let doomed = try #require(try store.allTracks().last)
        let before = try AtomicFile.read(store.folder + "/tracks.sqlite-wal") ?? []
        #expect(contains(before, Array(secret[0].encoded().suffix(40))))
        let revision = try store.markRemoved([doomed.id])
        #expect(try store.head().revision == revision)
        #expect(try store.track(id: doomed.id) == nil)
        #expect(try store.track(number: doomed.number) == nil)
        #expect(try store.totals() == (1, 100))
        var seen = 0
        try store.forEachChunk(ofTrack: doomed.number) { _ in seen += 1 }
        #expect(seen == 0)
        #expect(try store.changes(since: revision - 1).map(\.removed) == [[doomed.number]])
        #expect(try store.eraseRemoved() != .prevented)
        for name in ["tracks.sqlite", "tracks.sqlite-wal"] {
            let bytes = try AtomicFile.read(store.folder + "/" + name) ?? []
            let holdsName = ["Geheimnis", "Heimlichtun", "Unbekannte"].contains { contains(bytes, Array($0.utf8)) }
            let holdsPoints = contains(bytes, Array(secret[0].encoded().suffix(40)))
            #expect(!holdsName, "\(name)")
            #expect(!holdsPoints, "\(name)")
        }
        let again = try store.add([(secret, RecordingHeader(source: "secret.gpx"))])
        #expect(again.newTracks == 1)
        #expect(try store.trackNumbers().max() ?? 0 > doomed.number)
        #expect(try store.verify().isEmpty)
    }

    @Test func `An erasure does not end the request of a removal that another process made meanwhile`() throws {
        let store = try TrackDatabase.fresh(folder)
        let first = try store.write { writer in
            try writer.session.transaction { try writer.requestErasure() }
            return try writer.dueErasure()
        }
        try store.write { writer in try writer.session.transaction { try writer.requestErasure() } }
        try store.write { try $0.endErasure(of: try #require(first)) }
        #expect(try store.write { try $0.dueErasure() } == (first ?? 0) + 1)
        #expect(try store.eraseRemoved() != .prevented)
        #expect(try store.write { try $0.dueErasure() } == nil)
    }

    private func contains(_ bytes: [UInt8], _ wanted: [UInt8]) -> Bool {
        guard let first = wanted.first else { return true }
        var start = bytes.startIndex
        while let index = bytes[start...].firstIndex(of: first) {
            if bytes[index...].starts(with: wanted) { return true }
            start = index + 1
        }
        return false
    }

    @Test func `An interrupted erasure is completed when the library is next opened`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add(outing(start: 1, count: 100))
        try store.markRemoved(try store.allTracks().map(\.id))
        let reopened = try TrackDatabase(folder: store.folder)
        let left = try reopened.write { try $0.session.integer("SELECT count(*) FROM chunk") }
        #expect(left == 0)
    }

    @Test func `Lists are paged newest first`() throws {
        let store = try TrackDatabase.fresh(folder)
        var undated = outing(start: 5, count: 3)
        undated[0].times = [PointColumns.untimed, PointColumns.untimed, PointColumns.untimed]
        try store.add(undated)
        for index in [4, 1, 3, 2, 5] { try store.add(outing(start: Int64(index * 10_000), count: 3)) }
        var seen: [Int64?] = []
        var after: String?
        repeat {
            let page = try #require(try store.tracks(limit: 2, after: after))
            #expect(page.tracks.count <= 2)
            seen += page.tracks.map(\.start)
            after = page.next
        } while after != nil
        #expect(seen == [50_000_000, 40_000_000, 30_000_000, 20_000_000, 10_000_000, nil])
        #expect(try store.tracks(limit: 2, after: "nonsense") == nil)
    }

    @Test func `Lists are filtered by time, place and activity`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add([
            (outing(start: 10_000, count: 3), RecordingHeader(activity: "ride", source: "1")),
            (outing(start: 20_000, count: 3, longitude: 1_799_999_000), RecordingHeader(source: "2")),
        ])
        func starts(_ change: (inout TrackFilter) -> Void) throws -> [Int64?] {
            var filter = TrackFilter()
            change(&filter)
            return try store.tracks(filter, limit: 10)?.tracks.map(\.start) ?? []
        }
        #expect(try starts { $0.limit(toActivity: "ride") } == [10_000_000])
        #expect(try starts { $0.from = 10_002_001 } == [20_000_000])
        #expect(try starts { $0.from = 10_002_000 } == [20_000_000, 10_000_000])
        #expect(try starts { $0.to = 20_000_000 } == [10_000_000])
        let overAntimeridian = E7Bounds(west: 1_790_000_000, south: 0, east: -1_790_000_000, north: 900_000_000)
        #expect(try starts { $0.bounds = overAntimeridian } == [20_000_000])
    }

    @Test func `The data version changes with writes of this and of other processes`() throws {
        let store = try TrackDatabase.fresh(folder)
        let before = try store.dataVersion()
        #expect(try store.dataVersion() == before)
        try store.add(outing(start: 1, count: 3))
        let after = try store.dataVersion()
        #expect(after != before)
        try TrackDatabase(folder: store.folder).add(outing(start: 100_000, count: 3))
        #expect(try store.dataVersion() != after)
    }

    @Test func `A read uses one snapshot`() throws {
        let store = try TrackDatabase.fresh(folder)
        try store.add(outing(start: 1, count: 3))
        try store.read { snapshot in
            let head = try snapshot.head()
            try store.add(outing(start: 100_000, count: 3))
            #expect(try snapshot.head() == head)
            #expect(try snapshot.totals() == (1, 3))
        }
        #expect(try store.totals() == (2, 6))
    }

    @Test(arguments: [false, true])
    func `A removal waits for running servers and not for killed ones`(isInProcess: Bool) throws {
        let digest = ContentDigest(of: [])
        let serving = ServingFolder(library: folder.path)
        // Another object is like another process: it only sees the files.
        let removing = isInProcess ? serving : ServingFolder(library: folder.path)
        func clean(_ revision: Int64) throws -> Bool {
            try removing.waitUntilConfirmed(revision, timeoutMilliseconds: 0)
        }
        #expect(try clean(5))
        var server: (any Member)? = try serving.join(head: Head(revision: 4, digest: digest)) {}
        #expect(try clean(4))
        #expect(try !clean(5))
        try server?.publish(Head(revision: 5, digest: digest))
        #expect(try clean(5))
        #expect(try !clean(6))
        server = nil
        #expect(try clean(6))
        try AtomicFile.write([], to: folder.path + "/serving/dead.lock")
        #expect(try clean(6))
        #expect(try Folder.entries(of: folder.path + "/serving").isEmpty)
    }
}
