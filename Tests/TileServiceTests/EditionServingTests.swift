import Database
import Digest
import Editions
import Files
import Foundation
import HTTPCore
import Links
import Locking
import TestLibrary
import TestSupport
import Testing
import Text
import TileMath
import Tokens
import TrackQuery
import TrackStore
import Tracks

@testable import Playback
@testable import PrimaryStore
@testable import TileService

/// What others are answered: from an edition, and only with a right to it.
@Suite struct EditionServingTests {
    /// Requests for every route that reads, with several queries, for a track of these ids.
    private static func targets(_ server: TileServer, track: String) throws -> [String] {
        let tile = try Town.tile(14, longitude: 13.41)
        let values = [
            "id": track, "style": "heat", "z": "14", "x": "\(tile.x)", "y": "\(tile.y)", "year": "2019", "code": "DE",
            "collectionId": "heat", "tileMatrixSetId": "WebMercatorQuad", "tileMatrix": "14", "tileRow": "\(tile.y)",
            "tileCol": "\(tile.x)", "form": "default", "set": "GoogleMapsCompatible", "name": "owner", "place": "1",
        ]
        let queries = [
            "", "from=2019-06-01&to=2019-06-02", "lon=13.41&lat=52.5&z=14", "bbox=13.3,52.4,13.5,52.6",
            "t=2019-06-01T12:10:00Z", "track=\(track)", "layer=ride", "format=geojson",
            "bbox=13.39,52.49,13.43,52.51&format=png&dpi=36",
        ]
        var targets: [String] = []
        for route in server.routes where route.method == .get && route.permission == .read {
            var path = route.pattern
            for (name, value) in values { path = path.replacing("{\(name)}", with: value) }
            let isStream = path.hasSuffix("/replay") || path.hasSuffix("/live")
            for ending in path.contains("**") ? ["heat/14/\(tile.x)/\(tile.y)", "14/\(tile.x)/\(tile.y)"] : [""] {
                for query in queries {
                    let all = [query, isStream ? "speed=max" : ""].filter { !$0.isEmpty }.joined(separator: "&")
                    targets.append(path.replacing("**", with: ending) + (all.isEmpty ? "" : "?" + all))
                }
            }
        }
        for style in ["heat-glow", "heat-local", "tracks", "tracks-speed", "points"] {
            for zoom in [3, 9, 12, 14, 16, 19] {
                let tile = try Town.tile(zoom, longitude: 13.402, latitude: 52.5001)
                targets.append("/tiles/\(style)/\(zoom)/\(tile.x)/\(tile.y).png")
            }
        }
        return targets
    }

    private struct Answer: Equatable {
        var status: Status
        var headers: [String?]
        var content: ShownContent?
    }

    private static func answer(_ home: EditionHome, _ target: String, _ headers: [(HeaderName, String)] = []) -> Answer
    {
        let response = home.get(target, headers)
        var names = [HeaderName.contentType, .cacheControl, .location]
        if case .events(let channel) = response.body, target.contains("live") {
            channel.close()
            return Answer(status: response.status, headers: names.map { response[$0] }, content: nil)
        }
        // Revisions are digests of when the edition was changed, and Cairo counts the surfaces of a process: neither tells anything
        // of places.
        var isOfRevision = false
        let content = response.allBytes.map { bytes -> ShownContent in
            guard let text = String(validating: bytes, as: UTF8.self) else { return bytes.shown }
            let plain = text.replacing(/v=[0-9a-f]{12}|"rev":"[0-9a-f]{16}"|(surface|image)[0-9]+/, with: "…")
            isOfRevision = plain != text
            return .bytes(Array(plain.utf8))
        }
        names += isOfRevision ? [] : [.eTag]
        return Answer(status: response.status, headers: names.map { response[$0] }, content: content)
    }

    /// The beginnings of what differs.
    private static func difference(_ one: Answer, _ other: Answer) -> String {
        guard case .bytes(let left)? = one.content, case .bytes(let right)? = other.content else { return "" }
        let common = zip(left, right).prefix { $0 == $1 }.count
        return [left, right].map { String(decoding: $0.dropFirst(max(0, common - 60)).prefix(160), as: UTF8.self) }
            .joined(separator: " | ")
    }

    @Test func `wherever hidden points are, every answer has the same bytes`() throws {
        let (one, other) = (try EditionHome(), try EditionHome(shift: 1_234))
        let list = one.get("/v1/tracks").text
        let track = try #require(list.firstMatch(of: /"id":"([^"]+)"/)).1
        let targets = try Self.targets(one.server, track: String(track))
        var shown = 0
        for target in targets {
            let (answer, same) = (Self.answer(one, target), Self.answer(other, target))
            #expect(answer == same, "\(target): \(Self.difference(answer, same))")
            if answer.status == .ok { shown += 1 }
        }
        #expect(targets.count > 900 && shown > 200, "\(targets.count) requests, \(shown) answers")
        // The same requests of the owner tell the difference: the comparison is able to fail.
        let owner = try (one.token(.owner), other.token(.owner))
        one.poll()
        other.poll()
        let differences = targets.count { Self.answer(one, $0, owner.0) != Self.answer(other, $0, owner.1) }
        #expect(differences > 100, "\(differences)")
    }

    @Test func `only those with a right see something, whatever they ask for`() throws {
        let home = try EditionHome(publicEdition: false)
        let valid = try home.links.add(LinkRequest(label: "a", edition: "public", kind: .page))
        var expiring = LinkRequest(label: "b", edition: "public", kind: .page)
        expiring.expires = 1_700_000_100
        let expired = try home.links.add(expiring)
        let revoked = try home.links.add(LinkRequest(label: "c", edition: "public", kind: .page))
        let tiles = try home.links.add(LinkRequest(label: "d", edition: "public", kind: .tiles))
        let cookies = [valid, expired, revoked].map { home.open($0.secret.text).cookie }
        #expect(cookies.allSatisfy { !$0.isEmpty })
        home.seconds.withLock { $0 += 200 }
        #expect(try home.links.remove(revoked.record.id) != nil)
        let roles = try TokenRole.allCases.map { ($0, try home.token($0)) }
        let (guest, nobody) = (try home.token(.viewer, edition: "public"), try home.token(.viewer, edition: "none"))
        home.poll()
        let targets = try Self.targets(home.server, track: "none")
        let isTile = { (target: String) in target.hasPrefix("/tiles/") || target.hasPrefix("/tiles.json") }
        var seen = 0
        for target in targets {
            #expect(home.get(target).status == .unauthorized, "\(target)")
            #expect(home.get("/s" + target).status == .forbidden, "\(target)")
            #expect(home.get("/s" + target, cookies[1]).status == .forbidden, "\(target)")
            #expect(home.get("/s" + target, cookies[2]).status == .forbidden, "\(target)")
            // A link gives nothing outside of its path.
            #expect(home.get(target, cookies[0]).status == .unauthorized, "\(target)")
            let answer = Self.answer(home, "/s" + target, cookies[0])
            // Journeys are those of persons, whom a link does not make.
            let isForPersons = home.get("/s" + target, cookies[0]).text.contains("only persons")
            #expect(![.unauthorized, .forbidden].contains(answer.status) || isForPersons, "\(target)")
            if answer.status == .ok { seen += 1 }
            // A token for an edition shows the same, and one for an edition that does not exist nothing.
            #expect(Self.answer(home, target, guest).status == answer.status, "\(target)")
            #expect(home.get(target, guest)[.cacheControl]?.contains("public") != true, "\(target)")
            #expect(home.get(target, nobody).status == .unauthorized, "\(target)")
            // A cache that several people share must not give them what a link shows.
            #expect(answer.headers[1]?.contains("public") != true, "\(target): \(answer.headers[1] ?? "")")
            let key = target + (target.contains("?") ? "&" : "?") + "key=\(tiles.secret.text)"
            let tile = home.get("/s" + key)
            #expect((tile.status == .forbidden) == !isTile(target), "\(target)")
            #expect(tile[.cacheControl]?.contains("public") != true, "\(target)")
            #expect(home.get(key).status == .unauthorized, "\(target)")
            // The secret of a page is no key.
            let pageKey = target + (target.contains("?") ? "&" : "?") + "key=\(valid.secret.text)"
            #expect(home.get("/s" + pageKey).status == .forbidden, "\(target)")
            for (role, header) in roles {
                #expect(home.get(target, header).status != .unauthorized, "\(role) \(target)")
            }
        }
        #expect(seen > 150, "\(seen)")
        // What changes anything, or is only for the owner, is not there for readers of a link.
        for route in home.server.routes where route.permission != .read && route.permission != .nothing {
            let path = "/s" + route.pattern.replacing("{id}", with: "1").replacing("**", with: "1")
            let answer = home.server.ask(
                Request(route.method, path, headers: [(.host, "192.0.2.1")] + cookies[0]))
            #expect([.forbidden, .notFound, .methodNotAllowed].contains(answer.status), "\(route.method) \(path)")
            for token in [guest, nobody] {
                let answer = home.server.ask(
                    Request(route.method, String(path.dropFirst(2)), headers: [(.host, "192.0.2.1")] + token))
                #expect(
                    [.unauthorized, .forbidden, .notFound, .methodNotAllowed].contains(answer.status),
                    "\(route.method) \(path): \(answer.status)")
            }
        }
        // The page and its files show nothing of the library.
        #expect(home.get("/s/").status == .ok && home.get("/s").status == .permanentRedirect)
        #expect(home.get("/s")[.location] == "s/")
    }

    @Test func `a server applies rules for old points when a day begins`() throws {
        let home = try EditionHome()
        let library = home.library
        let newest = try #require(try library.database.tracks(limit: 1)?.tracks.first?.end)
        // The last ride is of the last day that is kept.
        let calendar = try library.calendar()
        home.seconds.withLock { $0 = calendar.start(ofDay: calendar.day(of: newest) + 1) / 1000 }
        _ = try library.database.add(RetentionRule(.layer("all"), days: 1))
        try home.server.start()
        func count() throws -> Int { try library.database.tracks(limit: 10)?.tracks.count ?? 0 }
        for _ in 0..<100 where try count() != 1 { Thread.sleep(forTimeInterval: 0.05) }
        #expect(try count() == 1)
        // Also of what others see.
        func shown() -> Int { home.get("/v1/tracks").text.matches(of: /"id":/).count }
        for _ in 0..<200 where shown() != 1 { Thread.sleep(forTimeInterval: 0.05) }
        #expect(try shown() == 1 && !library.isRetentionDue(at: home.seconds.withLock { $0 } * 1000))
        home.server.stop()
        #expect(try library.verify() == [])
    }

    @Test func `archives of the owner are not in an edition`() throws {
        let folder = try TemporaryFolder()
        let archive = try MBTilesArchive.make(in: folder, format: "png", data: "89504E4701")
        let home = try EditionHome(archives: [ServedArchive(name: "roads", reader: archive)])
        let owner = try home.token(.owner)
        let link = try home.links.add(LinkRequest(label: "a", edition: "public", kind: .page))
        let tiles = try home.links.add(LinkRequest(label: "b", edition: "public", kind: .tiles))
        let cookie = home.open(link.secret.text).cookie
        home.poll()
        for path in ["/tiles/roads/1/1/1.png", "/tiles/roads.json"] {
            #expect(home.get(path, owner).status == .ok, "\(path)")
            #expect(home.get(path).status == .notFound, "\(path)")
            #expect(home.get("/s" + path, cookie).status == .notFound, "\(path)")
            #expect(home.get("/s\(path)?key=\(tiles.secret.text)").status == .notFound, "\(path)")
        }
        for path in ["/styles", "/v1/basemaps", "/wmts"] {
            let known = home.get(path)
            #expect(known.status != .ok || !known.text.contains("roads"), "\(path)")
        }
        #expect(home.get("/styles", owner).text.contains("roads"))
    }

    @Test func `a removed track is gone from an edition when the removal is confirmed`() throws {
        let home = try EditionHome()
        try home.server.start()
        let owner = try home.token(.owner)
        home.poll()
        let tracks = try home.library.database.tracks(limit: 10)?.tracks ?? []
        #expect(home.get("/v1/tracks").text.matches(of: /"id":/).count == 3)
        let removed = home.server.ask(
            Request(.delete, "/v1/tracks/\(tracks[0].id)", headers: [(.host, "192.0.2.1")] + owner))
        #expect(removed.status == .noContent)
        #expect(home.get("/v1/tracks").text.matches(of: /"id":/).count == 2)
        _ = try home.library.database.removeEdition(name: "public")
        var status = Status.ok
        for _ in 0..<40 where status != .unauthorized {
            Thread.sleep(forTimeInterval: 0.05)
            status = home.get("/v1/tracks").status
        }
        #expect(status == .unauthorized)
        home.server.stop()
    }
}
