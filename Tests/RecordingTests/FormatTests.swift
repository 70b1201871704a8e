import Recording
import Testing
import Text
import Tracks

@Suite("Decoding of the apps' formats")
struct FormatTests {
    @Test func `The native format as a list, a single point and one point per line`() throws {
        let point =
            #"{"t":1700000000,"lon":13.4,"lat":52.5,"ele":34.5,"speed":1.25,"mark":true,"hr":80,"wind":{"from":"NW"}}"#
        let line = "- 1700000000000 13.4 52.5 ele=34.5 hr=80 mark=1 speed=1.25 wind.from='NW'"
        let other = #"{"time":"2023-11-14T22:13:21+00:00","longitude":-180,"latitude":-90}"#
        let otherLine = "- 1700000001000 -180.0 -90.0"
        for body in [
            "{\"points\":[\(point),\(other)]}", "[\(point),\(other)]", "\(point)\n\(other)\n", "\(point)\r\n\(other)",
        ] {
            #expect(try lines(RecordingFormat.own.read(request(body))) == [line, otherLine])
        }
        #expect(try lines(RecordingFormat.own.read(request(point))) == [line])
        #expect(
            try lines(RecordingFormat.own.read(request(#"{"t":1700000000123,"lon":1,"lat":2}"#)))[0].hasPrefix(
                "- 1700000000123"))
    }

    @Test func `Invalid points are refused individually, with the reason`() throws {
        let body = """
            {"points":[{"t":1,"lon":812,"lat":2},{"t":2,"lon":1,"lat":2},{"lon":1,"lat":2},{"t":3},{"t":4,"lon":1,"lat":-91},7,
            {"t":"noon","lon":1,"lat":2},{"t":5,"lon":null,"lat":"NaN"}]}
            """
        let batch = try RecordingFormat.own.read(request(body))
        #expect(batch.points == 1)
        #expect(lines(batch) == ["- \(PointColumns.untimed) 1.0 2.0 implausible_time=2000"])
        #expect(batch.refusedPoints == 7)
        #expect(batch.refused.map(\.point) == [1, 3, 4, 5, 6, 7, 8])
        #expect(batch.refused[0].reason == "longitude 812 is outside -180 to 180")
        #expect(batch.refused[3].reason == "latitude -91 is outside -90 to 90")
    }

    @Test func `An invalid line is refused individually, an invalid body as a whole`() throws {
        let batch = try RecordingFormat.own.read(
            request("{\"t\":1,\"lon\":1,\"lat\":2}\n{\"t\":2,\"lon\n{\"t\":3,\"lon\":1,\"lat\":2}\n"))
        #expect(batch.points == 2)
        #expect(batch.refused.map(\.point) == [2])
        for body in ["", "{\"points\":[{\"t\":1", "<gpx/>", "\u{0}\u{1}", "{\"a\":\n\n"] {
            #expect(throws: RecordingError.self) { try RecordingFormat.own.read(request(body)) }
        }
    }

    @Test func `A heading without coordinates is a change of heading after the previous point`() throws {
        let body = """
            {"heading":1,"t":0}
            {"t":1700000000,"lon":1,"lat":2}
            {"t":1700000001,"heading":271.5}
            {"t":1700000002,"heading":280}
            {"t":1700000003,"lon":1,"lat":2}
            """
        let batch = try RecordingFormat.own.read(request(body))
        #expect(
            lines(batch) == [
                "- 1700000000000 1.0 2.0", "- 1700000003000 1.0 2.0",
            ])
        #expect(
            batch.devices.flatMap(\.headings).map(\.text)
                == ["2023-11-14T22:13:21Z 271.5", "2023-11-14T22:13:22Z 280"])
        #expect(batch.refused.map(\.point) == [1])
    }

    @Test func `A waypoint without a time gets the current time`() throws {
        #expect(
            try lines(RecordingFormat.waypoint.read(request(#"{"lon":13.4,"lat":52.5,"name":"a bench"}"#)))
                == ["- 1700000000123 13.4 52.5 mark=1 name='a bench'"])
        #expect(
            try lines(RecordingFormat.waypoint.read(request("", "lon=13.4&lat=52.5&t=1600000000&key=secret")))
                == ["- 1600000000000 13.4 52.5 mark=1"])
        #expect(try RecordingFormat.waypoint.read(request("", "lon=13.4")).refusedPoints == 1)
    }

    /// From OwnTracks' booklet, as iOS and Android send it.
    @Test func `OwnTracks sends locations in km per hour`() throws {
        let body = """
            {"_type":"location","acc":65,"alt":67,"batt":47,"bs":2,"BSSID":"b0:f2:8:45:94:33","SSID":"Home","conn":"w","created_at":1638288560,
            "inregions":["Home"],"lat":52.5,"lon":13.4,"m":1,"p":101.3,"t":"t","tid":"p1","topic":"owntracks/ada/pixel","tst":1638288559,"vac":8,"vel":36,"cog":270}
            """
        #expect(
            try lines(RecordingFormat.ownTracks.read(request(body))) == [
                "pixel 1638288559000 13.4 52.5 BSSID='b0:f2:8:45:94:33' SSID='Home' battery=47 bs=2 conn='w' course=270"
                    + " created_at=1638288560 ele=67 hacc=65 inregions='Home' m=1 p=101.3 speed=10 t='t' tid='p1' vacc=8"
            ])
        for other in [
            "", #"{"_type":"transition","lat":1,"lon":2,"tst":3,"event":"enter"}"#,
            #"{"_type":"waypoints","waypoints":[]}"#, "[]",
        ] {
            let batch = try RecordingFormat.ownTracks.read(request(other))
            #expect(batch.points == 0 && batch.refusedPoints == 0)
        }
        #expect(try RecordingFormat.ownTracks.read(request(#"{"_type":"encrypted","data":"x"}"#)).refusedPoints == 1)
        var headed = request(#"{"_type":"location","lat":1,"lon":2,"tst":3,"tid":"p1"}"#)
        headed.headerDevice = "watch"
        #expect(try RecordingFormat.ownTracks.read(headed).devices.map(\.name) == ["watch"])
    }

    /// From Overland's README.
    @Test(arguments: [RecordingFormat.overland, .dawarich])
    func `Overland sends Features with the battery as a fraction`(format: RecordingFormat) throws {
        let body = """
            {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-122.030581,37.331800]},"properties":{
            "timestamp":"2015-10-01T08:00:00-0700","altitude":0,"speed":4,"horizontal_accuracy":30,"vertical_accuracy":-1,
            "motion":["driving","stationary"],"pauses":false,"activity":"other_navigation","desired_accuracy":100,"deferred":1000,
            "significant_change":"disabled","locations_in_payload":1,"battery_state":"charging","battery_level":0.89,"device_id":"","wifi":""}},
            {"type":"Feature","geometry":null,"properties":{"timestamp":"2015-10-01T08:00:01Z","device_id":"x"}}],
            "current":{},"trip":{"distance":1}}
            """
        let batch = try format.read(request(body))
        #expect(
            lines(batch) == [
                "- 1443711600000 -122.030581 37.3318 activity='other_navigation' battery=89 battery_state='charging' deferred=1000"
                    + " desired_accuracy=100 hacc=30 locations_in_payload=1 motion='driving,stationary' pauses='false'"
                    + " significant_change='disabled' speed=4"
            ])
        #expect(batch.refused.map(\.point) == [2])
        #expect(throws: RecordingError.self) { try format.read(request("{}")) }
        #expect(try format.read(request(#"{"locations":[]}"#)).points == 0)
    }

    @Test func `Traccar's parameters are in knots, its JSON in m/s`() throws {
        let query =
            "id=123456&timestamp=1700000000&lat=52.5&lon=13.4&speed=10&bearing=90.5&altitude=34.0&accuracy=5.0&batt=77.5&charge=true"
        let line = "123456 1700000000000 13.4 52.5 battery=77.5 charge='true' course=90.5 ele=34 hacc=5 speed=5.144"
        #expect(try lines(RecordingFormat.osmAnd.read(request("", query))) == [line])
        #expect(
            try lines(
                RecordingFormat.osmAnd.read(
                    request("", "deviceid=a&location=52.5,13.4&timestamp=1700000000000&heading=1")))
                == ["a 1700000000000 13.4 52.5 course=1"])
        #expect(
            try lines(
                RecordingFormat.osmAnd.read(
                    request("", "id=o&lat=52.5&lon=13.4&speed_mps=2.5&hdop=3.9&timestamp=1700000000999")))
                == ["o 1700000000999 13.4 52.5 hdop=3.9 speed=2.5"])
        #expect(
            try lines(RecordingFormat.osmAnd.read(request("", "lat=52.5&lon=13.4"))) == ["- 1700000000123 13.4 52.5"])
        #expect(try RecordingFormat.osmAnd.read(request("", "lat=52.5&lon=13.4&timestamp=soon")).refusedPoints == 1)
        let body = """
            {"location":{"timestamp":"2025-06-01T10:00:00.500Z","coords":{"latitude":52.5,"longitude":13.4,"accuracy":8.2,"speed":1.5,"heading":270,
            "altitude":34.1},"is_moving":true,"odometer":1000,"event":"motionchange","battery":{"level":0.9,"is_charging":false},
            "activity":{"type":"walking"},"extras":{}},"device_id":"98765"}
            """
        #expect(
            try lines(RecordingFormat.osmAnd.read(request(body))) == [
                "98765 1748772000500 13.4 52.5 activity.type='walking' battery=90 battery.is_charging='false' course=270 ele=34.1"
                    + " event='motionchange' hacc=8.2 is_moving='true' odometer=1000 speed=1.5"
            ])
    }

    @Test func `GPSLogger's parameter names are chosen by its user`() throws {
        #expect(
            try lines(
                RecordingFormat.gpsLogger.read(
                    request(
                        "",
                        "lat=52.5&longitude=13.4&time=2025-06-01T10:00:00.000Z&s=1.5&acc=4.0&dir=12.5&alt=30.0&batt=50.0&sat=9&prov=gps&desc="
                    )))
                == ["- 1748772000000 13.4 52.5 battery=50 course=12.5 ele=30 hacc=4 prov='gps' sat=9 speed=1.5"])
        #expect(
            try lines(
                RecordingFormat.gpsLogger.read(request("", "id=x&lat=52.5&lon=13.4&timestamp=1700000000&desc=a gate")))
                == ["x 1700000000000 13.4 52.5 mark=1 name='a gate'"])
        #expect(
            try lines(
                RecordingFormat.gpsLogger.read(request(#"{"lat":52.5,"lon":"13.4","timestamp":1700000000,"spd":2}"#)))
                == ["- 1700000000000 13.4 52.5 speed=2"])
    }

    @Test func `Many points are split into several chunks`() throws {
        let body = (0..<10_000).map { "{\"t\":\($0),\"lon\":1,\"lat\":2}" }.joined(separator: "\n")
        let batch = try RecordingFormat.own.read(request(body))
        #expect(batch.devices.first?.chunks.map(\.count) == [4096, 4096, 1808])
    }

    @Test func `No input crashes a reader`() throws {
        var seed: UInt64 = 1
        let sound = Array(
            #"{"points":[{"t":1700000000,"lon":13.4,"lat":52.5,"é":"\u00e9"}],"locations":[],"_type":"location","location":{}}"#
                .utf8)
        for _ in 0..<2000 {
            var bytes = sound
            for _ in 0..<3 {
                seed = seed &* 6_364_136_223_846_793_005 &+ 1
                bytes[Int(seed >> 33) % bytes.count] = UInt8(truncatingIfNeeded: seed >> 20)
            }
            for format in RecordingFormat.allCases {
                let parameters = [
                    (name: "lat", value: String(decoding: bytes, as: UTF8.self)), (name: "lon", value: "1e400"),
                ]
                let batch = try? format.read(RecordingRequest(body: bytes, parameters: parameters, now: 0))
                #expect((batch?.points ?? 0) <= 1)
            }
        }
    }
}
