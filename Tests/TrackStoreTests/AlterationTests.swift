import Database
import Digest
import Files
import Foundation
import Geocoding
import Journeys
import Pins
import SQLite
import Stays
import Testing
import TileMath
import TrackQuery
import Tracks

@testable import PrimaryStore
@testable import SQLiteStorage
@testable import TrackStore

/// Libraries in which a single value, row or byte was altered from outside.
@Suite struct AlterationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A library with rows in every table.
    /// A row of each table of journeys.
    private func addJourneys(to database: TrackDatabase) throws {
        let places = try (0..<2).map {
            JourneyPlace("P", at: try #require(GeoPoint(longitude: Double($0), latitude: 1)))
        }
        let route = try database.add(JourneyRoute("R", places: places), source: "r.json").id
        let journey = try database.add(NewJourney(route: route, drive: .focus, members: ["ada"]))
        guard case .added(let id) = journey else { return }
        _ = try database.startSession(inJourney: id, of: "ada", seconds: 3600, place: nil, now: 1)
        try database.setSeen([1], of: "ada", at: 3_600_001)
        _ = try database.setPicture([1], of: .route(route))
    }

    private func filled(_ name: String) throws -> String {
        let path = "\(folder.path)/\(name)"
        let library = try Library(folder: path, zoneIfNew: "Europe/Berlin")
        let database = library.database
        for (time, elevation) in [(0, nil), (1, (0..<90).map { Int64($0) })] as [(Int, [Int64]?)] {
            let number = try database.beginImportRun(["\(time).gpx"])
            let session = try database.beginImport(of: number)
            let file = try session.open()
            for chunk in outing(start: 1_559_390_400, count: 90, elevation: elevation) {
                try session.append(chunk, to: file)
            }
            let header = RecordingHeader(
                name: "Ride \(time)", activity: "ride", person: "ada", source: "\(time).gpx",
                attributes: ["desc": "\(time)"]
            )
            _ = try session.close(file, header: header)
            // Two tracks of a device, and then the points that join them.
            let seconds: [Int64] = time == 0 ? [0, 60, 120, 6000, 6060, 6120] : (2..<100).map { $0 * 60 + 7 }
            let device = try session.open()
            try session.append(trickle(seconds.map { $0 + 1_559_400_000 }), to: device)
            let phone = RecordingHeader(
                name: "Day", activity: "walk", device: "phone", source: "r.json", attributes: ["a": "b"])
            _ = try session.close(device, header: phone)
            try session.finish()
            try database.storeReceipts(
                [
                    StoredReceipt(
                        json: "{\"file\":\"\(time).gpx\"}",
                        file: ReadFile(
                            number: 1, name: "\(time).gpx", digest: ContentDigest(of: [UInt8(time)]), format: "gpx",
                            reader: 1))
                ], ofImport: number)
        }
        try database.add(outing(start: 1_560_000_000, count: 20), source: "c.gpx")
        let box = try #require(BoundingBox(west: 13.1, south: 52.1, east: 13.2, north: 52.2))
        let venue = VenueSummary(id: "a1", name: "House", source: "a.zip", time: 7, bounds: box)
        _ = try database.store(venue, bytes: [1, 2, 3])
        _ = try database.close("b2", ofVenue: "a1", until: 9, now: 0)
        let favourite = StoredFavourite(venue: "a1", place: "c3", name: "Desk")
        #expect(try database.keep(favourite, of: "ada", position: nil) == .done)
        let directions = StoredDirections(id: "d4", time: 8, venue: "a1", stops: "1,1;2,2", profile: "walk")
        #expect(try database.keep(directions, of: "ada"))
        try addJourneys(to: database)
        let longer = try database.beginImport(of: try database.beginImportRun(["c.gpx"]))
        let continued = try longer.open()
        for chunk in outing(start: 1_560_000_000, count: 30) { try longer.append(chunk, to: continued) }
        try longer.close(continued, header: RecordingHeader(source: "c.gpx"))
        try longer.finish()
        try database.write {
            try $0.session.run("INSERT INTO heading SELECT min(number), 1559400000000, 90, 0, 'h' FROM stream")
        }
        let tracks = try database.allTracks()
        var edit = TrackEdit()
        edit.name = "Mine"
        edit.activity = "run"
        edit.addedTags = ["red"]
        _ = try database.edit([tracks[0].id], edit)
        _ = try database.addLayer(name: "long", condition: try TrackCondition(parsing: "metres > 10"))
        var pin = PinContent(try #require(PinPlace(longitude: 8, latitude: 47)), source: .hand, located: .hand)
        pin.caption = "here"
        let added = try database.addPin(pin)
        _ = try database.setVote(true, of: "ada", on: added.id)
        for person in ["ada", "bea", "cid"] {
            _ = try database.setReport(true, of: person, on: added.id, reason: "spam")
        }
        let comment = try #require(try database.addComment("nice", of: "ada", on: added.id))
        _ = try database.setVote(true, of: "bea", onComment: comment.number, of: added.id)
        let bytes = [UInt8](repeating: 7, count: 300_000)
        let photo = PinPhoto(
            digest: ContentDigest(of: bytes), contentType: "image/jpeg", byteCount: 300_000, method: .exif)
        _ = try database.addPin(pin, PhotoContent(photo, pictures: [.original: bytes, .thumb: [1, 2, 3]]))
        try library.rebuild()
        try database.add(outing(start: 1_570_000_000, count: 20), source: "d.gpx")
        try library.catchUp()
        try library.finishLayers()
        try library.updateAddressQueue()
        let cells = try database.read { try $0.session.rows("SELECT cell FROM address") { $0.integer(0) } }
        let address = PostalAddress(
            label: "Allee 1, Berlin", place: "Berlin", region: "Berlin", country: "DE",
            position: GeoPoint(longitude: 13.4, latitude: 52.5), source: "test")
        _ = try database.nameStays(at: StayName(longitude: 84_000_000, latitude: 470_000_000, name: "Home"), of: nil)
        for cell in cells { try database.store(address, of: try #require(GeocodingCell(key: cell))) }
        return path
    }

    private func tables(_ connection: Connection) throws -> [String] {
        try connection.rows("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name") { $0.text(0) }
    }

    private func columns(_ table: String, _ connection: Connection) throws -> [String] {
        try connection.rows("PRAGMA table_info(\(table))") { $0.text(1) }
    }

    /// An SQL condition for the row of a table with an index.
    private func row(_ table: String, _ index: Int, _ connection: Connection) throws -> String {
        let keys = try connection.rows("PRAGMA table_info(\(table))") { ($0.text(1), $0.integer(5)) }
            .filter { $0.1 > 0 }.sorted { $0.1 < $1.1 }.map(\.0)
        let isWithoutRowID =
            try connection.integer(
                "SELECT 1 FROM sqlite_schema WHERE name = ? AND sql LIKE '%WITHOUT ROWID%'", [.text(table)]) != nil
        let key = isWithoutRowID ? "(\(keys.joined(separator: ", ")))" : "rowid"
        let selected = isWithoutRowID ? keys.joined(separator: ", ") : "rowid"
        return "\(key) = (SELECT \(selected) FROM \(table) ORDER BY 1 LIMIT 1 OFFSET \(index))"
    }

    /// Copies the library, alters a file of the copy, and returns the problems that `verify` reports.
    private func problems(
        _ library: String, _ file: String, alter: (Connection) throws -> Void
    ) throws -> [String] {
        let copy = "\(folder.path)/copy-\(UUID().uuidString)"
        defer { try? Folder.remove(copy) }
        try FileManager.default.copyItem(atPath: library, toPath: copy)
        do {
            let connection = try Connection(path: "\(copy)/\(file)")
            try alter(connection)
            _ = try connection.checkpointTruncating()
        }
        do {
            let altered = try Library(folder: copy)
            // As the command does: an update must not replace altered rows before they are reported.
            return try altered.verify { try altered.catchUp() }
        } catch let error as LibraryError {
            return [error.description]
        }
    }

    @Test(arguments: ["tracks.sqlite", "grid.sqlite"])
    func `every value of every table that is altered is reported`(file: String) throws {
        let library = try filled("library")
        #expect(try Library(folder: library).verify() == [])
        let reading = try Connection(path: "\(library)/\(file)")
        for table in try tables(reading) {
            let count = try #require(try reading.integer("SELECT count(*) FROM \(table)"))
            // Rows of some tables exist only for tiles with thousands of visits, those of one only in libraries of earlier
            // versions, those of another one while something is erased.
            let maybeEmpty = [
                "logs", "sums", "line_logs", "line_rasters", "line_codes", "layer_rows", "activity", "visits",
                "unused_original",
            ]
            #expect(count > 0 || maybeEmpty.contains(table), "\(table) has no row")
            guard count > 0 else { continue }
            for column in try columns(table, reading) {
                let row = try row(table, Int(count) - 1, reading)
                let found = try problems(library, file) { connection in
                    try connection.run(
                        """
                        UPDATE \(table) SET \(column) = CASE typeof(\(column)) WHEN 'integer' THEN \(column) + 1000003
                        WHEN 'real' THEN \(column) + 0.5 WHEN 'text' THEN \(column) || 'x'
                        WHEN 'blob' THEN CAST(\(column) || x'00' AS BLOB) ELSE 1 END WHERE \(row)
                        """)
                    #expect(connection.changedRows == 1)
                }
                #expect(!found.isEmpty, "\(table).\(column)")
            }
        }
    }

    @Test(arguments: ["tracks.sqlite", "grid.sqlite"])
    func `every deleted or added row is reported`(file: String) throws {
        let library = try filled("library")
        let reading = try Connection(path: "\(library)/\(file)")
        for table in try tables(reading) where try reading.integer("SELECT 1 FROM \(table)") != nil {
            let row = try row(table, 0, reading)
            let found = try problems(library, file) { try $0.run("DELETE FROM \(table) WHERE \(row)") }
            #expect(!found.isEmpty, "\(table)")
            let emptied = try problems(library, file) { try $0.run("DELETE FROM \(table)") }
            #expect(!emptied.isEmpty, "\(table)")
        }
        let doubled = try problems(library, file) { connection in
            try connection.run(
                file == "grid.sqlite"
                    ? "INSERT INTO logs VALUES (77, x'00')" : "INSERT INTO person (name) VALUES ('nobody')")
        }
        #expect(!doubled.isEmpty)
    }

    @Test func `a bit flipped anywhere in points, lines and cells is reported`() throws {
        let library = try filled("library")
        for (file, table, column) in [
            ("tracks.sqlite", "chunk", "bytes"), ("tracks.sqlite", "stream_chunk", "bytes"),
            ("tracks.sqlite", "change", "tracks"), ("grid.sqlite", "tiles", "data"), ("grid.sqlite", "lines", "data"),
        ] {
            let reading = try Connection(path: "\(library)/\(file)")
            let row = try row(table, 0, reading)
            let blob = try #require(try reading.first("SELECT \(column) FROM \(table) WHERE \(row)") { $0.blob(0) })
            for place in stride(from: 0, to: blob.count, by: max(1, blob.count / 12)) {
                let found = try problems(library, file) { connection in
                    var flipped = blob
                    flipped[place] ^= 1 << UInt8(place % 8)
                    try connection.run("UPDATE \(table) SET \(column) = ? WHERE \(row)", [.blob(flipped)])
                }
                #expect(!found.isEmpty, "\(table).\(column), byte \(place)")
            }
        }
    }

    @Test func `an altered track is reported, one that this program edited, merged or removed is not`() throws {
        let library = try filled("library")
        let store = try Library(folder: library)
        let track = try #require(try store.database.allTracks().first { $0.source == "c.gpx" })
        let found = try problems(library, "tracks.sqlite") {
            try $0.run("UPDATE track SET name = 'Other' WHERE id = ?", [.text(track.id)])
        }
        #expect(found == ["track \(track.id) (c.gpx): its row is altered"])
        _ = try store.remove([track.id]) { _ in }
        _ = try store.database.undoImport(importNumber: 2)
        try store.catchUp()
        #expect(try store.verify() == [])
        _ = try store.database.undoImport(importNumber: 1)
        try store.catchUp()
        #expect(try store.verify() == [])
    }

    @Test func `a library of an earlier version gets its sums when it is opened, in several transactions`() throws {
        let library = try filled("library")
        do {
            let connection = try Connection(path: "\(library)/tracks.sqlite")
            try connection.execute("DELETE FROM row_sum; \(ChecksummedTable.pendingRowSQL)")
            connection.maintainSums(of: TrackTables.definition.summed)
            // Rows written meanwhile get their sums at once.
            try connection.run("UPDATE meta SET value = value WHERE name = 'zone'")
            var next: ChecksumPosition? = .beginning
            var batches = 0
            while let start = next, batches < 5 {
                var blocks = 0
                next = try connection.checksumRows(from: start) {
                    blocks += 1
                    return blocks > 2
                }
                batches += 1
            }
            #expect(next != nil)
        }
        let store = try Library(folder: library)
        #expect(try store.verify() == [])
        #expect(try store.database.read { try $0.session.hasUnsummedRows() } == false)
        let found = try problems(library, "tracks.sqlite") { try $0.run("UPDATE edit SET name = 'Thine'") }
        #expect(found.count == 1)
    }
}
