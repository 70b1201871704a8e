import Database
import Files
import Geocoding
import SQLite
import TestLibrary
import Testing
import TileMath
import Tracks

@testable import PrimaryStore
@testable import TrackStore

@Suite(.eachStore) struct AddressQueueTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func cells(_ library: Library) throws -> [Int64] {
        try library.database.read { try $0.session.rows("SELECT cell FROM address ORDER BY cell") { $0.integer(0) } }
    }

    /// Two tracks at different places, with an address for each cell.
    private func answered(_ name: String) throws -> Library {
        let library = try Library(in: folder, name)
        try library.database.add(outing(start: 1_559_390_400, count: 60), source: "a.gpx")
        try library.database.add(outing(start: 1_560_390_400, count: 60, latitude: 600_000_000), source: "b.gpx")
        try library.catchUp()
        try library.updateAddressQueue()
        for key in try cells(library) {
            let cell = try #require(GeocodingCell(key: key))
            try library.database.store(PostalAddress(label: "Allee 1", source: "test"), of: cell)
        }
        return library
    }

    @Test(.onlySQLite("libraries of earlier versions are files"))
    func `A library of the version before addresses is upgraded, and its places are wanted`() throws {
        let path: String
        do {
            let library = try Library(in: folder)
            path = library.folder
            try library.database.add(outing(start: 1_559_390_400, count: 60), source: "a.gpx")
            try library.catchUp()
        }
        do {
            let connection = try Connection(path: path + "/tracks.sqlite", options: OpenOptions(mode: .create))
            try connection.execute("DROP TABLE address; PRAGMA user_version = 9")
        }
        let library = try Library(folder: path)
        let before = try library.database.read { try $0.head().digest }
        try library.updateAddressQueue()
        #expect(try library.database.addressCounts().waiting == 2)
        // Nothing of what was recorded has changed.
        #expect(try library.database.read { try $0.head().digest } == before)
        #expect(try library.database.verify() == [])
    }

    @Test func `The last point of a track under way is not wanted before the track has ended`() throws {
        let now = TrackDatabase.systemClock() / 1000
        let live = try Library(in: folder, "live")
        let start = now - 1_200
        try live.database.add(outing(start: start, count: 600), device: "phone")
        try live.catchUp()
        let state = try #require(try live.updateAddressQueue())
        let first = try #require(GeocodingCell(e7Longitude: 134_000_000, latitude: 525_000_000))
        #expect(try cells(live) == [first.key])
        #expect(state.nextUpdate == (start + 599 + 3_600) * 1000)
        // The same track, recorded earlier.
        let ended = try Library(in: folder, "ended")
        try ended.database.add(outing(start: now - 9_000, count: 600), device: "phone")
        try ended.catchUp()
        #expect(try #require(try ended.updateAddressQueue()).nextUpdate == nil)
        #expect(try cells(ended).count == 2)
        // A file is complete.
        let file = try Library(in: folder, "file")
        try file.database.add(outing(start: start, count: 600))
        try file.catchUp()
        try file.updateAddressQueue()
        #expect(try cells(file) == cells(ended))
    }

    @Test func `A process that is killed while it removes a track leaves no address of it`() throws {
        let path: String
        do {
            let library = try answered("killed")
            path = library.folder
            #expect(try cells(library).count == 4)
            let track = try #require(try library.database.allTracks().first { $0.source == "b.gpx" })
            _ = try library.database.markRemoved([track.id])
        }
        let library = try Library(folder: path)
        try library.catchUp()
        let fresh = try Library(in: folder, "fresh")
        try fresh.database.add(outing(start: 1_559_390_400, count: 60), source: "a.gpx")
        try fresh.catchUp()
        try fresh.updateAddressQueue()
        #expect(try cells(library) == cells(fresh))
        #expect(try library.database.addressCounts().found == 2)
        #expect(try library.database.verify() == [])
    }

    @Test func `Nothing is removed or searched while the grid lacks changes, and nothing is overlooked later`() throws {
        let library = try answered("behind")
        let known = try cells(library)
        var table = try #require(outing(start: 1_570_000_000, count: 60, latitude: 610_000_000).first)
        table.fields = [
            FieldColumn(
                name: FieldName.address, values: .texts((0..<60).map { $0 == 59 ? "Main St 12, Town" : nil }))
        ]
        try library.database.add([table], source: "c.csv")
        // Another process has stored a track that is not in the grid yet.
        #expect(try library.updateAddressQueue() == nil)
        #expect(try cells(library) == known)
        try library.catchUp()
        #expect(try library.updateAddressQueue() != nil)
        #expect(try cells(library).count == 6)
        let end = try #require(GeocodingCell(e7Longitude: 134_000_000 + 59 * 1001, latitude: 610_000_300))
        let address = try #require(try library.database.addresses(of: [end])[end])
        #expect(address.label == "Main St 12, Town" && address.source == Library.recordedSource)
        // A service does not replace it.
        #expect(try !library.database.store(PostalAddress(label: "Other", source: "service"), of: end))
        #expect(try library.database.addresses(of: [end])[end] == address)
    }

    /// A track that passes the first point of `outing`, with an address for it.
    private func passing(_ address: String, start: Int64) throws -> PointColumns {
        var table = try #require(outing(start: start, count: 60, longitude: 134_000_000 - 30 * 1001).first)
        table.fields = [
            FieldColumn(name: FieldName.address, values: .texts((0..<60).map { $0 == 30 ? address : nil }))
        ]
        return table
    }

    @Test func `The list of tracks that have addresses keeps no number of a removed track`() throws {
        func listed(_ library: Library) throws -> String {
            try library.database.read { try Meta.text("address_tracks", $0.session) } ?? ""
        }
        let library = try Library(in: folder, "listed")
        try library.database.add([passing("Main St 1", start: 1_559_390_400)], source: "a.csv")
        try library.database.add([passing("Main St 2", start: 1_560_390_400)], source: "b.csv")
        try library.catchUp()
        try library.updateAddressQueue()
        let tracks = try library.database.allTracks().sorted { $0.number < $1.number }
        #expect(try listed(library) == tracks.map { "\($0.number)" }.joined(separator: ","))
        #expect(try library.remove([tracks[0].id]) { _ in } == library.completeRemoval)
        #expect(try listed(library) == "\(tracks[1].number)")
        // Also without an address in the queue, and by a later process.
        try library.database.write { writer in
            try writer.session.transaction { try writer.session.run("DELETE FROM address") }
        }
        _ = try library.database.markRemoved([tracks[1].id])
        let later = try Library(folder: library.folder)
        try later.catchUp()
        #expect(try listed(later) == "")
        try later.updateAddressQueue()
        #expect(try listed(later) == "" && later.database.verify() == [])
    }

    @Test func `Addresses of files do not depend on the order of imports, and go with their files`() throws {
        let start = try #require(GeocodingCell(e7Longitude: 134_000_000, latitude: 525_000_200))
        let files: [(String, [PointColumns])] = [
            ("a", outing(start: 1_559_390_400, count: 60, latitude: 525_000_000)),
            ("b", [try passing("First St 1", start: 1_560_390_400)]),
            ("c", [try passing("Second St 2", start: 1_561_390_400)]),
        ]
        var labels: Set<String> = []
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let library = try Library(in: folder, order.map(String.init).joined())
            func label() throws -> String? {
                try library.updateAddressQueue()
                return try library.database.addresses(of: [start])[start]?.label
            }
            for index in order {
                try library.database.add(files[index].1, source: files[index].0)
                try library.catchUp()
                try library.updateAddressQueue()
            }
            let both = try #require(try label())
            labels.insert(both)
            // Without the file of the address, that of the other one is used; without both, there is none.
            let first = both == "First St 1" ? "b" : "c"
            for (removed, rest) in [
                (first, first == "b" ? "Second St 2" : "First St 1"), (first == "b" ? "c" : "b", nil),
            ] {
                let track = try #require(try library.database.allTracks().first { $0.source == removed })
                _ = try library.remove([track.id]) { _ in }
                #expect(try label() == rest, "\(order)")
            }
            #expect(try cells(library).contains(start.key))
            #expect(try library.database.verify() == [])
        }
        #expect(labels.count == 1)
    }

    @Test func `A longer pause that another process received is kept`() throws {
        let library = try Library(in: folder)
        try library.database.add(outing(start: 1_559_390_400, count: 60), source: "a.gpx")
        try library.catchUp()
        try library.updateAddressQueue()
        try library.database.delayAddressRequests(milliseconds: 600_000)
        try library.database.delayAddressRequests(milliseconds: 2_000)
        guard
            case .wait(let milliseconds) = try library.database.reserveAddressRequest(
                GeocodingPace(), revision: try library.database.head().revision)
        else {
            return #expect(Bool(false), "the pause has been forgotten")
        }
        #expect((590_000...600_000).contains(milliseconds))
    }
}
