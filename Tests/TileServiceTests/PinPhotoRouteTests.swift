import Digest
import Files
import Foundation
import HTTPCore
import JPEG
import Pins
import PrimaryStore
import RequestHandling
import TestLibrary
import Testing
import TileService
import TrackStore
import Tracks

/// Photos for tests: JPEG files whose metadata are in an XMP packet.
enum SamplePhoto {
    /// A picture of 60 x 40 pixels whose upper left quarter is red; `shade` makes files differ.
    static func bytes(_ attributes: String, shade: UInt8 = 255) throws -> [UInt8] {
        var pixels: [UInt8] = []
        for y in 0..<40 {
            for x in 0..<60 { pixels += x < 30 && y < 20 ? [255, 0, 0] : [0, 0, shade] }
        }
        let plain = try JPEGCodec.encode(JPEGPicture(width: 60, height: 40, pixels: pixels), quality: 90)
        let packet = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
            tiff:Make="Acme" tiff:Model="Acme 9" \(attributes)/></rdf:RDF></x:xmpmeta>
            """
        let content = Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(packet.utf8)
        let count = content.count + 2
        return [0xFF, 0xD8, 0xFF, 0xE1, UInt8(count >> 8), UInt8(count & 255)] + content + plain.dropFirst(2)
    }

    static func time(_ text: String) -> String { "exif:DateTimeOriginal=\"\(text)\"" }

    static let place = "exif:GPSLatitude=\"47,30.0N\" exif:GPSLongitude=\"8,15.0E\""

    /// Half a second after the eleventh point of the second day of a town, which only one ride has.
    static let onRide = time("2019-06-02T14:00:10.500+02:00")
}

@Suite("Pins with photos over HTTP") struct PinPhotoRouteTests {
    private static let boundary = "B7"

    private struct Part {
        var head: String
        var content: [UInt8]

        static func field(_ name: String, _ text: String) -> Part {
            Part(head: "name=\"\(name)\"", content: Array(text.utf8))
        }

        static func photo(_ bytes: [UInt8], name: String = "photo") -> Part {
            Part(head: "name=\"\(name)\"; filename=\"a.jpg\"", content: bytes)
        }
    }

    private func form(_ parts: [Part]) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            bytes += Array("--\(Self.boundary)\r\nContent-Disposition: form-data; \(part.head)\r\n\r\n".utf8)
            bytes += part.content + [0x0d, 0x0a]
        }
        return bytes + Array("--\(Self.boundary)--\r\n".utf8)
    }

    private func post(_ town: Town, _ bytes: [UInt8], as who: String? = nil) throws -> Response {
        let path = town.folder.path + "/form"
        try AtomicFile.write(bytes, to: path, durability: .cached)
        let content = SpooledBody(path: path, byteCount: bytes.count, file: town.folder)
        var headers: [(HeaderName, String)] = [
            (.host, who == nil ? "localhost" : "192.0.2.1"),
            (.contentType, "multipart/form-data; boundary=\(Self.boundary)"),
        ]
        if let who { headers.append((.authorization, "Bearer \(who)")) }
        return town.server.ask(Request(.post, "/v1/pins", headers: headers, content: .file(content)))
    }

    private func object(_ response: Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
    }

    @Test func `A photo without a place becomes a pin on the ride at its time`() throws {
        let town = try Town()
        let photo = try SamplePhoto.bytes(SamplePhoto.onRide)
        let made = try post(town, form([.field("caption", "Look"), .field("lon", ""), .photo(photo)]))
        #expect(made.status == .created, "\(made.text)")
        let pin = try object(made)
        let id = try #require(pin["id"] as? String)
        #expect(made[.location] == "/v1/pins/\(id)")
        #expect(pin["source"] as? String == "photo" && pin["located"] as? String == "track")
        #expect(pin["time"] as? String == "2019-06-02T12:00:10.500Z" && pin["caption"] as? String == "Look")
        #expect(abs(try #require(pin["lon"] as? Double) - (Town.longitude + 10.5 * 700e-7)) < 2e-7)
        #expect(pin["photo"] as? Bool == true && pin["pictures"] as? [String] == ["thumb", "screen", "original"])
        #expect(pin["width"] as? Int == 60 && pin["camera"] as? String == "Acme 9")
        #expect(pin["method"] as? String == "track" && (pin["radius"] as? Double ?? 0) > 0)
        let listed = try #require(try object(town.get("/v1/pins?source=photo"))["pins"] as? [[String: Any]])
        #expect(listed.count == 1 && listed[0]["photo"] as? Bool == true)
        for size in ["", "?size=screen", "?size=thumb"] {
            let small = town.get("/v1/pins/\(id)/photo\(size)")
            #expect(small.status == .ok && small[.contentType] == "image/jpeg")
            #expect(small[.contentTypeOptions] == "nosniff" && small[.cacheControl] == "private, no-cache")
            let shown = try JPEGCodec.decode(small.bytes, side: 10_000, pixelLimit: 1_000_000)
            #expect(shown.width == 60 && shown.height == 40)
            let text = String(decoding: small.bytes, as: UTF8.self)
            #expect(!text.contains("Acme") && !text.contains("Exif") && !text.contains("xmp"))
            let again = town.get("/v1/pins/\(id)/photo\(size)", [(.ifNoneMatch, try #require(small[.eTag]))])
            #expect(again.status == .notModified && again.bytes.isEmpty)
        }
        let original = town.get("/v1/pins/\(id)/photo?size=original")
        #expect(original.bytes == photo && original[.contentType] == "image/jpeg")
        #expect(original[.contentTypeOptions] == "nosniff" && original[.disposition] == "attachment")
        #expect(town.get("/v1/pins/\(id)/photo?size=huge").status == .badRequest)
        let moved = try object(
            town.server.ask(
                Request(.patch, "/v1/pins/\(id)", content: .bytes(Array(#"{"lon":14,"lat":52}"#.utf8)))))
        #expect(moved["located"] as? String == "hand" && moved["method"] as? String == "hand")
        #expect(moved["radius"] is NSNull && moved["photo"] as? Bool == true)
        #expect(town.get("/v1/pins/\(id)", method: .delete).status == .noContent)
        #expect(town.get("/v1/pins/\(id)/photo").status == .notFound)
    }

    @Test func `The place is that of the body, else of the photo, else of the tracks`() throws {
        let town = try Town()
        let both = "\(SamplePhoto.onRide) \(SamplePhoto.place)"
        let byHand = try object(
            post(
                town,
                form([
                    .field("lon", "7.25"), .field("lat", "46.5"), .photo(try SamplePhoto.bytes(both, shade: 1)),
                ])))
        #expect(byHand["lon"] as? Double == 7.25 && byHand["located"] as? String == "hand")
        #expect(byHand["time"] as? String == "2019-06-02T12:00:10.500Z")
        let byExif = try object(post(town, form([.photo(try SamplePhoto.bytes(both, shade: 2))])))
        #expect(byExif["lon"] as? Double == 8.25 && byExif["lat"] as? Double == 47.5)
        #expect(byExif["located"] as? String == "exif")
        let byTime = try object(
            post(
                town,
                form([
                    .field("time", "2019-06-02T12:00:20Z"),
                    .photo(try SamplePhoto.bytes(SamplePhoto.time("2011-01-01T00:00:00Z"), shade: 3)),
                ])))
        #expect(byTime["time"] as? String == "2019-06-02T12:00:20Z" && byTime["located"] as? String == "track")
        // A form without a photo is a pin like any other.
        let plain = try post(town, form([.field("lon", "7"), .field("lat", "46"), .photo([])]))
        #expect(try plain.status == .created && object(plain)["photo"] as? Bool == false)
    }

    @Test(arguments: 1...8) func `Pictures are upright`(orientation: Int) throws {
        let town = try Town()
        let photo = try SamplePhoto.bytes("\(SamplePhoto.place) tiff:Orientation=\"\(orientation)\"")
        let pin = try object(post(town, form([.photo(photo)])))
        let isSideways = orientation >= 5
        #expect(pin["width"] as? Int == (isSideways ? 40 : 60))
        let id = try #require(pin["id"] as? String)
        let shown = try JPEGCodec.decode(
            town.get("/v1/pins/\(id)/photo?size=thumb").bytes, side: 1000, pixelLimit: 1_000_000)
        #expect(shown.width == (isSideways ? 40 : 60) && shown.height == (isSideways ? 60 : 40))
        let isRight = [2, 3, 6, 7].contains(orientation)
        let isBottom = [3, 4, 7, 8].contains(orientation)
        let x = isRight ? shown.width - 8 : 8
        let y = isBottom ? shown.height - 8 : 8
        #expect(shown.pixels[3 * (y * shown.width + x)] > 200)
    }

    @Test func `A photo that cannot be located or read is a 422 that says why, and nothing is stored`() throws {
        let town = try Town()
        func refusal(_ bytes: [UInt8]) throws -> String {
            let start = ContinuousClock.now
            let response = try post(town, form([.photo(bytes)]))
            #expect(response.status == .unprocessable, "\(response.text)")
            #expect(ContinuousClock.now - start < .seconds(5))
            return response.text
        }
        #expect(try refusal(SamplePhoto.bytes(SamplePhoto.time("2020-01-01T00:00:00Z"))).contains("tracks end earlier"))
        #expect(try refusal(SamplePhoto.bytes("")).contains("neither a time nor a place; give lon and lat"))
        #expect(try refusal(Array("no photo".utf8)).contains("not a photo or video of a known format"))
        let good = try SamplePhoto.bytes(SamplePhoto.place)
        #expect(try refusal(Array(good.prefix(good.count * 2 / 3))).contains("the photo cannot be read"))
        // The frame claims another size.
        let frame = try #require(good.indices.first { good[$0] == 0xFF && good[$0 + 1] == 0xC0 })
        for (side, text) in [(0, "no pixels"), (65_000, "more than the limit of")] {
            var bomb = good
            for (offset, value) in [(5, side >> 8), (6, side & 255), (7, side >> 8), (8, side & 255)] {
                bomb[frame + offset] = UInt8(value)
            }
            #expect(try refusal(bomb).contains(text), "\(side)")
        }
        // A PNG file of 100,000 x 100,000 pixels, and one of 0 x 0.
        for side in [UInt8(0), 1] {
            let size: [UInt8] = [0, side, 0x86 * side, 0xA0 * side]
            var png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
            png += Array("IHDR".utf8)
            png += size
            png += size
            png += [8, 2, 0, 0, 0, 0, 0, 0, 0]
            #expect(try refusal(png).contains("the photo cannot be read"), "\(side)")
        }
        #expect(try refusal(Array("....ftypheic....mif1heic".utf8)).contains("the photo cannot be read"))
        #expect(try town.library.database.read { try $0.pinCount() } == 0)
    }

    @Test func `A form that is wrong is a 400 or a 413, and says what is wrong`() throws {
        let town = try Town()
        let photo = try SamplePhoto.bytes(SamplePhoto.place)
        let cases: [([Part], Status, String)] = [
            ([.photo(photo), .photo(photo)], .badRequest, "two photos"),
            ([.photo(photo, name: "file")], .badRequest, "'file' is not expected"),
            ([.photo(photo), .field("person", "ada")], .badRequest, "person cannot be set"),
            ([.photo(photo), .field("lon", "x"), .field("lat", "1")], .badRequest, "lon has to be a number"),
            ([.photo(photo), .field("lon", "1")], .badRequest, "given together"),
            ([.photo(photo), .field("caption", "a"), .field("caption", "b")], .badRequest, "given twice"),
            ([.photo(photo), Part(head: "name=\"caption\"", content: [0xFF])], .badRequest, "not UTF-8"),
            ([.photo(photo), .field("caption", String(repeating: "a", count: 40_000))], .contentTooLarge, "32768"),
            ([.field("caption", "a")], .badRequest, "lon and lat are missing"),
            (Array(repeating: .field("x", ""), count: 40), .badRequest, "more than 16 parts"),
        ]
        for (parts, status, text) in cases {
            let response = try post(town, form(parts))
            #expect(response.status == status && response.text.contains(text), "\(response.text)")
        }
        #expect(try post(town, Array(form([.photo(photo)]).dropLast(8))).status == .badRequest)
        #expect(try town.library.database.read { try $0.pinCount() } == 0)
        // Refused before it is sent.
        var headers = HeaderFields()
        for (name, value) in [(HeaderName.host, "localhost"), (.contentLength, "70000000")] {
            headers.add(name, value)
        }
        let large = Request(
            method: .post, target: RequestTarget("/v1/pins"), version: .http11, headers: headers, peer: .loopback,
            body: .length(70_000_000))
        guard case .refused(let answer) = town.server.bodyDecision(of: large) else {
            Issue.record("a form of 70 MB is received")
            return
        }
        #expect(answer.response.status == .contentTooLarge)
        let json = town.server.ask(
            Request(.post, "/v1/pins", content: .bytes(Array(#"{"lon":1,"lat":2}"#.utf8))))
        #expect(json.status == .created)
    }

    @Test func `The same photo sent twice is one pin, unless reports have hidden it`() throws {
        let town = try Town()
        let photo = form([.photo(try SamplePhoto.bytes(SamplePhoto.place))])
        let first = try post(town, photo)
        let again = try post(town, photo)
        #expect(first.status == .created && again.status == .ok)
        #expect(try object(again)["id"] as? String == object(first)["id"] as? String)
        let text = try #require(try object(first)["id"] as? String)
        let id = try #require(PinID(text))
        for person in ["x", "y", "z"] { _ = try town.library.database.setReport(true, of: person, on: id) }
        #expect(try post(town, photo).status == .created)
    }

    @Test func `A member finds only places of their own tracks, and is the author`() throws {
        let town = try Town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = PinMemberTests.Register()
        }
        let photo = form([.photo(try SamplePhoto.bytes(SamplePhoto.onRide))])
        #expect(try post(town, photo, as: "viewer").status == .forbidden)
        #expect(try post(town, photo, as: "bea").status == .unprocessable)
        let chunk = PointColumns(
            unit: .decimal(places: 7), longitudes: [70_000_000, 70_001_000], latitudes: [460_000_000, 460_000_000],
            times: [1_559_476_800_000, 1_559_476_820_000], segmentStarts: [])
        try town.library.database.add([chunk], RecordingHeader(person: "bea", device: "phone", source: "r"))
        let made = try post(town, photo, as: "bea")
        #expect(made.status == .created, "\(made.text)")
        let pin = try object(made)
        #expect(pin["person"] as? String == "bea" && abs((pin["lon"] as? Double ?? 0) - 7.0000525) < 2e-6)
    }
}

@Suite("Pins of layers and replays") struct PinLayerTests {
    private func object(_ response: Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.bytes)) as? [String: Any])
    }

    /// Pins of the owner at times of a town's tracks, and of somebody else.
    private func town() throws -> (town: Town, ids: [String: PinID]) {
        let town = try Town {
            $0.addresses = [IPAddress("192.0.2.1")].compactMap { $0 }
            $0.tokens = PinMemberTests.Register()
        }
        let day = Town.firstDay * 1000
        let pins: [(String, Int64, String?, PinVisibility)] = [
            ("ride", day + 86_400_000 + 10_500, nil, .open), ("both", day + 5000, nil, .open),
            ("before", day - 5000, nil, .open), ("bea", day + 86_400_000 + 20_000, "bea", .open),
            ("locked", day + 86_400_000 + 30_000, "bea", .been),
        ]
        var ids: [String: PinID] = [:]
        for (index, (name, time, person, visibility)) in pins.enumerated() {
            let place = try #require(
                PinPlace(longitude: 13 + Double(index), latitude: 52))
            var content = PinContent(place, source: .photo, located: .exif)
            content.time = time
            content.person = person
            content.caption = name
            content.visibility = visibility
            let bytes = [UInt8](name.utf8)
            let photo = PinPhoto(
                digest: ContentDigest(of: bytes), contentType: "image/jpeg", byteCount: Int64(bytes.count),
                method: .exif)
            ids[name] = try town.library.database.addPin(content, PhotoContent(photo, pictures: [.thumb: bytes])).pin.id
        }
        try town.library.catchUp()
        return (town, ids)
    }

    private func ask(_ town: Town, _ who: String, _ path: String) -> Response {
        town.server.ask(
            Request(.get, path, headers: [(.host, "192.0.2.1"), (.authorization, "Bearer \(who)")]))
    }

    @Test func `A layer has the pins of the times of its tracks, in lists, tiles and TileJSON`() throws {
        let (town, ids) = try town()
        let expected: [(String, Set<String>)] = [
            ("ride", ["ride", "both"]), ("walk", ["both"]), ("all", Set(ids.keys)),
        ]
        for (layer, names) in expected {
            let pins = try #require(
                try object(ask(town, "owner", "/v1/pins?layer=\(layer)"))["pins"] as? [[String: Any]])
            #expect(Set(pins.compactMap { $0["caption"] as? String }) == names, "\(layer)")
            for zoom in [0, 3] {
                var count = 0
                for x in 0..<(1 << zoom) {
                    for y in 0..<(1 << zoom) {
                        let tile = try object(ask(town, "owner", "/tiles/pins/\(zoom)/\(x)/\(y).json?layer=\(layer)"))
                        count += (tile["bubbles"] as? [[String: Any]] ?? []).reduce(0) {
                            $0 + ($1["count"] as? Int ?? 0)
                        }
                    }
                }
                #expect(count == names.count, "\(layer) \(zoom)")
            }
        }
        for path in ["/v1/pins?layer=nope", "/tiles/pins/0/0/0.png?layer=nope", "/tiles/pins.json?layer=nope"] {
            #expect(ask(town, "owner", path).status == .notFound, "\(path)")
        }
        let json = try object(ask(town, "owner", "/tiles/pins.json?layer=ride&theme=dark&key=owner&x=y"))
        let bounds = try #require(json["bounds"] as? [Double])
        for (bound, expected) in zip(bounds, [13.0, 52.0, 14.0, 52.0]) {
            #expect(abs(bound - expected) < 2e-5, "\(bounds)")
        }
        #expect(
            (json["tiles"] as? [String])?.first?.hasSuffix(
                "/tiles/pins/{z}/{x}/{y}.png?layer=ride&theme=dark&key=owner") == true, "\(json)")
        // A track that is removed takes its pins out of the layer.
        let tracks = try town.library.database.tracks(limit: 100)?.tracks ?? []
        let walk = try #require(tracks.first { $0.activityWord == "walk" })
        _ = try town.library.remove([walk.id]) { _ in }
        town.server.poll()
        let pins = try object(ask(town, "owner", "/v1/pins?layer=walk"))["pins"] as? [Any]
        #expect(pins == nil || pins?.count == 0)
    }

    @Test func `A replay shows the photos that its reader may see`() throws {
        let (town, ids) = try town()
        func photos(_ who: String, _ path: String = "/v1/replay?speed=max") -> [String] {
            let response = ask(town, who, path)
            guard case .events(let channel) = response.body else { return ["\(response.status)"] }
            let text = EventStreamTests.text(of: channel)
            return text.components(separatedBy: "\n\n").filter { $0.contains("event: photo\n") }.compactMap { event in
                ids.first { event.contains($0.value.description) }?.key
            }
        }
        // Two tracks of the first day are played one after the other.
        #expect(photos("owner") == ["both", "both", "ride", "bea", "locked"])
        #expect(photos("bea") == photos("owner"))
        #expect(photos("ada") == photos("owner").filter { $0 != "locked" })
        #expect(photos("viewer") == photos("ada"))
        let tracks = try town.library.database.tracks(limit: 100)?.tracks ?? []
        let ride = try #require(tracks.first { $0.start == (Town.firstDay + 86_400) * 1000 })
        #expect(photos("owner", "/v1/tracks/\(ride.id)/replay?speed=max") == ["ride"])
        let gone = try #require(ids["ride"])
        _ = try town.library.removePins([gone])
        #expect(!photos("owner").contains("ride"))
    }
}
