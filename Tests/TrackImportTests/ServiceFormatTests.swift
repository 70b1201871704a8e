import Testing
import TrackImport
import Tracks

/// 2024-05-01T08:00:00Z.
private let start: Int64 = 1_714_550_400_000

@Suite struct HomeAssistantTests {
    private func state(_ entity: String, _ attributes: String, minute: Int = 0) -> String {
        """
        {"entity_id":"\(entity)","state":"not_home","attributes":{\(attributes)},"last_changed":
        "2024-05-01T07:00:00.123456+00:00","last_updated":"2024-05-01T08:0\(minute):00.000000+00:00"}
        """
    }

    @Test func `Trackers are streams of devices`() throws {
        let place = "\"latitude\":48.1,\"longitude\":11.5,\"gps_accuracy\":12"
        let result = imported(
            "[[" + state("device_tracker.phone", place + ",\"speed\":-1,\"course\":-1,\"altitude\":-1.5") + ","
                + state("device_tracker.phone", "\"latitude\":48.2,\"longitude\":11.6", minute: 1) + "],["
                + state("device_tracker.watch", place, minute: 2) + "]]")
        #expect(result.receipt.format == .homeassistant)
        #expect(result.recordings.map(\.header.device) == ["phone", "watch"])
        let phone = try #require(result.recordings.first)
        #expect(phone.points.map(\.time) == [start, start + 60_000])
        #expect(phone.points.map(\.latitude) == [48_100_000_000, 48_200_000_000])
        #expect(phone.field("hacc") == ["12", nil])
        #expect(phone.field("ele") == ["-1.5", nil])
        #expect(phone.field("speed") == [nil, nil] && phone.field("course") == [nil, nil])
    }

    @Test func `A person's copy of a tracker's positions is skipped`() {
        let place = "\"latitude\":48.1,\"longitude\":11.5"
        let person = state("person.ada", place + ",\"source\":\"device_tracker.phone\"")
        let both = imported("[[" + state("device_tracker.phone", place) + "],[" + person + "]]")
        #expect(both.recordings.map(\.header.device) == ["phone"])
        #expect(both.receipt.skipped == [.copiedPosition: 1])
        let alone = imported("[[" + person + "]]")
        #expect(alone.recordings.map(\.header.person) == ["ada"])
        #expect(alone.receipt.skipped.isEmpty)
    }

    @Test func `Zones and states without a position are skipped`() {
        let result = imported(
            "[[" + state("zone.home", "\"latitude\":48.1,\"longitude\":11.5,\"radius\":100") + "],["
                + state("sensor.rain", "\"unit\":\"mm\"") + ",{\"state\":\"home\",\"last_changed\":\"2024-05-01\"}]]")
        #expect(result.receipt.format == .homeassistant)
        #expect(result.recordings.isEmpty)
        #expect(result.receipt.skipped == [.place: 1, .recordWithoutPosition: 2])
    }
}

@Suite struct TraccarTests {
    @Test func `Positions are streams of devices, with speeds in knots`() throws {
        let result = imported(
            """
            [{"id":7,"attributes":{"batteryLevel":90,"distance":12.5,"motion":true,"sat":9},"deviceId":3,"protocol":"osmand",
            "serverTime":"2024-05-01T08:00:02.000+00:00","deviceTime":"2024-05-01T08:00:01.000+00:00",
            "fixTime":"2024-05-01T08:00:00.000+00:00","outdated":false,"valid":true,"latitude":48.1,"longitude":11.5,
            "altitude":520.0,"speed":10.0,"course":90.0,"address":null,"accuracy":5.0,"network":null},
            {"deviceId":3,"protocol":"osmand","fixTime":"2024-05-01T08:00:00.000+00:00","outdated":true,"latitude":48.1,
            "longitude":11.5,"speed":0}]
            """)
        #expect(result.receipt.format == .traccar)
        #expect(result.receipt.skipped == [.recordWithoutFix: 1])
        let recording = try #require(result.recordings.first)
        #expect(recording.header.device == "3")
        #expect(recording.points.map(\.time) == [start])
        #expect(recording.field("speed").first.flatMap { $0.flatMap { Double($0) } } == 5.1444)
        #expect(recording.field("attributes.distance") == ["12.5"])
        #expect(recording.field("distance") == [nil])
    }

    @Test func `Its tables have speeds in knots and the times of fixes`() throws {
        let result = imported(
            """
            id,deviceId,protocol,serverTime,deviceTime,fixTime,valid,latitude,longitude,altitude,speed,course,address,accuracy
            7,3,osmand,2024-05-01T08:00:02.000+00:00,2024-05-01T08:00:01.000+00:00,2024-05-01T08:00:00.000+00:00,true,48.1,11.5,520.0,10.0,90.0,,5.0

            """)
        #expect(result.receipt.format == .csv)
        let recording = try #require(result.recordings.first)
        #expect(recording.points.map(\.time) == [start])
        #expect(recording.field("speed").first.flatMap { $0.flatMap { Double($0) } } == 5.1444)
    }
}

@Suite struct GeoPulseTests {
    @Test func `Points of the export are streams of devices, with speeds in km per hour`() throws {
        let result = imported(
            """
            {"dataType":"rawGps","exportDate":"2025-01-01T00:00:00Z","startDate":"2024-01-01T00:00:00Z","endDate":
            "2025-01-01T00:00:00Z","points":[{"id":1,"timestamp":"2024-05-01T08:00:00Z","latitude":48.1,"longitude":11.5,
            "accuracy":5.0,"altitude":520.0,"speed":36.0,"source":"OVERLAND","deviceId":"phone","battery":88.0},
            {"id":2,"timestamp":"2024-05-01T08:01:00Z","latitude":91,"longitude":11.5}]}
            """)
        #expect(result.receipt.format == .geopulse)
        #expect(result.receipt.refused.first.map(\.what) == [.latitude("91")])
        let recording = try #require(result.recordings.first)
        #expect(recording.header.device == "phone")
        #expect(recording.points.map(\.time) == [start])
        #expect(recording.field("speed").first.flatMap { $0.flatMap { Double($0) } } == 10)
    }

    @Test(arguments: [
        """
        timestamp,latitude,longitude,accuracy,velocity,altitude,battery,device_id,source_type,telemetry
        2024-05-01T08:00:00Z,48.1,11.5,5.0,36.0,520.0,88.0,phone,OVERLAND,"{""a"":1}"

        """,
        """
        {"type":"FeatureCollection","features":[{"type":"Feature","id":"1","geometry":{"type":"Point","coordinates":
        [11.5,48.1,520.0]},"properties":{"timestamp":"2024-05-01T08:00:00Z","altitude":520.0,"velocity":36.0,"accuracy":5.0,
        "battery":88,"deviceId":"phone","sourceType":"OVERLAND"}}]}
        """,
    ]) func `Its tables and GeoJSON have speeds in km per hour`(text: String) throws {
        let recording = try #require(imported(text).recordings.first)
        #expect(recording.header.device == "phone")
        #expect(recording.points.map(\.time) == [start])
        #expect(recording.field("speed").first.flatMap { $0.flatMap { Double($0) } } == 10)
    }

    @Test func `Velocities of others stay in metres per second`() throws {
        let table = "timestamp,latitude,longitude,velocity\n2024-05-01T08:00:00Z,48.1,11.5,36.0\n"
        let recording = try #require(imported(table).recordings.first)
        #expect(recording.field("speed").first.flatMap { $0.flatMap { Double($0) } } == 36)
    }
}

@Suite struct SamsungTests {
    @Test func `Locations of an exercise are a recording`() throws {
        let result = imported(
            """
            [{"start_time":1714550400000,"latitude":48.1,"longitude":11.5,"altitude":520.5,"accuracy":5},
            {"start_time":1714550401000,"latitude":48.1001,"longitude":11.5}]
            """)
        #expect(result.receipt.format == .samsung)
        let recording = try #require(result.recordings.first)
        #expect(recording.points.map(\.time) == [start, start + 1000])
        #expect(recording.field("ele") == ["520.5", nil] && recording.field("hacc") == ["5", nil])
    }
}

@Suite struct PolarTests {
    private let channels = """
        {"identifier":{"id":"1"},"startTime":"2024-05-01T10:00:00","name":"Evening","timezoneOffsetMinutes":120,
        "product":{"modelName":"Vantage"},"exercises":[{"identifier":{"id":"5"},"startTime":"2024-05-01T10:00:00",
        "timezoneOffsetMinutes":120,"sport":{"id":"38"},"samples":{"samples":[
        {"type":"HEART_RATE","intervalMillis":1000,"values":[NaN,120,121,122]},
        {"type":"SPEED","intervalMillis":1000,"values":[0,18.0,36.0,NaN]},
        {"type":"ALTITUDE","intervalMillis":1000,"values":[180,181,182]}]},
        "routes":{"route":{"startTime":"2024-05-01T10:00:01","wayPoints":[
        {"longitude":11.5,"latitude":48.1,"altitude":500,"elapsedMillis":0},
        {"longitude":11.501,"latitude":48.1,"altitude":501,"elapsedMillis":1000},
        {"longitude":11.502,"latitude":48.1,"altitude":502,"elapsedMillis":2000}]}},"pauseTimes":[]},
        {"startTime":"2024-05-01T11:00:00","sport":{"id":"83"},"samples":{"samples":[]},"routes":{}}]}
        """
    private let samples = """
        {"exportVersion":"1.6","name":"Run","startTime":"2024-05-01T10:00:00.000","timezoneOffset":120,"latitude":48.1,
        "exercises":[{"startTime":"2024-05-01T10:00:00.000","timezoneOffset":120,"sport":"TRAIL_RUNNING","samples":{
        "heartRate":[{"dateTime":"2024-05-01T10:00:00.000","value":140},{"dateTime":"2024-05-01T10:00:01.000"}],
        "speed":[{"dateTime":"2024-05-01T10:00:00.000","value":9}],
        "recordedRoute":[{"dateTime":"2024-05-01T10:00:00.500","longitude":11.5,"latitude":48.1,"altitude":500},
        {"dateTime":"2024-05-01T10:00:01.500","longitude":11.501,"latitude":48.1,"altitude":501}]}}]}
        """

    @Test func `Values of channels go to the way points of their second`() throws {
        let result = imported(channels)
        #expect(result.receipt.format == .polar)
        #expect(result.receipt.skipped == [.emptyTrack: 1])
        let recording = try #require(result.recordings.first)
        #expect(recording.points.map(\.time) == [start + 1000, start + 2000, start + 3000])
        #expect(recording.field("hr") == ["120", "121", "122"])
        #expect(recording.field("speed").map { $0.flatMap { Double($0) } } == [5, 10, nil])
        #expect(recording.field("ele") == ["181", "182", "502"])
        #expect(recording.header.activity == "road cycling" && recording.header.name == "Evening")
        #expect(recording.header.attributes == ["creator": "Vantage", "id": "5"])
    }

    @Test func `Samples with times go to the positions of their second`() throws {
        let result = imported(samples)
        #expect(result.receipt.format == .polar)
        let recording = try #require(result.recordings.first)
        #expect(recording.points.map(\.time) == [start + 500, start + 1500])
        #expect(recording.field("hr") == ["140", nil] && recording.field("ele") == ["500", "501"])
        #expect(recording.field("speed").map { $0.flatMap { Double($0) } } == [2.5, nil])
        #expect(recording.header.activity == "trail_running")
    }

    @Test func `Truncated files and flipped bits are handled`() {
        for text in [channels, samples] {
            handlesTruncation(Array(text.utf8))
            handlesFlippedBits(Array(text.utf8))
        }
    }

    @Test func `Sports of all numbers have words of the table`() {
        // The words of the sports in which people travel.
        let wanted: [(String, Activity)] = [
            ("1", .run), ("4", .run), ("2", .ride), ("5", .ride), ("9", .walk), ("11", .hike), ("25", .ski),
            ("23", .swim),
            ("8", .boat), ("54", .other), ("16", .other),
        ]
        for (id, activity) in wanted {
            let text = channels.replacing("{\"id\":\"38\"}", with: "{\"id\":\"\(id)\"}")
            let word = imported(text).recordings.first?.header.activity ?? ""
            #expect(Activity(word: word) == activity, "\(id): \(word)")
        }
    }
}

@Suite struct SuuntoTests {
    private let export = """
        {"DeviceLog":{"Device":{"Name":"Vertical"},"Header":{"DateTime":"2024-05-01T10:00:00.000+02:00"},"Samples":[
        {"TimeISO8601":"2024-05-01T10:00:00.000+02:00","Events":[{"Lap":{"Type":"Start"}}]},
        {"TimeISO8601":"2024-05-01T10:00:00.100+02:00","HR":1.47},
        {"TimeISO8601":"2024-05-01T10:00:00.200+02:00","Altitude":24.6,"Speed":3.12,"Cadence":1.35,"Power":130,
        "Distance":12,"Temperature":297.52},
        {"TimeISO8601":"2024-05-01T10:00:00.500+02:00","Latitude":0.785398163397448,"Longitude":-0.1,"GPSAltitude":35,
        "UTC":"2024-05-01T08:00:00.000+00:00"},
        {"TimeISO8601":"2024-05-01T10:00:01.000+02:00","Latitude":0.78539,"Longitude":-0.1,"GPSAltitude":36,"Speed":null}],
        "Windows":[]}}
        """

    @Test func `Values of sensors go to the next position`() throws {
        let result = imported(export)
        #expect(result.receipt.format == .suunto)
        let recording = try #require(result.recordings.first)
        #expect(recording.points.map(\.time) == [start, start + 1000])
        #expect(recording.points.first?.latitude == 45_000_000_000)
        #expect(recording.points.first?.longitude == -5_729_577_951)
        #expect(recording.field("hr") == ["88", nil] && recording.field("cad") == ["81", nil])
        #expect(recording.field("ele").map { $0.flatMap { Double($0) } } == [24.6, 36])
        #expect(recording.field("temp").first.flatMap { $0.flatMap { Double($0) } } == 24.37)
        #expect(recording.field("speed") == ["3.12", nil] && recording.field("power") == ["130", nil])
        #expect(recording.header.attributes == ["creator": "Vertical"])
    }

    private let sml = """
        <?xml version="1.0" encoding="utf-8"?><sml xmlns="http://www.suunto.com/schemas/sml"><DeviceLog>
        <Header><DateTime>2024-05-01T08:00:00</DateTime><Activity>Running</Activity><Distance>999</Distance></Header>
        <Samples><Sample><HR>1.47</HR><Altitude>24.6</Altitude><BikePower>130</BikePower><SampleType>periodic</SampleType>
        <Time>0.9</Time><Events><Lap><Distance>500</Distance></Lap></Events></Sample>
        <Sample><Latitude>0.785398163397448</Latitude><Longitude>-0.1</Longitude><GPSAltitude>35</GPSAltitude>
        <UTC>2024-05-01T08:00:01Z</UTC><SampleType>gps-base</SampleType><Time>1.5</Time></Sample>
        <Sample><Latitude>0.78539</Latitude><Longitude>-0.1</Longitude><SampleType>gps-small</SampleType><Time>2.5</Time></Sample>
        </Samples></DeviceLog></sml>
        """

    @Test func `SML has the same samples`() throws {
        let result = imported(sml)
        #expect(result.receipt.format == .suunto)
        let recording = try #require(result.recordings.first)
        #expect(recording.points.map(\.time) == [start + 1000, start + 2500])
        #expect(recording.points.first?.latitude == 45_000_000_000)
        #expect(recording.field("hr") == ["88", nil] && recording.field("power") == ["130", nil])
        #expect(recording.field("ele") == ["24.6", nil] && recording.field("distance") == [nil, nil])
        #expect(recording.header.activity == "running")
    }

    @Test(arguments: ["{\"Samples\":[%]}", "{\"Data\":{\"Samples\":[%]},\"Summary\":{}}"])
    func `Samples of the service are read`(frame: String) throws {
        let sample = """
            {"Attributes":{"suunto/sml":{"Sample":{"GPSAltitude":94,"Latitude":0.785398163397448,"Longitude":0.1,"UTC":
            "2024-05-01T08:00:00.000+00:00"}}},"Source":"suunto-1","TimeISO8601":"2024-05-01T10:00:00.000+02:00"}
            """
        let result = imported(frame.replacing("%", with: sample))
        #expect(result.receipt.format == .suunto)
        #expect(result.recordings.first?.points.map(\.time) == [start])
    }

    @Test func `Truncated files and flipped bits are handled`() {
        for text in [export, sml] {
            handlesTruncation(Array(text.utf8))
            handlesFlippedBits(Array(text.utf8))
        }
    }
}

@Suite struct HuaweiTests {
    /// An activity with positions every second from 08:00:00, in the notation that `number` gives to their times.
    private func activity(_ lines: [String], partTimes: String = "{1.0:380.0,2.0:770.0}") -> String {
        """
        {"recordId":"a1","sportType":4,"startTime":1714550400000,"partTimeMap":\(partTimes),"attribute":"HW_EXT_TRACK_DETAIL@is\
        \(lines.map { $0 + "\\n" }.joined())&&HW_EXT_TRACK_SIMPLIFY@is{\\"avgHeartRate\\":150}","timeZone":"+0200"}
        """
    }

    @Test(arguments: ["1714550400000", "1.7145504E9", "1714550400"], ["{1.0:380.0}", "{\"1.0\":380.0}", "{}"])
    func `Samples in any order are put on the positions that follow them`(time: String, partTimes: String) throws {
        let text = activity(
            [
                "tp=lbs;k=0;lat=48.1;lon=11.5;alt=1640.4;t=\(time);",
                "tp=lbs;k=1;lat=48.2;lon=11.5;alt=1640.4;t=1714550405000;",
                "tp=lbs;k=2;lat=90;lon=-80;alt=0;t=1714550406000;",
                "tp=lbs;k=3;lat=48.3;lon=11.5;alt=1640.4;t=1714550460000;",
                "tp=h-r;k=1714550403000;v=145;", "tp=h-r;k=1714550404000;v=146;", "tp=s-r;k=1714550404000;v=168;",
                "tp=alti;k=1714550459000;v=-2.5;", "tp=p-m;k=10000000;v=500;",
            ], partTimes: partTimes)
        for file in ["[\(text)]", "{\"data\":[\(text)]}", "[{\"recordDay\":20240501,\"motionPathData\":[\(text)]}]"] {
            let result = imported(file)
            #expect(result.receipt.format == .huawei && result.receipt.failure == nil)
            let recording = try #require(result.recordings.first)
            #expect(recording.points.map(\.time) == [start, start + 5000, start + 60_000])
            #expect(recording.segmentStarts == [0, 2])
            #expect(recording.field("hr") == [nil, "146", nil] && recording.field("cad") == [nil, "168", nil])
            #expect(recording.field("ele") == [nil, nil, "-2.5"])
            #expect(recording.header.activity == "running" && recording.header.attributes == ["id": "a1"])
        }
    }

    @Test func `Activities without positions are skipped`() {
        let result = imported("[" + activity(["tp=p-m;k=10000000;v=500", "tp=lbs;k=0;lat=0;lon=0;alt=0;t=0;"]) + "]")
        #expect(result.recordings.isEmpty && result.receipt.skipped == [.emptyTrack: 1])
    }

    @Test func `A day of samples is one text`() throws {
        let lines = (0..<30_000).map {
            "tp=lbs;k=\($0);lat=48.\(100_000 + $0);lon=11.5;alt=0.0;t=\(1_714_550_400 + $0);"
        }
        let result = imported("[" + activity(lines) + "]")
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.first?.points.count == 30_000)
    }

    @Test func `Truncated files and flipped bits are handled`() {
        let bytes = Array(("[" + activity(["tp=lbs;k=0;lat=48.1;lon=11.5;alt=1;t=1714550400000;"]) + "]").utf8)
        handlesTruncation(bytes)
        handlesFlippedBits(bytes)
    }
}

@Suite struct ArcTests {
    private let export = """
        {"timelineItems":[{"itemId":"w1","isVisit":false,"activityType":"cycling","startDate":"2024-05-01T08:00:00Z","samples":[
        {"sampleId":"s1","timelineItemId":"w1","date":"2024-05-01T08:00:00Z","secondsFromGMT":7200,"movingState":"moving",
        "classifiedType":"car","location":{"verticalAccuracy":-1,"speed":3.5,"longitude":11.5,"horizontalAccuracy":5,"course":-1,
        "latitude":48.1,"timestamp":"2024-05-01T07:59:59Z","altitude":-2.5}},
        {"sampleId":"s2","date":"2024-05-01T08:00:06Z","recordingState":"sleeping"}]},
        {"itemId":"v1","isVisit":true,"place":{"name":"Home"},"samples":[
        {"sampleId":"s3","date":"2024-05-01T09:00:00Z","location":{"longitude":11.6,"latitude":48.2}}]},
        {"itemId":"v2","isVisit":true,"samples":[]}]}
        """

    @Test func `Items are recordings`() throws {
        let result = imported(export)
        #expect(result.receipt.format == .arc)
        #expect(result.receipt.skipped == [.recordWithoutPosition: 1, .emptyTrack: 1])
        #expect(result.recordings.count == 2)
        let ride = try #require(result.recordings.first), visit = try #require(result.recordings.last)
        #expect(ride.header.activity == "cycling" && ride.header.attributes == ["id": "w1"])
        #expect(ride.points.map(\.time) == [start])
        #expect(ride.field("speed") == ["3.5"] && ride.field("ele") == ["-2.5"])
        #expect(ride.field("course") == [nil] && ride.field("vacc") == [nil])
        #expect(visit.header.name == "Home" && visit.header.activity == nil)
    }

    @Test func `Truncated files and flipped bits are handled`() {
        handlesTruncation(Array(export.utf8))
        handlesFlippedBits(Array(export.utf8))
    }
}

@Suite struct ServiceRecognitionTests {
    @Test(arguments: [
        "{\"exercises\":[{\"name\":\"squat\",\"sets\":3}]}", "[{\"start_time\":1,\"duration\":2}]",
        "{\"points\":[{\"latitude\":1}]}", "[{\"entity_id\":\"light.a\"}]", "{\"Samples\":[1,2]}",
        "[{\"deviceId\":1,\"latitude\":2}]",
    ]) func `Other JSON is not taken for that of a service`(text: String) {
        #expect(imported(text).receipt.format == nil)
        #expect(imported(text).receipt.failure == .unrecognised("unknown JSON"))
    }
}
