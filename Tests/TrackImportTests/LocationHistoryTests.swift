import Testing
import TrackImport
import Tracks

private let records = """
    {"locations": [
    {"latitudeE7": 515000000, "longitudeE7": -1200000, "accuracy": 5, "altitude": 62, "velocity": 3, "heading": 90,
     "source": "GPS", "deviceTag": -11, "timestamp": "2024-05-01T08:00:00.5Z",
     "activity": [{"activity": [{"type": "ON_FOOT", "confidence": 9}], "timestamp": "2024-05-01T08:00:00Z"}]},
    {"latitudeE7": 516000000, "longitudeE7": 4293767296, "timestampMs": "1714550401000", "deviceTag": 22},
    {"latitudeE7": 2147483647, "longitudeE7": 1, "timestamp": "2024-05-01T08:00:00Z", "deviceTag": 22},
    {"timestamp": "2024-05-01T08:00:00Z", "deviceTag": 22},
    {"latitudeE7": 517000000, "longitudeE7": -1200000, "timestamp": "2024-05-01T08:00:02Z", "deviceTag": -11}]}
    """

@Suite struct GoogleTests {
    @Test func `Records go to the streams of their devices`() {
        let result = imported(records)
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.format == .google)
        #expect(result.recordings.map(\.header.device) == ["-11", "22"])
        #expect(result.recordings[0].points.map(\.time) == [1_714_550_400_500, 1_714_550_402_000])
        #expect(result.recordings[0].points.map(\.latitude) == [51_500_000_000, 51_700_000_000])
        #expect(result.recordings[0].field("hacc") == ["5", nil])
        #expect(result.recordings[0].field("speed") == ["3", nil])
        #expect(result.recordings[0].field("activity") == ["ON_FOOT", nil])
        #expect(result.recordings[0].field("source") == ["GPS", nil])
        #expect(result.receipt.refused.first.map(\.what) == [.latitude("214.7483647"), .noPlace])
    }

    @Test func `Western longitudes written as unsigned numbers are corrected`() {
        #expect(imported(records).recordings[1].points.map(\.longitude) == [-120_000_000])
    }

    @Test func `Of a repeated member, the first value counts`() {
        let result = imported(
            """
            {"locations": [
            {"latitudeE7": 515000000, "latitudeE7": 7, "longitudeE7": -1200000, "longitudeE7": 7, "deviceTag": 1,
             "deviceTag": 2, "timestamp": "2024-05-01T08:00:00Z", "timestamp": "2020-05-01T08:00:00Z"},
            {"latitudeE7": 517000000, "longitudeE7": -1200000, "timestamp": "2024-05-01T08:00:02Z", "deviceTag": 1}]}
            """)
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.map(\.header.device) == ["1"])
        #expect(result.recordings.first?.points.map(\.latitude) == [51_500_000_000, 51_700_000_000])
        #expect(result.recordings.first?.points.map(\.time) == [1_714_550_400_000, 1_714_550_402_000])
    }

    @Test func `Activity segments are recordings and place visits are segments of two points`() {
        let duration =
            "\"duration\": {\"startTimestamp\": \"2024-05-01T08:00:00Z\", \"endTimestampMs\": \"1714550460000\"}"
        let result = imported(
            """
            {"timelineObjects": [
            {"placeVisit": {"location": {"latitudeE7": 10000000, "longitudeE7": 20000000, "name": "Pub"}, \(duration)}},
            {"activitySegment": {"startLocation": {"latitudeE7": 0, "longitudeE7": 0}, \(duration), "activityType": "CYCLING",
             "simplifiedRawPath": {"points": [{"latE7": 1, "lngE7": 2, "timestampMs": "1714550401000", "accuracyMeters": 9}]}}},
            {"activitySegment": {"startLocation": {"latitudeE7": 1, "longitudeE7": 1}, "endLocation": {"latitudeE7": 3,
             "longitudeE7": 3}, \(duration), "waypointPath": {"waypoints": [{"latE7": 2, "lngE7": 2}]}}}]}
            """)
        #expect(result.recordings.map(\.points.count) == [2, 1, 3])
        #expect(result.recordings.map(\.header.activity) == [nil, "cycling", nil])
        // One pin.
        #expect(result.recordings[0].field("name") == ["Pub", nil])
        #expect(result.recordings[0].points.map(\.time) == [1_714_550_400_000, 1_714_550_460_000])
        #expect(Set(result.recordings[0].points.map(\.longitude)) == [2_000_000_000])
        #expect(
            result.recordings[2].points.map(\.time) == [1_714_550_400_000, PointColumns.untimed, 1_714_550_460_000])
    }

    @Test func `Phone exports are a stream with visits and raw signals`() {
        let android = imported(
            """
            {"semanticSegments": [{"startTime": "2024-05-01T10:00:00.000+02:00", "endTime": "2024-05-01T11:00:00.000+02:00",
            "timelinePath": [{"point": "51.5°, -0.12°", "time": "2024-05-01T10:00:01.000+02:00"}]},
            {"startTime": "2024-05-01T10:00:02.000+02:00", "endTime": "2024-05-01T10:00:03.000+02:00", "activity":
            {"start": {"latLng": "51.6°, 0.1°"}, "end": {"latLng": "51.7°, 0.1°"}, "topCandidate": {"type": "WALKING"}}}],
            "rawSignals": [{"wifiScan": {}}, {"position": {"LatLng": "51.8°, 0.1°", "accuracyMeters": 13,
            "timestamp": "2024-05-01T10:00:04.000+02:00"}}]}
            """)
        #expect(android.recordings.map(\.header.device) == ["timeline", "timeline-raw"])
        #expect(android.recordings[0].points.map { ($0.time - 1_714_550_400_000) / 1000 } == [1, 2, 3])
        #expect(android.recordings[0].points[0].longitude == -120_000_000)
        #expect(android.recordings[0].field("activity") == [nil, "WALKING", "WALKING"])
        #expect(android.recordings[1].field("hacc") == ["13"])
        let phone = imported(
            """
            [{"startTime": "2024-05-01T10:00:00.000+02:00", "endTime": "2024-05-01T11:00:00.000+02:00", "timelinePath":
            [{"point": "geo:51.5,-0.12", "durationMinutesOffsetFromStartTime": "7"}]},
            {"startTime": "2024-05-01T12:00:00.000+02:00", "visit": {"topCandidate": {"placeLocation": "geo:1.5,2.5"}}}]
            """)
        #expect(phone.receipt.format == .google)
        #expect(phone.recordings.flatMap(\.points).map(\.time) == [1_714_550_820_000, 1_714_557_600_000])
        #expect(phone.recordings.flatMap(\.points).map(\.latitude) == [51_500_000_000, 1_500_000_000])
    }

    @Test func `A truncated file keeps its complete points or fails`() {
        let bytes = Array(records.utf8)
        for length in 0..<bytes.count {
            let result = imported(Array(bytes[..<length]))
            #expect(result.receipt.failure != nil, "\(length)")
            #expect(result.sink.openCount == 0)
        }
        #expect(imported(Array(bytes.dropLast(2))).receipt.outcome.points == 3)
    }

    @Test func `A file with flipped bits is handled`() {
        handlesFlippedBits(Array(records.utf8))
    }
}

private let recorded = """
    2024-05-01T08:00:00.797Z\tlwt               \t{"_type":"lwt","tst":"1714550400"}
    2024-05-01T08:00:00.797Z\t*                 \t{"_type":"location","tid":"js","lat":51.5,"lon":-0.12,"tst":1714550400,"acc":10,"batt":88,"vel":36,"conn":"m"}
    2024-05-01T08:00:01Z\towntracks/ada/phone\t{"_type":"location","lat":51.6,"lon":-0.12,"tst":1714550401}
    2024-05-01T08:00:01Z\t*                 \t{"_type":"location","tid":"js","lat":95,"lon":-0.12,"tst":1714550401}
    2024-05-01T08:00:01Z\t*                 \t{"_type":"location"
    """

@Suite struct OwnTracksTests {
    @Test func `Locations go to the streams of their devices`() {
        let result = imported(recorded)
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.format == .owntracks)
        #expect(result.recordings.map(\.header.device) == ["js", "phone"])
        #expect(result.recordings[0].points.map(\.time) == [1_714_550_400_000])
        #expect(result.recordings[0].field("hacc") == ["10"])
        #expect(result.recordings[0].field("battery") == ["88"])
        #expect(result.recordings[0].field("speed") == ["10"])
        #expect(result.recordings[0].field("conn") == ["m"])
        #expect(
            result.receipt.refused.first == [
                Finding(line: 4, what: .latitude("95")), Finding(line: 5, what: .brokenEntry),
            ])
    }

    @Test func `A speed with many decimals is converted, and one that is too large is kept as it is`() {
        func fields(_ speed: String) -> CollectedRecording {
            imported(
                "2024-05-01T08:00:00Z\t*\t{\"_type\":\"location\",\"lat\":51.5,\"lon\":-0.12,\"tst\":1714550400,\"vel\":\(speed)}\n"
            ).recordings[0]
        }
        // As in a message that an app sends.
        #expect(fields("35.123456789012").field("speed") == ["9.756515775"])
        #expect(fields("35.123456789").field("speed") == ["9.756515774722"])
        #expect(fields("9000000000000000").field("vel") == ["9000000000000000"])
    }

    @Test func `JSON from the API of the recorder is read`() {
        let result = imported(
            "{\"count\":1,\"data\":[{\"_type\":\"location\",\"tid\":\"js\",\"lat\":1,\"lon\":2,\"tst\":1714550400}]}")
        #expect(result.receipt.format == .owntracks)
        #expect(result.recordings.flatMap(\.points).map(\.longitude) == [2_000_000_000])
    }

    @Test func `A file with flipped bits is handled`() {
        handlesFlippedBits(Array(recorded.utf8))
    }
}

private let steps = """
    {"id": 0, "name": "Round the world", "timezone_id": "Europe/London", "all_steps": [
    {"id": 7, "name": null, "display_name": "First", "description": "Lorem \\"ipsum\\"", "start_time": 1735693269.5,
     "location": {"name": "London", "detail": "United Kingdom", "lat": 51.503452, "lon": -0.120473},
     "weather_temperature": 18.0, "is_deleted": false},
    {"id": 8, "start_time": 1735693270, "location": {"lat": 1, "lon": 2}, "is_deleted": true},
    {"id": 9, "start_time": 1735693271, "location": {"lat": 91, "lon": 2}}]}
    """

@Suite struct PolarstepsTests {
    @Test func `Places of a trip are a recording`() {
        let result = imported(
            """
            {"locations": [{"lat": 51.5, "lon": -0.125, "time": 1735693261.0}, {"lon": -0.25, "lat": 51.25, "time": 1735693262.5,
            "accuracy": 12}]}
            """)
        #expect(result.receipt.format == .polarsteps)
        #expect(result.recordings.map(\.points.count) == [2])
        #expect(result.recordings[0].points.map(\.time) == [1_735_693_261_000, 1_735_693_262_500])
        #expect(result.recordings[0].points.map(\.longitude) == [-125_000_000, -250_000_000])
        #expect(result.recordings[0].field("hacc") == [nil, "12"])
    }

    @Test func `Steps are points with their names and addresses`() {
        let result = imported(steps)
        #expect(result.receipt.format == .polarsteps)
        #expect(result.recordings.map(\.header.name) == ["Round the world"])
        let recording = result.recordings[0]
        #expect(recording.points.map(\.time) == [1_735_693_269_500])
        #expect(recording.field("name") == ["First"])
        #expect(recording.field("address") == ["London, United Kingdom"])
        #expect(recording.field("temp") == ["18"])
        #expect(recording.field("description") == ["Lorem \"ipsum\""])
        #expect(result.receipt.refused.first.map(\.what) == [.latitude("91")])
    }

    @Test func `Truncated files and flipped bits are handled`() {
        handlesTruncation(Array(steps.utf8))
        handlesFlippedBits(Array(steps.utf8))
    }

    @Test(arguments: ["\t", " ", "     ", " \t "])
    func `Recorder lines can be separated by blanks`(blank: String) {
        let text =
            [
                [
                    "2024-05-01T08:00:00Z", "*                 ",
                    "{\"_type\":\"location\",\"tid\":\"ab\",\"lat\":1,\"lon\":2,\"tst\":1714550400}",
                ],
                [
                    "2024-05-01T08:00:01Z", "owntracks/ada/phone",
                    "{\"_type\":\"location\",\"lat\":\"1\",\"lon\":\"3\",\"tst\":\"1714550401\"}",
                ],
                ["2024-05-01T08:00:02Z", "*", "{\"_type\":\"lwt\"}"],
            ].map { $0.joined(separator: blank) }.joined(separator: "\n") + "\n2024-05-01T08:00:03Z cut\n"
        let result = imported(text)
        #expect(result.receipt.format == .owntracks)
        #expect(result.recordings.map(\.header.device) == ["ab", "phone"])
        #expect(result.recordings.flatMap(\.points).map(\.time) == [1_714_550_400_000, 1_714_550_401_000])
        #expect(result.receipt.refused.first == [Finding(line: 4, what: .brokenEntry)])
    }
}
