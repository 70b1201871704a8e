import Files
import Foundation
import HTTPCore
import TestLibrary
import TestSupport
import Testing
import TileService
import TrackImport
import TrackStore
import Tracks

@Suite(.eachStore) struct ChangeTests {
    private struct Entry: Decodable {
        var id: String
        var name: String?
        var activity: String?
        var tags: [String]
    }

    private struct List: Decodable {
        var tracks: [Entry]
    }

    /// What a removal leaves that is deleted, but not overwritten.
    private struct Remainder: Decodable {
        var id: String
        var complete: Bool
        var detail: String
    }

    /// One line of a receipt.
    private struct Line: Decodable {
        var file: String?
        var files: Int?
        var tracks: Int
        var points: Int
        var duplicates: Int
        var failed: Int?
        var error: String?
    }

    private func tracks(_ town: Town, _ query: String = "") throws -> [Entry] {
        try JSONDecoder().decode(List.self, from: Data(town.get("/v1/tracks\(query)").bytes)).tracks
    }

    private func patch(_ town: Town, _ id: String, _ json: String) -> Response {
        town.server.ask(Request(.patch, "/v1/tracks/\(id)", content: .bytes(Array(json.utf8))))
    }

    @Test func `If-Match prevents a change of what somebody else has changed`() throws {
        let town = try Town()
        let path = "/v1/tracks/\(try #require(try tracks(town).first).id)"
        func change(_ method: Method, _ tag: String) -> Response {
            let body = Array((method == .patch ? #"{"name":"\#(tag.count) \#(tag.hashValue)"}"# : "").utf8)
            return town.server.ask(
                Request(
                    method, path, headers: [(.host, "localhost"), (.ifMatch, tag)],
                    content: body.isEmpty ? .none : .bytes(body)))
        }
        let first = try #require(town.get(path)[.eTag])
        let changed = change(.patch, first)
        #expect(changed.status == .ok)
        let second = try #require(changed[.eTag])
        #expect(second != first && town.get(path)[.eTag] == second)
        for method in [Method.patch, .delete] {
            #expect(change(method, first).status == .preconditionFailed)
            #expect(change(method, "W/\(second)").status == .preconditionFailed)
        }
        #expect(town.get(path)[.eTag] == second)
        #expect(change(.patch, "*").status == .ok)
        #expect(change(.delete, try #require(town.get(path)[.eTag])).status == town.removed)
    }

    // MARK: Removal

    @Test func `after a deletion everything is as before the import`() throws {
        let town = try Town()
        let paths = [try Town.path(12), try Town.path(16) + "?layer=ride", "/tiles/tracks/0/0/0.png"]
        let before = paths.map { town.get($0).bytes.shown }
        let known = Set(try tracks(town).map(\.id))
        try town.library.ride(day: 5, latitude: Town.latitude + 0.001, activity: "ride")
        try town.library.catchUp()
        town.server.poll()
        #expect(zip(paths, before).contains { town.get($0).bytes.shown != $1 })
        let id = try #require(try tracks(town).map(\.id).first { !known.contains($0) })
        let answer = town.get("/v1/tracks/\(id)", method: .delete)
        #expect(answer.status == town.removed)
        if town.library.overwritesRemoved {
            #expect(answer.bytes.isEmpty)
        } else {
            let remainder = try JSONDecoder().decode(Remainder.self, from: Data(answer.bytes))
            #expect(remainder.id == id && remainder.complete && remainder.detail.contains("database server"))
            #expect(answer[.contentType] == "application/json" && answer[.cacheControl] == "no-store")
        }
        #expect(zip(paths, before).allSatisfy { town.get($0).bytes.shown == $1 })
        #expect(town.get("/v1/tracks/\(id)").status == .notFound)
        #expect(town.get("/v1/tracks/\(id)", method: .delete).status == .notFound)
        #expect(Set(try tracks(town).map(\.id)) == known)
        #expect(town.get("/v1/tracks/none", method: .delete).status == .notFound)
    }

    // MARK: Patches

    @Test func `a patch sets members, and null restores them`() throws {
        let town = try Town()
        let walk = try #require(try tracks(town).first { $0.activity == "walk" })
        let empty = town.get("/tiles/12/0/0.png").bytes
        let walks = try Town.path(12) + "?layer=walk"
        let before = town.get(walks).bytes.shown
        func patched(_ json: String) throws -> Entry {
            let answer = patch(town, walk.id, json)
            #expect(answer.status == .ok && answer[.contentType] == "application/json")
            #expect(answer.bytes == town.get("/v1/tracks/\(walk.id)").bytes)
            return try JSONDecoder().decode(Entry.self, from: Data(answer.bytes))
        }
        let named = try patched(#"{"name":"Round the block","activity":"Run","tags":["Race","b"]}"#)
        #expect(named.name == "Round the block" && named.activity == "run" && named.tags.sorted() == ["b", "race"])
        // The map is up to date when the answer arrives.
        #expect(town.get(try Town.path(12) + "?layer=run").bytes != empty)
        #expect(town.get(walks).bytes.shown != before)
        #expect(try patched(#"{"tags":["b","c"]}"#).tags.sorted() == ["b", "c"])
        #expect(try patched("{}").name == "Round the block")
        let back = try patched(#"{"name":null,"activity":null,"tags":null}"#)
        #expect(back.name == walk.name && back.activity == "walk" && back.tags.isEmpty)
        #expect(town.get(walks).bytes.shown == before)
    }

    @Test(
        .onlySQLite("the request is refused before the library is read"),
        arguments: [
            ("", "a JSON object"), ("[]", "a JSON object"), ("{", "a JSON object"), ("{\"name\":1}", "name has to be"),
            ("{\"name\":\"a\\nb\"}", "name has to be"), ("{\"activity\":\"a/b\"}", "activity has to be"),
            ("{\"tags\":\"a\"}", "tags has to be"), ("{\"tags\":[\"a\",1]}", "tags has to be"),
            ("{\"points\":[]}", "points cannot be set"), ("{\"name\":\"a\",\"start\":1}", "start cannot be set"),
            ("{\"name\":\"a\",\"name\":\"b\"}", "name is given twice"),
        ])
    func `invalid members of a patch are named, and nothing is changed`(json: String, sentence: String) throws {
        let town = try Town()
        let track = try #require(try tracks(town).first)
        let before = town.get("/v1/tracks/\(track.id)").bytes
        let answer = patch(town, track.id, json)
        #expect(answer.status == .badRequest && answer.text.contains(sentence), "\(answer.text)")
        #expect(town.get("/v1/tracks/\(track.id)").bytes == before)
        #expect(patch(town, "none", "{}").status == .notFound)
    }

    @Test func `a patch is UTF-8, after a byte order mark if the client sends one`() throws {
        let town = try Town()
        let path = "/v1/tracks/\(try #require(try tracks(town).first).id)"
        func status(_ body: [UInt8]) -> Status {
            town.server.ask(Request(.patch, path, content: .bytes(body))).status
        }
        #expect(status(Array(#"{"name":""#.utf8) + [0xE9] + Array(#""}"#.utf8)) == .badRequest)
        #expect(status([0xEF, 0xBB, 0xBF] + Array(#"{"name":"é"}"#.utf8)) == .ok)
    }

    // MARK: Imports

    static func gpx(day: Int, points: Int = 20) -> String {
        let rows = (0..<points).map { index in
            "<trkpt lat=\"\(52.51 + Double(index) * 1e-4)\" lon=\"13.41\">"
                + "<time>2021-06-\(day < 10 ? "0" : "")\(day)T10:00:\(index + 10)Z</time></trkpt>"
        }
        return "<gpx version=\"1.1\"><trk><trkseg>\(rows.joined())</trkseg></trk></gpx>"
    }

    private func send(
        _ town: Town, _ body: String, _ query: String = "", _ headers: [(HeaderName, String)] = []
    ) throws -> (status: Status, lines: [Line], text: String) {
        let answer = try town.send(body, query, headers)
        guard answer[.contentType] == "application/x-ndjson" else { return (answer.status, [], answer.text) }
        let lines = try answer.text.split(separator: "\n").map {
            try JSONDecoder().decode(Line.self, from: Data($0.utf8))
        }
        return (answer.status, lines, answer.text)
    }

    static func form(_ files: [(name: String, text: String)], boundary: String = "XyZ") -> String {
        files.map { file in
            "--\(boundary)\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(file.name)\"\r\n"
                + "Content-Type: application/octet-stream\r\n\r\n\(file.text)\r\n"
        }.joined() + "--\(boundary)--\r\n"
    }

    static let formType = [(HeaderName.contentType, "multipart/form-data; boundary=XyZ")]

    @Test func `a file as the body is imported, shown, and recognised when sent again`() throws {
        let town = try Town()
        let path = try Town.path(12)
        let before = town.get(path).bytes
        let first = try send(town, Self.gpx(day: 1), "?name=a.gpx&activity=Hike")
        #expect(first.status == .ok && first.lines.count == 2)
        #expect(first.lines[0].file == "a.gpx" && first.lines[0].tracks == 1 && first.lines[0].points == 20)
        #expect(first.lines[1].files == 1 && first.lines[1].failed == 0)
        #expect(town.get(path).bytes != before)
        #expect(try tracks(town).first?.activity == "hike")
        let second = try send(town, Self.gpx(day: 1), "?name=b.gpx&activity=hike")
        #expect(second.status == .ok && second.lines[1].points == 0 && second.lines[1].duplicates == 20)
        #expect(try tracks(town).count == 4)
    }

    @Test func `a dry run has the same receipt and stores nothing`() throws {
        let town = try Town()
        let before = try tracks(town).map(\.id)
        let dry = try send(town, Self.gpx(day: 1), "?dry-run=1&name=a")
        #expect(try tracks(town).map(\.id) == before)
        let stored = try send(town, Self.gpx(day: 1), "?name=a").text
        #expect(stored.replacingOccurrences(of: "\"import\":1,", with: "") == dry.text && stored != dry.text)
    }

    @Test func `files of a form fail alone`() throws {
        let town = try Town()
        let files = [("a.gpx", Self.gpx(day: 1)), ("b.txt", "nonsense"), ("../../c.gpx", Self.gpx(day: 2)), ("", "")]
        let answer = try send(town, Self.form(files), "", Self.formType)
        #expect(answer.status == .ok)
        #expect(answer.lines.map(\.file) == ["a.gpx", "b.txt", "c.gpx", nil])
        #expect(answer.lines.map(\.points) == [20, 0, 20, 40])
        #expect(answer.lines[1].error != nil && answer.lines[3].failed == 1)
        #expect(!answer.text.contains(town.folder.path))
    }

    @Test func `a body without any tracks gives an error status`() throws {
        let answer = try send(Town(), "nonsense")
        #expect(answer.status == .unprocessable && answer.lines.first?.file == "upload")
    }

    @Test(
        .onlySQLite("the request is refused before the library is read"),
        arguments: [
            ("?zone=Mars", [], "x"), ("?gap=-1", [], "x"), ("?dry-run=yes", [], "x"), ("?device=", [], "x"),
            ("?person=a&person=b", [], "x"), ("", [], ""), ("", formType, "x"), ("", formType, "--XyZ--\r\n"),
            ("", formType, "--XyZ\r\nContent-Disposition: form-data; name=\"device\"\r\n\r\nphone\r\n--XyZ--"),
            ("", formType, "--XyZ\r\nContent-Disposition: form-data; filename=\"a\"\r\n\r\nbreaks off"),
            ("", [(.contentType, "multipart/form-data")], "x"),
        ] as [(String, [(HeaderName, String)], String)])
    func `invalid parameters are refused`(query: String, headers: [(HeaderName, String)], body: String) throws {
        let answer = try send(Town(), body, query, headers)
        #expect(answer.status == .badRequest, "\(answer.text)")
    }

    // MARK: Permissions

    @Test func `only the owner's token changes anything beyond this machine`() throws {
        struct Register: TokenRegistry {
            func authorization(for token: String) -> Authorization? {
                switch token {
                case "owner": Authorization(tokenID: "1", caller: .owner)
                case "recorder": Authorization(tokenID: "2", caller: .recorder(device: nil, person: nil))
                case "viewer": Authorization(tokenID: "3", caller: .viewer)
                default: nil
                }
            }

            func closeWhenRevoked(_ channel: EventChannel, openedBy authorization: Authorization) {}
        }
        let town = try Town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.allowsPublicReading = true
            $0.tokens = Register()
        }
        for (token, refused) in [("owner", nil), ("recorder", 403), ("viewer", 403), ("nobody", 401), (nil, 401)] {
            let shown = token.map { [(HeaderName.authorization, "Bearer \($0)")] } ?? []
            for (method, target) in [
                (Method.delete, "/v1/tracks/none"), (.patch, "/v1/tracks/none"), (.post, "/v1/import"),
                (.delete, "/v1/imports/1"),
            ] {
                let request = Request(
                    method, target, headers: [(.host, "192.0.2.1")] + shown,
                    content: method == .patch ? .bytes(Array("{}".utf8)) : .none)
                let status = town.server.ask(request).status.code
                #expect(refused == nil ? status == 404 || status == 400 : status == refused, "\(target) \(status)")
            }
            // Imports contain names of files of this machine: a caller who may read tracks must not see them.
            for target in ["/v1/imports", "/v1/imports?limit=1"] {
                let status = town.get(target, [(.host, "192.0.2.1")] + shown).status
                #expect(status == (refused == nil ? .ok : .forbidden))
            }
        }
    }
}
