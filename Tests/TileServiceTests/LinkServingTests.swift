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

/// Links: what they show, to whom, and until when.
@Suite struct LinkServingTests {
    @Test func `links with a password need it, and wrong ones are slowed`() throws {
        let home = try EditionHome()
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
        let home = try EditionHome(publicEdition: false)
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
        let home = try EditionHome(publicEdition: false)
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
        let home = try EditionHome(publicEdition: false)
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
}
