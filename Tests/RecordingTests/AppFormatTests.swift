import Recording
import Testing
import Text
import Tracks

/// What apps send, as their source code writes it.
@Suite struct AppFormatTests {
    @Test func `Colota's own JSON has its speed in metres per second, under any name its user has chosen`() throws {
        let line = "- 1704067200000 -0.043945 51.495065 battery=85 bs=2 course=180.5 ele=519 hacc=12 speed=1.5"
        for course in ["bear", "cog", "bearing"] {
            let body = """
                {"lat":51.495065,"lon":-0.043945,"acc":12,"alt":519,"vel":1.5,"batt":85,"bs":2,"tst":1704067200,"\(course)":180.5}
                """
            #expect(try lines(RecordingFormat.colota.read(request(body))) == [line])
        }
        let renamed = """
            {"latitude":51.495065,"longitude":-0.043945,"accuracy":12,"altitude":519,"speed":1.5,"battery":85,"bs":2,"timestamp":1704067200,"direction":180.5}
            """
        #expect(try lines(RecordingFormat.colota.read(request(renamed))) == [line])
        let ownTracks = #"{"_type":"location","tid":"AA","lat":51.5,"lon":-0.04,"vel":2.5,"tst":1704067200}"#
        #expect(
            try lines(RecordingFormat.colota.read(request(ownTracks)))
                == ["AA 1704067200000 -0.04 51.5 speed=2.5 tid='AA'"])
        let query = "id=my-phone&lat=52.12345&lon=-2.12345&accuracy=15&speed=5&batt=85&charge=2&timestamp=1739362800"
        #expect(
            try lines(RecordingFormat.colota.read(request("", query)))
                == ["my-phone 1739362800000 -2.12345 52.12345 battery=85 charge=2 hacc=15 speed=5"])
    }

    @Test func `Colota's batches and its form of Traccar are recognised`() throws {
        let batch = """
            {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[-0.043945,51.495065]},"properties":{
            "timestamp":"2026-05-09T12:34:56Z","horizontal_accuracy":12,"altitude":519,"speed":0,"course":180.5,
            "battery_level":0.85,"battery_state":"charging"}}],"device_id":"colota"}
            """
        let line =
            "colota 1778330096000 -0.043945 51.495065 battery=85 battery_state='charging' course=180.5 ele=519 hacc=12 speed=0"
        #expect(try lines(RecordingFormat.colota.read(request(batch))) == [line])
        #expect(try lines(RecordingFormat.dawarich.read(request(batch))) == [line])
        let traccar = """
            {"location":{"timestamp":"2025-02-12T13:00:00Z","coords":{"latitude":52.12345,"longitude":-2.12345,"accuracy":15,
            "altitude":380,"speed":5,"heading":180},"battery":{"level":0.85,"is_charging":false}},"device_id":"colota"}
            """
        let traccarLine =
            "colota 1739365200000 -2.12345 52.12345 battery=85 battery.is_charging='false' course=180 ele=380 hacc=15 speed=5"
        for format in [RecordingFormat.colota, .osmAnd] {
            #expect(try lines(format.read(request(traccar))) == [traccarLine])
        }
    }

    @Test func `Dawarich's app sends a flat location, with the battery beside it`() throws {
        let body = """
            {"device_id":"iphone-frey","location":{"timestamp":"2026-04-23T12:34:56Z","latitude":52.52,"longitude":13.405,
            "accuracy":5,"speed":1.4,"heading":90,"altitude":42,"is_moving":true,"odometer":1200,"event":"motionchange"},
            "battery":{"level":0.85,"is_charging":true},"activity":{"type":"walking"}}
            """
        let line =
            "iphone-frey 1776947696000 13.405 52.52 activity.type='walking' battery=85 battery.is_charging='true' course=90"
            + " ele=42 event='motionchange' hacc=5 is_moving='true' odometer=1200 speed=1.4"
        for format in [RecordingFormat.dawarich, .osmAnd] {
            #expect(try lines(format.read(request(body))) == [line])
        }
    }

    @Test func `a message of OwnTracks to Dawarich has its speed in km per hour only with a topic`() throws {
        let plain = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1700000000,"vel":36,"cog":90}"#
        let topic = plain.replacing(#""vel""#, with: #""topic":"owntracks/ada/pixel","vel""#)
        #expect(
            try lines(RecordingFormat.dawarich.read(request(plain)))
                == ["- 1700000000000 13.4 52.5 course=90 speed=36"])
        #expect(
            try lines(RecordingFormat.dawarich.read(request(topic)))
                == ["pixel 1700000000000 13.4 52.5 course=90 speed=10"])
        #expect(try RecordingFormat.dawarich.read(request(#"{"_type":"lwt","tst":1700000000}"#)).points == 0)
    }

    /// From GPSLogger's `DawarichBatchLocation`.
    @Test func `GPSLogger's batch for Dawarich has the battery in per cent`() throws {
        let body = """
            {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{
            "timestamp":"2026-07-04T08:16:03.062+02:00","altitude":34.5,"speed":1.25,"horizontal_accuracy":8,"activity":"unknown",
            "significant_change":"disabled","locations_in_payload":1,"device_id":"pixel","wifi":"unknown",
            "battery_state":"unplugged","battery_level":64}}]}
            """
        let batch = try RecordingFormat.dawarich.read(request(body))
        #expect(lines(batch).first?.hasPrefix("pixel 1783145763062 13.4 52.5 activity='unknown' battery=64 ") == true)
    }

    @Test func `PhoneTrack sends one point as parameters, or several as lists`() throws {
        let form =
            "acc=8.0&alt=34.5&lat=52.5&lon=13.4&bat=64&sat=9&bearing=90.0&speed=1.5&timestamp=1700000000&useragent=PhoneTrack%2F1.0"
        let line =
            "- 1700000000000 13.4 52.5 battery=64 course=90 ele=34.5 hacc=8 sat=9 speed=1.5 useragent='PhoneTrack/1.0'"
        #expect(try lines(RecordingFormat.phoneTrack.read(request(form))) == [line])
        let many = """
            {"points":[[52.5,13.4,1700000000,34.5,8,64,9,"PhoneTrack/1.0",1.5,90],["52.6","13.5","1700000060","","","","","","",""],[1,2]]}
            """
        let batch = try RecordingFormat.phoneTrack.read(request(many))
        // A point without a time gets the present one.
        #expect(lines(batch).prefix(2) == [line, "- 1700000060000 13.5 52.6"])
        #expect(batch.points == 3)
        #expect(
            try lines(RecordingFormat.phoneTrack.read(request("", "lat=1&lon=2&datetime=2023-11-14T22:13:20Z")))
                == ["- 1700000000000 2.0 1.0"])
        #expect(throws: RecordingError.self) { try RecordingFormat.phoneTrack.read(request(#"{"points":{}}"#)) }
    }

    @Test func `a position of μlogger with a comment is a waypoint`() throws {
        let form =
            "altitude=34.5&bearing=90.0&lon=13.4&accuracy=8&provider=gps&trackid=7&time=1700000000&action=addpos&speed=1.5&lat=52.5"
        let fields = "course=90 ele=34.5 hacc=8 provider='gps' speed=1.5 trackid=7"
        #expect(
            try lines(RecordingFormat.uLogger.read(request(form))) == ["- 1700000000000 13.4 52.5 \(fields)"])
        let named = try RecordingFormat.uLogger.read(request(form + "&comment=a+bench"))
        #expect(lines(named).first?.contains("mark=1 name='a bench'") == true)
        #expect(try RecordingFormat.uLogger.read(request("action=addtrack&track=Auto_1")).points == 0)
        #expect(throws: RecordingError.self) { try RecordingFormat.uLogger.read(request("action=adduser")) }
    }

    /// From GPSLogger's `OpenGTSManager`, and from `PositionForwarderUrl` of Traccar's server.
    @Test func `OpenGTS has place, time and speed in an NMEA sentence`() throws {
        let gpsLogger = "$GPRMC,221320,A,5230.00000,N,1324.00000,W,2.915766,90.000000,141123,,*3C"
        let batch = try RecordingFormat.openGTS.read(
            request("", "id=phone&dev=phone&acct=secret&batt=64&code=0xF020&alt=34.5&gprmc=\(gpsLogger)"))
        #expect(
            lines(batch).first?.hasPrefix(
                "phone 1700000000000 -13.4 52.5 battery=64 code='0xF020' course=90 ele=34.5 speed=1.4999") == true,
            "\(lines(batch))")
        #expect(batch.points == 1)
        let traccar = "$GPRMC,221320.123,A,5230.0000,S,01324.0000,E,0.00,0.00,141123,,*00"
        let forwarded = try RecordingFormat.openGTS.read(request("", "dev=9&code=0xF020&gprmc=\(traccar)"))
        #expect(lines(forwarded) == ["9 1700000000123 13.4 -52.5 code='0xF020' course=0 speed=0"])
        for sentence in ["", "$GPRMC,221320,V,,,,,,,141123,,", "$GPGGA,221320,5230,N,01324,E", "noise"] {
            let refused = try RecordingFormat.openGTS.read(request("", "dev=9&acct=secret&gprmc=\(sentence)"))
            #expect(refused.points == 0 && refused.refused.map(\.kind) == [.place], "\(sentence)")
            #expect(refused.refused.allSatisfy { !String(decoding: $0.raw, as: UTF8.self).contains("secret") })
        }
    }

    /// From `PositionForwarderJson` and `PositionForwarderUrl` of Traccar's server.
    @Test func `a Traccar server forwards positions as JSON or in a URL, with the speed in knots`() throws {
        let json = """
            {"position":{"id":12,"attributes":{"batteryLevel":64.0,"distance":0.5,"motion":true,"battery":3.9},"deviceId":1,
            "protocol":"osmand","serverTime":"2023-11-14T22:13:25.000+00:00","deviceTime":"2023-11-14T22:13:21.000+00:00",
            "fixTime":"2023-11-14T22:13:20.000+00:00","outdated":false,"valid":true,"latitude":52.5,"longitude":13.4,"altitude":34.5,
            "speed":10.0,"course":90.0,"address":null,"accuracy":0.0,"network":null,"geofenceIds":null},
            "device":{"id":1,"name":"Ada's phone","uniqueId":"123456","status":"online"}}
            """
        let line =
            "123456 1700000000000 13.4 52.5 battery=64 battery_volts=3.9 course=90 distance=0.5 ele=34.5 motion='true'"
            + " protocol='osmand' speed=5.1444"
        let batch = try RecordingFormat.traccar.read(request(json))
        #expect(batch.points == 1)
        #expect(lines(batch).first?.hasPrefix(line) == true, "\(lines(batch))")
        let url =
            "name=Ada&uniqueId=123456&status=online&deviceId=1&protocol=osmand&deviceTime=1700000001000&fixTime=1700000000000"
            + "&valid=true&latitude=52.5&longitude=13.4&altitude=34.5&speed=10.0&course=90.0&accuracy=5.0&statusCode=0xF11C"
            + "&address={address}&attributes={\"batteryLevel\":64.0}"
        #expect(
            try lines(RecordingFormat.traccar.read(request("", url))).first?.hasPrefix(
                "123456 1700000000000 13.4 52.5 battery=64 course=90 ele=34.5 hacc=5 protocol='osmand' speed=5.1444")
                == true)
        #expect(try RecordingFormat.traccar.read(request(url.replacing("{address}", with: ""))).points == 1)
        #expect(throws: RecordingError.self) { try RecordingFormat.traccar.read(request(#"{"device":{}}"#)) }
        let sentence = "id=9&gprmc=$GPRMC,221320.000,A,5230.0000,N,01324.0000,E,10.00,90.00,141123,,*00"
        #expect(
            try lines(RecordingFormat.traccar.read(request("", sentence))).first?.hasPrefix(
                "9 1700000000000 13.4 52.5 course=90 speed=5.1444") == true)
    }

    /// From `WebhookUpdateLocation` of Home Assistant's app, and a state as automations forward it.
    @Test func `Home Assistant's app sends places without a time, its automations states`() throws {
        let message = """
            {"type":"update_location","data":{"gps":[52.5,13.4],"gps_accuracy":8,"battery":64,"speed":1.5,"altitude":34.5,"course":90,
            "vertical_accuracy":4,"location_name":"home","in_zones":["zone.home"]}}
            """
        #expect(
            try lines(RecordingFormat.homeAssistant.read(request(message, "device=phone"))) == [
                "phone 1700000000123 13.4 52.5 battery=64 course=90 ele=34.5 hacc=8 in_zones='zone.home'"
                    + " location_name='home' speed=1.5 vacc=4"
            ])
        let state = """
            {"entity_id":"device_tracker.pixel","state":"not_home","attributes":{"source_type":"gps","battery_level":64,"latitude":52.5,
            "longitude":13.4,"gps_accuracy":8,"friendly_name":"Pixel"},"last_changed":"2023-11-14T20:00:00+00:00",
            "last_updated":"2023-11-14T22:13:20+00:00","context":{"id":"x"}}
            """
        #expect(
            try lines(RecordingFormat.homeAssistant.read(request(state)))
                == ["pixel 1700000000000 13.4 52.5 battery=64 hacc=8 state='not_home'"])
        #expect(
            try lines(
                RecordingFormat.homeAssistant.read(
                    request(#"{"location":{"latitude":52.5,"longitude":13.4},"t":1700000000}"#)))
                == ["- 1700000000000 13.4 52.5"])
        for other in [
            #"{"type":"update_sensor_states","data":[{"unique_id":"x"}]}"#,
            #"{"type":"update_location","data":{"location_name":"home"}}"#,
        ] {
            let batch = try RecordingFormat.homeAssistant.read(request(other))
            #expect(batch.points == 0 && batch.refusedPoints == 0)
        }
        #expect(try RecordingFormat.homeAssistant.read(request(#"{"battery_level":5}"#)).refusedPoints == 1)
    }

    @Test func `GeoJSON Features with a point are stored as points of our own format`() throws {
        let feature = """
            {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5,34.5]},"properties":{"time":"2023-11-14T22:13:20Z","speed":1.5}}
            """
        let line = "- 1700000000000 13.4 52.5 ele=34.5 speed=1.5"
        let collection = "{\"type\":\"FeatureCollection\",\"features\":[\(feature)]}"
        for body in [feature, collection, "[\(feature)]", "\(feature)\n", "{\"points\":[\(feature)]}"] {
            #expect(try lines(RecordingFormat.own.read(request(body))) == [line], "\(body)")
        }
        let street = feature.replacing(
            #""Point","coordinates":[13.4,52.5,34.5]"#, with: #""LineString","coordinates":[[1,2],[3,4]]"#)
        let mixed = try RecordingFormat.own.read(
            request("{\"type\":\"FeatureCollection\",\"features\":[\(street),\(feature)]}"))
        #expect(lines(mixed) == [line] && mixed.refused.map(\.kind) == [.shape])
        #expect(mixed.refused[0].reason.contains("LineString"))
        #expect(throws: RecordingError.self) {
            try RecordingFormat.own.read(request(#"{"type":"FeatureCollection","features":7}"#))
        }
    }
}
