import Recording
import Testing
import Text
import Tracks

@Suite("Sentinel values and units")
struct SentinelTests {
    private static let now: Int64 = 1_700_000_000_123

    private func fields(_ format: RecordingFormat, body: String = "", query: String = "") throws -> [String: String] {
        let request = RecordingRequest(
            body: Array(body.utf8), parameters: FormParameters.read(Array(query.utf8)[...]), now: Self.now)
        let batch = try format.read(request)
        let chunk = try #require(batch.devices.first?.chunks.first, "\(body) \(query)")
        var fields: [String: String] = [:]
        for field in chunk.fields {
            switch field.values {
            case .numbers(let places, let numbers):
                fields[field.name] = FixedDecimal(mantissa: numbers[0], places: places).description
            case .texts(let texts): fields[field.name] = texts[0]
            }
        }
        return fields
    }

    private func overland(_ properties: String) throws -> [String: String] {
        try fields(
            .overland,
            body: """
                {"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},
                "properties":{"timestamp":"2023-11-14T22:13:20Z",\(properties)}}]}
                """)
    }

    @Test(
        arguments: [
            (#""speed":-1"#, [:]), (#""speed":-1.0,"course":-1,"horizontal_accuracy":-1"#, [:]),
            (#""battery_level":-1"#, [:]),
            (#""battery_level":-1.0,"battery_state":"unknown""#, ["battery_state": "unknown"]),
            (#""battery_level":0.89"#, ["battery": "89"]), (#""battery_level":0.305"#, ["battery": "30.5"]),
            (#""battery_level":1"#, ["battery": "100"]), (#""battery_level":1.0"#, ["battery": "100"]),
            (#""battery_level":0"#, ["battery": "0"]), (#""battery_level":87"#, ["battery": "87"]),
            (#""battery_level":"0.5""#, ["battery": "50"]), (#""battery_level":null"#, [:]),
            (#""altitude":0,"vertical_accuracy":-1"#, [:]), (#""altitude":34,"vertical_accuracy":-1"#, ["ele": "34"]),
            (#""altitude":0,"vertical_accuracy":3"#, ["ele": "0", "vacc": "3"]),
            (#""altitude":-12.5"#, ["ele": "-12.5"]),
            (#""speed_accuracy":-1,"course_accuracy":-1.0,"speed":0,"course":0"#, ["speed": "0", "course": "0"]),
            (#""speed":"4.5","course":"270","altitude":"NaN""#, ["speed": "4.5", "course": "270"]),
            (#""desired_accuracy":-1"#, ["desired_accuracy": "-1"]),
            (#""wifi":"","motion":["walking","running"]"#, ["motion": "walking,running"]),
        ] as [(String, [String: String])])
    func `Overland sends -1 for unknown values and the battery as a fraction`(
        properties: String, expected: [String: String]
    ) throws {
        #expect(try overland(properties) == expected)
    }

    @Test(
        arguments: [
            (#""batt":-1,"vel":-1,"cog":-1,"acc":-1,"vac":-1,"alt":0"#, [:]), (#""batt":-100,"vel":-3"#, [:]),
            (
                #""batt":87,"vel":36,"cog":270,"acc":5,"vac":8,"alt":34"#,
                ["battery": "87", "speed": "10", "course": "270", "hacc": "5", "vacc": "8", "ele": "34"]
            ),
            (
                #""batt":"87","vel":"36","cog":"270","alt":"34.5""#,
                ["battery": "87", "speed": "10", "course": "270", "ele": "34.5"]
            ),
            (#""vel":12.345678901234567"#, ["speed": "3.42935525"]), (#""batt":1"#, ["battery": "1"]),
            (#""vel":null,"batt":null"#, [:]),
        ] as [(String, [String: String])])
    func `OwnTracks sends km/h and per cent`(members: String, expected: [String: String]) throws {
        let body = #"{"_type":"location","lat":52.5,"lon":13.4,"tst":1700000000,\#(members)}"#
        #expect(try fields(.ownTracks, body: body) == expected)
    }

    @Test(
        arguments: [
            ("speed=-1&bearing=-1&accuracy=-1&batt=-1", [:]),
            (
                "speed=10&bearing=90.5&batt=77.5",
                ["speed": "5.144", "course": "90.5", "battery": "77.5"]
            ),
            ("speed=19.438444924406046", ["speed": "10"]), ("speed_mps=-1&heading=-1", [:]),
            ("altitude=-9999&hdop=-1&sat=-1", [:]), ("altitude=-430&hdop=0.8", ["ele": "-430", "hdop": "0.8"]),
            ("speed=&altitude=nan&accuracy=unknown", [:]),
            ("charge=true&motion=false", ["charge": "true", "motion": "false"]),
        ] as [(String, [String: String])])
    func `OsmAnd's parameters are in knots`(query: String, expected: [String: String]) throws {
        #expect(try fields(.osmAnd, query: "id=9&lat=52.5&lon=13.4&timestamp=1700000000&" + query) == expected)
    }

    @Test(
        arguments: [
            (
                #""coords":{"latitude":52.5,"longitude":13.4,"speed":-1,"heading":-1,"accuracy":-1,"altitude":0,"altitude_accuracy":-1,"speed_accuracy":-1,"heading_accuracy":-1},"battery":{"level":-1}"#,
                [:]
            ),
            (
                #""coords":{"latitude":52.5,"longitude":13.4,"speed":1.5,"heading":270,"accuracy":8.2,"altitude":34.1},"battery":{"level":0.9,"is_charging":true}"#,
                [
                    "speed": "1.5", "course": "270", "hacc": "8.2", "ele": "34.1", "battery": "90",
                    "battery.is_charging": "true",
                ]
            ),
            (#""coords":{"latitude":52.5,"longitude":13.4},"battery":{"level":87}"#, ["battery": "87"]),
            (#""coords":{"latitude":"52.5","longitude":"13.4","speed":"1.5"}"#, ["speed": "1.5"]),
        ] as [(String, [String: String])])
    func `Traccar's JSON sends m/s and the battery as a fraction`(members: String, expected: [String: String]) throws {
        let body = #"{"device_id":"9","location":{"timestamp":"2023-11-14T22:13:20Z",\#(members)}}"#
        #expect(try fields(.osmAnd, body: body) == expected)
    }

    @Test(
        arguments: [
            ("spd=-1&dir=-1&acc=-1&batt=-1&sat=-1", [:]),
            (
                "spd=1.5&dir=12.5&alt=30.0&acc=4.0&batt=50.0&sat=9",
                ["speed": "1.5", "course": "12.5", "ele": "30", "hacc": "4", "battery": "50", "sat": "9"]
            ),
            ("spd=0.0&dir=0.0&alt=0.0", ["speed": "0", "course": "0", "ele": "0"]),
            ("spd=5e-1&batt=007", ["speed": "0.5", "battery": "7"]),
        ] as [(String, [String: String])])
    func `GPSLogger sends m/s and per cent`(query: String, expected: [String: String]) throws {
        #expect(
            try fields(.gpsLogger, query: "lat=52.5&lon=13.4&time=2023-11-14T22:13:20Z&" + query) == expected)
    }

    @Test(
        arguments: [
            (#""speed":-1,"course":-1,"battery":-1,"hacc":-1,"vacc":-1,"ele":0,"hr":-1,"cad":-1"#, [:]),
            (#""speed":"1.25","battery":"87","bear":90"#, ["speed": "1.25", "battery": "87", "course": "90"]),
            (#""temp":-12.5,"ele":-3,"other":-1"#, ["temp": "-12.5", "ele": "-3", "other": "-1"]),
            (#""wifi":[{"ssid":"a","db":-60}]"#, ["wifi": #"[{"ssid":"a","db":-60}]"#]),
        ] as [(String, [String: String])])
    func `The native format uses metres, m/s, degrees and per cent`(
        members: String, expected: [String: String]
    ) throws {
        #expect(try fields(.own, body: #"{"t":1700000000,"lon":13.4,"lat":52.5,\#(members)}"#) == expected)
    }

    @Test(arguments: [
        (#""course":65535"#, "course 65535"), (#""battery":255"#, "battery 255"), (#""speed":65535"#, "speed 65535"),
        (#""ele":-32768"#, "ele -32768"), (#""heading":360.5"#, "heading 360.5"),
    ])
    func `A value outside its field's range is dropped and reported`(member: String, reason: String) throws {
        let body = #"{"t":1700000000,"lon":13.4,"lat":52.5,\#(member)}"#
        let batch = try RecordingFormat.own.read(RecordingRequest(body: Array(body.utf8), now: Self.now))
        #expect(batch.points == 1 && batch.refusedPoints == 0 && batch.refusedFields == 1)
        #expect(batch.devices.first?.chunks.first?.fields.isEmpty == true)
        #expect(batch.refused.first?.kind == .value)
        #expect(batch.refused.first?.reason.hasPrefix(reason) == true)
    }
}
