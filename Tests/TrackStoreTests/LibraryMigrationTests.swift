import Database
import Digest
import Files
import Foundation
import Pins
import PostgreSQL
import PostgreSQLStorage
import SQLite
import SQLiteStorage
import TestLibrary
import TestPostgreSQL
import Testing
import TileMath
import Tracks

@testable import GridStorage
@testable import PrimaryStore
@testable import RecordingStore
@testable import TrackStore

/// Libraries copied to another place, of the same kind or the other one.
@Suite struct LibraryMigrationTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// Where a library is.
    enum Place: CaseIterable {
        case folder
        case server

        static var installed: [Place] { PostgreSQLServer.isInstalled ? allCases : [.folder] }
    }

    /// The folder of a new library.
    private func new(_ place: Place, _ name: String) throws -> String {
        switch place {
        case .folder: "\(folder.path)/\(name)-\(UInt32.random(in: 0...UInt32.max))"
        case .server:
            try ServerLocation.folder(
                for: PostgreSQLServer.shared().makeDatabase().location + "&schema=\(name)", below: folder.path)
        }
    }

    /// A library with rows in every table, an inbox, and numbers that were given and are not used any more.
    private func filled(_ place: Place, _ name: String = "source") throws -> String {
        let path = try new(place, name)
        try makeFilledLibrary(path)
        let library = try Library(folder: path)
        let north = try #require(PinPlace(longitude: 8, latitude: 47))
        let pin = try library.database.addPin(PinContent(north, source: .hand, located: .hand))
        _ = try library.removePins([pin.id])
        let inbox = try Library(folder: Library.inboxFolder(of: path), zoneIfNew: "Europe/Berlin")
        try inbox.database.add(outing(start: 1_580_000_000, count: 30), source: "shared.gpx")
        try inbox.catchUp()
        return path
    }

    @discardableResult
    private func copy(
        _ source: String, to target: String, isStopped: @escaping () -> Bool = { false }
    ) throws -> LibraryMigration.Outcome {
        try LibraryMigration(from: Library(folder: source), to: target).run(
            isStopped: isStopped, report: { _ in }, others: {})
    }

    // MARK: Content

    /// What the databases of a library contain.
    private struct Content: Equatable {
        var rows: [String: [String]] = [:]
        var numbers: [String: Int64] = [:]
        var head: Head
        var grid: GridState?
    }

    /// `typed` tells integers from texts with their digits, which PostgreSQL does not in the table `meta`.
    private func content(_ folder: String, typed: Bool) throws -> Content {
        let storage = try Library.storage(in: folder)
        let tracks = try storage.database(.tracks, isReadOnly: false)
        let grid = try storage.database(.grid, isReadOnly: false)
        var (content, all) = try tracks.snapshot { session in
            let content = Content(
                numbers: try tracks.highestNumbers(in: session), head: try ChangeLog.head(session))
            return (content, try LibraryTables.tracks.map { ($0, try rows($0, session, typed)) })
        }
        all += try grid.snapshot { session in
            content.grid = try GridReader(session).state()
            return try LibraryTables.grid.map { ("grid " + $0, try rows($0, session, typed)) }
        }
        content.rows = Dictionary(uniqueKeysWithValues: all)
        return content
    }

    private func rows(_ table: String, _ session: any Session, _ typed: Bool) throws -> [String] {
        try session.rows("SELECT * FROM \(table)") { row in
            (0..<row.columnCount).map { column in
                switch row.value(column) {
                case .integer(let number) where table == "meta" && !typed: "\(Value.text(String(number)))"
                case .blob(let bytes): "\(ContentDigest(of: bytes)) \(bytes.count)"
                case let value: "\(value)"
                }
            }.joined(separator: " | ")
        }.sorted()
    }

    private func expectEqual(_ first: String, _ second: String, typed: Bool) throws {
        for part in ["", "/inbox"] {
            let (one, other) = (
                try content(first + part, typed: typed), try content(second + part, typed: typed)
            )
            for (table, rows) in one.rows.sorted(by: { $0.key < $1.key }) {
                #expect(other.rows[table] == rows, "\(table)")
            }
            #expect(one.numbers == other.numbers)
            #expect(one.head == other.head && one.grid == other.grid)
        }
    }

    @Test func `the tables that are copied are all`() throws {
        let databases = try EmptyDatabases()
        for (name, tables) in [("tracks", LibraryTables.tracks), ("grid", LibraryTables.grid)] {
            let session = try #require(databases.sessions.first { $0.name == name }?.session)
            let found = try session.rows(
                "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('row_sum', 'sqlite_sequence')"
            ) { $0.text(0) }
            #expect(found.sorted() == tables.sorted())
        }
    }

    @Test
    func `a copy has the same rows, numbers, digests and tiles, and so has a copy of it in the first kind of storage`()
        throws
    {
        for first in Place.installed {
            let source = try filled(first)
            for second in Place.installed {
                let there = try new(second, "there")
                let outcome = try copy(source, to: there)
                #expect(outcome.missedChanges == 0)
                try expectEqual(source, there, typed: first == second)
                let back = try new(first, "back")
                try copy(there, to: back)
                try expectEqual(source, back, typed: true)
                for copied in [there, back] {
                    let library = try Library(folder: copied)
                    #expect(try library.gridStatus() == .current)
                    #expect(try library.verify() == [])
                    #expect(try library.inbox()?.verify() == [])
                    #expect(try library.database.head() == outcome.head)
                }
            }
        }
    }

    @Test func `a copy gives numbers after the highest that was ever given`() throws {
        for place in Place.installed {
            let source = try filled(.folder)
            let target = try new(place, "target")
            try copy(source, to: target)
            let numbers = try [source, target].map { path in
                let database = try Library(folder: path).database
                let north = try #require(PinPlace(longitude: 9, latitude: 47))
                _ = try database.addPin(PinContent(north, source: .hand, located: .hand))
                return try database.read { try $0.session.integer("SELECT max(number) FROM pin") }
            }
            #expect(numbers[0] == numbers[1] && numbers[0] != nil)
        }
    }

    @Test func `recorded points and refused ones are in the copy`() throws {
        for place in Place.installed {
            let source = try new(.folder, "source")
            let library = try Library(folder: source)
            let points = RecordedPoints(
                person: nil, device: "phone", source: "test", points: trickle((0..<50).map { 1_600_000_000 + $0 * 10 }))
            do {
                let log = RecordingFolder(library: source)
                let session = try log.begin(samplingMilliseconds: nil, flush: { true })
                _ = try session.append(RecordedPoints.log(of: [points]))
            }
            let refusals = RefusalFolder(library: source)
            try refusals.change(device: "phone", limit: 10, orElse: "x") {
                $0.reasons["time"] = .init(count: 3, first: 1, last: 2)
            }
            #expect(try library.database.totals().points == 0)
            let target = try new(place, "target")
            try copy(source, to: target)
            let copied = try Library(folder: target)
            #expect(try copied.database.totals().points == 50)
            #expect(try copied.coordination.refusals.all() == refusals.all())
            #expect(try copied.coordination.refusals.record(of: "phone")?.reasons["time"]?.count == 3)
        }
    }

    // MARK: Interruptions

    @Test func `an interrupted copy cannot be opened, says so, and is replaced by the next one`() throws {
        let source = try filled(.folder)
        for place in Place.installed {
            let target = try new(place, "target")
            var steps = 0
            var isComplete = false
            var interruptions = 0
            while !isComplete {
                // Each copy ends some steps later than the last one.
                var left = steps
                do {
                    try copy(source, to: target) {
                        left -= 1
                        return left < 0
                    }
                    isComplete = true
                } catch MigrationError.stopped {
                    interruptions += 1
                    #expect(try Library.existsWithTracks(in: target))
                    for isReadOnly in [true, false] {
                        let error = #expect(throws: LibraryError.self) {
                            try Library(folder: target, isReadOnly: isReadOnly)
                        }
                        #expect(try #require(error).description.contains("incomplete copy"))
                    }
                }
                steps += 37
            }
            #expect(interruptions > 3)
            try expectEqual(source, target, typed: place == .folder)
            #expect(try Library(folder: target).verify() == [])
        }
    }

    @Test func `what an interrupted copy of another library has left is not in the copy`() throws {
        let (source, other) = (try filled(.folder), try new(.folder, "other"))
        try Library(folder: other).database.add(outing(start: 1_500_000_000, count: 10), source: "o.gpx")
        for place in Place.installed {
            let target = try new(place, "target")
            var left = 120
            #expect(throws: MigrationError.stopped) {
                try copy(source, to: target) {
                    left -= 1
                    return left < 0
                }
            }
            try copy(other, to: target)
            let library = try Library(folder: target)
            #expect(try library.database.allTracks().map(\.source) == ["o.gpx"])
            #expect(try library.inbox()?.database.allTracks().isEmpty ?? true)
        }
    }

    // MARK: What is refused

    private func error(_ source: String, to target: String) -> String {
        do {
            try copy(source, to: target)
            return ""
        } catch {
            return "\(error)"
        }
    }

    @Test func `a target with content, of a newer version, in use or of another program is refused and not changed`()
        throws
    {
        for place in Place.installed {
            let source = try new(.folder, "source")
            try Library(folder: source).database.add(outing(start: 1_500_000_000, count: 10), source: "s.gpx")
            let target = try new(place, "target")
            do {
                let library = try Library(folder: target)
                try library.database.add(outing(start: 1_500_000_000, count: 20), source: "t.gpx")
                try library.catchUp()
            }
            let before = try content(target, typed: true)
            #expect(error(source, to: target).contains("there is a library already"))
            #expect(try content(target, typed: true) == before)
            #expect(error(source, to: source).contains("is the library that is to be copied"))

            let newer = try new(place, "newer")
            do {
                _ = try Library(folder: newer)
            }
            try setVersion(99, of: newer)
            #expect(error(source, to: newer).contains("newer tileserve"))

            let served = try new(place, "served")
            let serving = try Library(folder: served)
            let member = try serving.coordination.membership.join(head: serving.database.head(), poll: {})
            #expect(error(source, to: served).contains("used by another process"))
            withExtendedLifetime(member) {}

            let empty = try new(place, "empty")
            do {
                try Library(folder: empty).catchUp()
            }
            #expect(error(source, to: empty) == "")
            #expect(error(source, to: empty).contains("is the library that is to be copied"))
        }
    }

    private func setVersion(_ version: Int64, of folder: String) throws {
        let storage = try Library.storage(in: folder)
        if storage is SQLiteStorage {
            try Connection(path: storage.name(of: .tracks)).execute("PRAGMA user_version = \(version)")
        } else {
            let location = try #require(try ServerLocation.location(in: folder))
            try SessionPool(
                SessionOptions(location: location.connection, name: "test"), catalog: StatementCatalog()
            ).withSession {
                try $0.execute(["UPDATE \(location.schema).library_state SET version = \(version)"])
            }
        }
    }

    @Test func `a source that is imported into or damaged is refused`() throws {
        for place in Place.installed {
            let source = try new(place, "source")
            let database = try Library(folder: source).database
            try database.add(outing(start: 1_500_000_000, count: 10), source: "s.gpx")
            // An import that is still reading a long recording.
            let number = try database.write { writer in
                try writer.writeProvisional([outing(start: 1, count: 10)[0].encoded()], number: nil, firstOrdinal: 0)
            }
            #expect(error(source, to: try new(.folder, "target")).contains("something is being imported"))
            try database.deleteProvisional(number)
            #expect(error(source, to: try new(.folder, "target")) == "")
        }
        let damaged = try filled(.folder, "damaged")
        try Connection(path: damaged + "/tracks.sqlite").run("UPDATE track SET name = 'Other' WHERE number = 1")
        #expect(error(damaged, to: try new(.folder, "copy")).contains("rows of the table track were altered"))
    }

    @Test func `a grid that is damaged or was never made is made in the copy`() throws {
        let source = try filled(.folder)
        let grid = try GridDump.lines(Library(folder: source).grid)
        try Connection(path: source + "/grid.sqlite").run("UPDATE tiles SET visits = visits + 1")
        let target = try new(.folder, "target")
        try copy(source, to: target)
        let library = try Library(folder: target)
        #expect(try library.gridStatus() == .missing)
        try library.catchUp()
        try library.finishLayers()
        #expect(try library.verify() == [])
        #expect(try GridDump.lines(library.grid) == grid)
    }
}
