import Files
import Foundation
import HTTPCore
import PrimaryStore
import SQLite
import TestLibrary
import TestSupport
import Testing
import TileService
import TrackStore

@Suite(.eachStore) struct ImportRecordTests {
    private struct Entry: Decodable {
        struct Receipt: Decodable {
            var file: String
            var points: Int
        }

        var `import`: Int
        var time: String
        var given: [String]
        var files: Int
        var tracks: Int
        var streams: Int
        var receipts: [Receipt]?
        var next: String?
    }

    private struct List: Decodable {
        var imports: [Entry]
        var next: String?
    }

    /// What an import says about files that are read differently now.
    private struct Outdated: Decodable {
        var outdated: [String]?
        var outdatedFiles: Int?
    }

    private struct OutdatedPage: Decodable {
        var count: Int
        var files: [String]
        var next: String?
    }

    private struct Total: Decodable {
        var `import`: Int?
    }

    private func list(_ town: Town, _ query: String = "") throws -> List {
        try JSONDecoder().decode(List.self, from: Data(town.get("/v1/imports\(query)").bytes))
    }

    private func entry(_ town: Town, _ number: Int, _ query: String = "") throws -> Entry {
        try JSONDecoder().decode(Entry.self, from: Data(town.get("/v1/imports/\(number)\(query)").bytes))
    }

    /// Sends a body and returns the number of its import.
    private func send(
        _ town: Town, _ body: String, _ query: String = "", _ headers: [(HeaderName, String)] = []
    ) throws -> Int? {
        let last = try #require(try town.send(body, query, headers).text.split(separator: "\n").last)
        return try JSONDecoder().decode(Total.self, from: Data(last.utf8)).import
    }

    private func undo(_ town: Town, _ number: Int) -> Status {
        town.get("/v1/imports/\(number)", method: .delete).status
    }

    @Test(arguments: ["?activity=hike", "?device=phone&person=bea"])
    func `after undoing an import everything is as before it`(query: String) throws {
        let town = try Town()
        let touched = [try Town.path(12), "/v1/tracks", "/v1/imports", "/v1/calendar?year=2021"]
        let paths = touched + [try Town.path(16), "/tiles/tracks/0/0/0.png", "/layers", "/styles"]
        let before = paths.map { town.get($0).bytes }
        let files = [("a.gpx", ChangeTests.gpx(day: 1)), ("b.txt", "nonsense")]
        let number = try #require(try send(town, ChangeTests.form(files), query, ChangeTests.formType))
        #expect(zip(touched, before).filter { town.get($0).bytes == $1 }.map(\.0) == [])
        let record = try #require(try town.library.database.imports().first)
        #expect(try town.library.database.imports().count == 1 && record.number == number)
        let shown = try entry(town, number)
        #expect(shown.given == ["a.gpx", "b.txt"] && shown.files == 2 && shown.tracks + shown.streams == 1)
        #expect(shown.receipts?.map(\.file) == ["a.gpx", "b.txt"] && shown.receipts?.map(\.points) == [20, 0])
        #expect(try list(town).imports.map(\.import) == [number])

        let answer = town.get("/v1/imports/\(number)", method: .delete)
        #expect(answer.status == town.removed && answer.bytes.isEmpty == town.library.overwritesRemoved)
        #expect(zip(paths, before).filter { town.get($0).bytes.shown != $1.shown }.map(\.0) == [])
        #expect(town.get("/v1/imports/\(number)").status == .notFound && undo(town, number) == .notFound)
        #expect(try town.library.database.verify() == [])
    }

    @Test func `tracks that another import contains too stay until that is undone`() throws {
        let town = try Town()
        let before = town.get("/v1/tracks").bytes
        let first = try #require(try send(town, ChangeTests.gpx(day: 1), "?name=a"))
        let there = town.get("/v1/tracks").bytes
        let second = try #require(try send(town, ChangeTests.gpx(day: 1), "?name=a"))
        #expect(second > first && undo(town, first) == town.removed)
        #expect(town.get("/v1/tracks").bytes == there)
        #expect(undo(town, second) == town.removed)
        #expect(town.get("/v1/tracks").bytes == before)
    }

    @Test(arguments: [("nonsense", ""), ("<gpx version=\"1.1\"></gpx>", ""), (ChangeTests.gpx(day: 1), "?dry-run=1")])
    func `an import that adds nothing leaves no record`(body: String, query: String) throws {
        let town = try Town()
        #expect(try send(town, body, query) == nil)
        #expect(try list(town).imports.isEmpty && town.library.database.imports().isEmpty)
    }

    @Test(.onlySQLite("it alters the file"))
    func `files that are read differently now are counted, some are named, and all come page by page`() throws {
        let town = try Town()
        let names = (100..<220).map { "\($0).csv" }
        let files = names.enumerated().map { ($1, "lon,lat,time\n8.\($0),47,2024-05-01T08:00:00Z\n") }
        let number = try #require(
            try send(town, ChangeTests.form(files + [("a.gpx", ChangeTests.gpx(day: 1))]), "", ChangeTests.formType))
        func get<Answer: Decodable>(_ type: Answer.Type, _ path: String) throws -> Answer {
            try JSONDecoder().decode(type, from: Data(town.get(path).bytes))
        }
        let path = "/v1/imports/\(number)"
        #expect(try get(Outdated.self, path).outdatedFiles == nil && get(Outdated.self, path).outdated == nil)
        #expect(try get(OutdatedPage.self, path + "/outdated").count == 0)
        try Connection(path: town.library.folder + "/tracks.sqlite").execute("UPDATE file SET reader = 1")
        let list = try get([String: [Outdated]].self, "/v1/imports?limit=1")
        for found in [try get(Outdated.self, path), try #require(list["imports"]?.first)] {
            #expect(found.outdatedFiles == 120 && found.outdated == Array(names.prefix(100)))
        }
        var found: [String] = []
        var next: String? = ""
        while let after = next {
            let page = try get(
                OutdatedPage.self, path + "/outdated?limit=50" + (after.isEmpty ? "" : "&after=\(after)"))
            #expect(page.count == 120 && page.files.count <= 50)
            found += page.files
            next = page.next
        }
        #expect(found == names)
        #expect(town.get("/v1/imports/99/outdated").status == .notFound)
    }

    @Test func `imports and their receipts come page by page, each once`() throws {
        let town = try Town()
        let numbers = try (1...5).map { try #require(try send(town, ChangeTests.gpx(day: $0), "?name=\($0)")) }
        var found: [[Int]] = []
        var next: String? = ""
        while let after = next {
            let page = try list(town, "?limit=2" + (after.isEmpty ? "" : "&after=\(after)"))
            found.append(page.imports.map(\.import))
            next = page.next
        }
        #expect(found == [[numbers[4], numbers[3]], [numbers[2], numbers[1]], [numbers[0]]])
        #expect(try list(town, "?limit=5").next == nil)

        let files = (1...4).map { ("\($0).gpx", ChangeTests.gpx(day: 10 + $0)) }
        let form = try #require(try send(town, ChangeTests.form(files), "", ChangeTests.formType))
        let begin = try entry(town, form, "?limit=3")
        let end = try entry(town, form, "?limit=3&after=\(try #require(begin.next))")
        #expect([begin, end].map { $0.receipts?.count } == [3, 1] && end.next == nil)
        #expect([begin, end].flatMap { $0.receipts ?? [] }.map(\.file) == files.map(\.0))
        #expect(try entry(town, form, "?limit=4").next == nil)
    }

    @Test func `unknown import numbers and malformed cursors are problems`() throws {
        let town = try Town()
        _ = try send(town, ChangeTests.gpx(day: 1))
        for number in ["0", "01", "-1", "+1", "x", "2", "9223372036854775807", "9223372036854775808"] {
            for method in [Method.get, .delete] {
                #expect(town.get("/v1/imports/\(number)", method: method).status == .notFound, "\(number)")
            }
        }
        for query in ["limit=0", "limit=1001", "after=", "after=0", "after=x", "after=9223372036854775808"] {
            #expect(town.get("/v1/imports?\(query)").status == .badRequest, "\(query)")
            #expect(town.get("/v1/imports/1?\(query)").status == .badRequest, "\(query)")
        }
        #expect(try list(town).imports.count == 1)
        #expect(try list(town, "?after=9223372036854775807").imports.count == 1)
        #expect(try entry(town, 1, "?after=9223372036854775807").receipts?.isEmpty == true)
    }
}
