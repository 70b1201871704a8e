import HTTPCore
import Locking
import TestLibrary
import Testing
import TileService

private struct Tokens: TokenRegistry {
    func authorization(for token: String) -> Authorization? {
        switch token {
        case "owner": Authorization(tokenID: "1", caller: .owner)
        case "watch": Authorization(tokenID: "2", caller: .recorder(device: "watch", person: "ada"))
        case "viewer": Authorization(tokenID: "3", caller: .viewer)
        default: nil
        }
    }

    func closeWhenRevoked(_ channel: EventChannel, openedBy authorization: Authorization) {}
}

@Suite(.eachStore) struct RefusedRecordingTests {
    private func post(
        _ town: Town, _ target: String, _ body: String = "", type: String? = nil, token: String? = nil
    ) -> Response {
        var headers: [(HeaderName, String)] = [(.host, "localhost")]
        if let type { headers.append((.contentType, type)) }
        if let token { headers.append((.authorization, "Bearer \(token)")) }
        return town.server.ask(
            Request(.post, target, headers: headers, content: body.isEmpty ? .none : .bytes(Array(body.utf8))))
    }

    @Test func `each app gets an answer that prevents repetition, and the owner sees what was refused`() throws {
        let town = try Town()
        let far = #"{"_type":"location","lat":152.5,"lon":13.4,"tst":1700000000,"tid":"ab"}"#
        #expect(post(town, "/owntracks", far).text == "[]")
        #expect(post(town, "/owntracks", far).text == "[]")
        let feature = #"{"geometry":{"coordinates":[13.4,52.5]},"properties":{"device_id":"iphone"}}"#
        #expect(post(town, "/overland", #"{"locations":[\#(feature)]}"#).text == #"{"result":"ok"}"#)
        #expect(post(town, "/osmand?id=9&lat=1&timestamp=1700000000&key=x").status == .unauthorized)
        #expect(post(town, "/gpslogger", "lat=91&lon=2&time=2023-11-14T22:13:20Z").status == .ok)
        let seen = town.get("/v1/record/ab")
        #expect(seen.status == .ok && seen[.contentType] == "application/json")
        #expect(
            seen.text.contains(#""device":"ab","stored":0,"accepted":0,"refused":2,"refusedFields":0,"#), "\(seen.text)"
        )
        #expect(seen.text.contains(#""reasons":[{"reason":"latitude","count":2,"first":"#))
        #expect(
            seen.text.contains(
                #""format":"owntracks","reason":"latitude","detail":"latitude 152.5 is outside -90 to 90","raw":"{\"_type\":\"location\",\"lat\":152.5,"#
            ))
        #expect(town.get("/v1/record/iphone").text.contains(#""reason":"no-time","count":1"#))
        #expect(town.get("/v1/record/gpslogger").text.contains(#""raw":"lat=91&lon=2&time=2023-11-14T22:13:20Z""#))
        #expect(town.get("/v1/record/nobody").status == .notFound)
        #expect(town.get("/health").text.contains(#""refused":4"#))
    }

    @Test func `an unreadable body is a problem, and is listed`() throws {
        let town = try Town()
        let answer = post(town, "/v1/record/phone", #"{"points":"x"}"#)
        #expect(answer.status == .badRequest)
        #expect(answer.text.contains(#"\"points\" is a text but must be a list of points"#), "\(answer.text)")
        #expect(post(town, "/owntracks?d=tablet", "lat=1").status == .badRequest)
        #expect(town.get("/v1/record/phone").text.contains(#""reason":"wrong-shape","count":1"#))
        #expect(
            town.get("/v1/record/tablet").text.contains(
                #""reason":"unreadable-body","detail":"the body is not valid JSON"#))
    }

    @Test(
        .onlySQLite("what is stored is the same"),
        arguments: [
            nil, "application/x-www-form-urlencoded", "text/plain", "application/octet-stream", "application/json",
        ])
    func `the format of a body is detected by content, not by media type`(type: String?) throws {
        let town = try Town()
        let form = "lat=52.5&lon=13.4&time=2023-11-14T22%3A13%3A20Z"
        #expect(post(town, "/gpslogger", form, type: type).status == .ok)
        #expect(post(town, "/osmand", form.replacing("time=", with: "id=o&timestamp="), type: type).status == .ok)
        let json = #"{"points":[{"t":1700000000,"lon":13.4,"lat":52.5,"note":"100% a&b=c+d"}]}"#
        #expect(post(town, "/v1/record/phone", json, type: type).text.contains(#""accepted":1"#))
        #expect(post(town, "/v1/record/phone/flush").text.contains(#""points":3"#))
        #expect(town.get("/v1/record/phone").text.contains(#""stored":1,"accepted":1,"refused":0"#))
    }

    @Test func `the response counts what was stored, refused and skipped`() throws {
        let town = try Town()
        let body = """
            [{"t":1700000000,"lon":13.4,"lat":52.5,"course":65535},{"t":1700000001,"heading":90},{"t":1700000002,"heading":95},
            {"t":1700000003,"lon":13.4}]
            """
        #expect(
            post(town, "/v1/record/phone", body).text == #"{"accepted":1,"headings":2,"reasons":["#
                + #"{"point":1,"reason":"course 65535 is outside 0 to 360 degrees"},"#
                + #"{"point":4,"reason":"no coordinates; expected lon and lat in degrees"}],"refused":1,"refusedFields":1}"#
                + "\n")
    }

    @Test func `only the owner can list and delete what was refused`() throws {
        let town = try Town { $0.tokens = Tokens() }
        #expect(post(town, "/owntracks", #"{"_type":"location","tst":1}"#, token: "watch").text == "[]")
        func get(_ device: String, _ token: String) -> Response {
            town.get("/v1/record/" + device, [(.authorization, "Bearer \(token)")])
        }
        #expect(get("watch", "owner").text.contains(#""person":"ada""#))
        for token in ["watch", "viewer"] {
            #expect(get("watch", token).status == .forbidden)
            #expect(get("watch", token).bytes == get("nobody", token).bytes)
        }
        #expect(town.get("/v1/record/watch", [(.origin, "http://elsewhere.example")]).status == .ok)
        #expect(town.get("/v1/record/watch", [(.authorization, "Bearer viewer")], method: .delete).status == .forbidden)
        #expect(town.get("/v1/record/watch", [(.authorization, "Bearer owner")], method: .delete).status == .noContent)
        #expect(get("watch", "owner").status == .notFound)
    }

    @Test func `the log has a line for each device and reason`() throws {
        let lines = Locked<[String]>([])
        let town = try Town { $0.report = { error in lines.withLock { $0.append("\(error)") } } }
        for _ in 0..<3 { _ = post(town, "/v1/record/phone", #"{"t":1,"lon":181,"lat":2}"#) }
        #expect(lines.withLock { $0 }.count == 1)
        #expect(
            lines.withLock { $0.first }?.hasPrefix("device phone (tileserve): refused, longitude: longitude 181")
                == true)
    }

    @Test func `a device's name is bounded from any source`() throws {
        let town = try Town()
        let long = String(repeating: "d", count: 201)
        #expect(post(town, "/v1/record/\(long)", #"{"t":1,"lon":1,"lat":2}"#).status == .badRequest)
        #expect(post(town, "/osmand?id=\(long)&lat=1&lon=2&timestamp=1700000000").status == .ok)
        #expect(town.get("/v1/record/osmand").text.contains(#""reason":"long-device-name","count":1"#))
    }
}
