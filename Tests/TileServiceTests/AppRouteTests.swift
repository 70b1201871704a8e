import Foundation
import HTTPCore
import PrimaryStore
import Recording
import Testing
import TrackStore
import Tracks

@testable import RecordingService
@testable import TileService

private struct Tokens: TokenRegistry {
    func authorization(for token: String) -> Authorization? {
        switch token {
        case "recorder": Authorization(tokenID: "1", caller: .recorder(device: nil, person: nil))
        case "watch": Authorization(tokenID: "2", caller: .recorder(device: "watch", person: "ada"))
        case "viewer": Authorization(tokenID: "3", caller: .viewer)
        default: nil
        }
    }

    func closeWhenRevoked(_ channel: EventChannel, openedBy authorization: Authorization) {}
}

/// A request as an app sends it, and what it expects.
private struct AppRequest: Sendable, CustomStringConvertible {
    var method = Method.post
    /// With `TOKEN` for the token, where the app puts it into the URL.
    let target: String
    var headers: [(String, String)] = []
    var body = ""
    var status = Status.ok
    var answer = ""
    /// Device and number of points stored.
    let stored: String
    /// A body or query that cannot be read or has no place, and the answer to it.
    var malformed = ""
    var malformedAnswer: (Status, String)?

    var description: String { "\(method.rawValue) \(target)" }

    private static let json = ("Content-Type", "application/json; charset=UTF-8")
    private static let form = ("Content-Type", "application/x-www-form-urlencoded")
    private static let bearer = ("Authorization", "Bearer TOKEN")
    private static let batch = """
        {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{
        "timestamp":"2023-11-14T22:13:20Z","battery_level":0.85,"device_id":"colota"}}]}
        """
    private static let message =
        #"{"_type":"location","tid":"AA","lat":52.5,"lon":13.4,"acc":12,"vel":0,"batt":85,"bs":2,"tst":1700000000}"#
    private static let place = "lat=52.5&lon=13.4&timestamp=1700000000&speed=1.5"
    private static let sentence = "$GPRMC,221320,A,5230.00000,N,1324.00000,E,2.915766,90.000000,141123,,*3C"

    static let all = [
        // GPSLogger and Colota, with their settings for Dawarich.
        AppRequest(
            target: "/dawarich/api/v1/overland/batches?api_key=TOKEN", headers: [json], body: batch,
            status: .created, answer: #"{"result":"ok"}"#, stored: "colota 1", malformed: "{}",
            malformedAnswer: (.created, #"{"result":"ok"}"#)),
        AppRequest(
            target: "/dawarich/api/v1/owntracks/points?api_key=TOKEN", headers: [json], body: message, answer: "[]",
            stored: "AA 1", malformed: "[", malformedAnswer: (.badRequest, "")),
        // Dawarich's own app.
        AppRequest(
            target: "/dawarich/api/v1/traccar/points", headers: [json, bearer],
            body:
                #"{"device_id":"iphone","location":{"timestamp":"2023-11-14T22:13:20Z","latitude":52.5,"longitude":13.4},"battery":{"level":0.85}}"#,
            answer: "[]", stored: "iphone 1"),
        AppRequest(
            target: "/dawarich/api/v1/points", headers: [json, bearer], body: batch,
            answer: #"{"data":[{"id":1,"timestamp":1700000000,"longitude":13.400000000,"latitude":52.500000000}]}"#,
            stored: "colota 1", malformed: "{}", malformedAnswer: (.ok, #"{"data":[]}"#)),
        // Reitti's configurations of OwnTracks, Overland, GPSLogger and Colota.
        AppRequest(
            target: "/reitti/api/v1/ingest/owntracks?token=TOKEN", headers: [json], body: message, answer: "[]",
            stored: "AA 1"),
        AppRequest(
            target: "/reitti/api/v1/ingest/overland?token=TOKEN", headers: [json], body: batch,
            answer: #"{"result":"ok"}"#, stored: "colota 1"),
        AppRequest(
            target: "/reitti/api/v1/ingest/gpslogger", headers: [json, ("X-API-TOKEN", "TOKEN")], body: message,
            stored: "AA 1"),
        // OwnTracks with the URL of its Recorder.
        AppRequest(
            target: "/pub?u=ada&d=phone", headers: [("Authorization", "Basic ada:TOKEN")], body: message,
            answer: "[]", stored: "phone 1"),
        AppRequest(
            target: "/pub", headers: [bearer, ("X-Limit-U", "ada"), ("X-Limit-D", "tablet")], body: message,
            answer: "[]", stored: "tablet 1"),
        AppRequest(
            target: "/colota", headers: [json, ("Accept", "application/json"), bearer],
            body: #"{"lat":52.5,"lon":13.4,"acc":12,"vel":0,"batt":85,"bs":2,"tst":1700000000,"bear":0.0}"#,
            stored: "colota 1", malformed: "[7]", malformedAnswer: (.badRequest, "")),
        AppRequest(
            method: .get, target: "/colota?key=TOKEN&id=my-phone&\(place)", stored: "my-phone 1"),
        // A Traccar server, of both types of forwarding.
        AppRequest(
            target: "/traccar", headers: [("Content-Type", "application/json"), bearer],
            body:
                #"{"position":{"fixTime":"2023-11-14T22:13:20.000+00:00","latitude":52.5,"longitude":13.4,"speed":1.0},"device":{"uniqueId":"9"}}"#,
            stored: "9 1", malformed: #"{"event":{}}"#, malformedAnswer: (.badRequest, "")),
        AppRequest(
            method: .get,
            target:
                "/traccar?key=TOKEN&name=Ada&uniqueId=9&fixTime=1700000000000&latitude=52.5&longitude=13.4&address={address}",
            stored: "9 1"),
        // GPSLogger's OpenGTS, with the token as account.
        AppRequest(
            method: .get,
            target: "/gprmc/Data?id=phone&dev=phone&acct=TOKEN&batt=64&code=0xF020&alt=34.5&gprmc=\(sentence)",
            answer: "OK", stored: "phone 1"),
        AppRequest(
            target: "/homeassistant?device=phone", headers: [json, bearer],
            body: #"{"latitude":52.5,"longitude":13.4,"gps_accuracy":8,"timestamp":"2023-11-14T22:13:20Z"}"#,
            stored: "phone 1", malformed: "[]", malformedAnswer: (.badRequest, "")),
        // PhoneTrack's app, then others that it names in its help.
        AppRequest(
            target: "/index.php/apps/phonetrack/logPost/TOKEN/phone", headers: [form],
            body: place + "&useragent=PhoneTrack%2F1.0", answer: #"{"done":1,"friends":[]}"#, stored: "phone 1"),
        AppRequest(
            target: "/index.php/apps/phonetrack/logPostMultiple/TOKEN/phone", headers: [json],
            body: #"{"points":[[52.5,13.4,1700000000,34.5,8,64,9,"PhoneTrack",1.5,90]]}"#,
            answer: #"{"done":1,"friends":[]}"#, stored: "phone 1", malformed: #"{"points":{}}"#,
            malformedAnswer: (.ok, #"{"done":1,"friends":[]}"#)),
        AppRequest(
            method: .get, target: "/apps/phonetrack/logGet/TOKEN/phone?\(place)&bat=64&sat=9&bearing=90",
            answer: #"{"done":1,"friends":[]}"#, stored: "phone 1"),
        AppRequest(
            method: .get, target: "/apps/phonetrack/log/gpslogger/TOKEN/yourname?\(place)", answer: "[]",
            stored: "gpslogger 1"),
        AppRequest(
            method: .get, target: "/apps/phonetrack/log/osmand/TOKEN/phone?\(place)", answer: "[]", stored: "phone 1"),
        AppRequest(
            target: "/apps/phonetrack/log/locusmap/TOKEN/phone", headers: [form],
            body: "lat=52.5&lon=13.4&time=1700000000&battery=64", answer: "[]", stored: "phone 1"),
        AppRequest(
            target: "/apps/phonetrack/log/owntracks/TOKEN/phone", body: message, answer: "[]", stored: "phone 1"),
        AppRequest(
            target: "/apps/phonetrack/log/overland/TOKEN/phone", headers: [json], body: batch,
            answer: #"{"result":"ok"}"#, stored: "phone 1"),
        AppRequest(
            target: "/apps/phonetrack/log/traccar/TOKEN?id=9&\(place)", answer: #"{"status":"success"}"#,
            stored: "9 1"),
        AppRequest(
            method: .get, target: "/apps/phonetrack/log/opengts/TOKEN/phone?id=x&dev=x&gprmc=\(sentence)",
            answer: "true", stored: "phone 1"),
        AppRequest(
            target: "/apps/phonetrack/log/ulogger/TOKEN/phone/client/index.php", headers: [form],
            body: "action=addpos&lat=52.5&lon=13.4&time=1700000000&trackid=1", answer: #"{"error":false}"#,
            stored: "phone 1"),
    ]

    /// The request with a token, another body, or both.
    func request(token: String, body: String? = nil) -> Request {
        let body = body ?? self.body
        let fields = headers.map { name, value in
            let value = value.replacing("ada:TOKEN", with: Data("ada:\(token)".utf8).base64EncodedString())
            return (HeaderName(name), value.replacing("TOKEN", with: token))
        }
        return Request(
            method, target.replacing("TOKEN", with: token), headers: [(.host, "localhost")] + fields,
            content: body.isEmpty ? .none : .bytes(Array(body.utf8)))
    }
}

@Suite struct AppRouteTests {
    private func devices(_ town: Town) throws -> [String] {
        let page = try town.library.database.tracks(limit: 100)
        return (page?.tracks ?? []).compactMap { track in
            track.device.map { "\($0) \(track.points)" + (track.personName.map { " of \($0)" } ?? "") }
        }.sorted()
    }

    private func flush(_ town: Town) -> Response {
        town.server.ask(
            Request(
                .post, "/v1/record/x/flush", headers: [(.host, "localhost"), (.authorization, "Bearer recorder")]))
    }

    @Test(arguments: AppRequest.all)
    private func `an app's request is stored once and answered as the app expects`(app: AppRequest) throws {
        let town = try Town { $0.tokens = Tokens() }
        for _ in 0..<2 {
            let answer = town.server.ask(app.request(token: "recorder"))
            #expect(answer.status == app.status && answer.text == app.answer, "\(answer.status) \(answer.text)")
            #expect(answer[.cacheControl] == "no-store")
        }
        #expect(flush(town).text.contains(#""points":1,"#))
        #expect(try devices(town) == [app.stored])
    }

    @Test(arguments: AppRequest.all)
    private func `an app needs a recorder's token`(app: AppRequest) throws {
        let town = try Town { $0.tokens = Tokens() }
        #expect(town.server.ask(app.request(token: "wrong")).status == .unauthorized)
        #expect(town.server.ask(app.request(token: "viewer")).status == .forbidden)
        let bare = Request(
            app.method, app.target.replacing("TOKEN", with: ""),
            headers: [(.host, "localhost"), (.origin, "http://elsewhere.example")],
            content: app.body.isEmpty ? .none : .bytes(Array(app.body.utf8)))
        #expect(town.server.ask(bare).status == .unauthorized)
        #expect(flush(town).text.contains(#""points":0,"#))
    }

    @Test(arguments: AppRequest.all)
    private func `the device of a token is used instead of the one that the app names`(app: AppRequest) throws {
        let town = try Town { $0.tokens = Tokens() }
        #expect(town.server.ask(app.request(token: "watch")).status == app.status)
        _ = flush(town)
        #expect(try devices(town) == ["watch 1 of ada"])
    }

    @Test(arguments: AppRequest.all.filter { $0.malformedAnswer != nil })
    private func `a body that cannot be read is listed and answered`(app: AppRequest) throws {
        let town = try Town { $0.tokens = Tokens() }
        let (status, text) = try #require(app.malformedAnswer)
        let answer = town.server.ask(app.request(token: "watch", body: app.malformed))
        #expect(answer.status == status && (status == .badRequest || answer.text == text), "\(answer.text)")
        #expect(town.get("/v1/record/watch").text.contains(#""refused":1"#))
        let metrics = town.get("/metrics").text
        #expect(metrics.contains(#"tileserve_recording_refused_points_total{format=""#))
    }

    @Test func `μlogger logs in, starts a track and sends points with its cookie`() throws {
        let town = try Town { $0.tokens = Tokens() }
        let target = "/ulogger/client/index.php"
        func post(_ body: String, _ headers: [(HeaderName, String)] = []) -> Response {
            let all = [(.host, "localhost"), (.contentType, "application/x-www-form-urlencoded")] + headers
            // As behind a proxy: without a token nothing is permitted.
            return town.server.ask(
                Request(
                    .post, target, headers: all + [(HeaderName("X-Forwarded-For"), "192.0.2.7")],
                    content: .bytes(Array(body.utf8))))
        }
        #expect(town.get(target, method: .head).status == .methodNotAllowed)
        #expect(post("action=addtrack&track=Auto_1").status == .unauthorized)
        #expect(post("action=auth&user=ada&pass=wrong").status == .unauthorized)
        #expect(post("action=auth&user=ada&pass=viewer").status == .forbidden)
        let login = post("pass=recorder&action=auth&user=ada")
        #expect(login.status == .ok && login.text == #"{"error":false}"#)
        let cookie = try #require(login[HeaderName("Set-Cookie")])
        #expect(cookie.hasSuffix("; Path=/; HttpOnly; SameSite=Strict"))
        let session: [(HeaderName, String)] = [(HeaderName("Cookie"), String(cookie.prefix { $0 != ";" }))]
        let track = post("action=addtrack&track=Auto_1", session)
        #expect(track.text.hasPrefix(#"{"error":false,"trackid":"#), "\(track.text)")
        let point = "altitude=34.5&lon=13.4&provider=gps&trackid=7&time=1700000000&action=addpos&lat=52.5"
        for _ in 0..<2 {
            let answer = post(point, session)
            #expect(answer.status == .ok && answer.text == #"{"error":false}"#)
        }
        #expect(post("action=addpos&trackid=7", session).text == #"{"error":false}"#)
        #expect(post("action=adduser&pass=secret", session).text == #"{"error":false}"#)
        #expect(!town.get("/v1/record/ulogger").text.contains("secret"))
        // A page of another site cannot use the cookie.
        #expect(post(point, session + [(.origin, "http://elsewhere.example")]).status == .forbidden)
        #expect(post(point, [(HeaderName("Cookie"), "tileserve-session=wrong")]).status == .unauthorized)
        // It is no token for anything else.
        #expect(
            town.get("/v1/tracks", session + [(HeaderName("X-Forwarded-For"), "192.0.2.7")]).status == .unauthorized)
        _ = flush(town)
        #expect(try devices(town) == ["ulogger 1"])
    }

    @Test func `a picture that μlogger sends with a point does not prevent the point from being stored`() throws {
        let town = try Town { $0.tokens = Tokens() }
        var body = ""
        for (name, value) in [
            ("lat", "52.5"), ("lon", "13.4"), ("time", "1700000000"), ("action", "addpos"), ("comment", "a bench"),
        ] {
            body += "\r\n------uLoggerBoundaryAb\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)"
        }
        body += "\r\n------uLoggerBoundaryAb\r\nContent-Disposition: form-data; name=\"image\"; filename=\"upload\"\r\n"
        body += "Content-Type: image/jpeg\r\nContent-Transfer-Encoding: binary\r\n\r\n"
        let picture: [UInt8] = [0xff, 0xd8, 0x0d, 0x0a, 0x0d, 0x0a] + [UInt8](repeating: 7, count: 100_000)
        let request = Request(
            .post, "/ulogger/client/index.php",
            headers: [
                (.host, "localhost"), (HeaderName("Cookie"), "tileserve-session=recorder"),
                (.contentType, "multipart/form-data; boundary=----uLoggerBoundaryAb"),
            ], content: .bytes(Array(body.utf8) + picture + Array("\r\n------uLoggerBoundaryAb--\r\n".utf8)))
        guard case .taken(let rule) = town.server.bodyDecision(of: request) else {
            Issue.record("the body is refused")
            return
        }
        #expect(rule.limit > 10 << 20)
        #expect(town.server.ask(request).text == #"{"error":false}"#)
        _ = flush(town)
        #expect(try devices(town) == ["ulogger 1"])
    }

    @Test func `the delimiter of a form of μlogger begins a line`() {
        let boundary = "----uLoggerBoundaryAb"
        let parts = [
            ("comment", "a--\(boundary)\r\nContent-Disposition: form-data; name=\"lat\"\r\n\r\n1"),
            ("lat", "52.5"), ("action", "addpos"),
        ]
        let body = parts.map { "\r\n--\(boundary)\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)" }
        func form(_ end: String) -> ULoggerRequest {
            ULoggerRequest(
                Array((body.joined() + end).utf8), contentType: "multipart/form-data; boundary=\(boundary)")
        }
        let whole = form("\r\n--\(boundary)--\r\n")
        #expect(whole.parameters.map(\.name) == parts.map(\.0) && whole.parameters.map(\.value) == parts.map(\.1))
        #expect(whole.action == .addPosition)
        #expect(form("").parameters.isEmpty)
    }

    @Test(arguments: ["/ulogger/client/index.php", "/apps/phonetrack/log/ulogger/recorder/phone/client/index.php"])
    func `a form of μlogger is not read on the listener`(path: String) throws {
        let town = try Town { $0.tokens = Tokens() }
        for action in ["addtrack", "addpos", "auth&pass=recorder"] {
            let request = Request(
                .post, path, headers: [(.host, "localhost"), (HeaderName("Cookie"), "tileserve-session=recorder")],
                content: .bytes(Array("action=\(action)".utf8)))
            guard case .deferred = town.server.answer(request) else {
                Issue.record("\(action) is answered on the listener")
                continue
            }
            #expect(town.server.ask(request).status == .ok)
        }
    }

    @Test func `a login may only have a small body`() throws {
        let town = try Town { $0.tokens = Tokens() }
        for (headers, limit) in [
            ([(HeaderName("X-Forwarded-For"), "192.0.2.7")], 4096),
            ([(HeaderName("Cookie"), "tileserve-session=recorder")], 16 << 20),
        ] {
            let request = Request(
                .post, "/ulogger/client/index.php", headers: [(.host, "localhost")] + headers,
                content: .bytes(Array("action=auth".utf8)))
            guard case .taken(let rule) = town.server.bodyDecision(of: request) else {
                Issue.record("the body is refused")
                continue
            }
            #expect(rule == .memory(limit: limit))
        }
    }

    @Test func `paths that PhoneTrack does not have are not found`() throws {
        let town = try Town { $0.tokens = Tokens() }
        for path in ["logGet/recorder", "log/x/recorder/phone", "log/gpslogger", "logGet/recorder/a/b"] {
            let status = town.get("/apps/phonetrack/" + path + "?lat=1&lon=2").status
            #expect(status == .notFound || path == "logGet/recorder" || path == "log/gpslogger", "\(path) \(status)")
        }
        #expect(town.get("/apps/phonetrack/logPost/recorder/phone?lat=1&lon=2").status == .methodNotAllowed)
        #expect(
            town.get("/apps/phonetrack/logGet/recorder/phone?lat=1&lon=2", method: .head).status == .methodNotAllowed)
    }

    @Test func `apps for Dawarich can connect`() throws {
        let town = try Town { $0.tokens = Tokens() }
        let token: [(HeaderName, String)] = [(.authorization, "Bearer watch")]
        for method in [Method.get, .head] {
            let health = town.get("/dawarich/api/v1/health", method: method)
            #expect(health.status == .ok && health[HeaderName("X-Dawarich-Version")] == "1.7.1")
        }
        #expect(town.get("/dawarich/api/v1/health").text == #"{"status":"ok"}"#)
        #expect(
            town.get("/dawarich/api/v1/users/me", token).text == #"{"user":{"email":"ada","theme":"light"}}"#)
        let remote = token + [(HeaderName("X-Forwarded-For"), "192.0.2.7")]
        let stats = town.get("/dawarich/api/v1/stats", remote)
        #expect(stats.status == .ok)
        #expect(
            stats.text.hasPrefix(
                #"{"totalDistanceKm":1,"totalPointsTracked":180,"totalReverseGeocodedPoints":0,"totalCountriesVisited":0,"totalCitiesVisited":0,"yearlyStats":[{"year":2019,"totalDistanceKm":1,"#
            ), "\(stats.text)")
        #expect(stats.text.contains(#""may":0,"june":1,"july":0,"#))
        #expect(town.get("/dawarich/api/v1/stats", remote).text == stats.text)
        for path in ["areas", "visits", "places", "countries/visited_cities"] {
            #expect(town.get("/dawarich/api/v1/" + path, token).status == .notFound, "\(path)")
        }
        for method in [Method.get, .head] {
            #expect(
                town.get("/dawarich/api/v1/points?per_page=1&page=1", token, method: method).status == .methodNotAllowed
            )
        }
        for path in ["users/me", "stats"] {
            let nobody = town.get("/dawarich/api/v1/" + path, [(HeaderName("X-Forwarded-For"), "192.0.2.7")])
            #expect(nobody.status == .unauthorized)
        }
    }
}
