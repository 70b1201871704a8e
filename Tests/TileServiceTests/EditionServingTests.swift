import Database
import Digest
import Editions
import Files
import Foundation
import HTTPCore
import Links
import Locking
import TestLibrary
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
    private static let id = "abcde"

    /// A library of rides that begin at a home, with an edition that hides it: two of these differ in nothing but where
    /// exactly within the zone the rides began.
    private final class Home {
        let folder: TemporaryFolder
        let library: Library
        let server: TileServer
        let links: LinkBook
        let tokens: TokenFile
        private let book: TokenBook
        let seconds = Locked<Int64>(1_700_000_000)

        init(shift: Int64 = 0, publicEdition: Bool = true, archives: [ServedArchive] = []) throws {
            folder = try TemporaryFolder()
            library = try Library(in: folder)
            for day in 0..<3 as Range<Int64> { try library.database.add([Self.ride(day, shift)], Self.header(day)) }
            try library.catchUp()
            try Self.addEdition(to: library)
            tokens = TokenFile(folder: library.folder)
            book = try TokenBook(store: tokens)
            links = try LinkBook(store: RecordFile(folder: library.folder)) { [seconds] in seconds.withLock { $0 } }
            let (book, links, seconds) = (book, links, seconds)
            server = try library.server { configuration in
                configuration.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
                configuration.tokens = book
                configuration.links = links
                configuration.publicEdition = publicEdition ? "public" : nil
                configuration.archives = archives
                configuration.now = { seconds.withLock { $0 * 1000 } }
            }
        }

        private static func header(_ day: Int64) -> RecordingHeader {
            RecordingHeader(
                name: "Home to work", activity: "ride", source: "\(day).gpx", attributes: ["desc": "from home"])
        }

        /// Half an hour from home eastwards and back; of the first and last minute, `shift` moves the points and what they have.
        private static func ride(_ day: Int64, _ shift: Int64) -> PointColumns {
            let count: Int64 = 360
            let way = (0..<count).map { min($0, count - 1 - $0) }
            let moved = way.map { $0 < 12 ? shift * (1 + ($0 + day) % 3) : 0 }
            return PointColumns(
                unit: .decimal(places: 7),
                longitudes: way.indices.map { 134_000_000 + way[$0] * 7_000 + moved[$0] },
                latitudes: way.indices.map { 525_000_000 + way[$0] % 5 * 100 + moved[$0] / 2 },
                times: way.indices.map { (Town.firstDay + day * 86_400 + Int64($0) * 5) * 1000 }, segmentStarts: [0],
                fields: [
                    FieldColumn(
                        name: FieldName.distance,
                        values: .numbers(places: 0, way.indices.map { Int64($0) * 50 + abs(shift) / 100 })),
                    FieldColumn(name: FieldName.elevation, values: .numbers(places: 1, moved.map { 400 + $0 / 10 })),
                ])
        }

        /// With constant ids, so that two libraries can give the same bytes.
        private static func addEdition(to library: Library) throws {
            var rule = EditionRule()
            rule.zones = [
                PrivacyZone(
                    longitude: 134_000_000, latitude: 525_000_000, centreLongitude: 134_010_000,
                    centreLatitude: 525_010_000, radiusMetres: 700)
            ]
            let text = String(decoding: try rule.encoded(), as: UTF8.self)
            try library.database.write { writer in
                try writer.session.run(
                    "INSERT INTO edition (id, name, rule, key, time) VALUES ($1, 'public', $2, $3, 1)",
                    [.text(id), .text(text), .blob([UInt8](repeating: 7, count: 32))])
            }
            try library.database.write { writer in
                try writer.session.run(
                    """
                    INSERT INTO privacy_zone (longitude, latitude, radius, centre_longitude, centre_latitude)
                    VALUES (134000000, 525000000, 700, 134010000, 525010000)
                    """, [])
            }
            let edition = try #require(try library.database.editions().first)
            try library.library(of: edition).database.write { writer in
                try writer.session.run("UPDATE meta SET value = 'edition' WHERE name = 'library'")
            }
        }

        /// Lets the server see tokens that were added.
        func poll() {
            book.poll()
        }

        func get(_ target: String, _ headers: [(HeaderName, String)] = []) -> Response {
            server.get(target, [(.host, "192.0.2.1")] + headers)
        }

        func post(_ target: String, _ body: String, _ headers: [(HeaderName, String)] = []) -> Response {
            server.ask(
                Request(.post, target, headers: [(.host, "192.0.2.1")] + headers, content: .bytes(Array(body.utf8))))
        }

        func token(_ role: TokenRole, edition: String? = nil) throws -> [(HeaderName, String)] {
            let token = try tokens.add(
                role: role, name: edition ?? role.rawValue, person: role == .member ? "ada" : nil, edition: edition,
                now: 1
            ).token
            return [(.authorization, "Bearer \(token.text)")]
        }

        /// The header with the cookie of a link.
        func open(_ secret: String, password: String? = nil) -> (status: Status, cookie: [(HeaderName, String)]) {
            let answer = post(
                "/s/v1/links/open",
                "{\"secret\":\"\(secret)\"" + (password.map { ",\"password\":\"\($0)\"" } ?? "") + "}")
            let cookie = answer[HeaderName("Set-Cookie")].map { String($0.prefix { $0 != ";" }) }
            return (answer.status, cookie.map { [(HeaderName("Cookie"), $0)] } ?? [])
        }
    }

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

    private static func answer(_ home: Home, _ target: String, _ headers: [(HeaderName, String)] = []) -> Answer {
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
        let (one, other) = (try Home(), try Home(shift: 1_234))
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
        let home = try Home(publicEdition: false)
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

    @Test func `links with a password need it, and wrong ones are slowed`() throws {
        let home = try Home()
        var wanted = LinkRequest(label: "a", edition: "public", kind: .page)
        wanted.password = "correct horse"
        let link = try home.links.add(wanted)
        #expect(home.open(link.secret.text).status == .forbidden)
        for _ in 0..<3 { #expect(home.open(link.secret.text, password: "battery").status == .forbidden) }
        #expect(home.open(link.secret.text, password: "correct horse").status == .tooManyRequests)
        Thread.sleep(forTimeInterval: 1.2)
        let (status, cookie) = home.open(link.secret.text, password: "correct horse")
        #expect(status == .noContent)
        #expect(home.get("/s/v1/stats", cookie).status == .ok)
        #expect(home.open("none").status == .notFound)
        let stored = String(
            decoding: try #require(try AtomicFile.read(home.library.folder + "/links.json", limit: 9999)), as: UTF8.self
        )
        for secret in [link.secret.text, "correct horse", String(cookie[0].1.suffix(64))] {
            #expect(!stored.contains(secret))
        }
        #expect(stored.contains("$argon2id$"))
    }

    @Test func `the owner makes, lists and revokes links`() throws {
        let home = try Home(publicEdition: false)
        let owner = try home.token(.owner)
        home.poll()
        let track = try #require(try home.library.database.tracks(limit: 1)?.tracks.first)
        let answer = home.post("/v1/links", #"{"label": "Ada", "tracks": ["\#(track.id)"]}"#, owner)
        #expect(answer.status == .created && answer[.cacheControl]?.contains("no-store") == true)
        #expect(answer.text.contains(#""expires":"2023-12-14"#))
        let url = try #require(answer.text.firstMatch(of: /"url":"([^"#]+)#([^"]+)"/))
        #expect(url.1 == "http://192.0.2.1/s")
        let cookie = home.open(String(url.2)).cookie
        // The place that another edition hides is hidden here, too.
        let seen = home.get("/s/v1/tracks", cookie).text
        #expect(seen.matches(of: /"id":/).count == 1 && !seen.contains(track.id) && !seen.contains("Home"))
        #expect(seen.contains("T12:0") && !seen.contains("T12:00:00Z") && !seen.contains(#""points":360"#))
        let list = home.get("/v1/links", owner).text
        #expect(list.contains(#""label":"Ada""#) && list.contains(#""edition":null"#) && !list.contains(String(url.2)))
        let id = try #require(list.firstMatch(of: /"id":"([^"]+)"/)).1
        // Streams end with the link.
        guard case .events(let channel) = home.get("/s/v1/live", cookie).body else {
            Issue.record("no stream")
            return
        }
        let removed = home.server.ask(Request(.delete, "/v1/links/\(id)", headers: [(.host, "192.0.2.1")] + owner))
        #expect(removed.status == .noContent)
        #expect(home.get("/s/v1/tracks", cookie).status == .forbidden)
        #expect(channel.isClosed)
        #expect(try home.library.database.editions().map(\.name) == ["public"])
        for (body, status) in [
            (#"{"label": "x"}"#, Status.badRequest),
            (#"{"label": "x", "layer": "all", "edition": "public"}"#, .badRequest),
            (#"{"label": "x", "edition": "none"}"#, .notFound), (#"{"label": "x", "tracks": ["none"]}"#, .notFound),
            (#"{"label": "x", "layer": "none"}"#, .notFound), (#"{"label": "", "layer": "all"}"#, .badRequest),
            (#"{"label": "x", "layer": "all", "expires": "2020-01-01"}"#, .badRequest),
            (#"{"label": "x", "layer": "all", "live": 1}"#, .badRequest), ("[]", .badRequest),
            (#"{"label": "x", "edition": "public", "delayDays": 1}"#, .badRequest),
            (#"{"label": "x", "edition": "public", "tiles": true, "password": "y"}"#, .badRequest),
        ] {
            #expect(home.post("/v1/links", body, owner).status == status, "\(body)")
        }
        #expect(try home.library.database.editions().count == 1)
    }

    @Test func `a live link shows what is recorded, outside of zones and of what it is for`() throws {
        let home = try Home(publicEdition: false)
        let owner = try home.token(.owner)
        home.poll()
        for (name, condition) in [("car", "device = car"), ("long", "device = car and metres > 10000")] {
            _ = try home.library.database.addLayer(name: name, condition: TrackCondition(parsing: condition))
        }
        func watcher(_ body: String) throws -> Watcher {
            let answer = home.post("/v1/links", body, owner)
            #expect(answer.status == .created, "\(answer.text)")
            let secret = try #require(answer.text.firstMatch(of: /"url":"[^"#]+#([^"]+)"/)).1
            return try Watcher(home.get("/s/v1/live", home.open(String(secret)).cookie))
        }
        let all = try watcher(#"{"label": "a", "layer": "all", "live": true}"#)
        let car = try watcher(#"{"label": "b", "layer": "car", "live": true}"#)
        let long = try watcher(#"{"label": "c", "layer": "long", "live": true}"#)
        let delayed = try watcher(#"{"label": "d", "layer": "all"}"#)
        defer { for one in [long, delayed] { one.channel.close() } }
        let start: Int64 = 1_700_000_000_000
        // At home, and a kilometre and more away.
        let places: [(String, Int32)] = [
            ("phone", 134_000_000), ("car", 134_001_000), ("phone", 134_300_000), ("car", 134_300_100),
        ]
        home.server.live.publish(
            points: places.enumerated().map { index, place in
                LivePoint(
                    device: place.0, person: place.0 == "car" ? "ada" : nil, track: "secret",
                    time: start + Int64(index), longitude: place.1, latitude: 525_000_000)
            })
        let seen = all.events(2)
        #expect(seen.map { $0.data["t"] as? Int } == [Int(start) + 2, Int(start) + 3])
        #expect(car.events(1).map { $0.data["t"] as? Int } == [Int(start) + 3])
        let text = "\(seen.map(\.data))"
        for secret in ["phone", "car", "ada", "secret"] { #expect(!text.contains(secret), "\(text)") }
        #expect(Set(seen.compactMap { $0.data["device"] as? String }).count == 2, "\(text)")
        // Nothing of these, although all was published before.
        for quiet in [long, delayed] {
            var read = ""
            while case .bytes(let bytes) = quiet.channel.take(upTo: 4096, orWait: {}) {
                read += String(decoding: bytes, as: UTF8.self)
            }
            #expect(!read.contains("event: point"), "\(read)")
        }
        #expect(
            home.post("/v1/links", #"{"label": "x", "layer": "all", "live": true, "delayDays": 1}"#, owner).status
                == .badRequest)
    }

    @Test func `a link with a preview gives a picture without its secret, and nothing else`() throws {
        let home = try Home(publicEdition: false)
        let owner = try home.token(.owner)
        home.poll()
        let answer = home.post("/v1/links", #"{"label": "Ada's", "edition": "public", "preview": true}"#, owner)
        let url = try #require(answer.text.firstMatch(of: /"url":"http:..192.0.2.1(.s.)\?p=([^"#]{16})#([^"]+)"/))
        let page = home.get("/s/?p=\(url.2)")
        let text = page.text
        let picture = try #require(text.firstMatch(of: /"og:image" content="http:..192.0.2.1([^"]+)"/)).1
        #expect(page.status == .ok && picture == "/s/preview.png?p=\(url.2)" && !text.contains("Ada"))
        #expect(text.contains("</html>") && page[.cacheControl]?.contains("public") == false)
        let shown = home.get(String(picture))
        #expect(shown.status == .ok && shown[.contentType] == "image/png")
        #expect(shown[.cacheControl]?.contains("public") == false)
        // The width and the height in the header of a PNG.
        #expect(shown.bytes.count > 24 && Array(shown.bytes[16..<24]) == [0, 0, 4, 176, 0, 0, 2, 118])
        // The id opens nothing.
        #expect(home.get("/s/v1/tracks?p=\(url.2)").status == .forbidden)
        #expect(home.get("/s/preview.png").status == .forbidden && home.get("/preview.png?p=\(url.2)").status != .ok)
        #expect(home.open(String(url.2)).status == .notFound && home.open(String(url.3)).status == .noContent)
        // Others have none, and it ends with the link.
        let plain = home.get("/s/?p=AAAAAAAAAAAAAAAA")
        #expect(plain.status == .ok && !plain.text.contains("og:image") && !home.get("/s/").text.contains("og:image"))
        let id = try #require(home.get("/v1/links", owner).text.firstMatch(of: /"id":"([^"]+)"/)).1
        _ = home.server.ask(Request(.delete, "/v1/links/\(id)", headers: [(.host, "192.0.2.1")] + owner))
        #expect(home.get(String(picture)).status == .forbidden)
        #expect(!home.get("/s/?p=\(url.2)").text.contains("og:image"))
        for more in [#""tiles": true"#, #""password": "x""#] {
            let body = #"{"label": "x", "edition": "public", "preview": true, \#(more)}"#
            #expect(home.post("/v1/links", body, owner).status == .badRequest)
        }
    }

    @Test func `a server applies rules for old points when a day begins`() throws {
        let home = try Home()
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
        let home = try Home(archives: [ServedArchive(name: "roads", reader: archive)])
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
        let home = try Home()
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
