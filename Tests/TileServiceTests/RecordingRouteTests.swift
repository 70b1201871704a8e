import Dispatch
import HTTPCore
import PrimaryStore
import RecordingService
import TestLibrary
import Testing
import TileService
import TrackStore
import Tracks

/// A register with one token, and what the token permits.
private struct OneToken: TokenRegistry {
    let caller: Caller

    func authorization(for token: String) -> Authorization? {
        token == "secret" ? Authorization(tokenID: "1", caller: caller) : nil
    }

    func closeWhenRevoked(_ channel: EventChannel, openedBy authorization: Authorization) {}
}

extension TileServer {
    fileprivate func post(_ target: String, _ body: String = "", _ headers: [(HeaderName, String)] = []) -> Response {
        ask(
            Request(
                .post, target, headers: [(.host, "localhost")] + headers,
                content: body.isEmpty ? .none : .bytes(Array(body.utf8))))
    }
}

@Suite(.eachStore) struct RecordingRouteTests {
    private static let location = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1700000000,"tid":"ab"}"#
    private static let batch = """
        {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},
        "properties":{"timestamp":"2023-11-14T22:13:20Z","device_id":"iphone"}},{"type":"Feature"}]}
        """

    /// The names of the devices that have tracks, with the number of points.
    private func devices(_ town: Town) throws -> [String] {
        let page = try town.library.database.tracks(limit: 100)
        return (page?.tracks ?? []).compactMap { track in
            track.device.map { "\($0) \(track.points)" + (track.personName.map { " of \($0)" } ?? "") }
        }.sorted()
    }

    @Test func `the response counts points, and a flush shows them`() throws {
        let town = try Town()
        let path = try Town.path(14)
        let before = town.get(path).bytes
        let answer = town.server.post(
            "/v1/record/my%20phone",
            #"{"points":[{"t":1700000000,"lon":13.4,"lat":52.501},{"t":1,"lon":181,"lat":2}]}"#)
        #expect(answer.status == .ok)
        #expect(
            answer.text
                == #"{"accepted":1,"reasons":[{"point":2,"reason":"longitude 181 is outside -180 to 180"}],"refused":1}"#
                + "\n")
        #expect(town.get("/health").text.contains(#""recording":{"buffered":1,"recorded":1,"refused":1}"#))
        #expect(try devices(town).isEmpty)
        #expect(town.get(path).bytes == before)

        let flushed = town.server.post("/v1/record/my%20phone/flush")
        #expect(flushed.text == #"{"duplicates":0,"points":1,"tracks":1}"# + "\n")
        #expect(town.get(path).bytes != before)
        #expect(try devices(town) == ["my phone 1"])
        #expect(town.get("/health").text.contains(#""recording":{"buffered":0,"recorded":1,"refused":1}"#))
    }

    @Test func `a waypoint needs only a place, and the end of a recording shows it`() throws {
        let town = try Town()
        #expect(
            town.server.post("/v1/record/phone/mark?lon=13.4&lat=52.5&name=a%20gate").text.contains("\"accepted\":1"))
        #expect(town.server.post("/v1/record/phone/mark", #"{"lon":13.4}"#).text.contains("\"accepted\":0"))
        #expect(town.server.post("/v1/record/phone/stop").status == .ok)
        #expect(try devices(town) == ["phone 1"])
    }

    @Test func `each app gets its own response, even if a point is refused`() throws {
        let town = try Town()
        let bad = #"{"_type":"location","lat":152.5,"lon":13.4,"tst":1700000000}"#
        for body in [Self.location, bad, #"{"_type":"lwt","tst":1}"#, ""] {
            let answer = town.server.post("/owntracks", body)
            #expect(answer.status == .ok && answer.text == "[]" && answer[.contentType] == "application/json")
        }
        let overland = town.server.post("/overland", Self.batch)
        #expect(overland.status == .ok && overland.text == #"{"result":"ok"}"#)
        #expect(
            town.server.post("/dawarich/api/v1/points", Self.batch).text
                == #"{"data":[{"id":1,"timestamp":1700000000,"longitude":13.400000000,"latitude":52.500000000}]}"#)
        let form: [(HeaderName, String)] = [(.contentType, "application/x-www-form-urlencoded")]
        for path in ["/osmand", "/gpslogger"] {
            for (target, body) in [
                (path + "?id=9&lat=1&lon=2&timestamp=1700000000", ""), (path, "id=9&lat=1&lon=2&timestamp=1700000001"),
            ] {
                let answer = town.server.post(target, body, form)
                #expect(answer.status == .ok && answer.bytes.isEmpty)
            }
        }
        #expect(town.server.post("/osmand?id=9&lat=91&lon=2").status == .ok)
        #expect(town.server.post("/v1/record/phone/flush").status == .ok)
        #expect(try devices(town) == ["9 2", "ab 1", "iphone 1"])
        let metrics = town.get("/metrics").text
        #expect(metrics.contains("tileserve_recorded_points_total{format=\"osmand\"} 2\n"))
        #expect(metrics.contains("tileserve_recording_refused_points_total{format=\"owntracks\"} 1\n"))
        #expect(metrics.contains("tileserve_recording_refused_points_total{format=\"overland\"} 1\n"))
    }

    @Test func `an unreadable body is a problem`() throws {
        let town = try Town()
        for (path, body) in [
            ("/v1/record/phone", "<gpx/>"), ("/v1/record/phone", ""), ("/overland", "{}"), ("/owntracks", "lat=1"),
            ("/v1/record/phone/mark", "{} {}"),
        ] {
            let answer = town.server.post(path, body)
            #expect(
                answer.status == .badRequest && answer[.contentType] == "application/problem+json", "\(path) \(body)")
        }
        #expect(town.get("/health").text.contains(#""buffered":0,"recorded":0"#))
    }

    @Test func `a link without a token cannot record`() throws {
        let town = try Town { $0.tokens = OneToken(caller: .recorder(device: nil, person: nil)) }
        let target = "/osmand?id=9&lat=1&lon=2&timestamp=1700000000"
        #expect(town.get(target).status == .unauthorized)
        #expect(town.get(target + "&key=wrong").status == .unauthorized)
        #expect(town.get(target + "&key=secret").status == .ok)
        #expect(town.get(target + "&key=secret", method: .head).status == .methodNotAllowed)
        #expect(town.get("/gpslogger?lat=1&lon=2&time=2023-11-14T22:13:20Z&key=secret").status == .ok)
        #expect(town.server.post("/dawarich/api/v1/points?api_key=secret", Self.batch).status == .ok)
        #expect(town.server.post("/overland", Self.batch, [(.authorization, "Bearer wrong")]).status == .unauthorized)
        #expect(
            town.server.post("/overland", Self.batch, [(.origin, "http://elsewhere.example")]).status == .unauthorized)
        #expect(town.server.post("/v1/record/x/flush", "", [(.authorization, "Bearer secret")]).status == .ok)
        #expect(try devices(town) == ["9 1", "gpslogger 1", "iphone 1"])
        // The token was not stored as a field.
        let names = try town.library.database.tracks(limit: 100)?.tracks.map(\.number) ?? []
        for number in names {
            try town.library.database.forEachChunk(ofTrack: number) { chunk in
                #expect(!chunk.fields.contains { $0.name == "key" || $0.name == "api_key" })
            }
        }
    }

    @Test func `a recorder's token determines person and device`() throws {
        let town = try Town { $0.tokens = OneToken(caller: .recorder(device: "watch", person: "ada")) }
        let token: [(HeaderName, String)] = [(.authorization, "Bearer secret")]
        #expect(town.server.post("/owntracks", Self.location, token).status == .ok)
        #expect(town.server.post("/overland", Self.batch, token).status == .ok)
        let point = #"{"t":1700000060,"lon":13.4,"lat":52.5}"#
        #expect(town.server.post("/v1/record/watch", point, token).status == .ok)
        #expect(town.server.post("/v1/record/phone", point, token).status == .forbidden)
        #expect(town.server.post("/v1/record/phone/flush", "", token).status == .forbidden)
        #expect(town.server.post("/v1/record/watch/stop", "", token).status == .ok)
        #expect(try devices(town) == ["watch 2 of ada"])
        let viewer = try Town { $0.tokens = OneToken(caller: .viewer) }
        #expect(viewer.server.post("/owntracks", Self.location, token).status == .forbidden)
    }

    @Test func `live readers receive points before they are in the library`() throws {
        let town = try Town()
        guard case .events(let channel) = town.get("/v1/live").body else {
            Issue.record("no stream")
            return
        }
        let ready = DispatchSemaphore(value: 0)
        channel.open { ready.signal() }
        defer { channel.close() }
        #expect(
            town.server.post("/v1/record/phone", #"{"t":1700000000,"lon":13.4,"lat":52.5,"speed":1.5}"#).status == .ok)
        var heard = ""
        while !heard.contains("event: point") {
            switch channel.take(upTo: 4096, orWait: {}) {
            case .bytes(let bytes): heard += String(decoding: bytes, as: UTF8.self)
            case .waiting: try #require(ready.wait(timeout: .now() + 20) == .success)
            case .ended, .closed:
                Issue.record("the stream has ended: \(heard)")
                return
            }
        }
        #expect(heard.contains(#"{"device":"phone","t":1700000000000,"p":[13.4,52.5],"v":1.5}"#), "\(heard)")
    }

    @Test func `recorded points are in the library after the server has stopped`() throws {
        let town = try Town { $0.recording.samplingMilliseconds = 10_000 }
        for second in [3, 1, 2] {
            _ = town.server.post("/v1/record/phone", #"{"t":170000000\#(second),"lon":13.4,"lat":52.5}"#)
        }
        town.server.stop()
        #expect(try devices(town) == ["phone 1"])
        #expect(town.server.post("/v1/record/phone", #"{"t":9,"lon":13.4,"lat":52.5}"#).status == .serviceUnavailable)
    }
}
