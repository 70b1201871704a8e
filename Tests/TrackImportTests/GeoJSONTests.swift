import Testing
import TrackImport
import Tracks

private func feature(_ geometry: String, _ properties: String = "{}", _ more: String = "") -> String {
    "{\"type\":\"Feature\",\"properties\":\(properties),\"geometry\":\(geometry)\(more)}"
}

private let line = "{\"type\":\"LineString\",\"coordinates\":[[1,2,30],[3,4,40.5]]}"
private let instants: [Int64] = [1_714_550_400_000, 1_714_550_401_500]

@Suite struct GeoJSONTests {
    @Test(arguments: [
        feature(line, "{\"coordTimes\":[\"2024-05-01T08:00:00Z\",\"2024-05-01T08:00:01.5Z\"]}"),
        feature(line, "{\"times\":[1714550400,1714550401.5]}"),
        feature(line, "{\"coordinateProperties\":{\"times\":[1714550400000,1714550401500]}}"),
        "{\"geometry\":\(line),\"properties\":{\"datetimes\":[\"2024-05-01T08:00:00Z\",\"2024-05-01T08:00:01.5Z\"]},\"type\":\"Feature\"}",
        feature("{\"type\":\"LineString\",\"coordinates\":[[1,2,30,1714550400],[3,4,40.5,1714550401.5]]}"),
        feature(
            "null", "{}",
            ",\"temporalGeometry\":{\"type\":\"MovingPoint\",\"coordinates\":[[1,2,30],[3,4,40.5]],\"datetimes\":[\"2024-05-01T08:00:00Z\",1714550401500]}"
        ),
        "{\"type\":\"MovingPoint\",\"coordinates\":[[1,2,30],[3,4,40.5]],\"datetimes\":[1714550400000,1714550401500]}",
        "{\"type\":\"FeatureCollection\",\"features\":["
            + feature("{\"type\":\"Point\",\"coordinates\":[1,2,30]}", "{\"time\":\"2024-05-01T08:00:00Z\"}") + ","
            + feature("{\"type\":\"Point\",\"coordinates\":[3,4,40.5]}", "{\"time\":\"2024-05-01T08:00:01.5Z\"}")
            + "]}",
        feature("{\"type\":\"Point\",\"coordinates\":[1,2,30]}", "{\"timestamp\":1714550400}") + "\n"
            + feature("{\"type\":\"Point\",\"coordinates\":[3,4,40.5]}", "{\"timestamp\":1714550401500}"),
        "\u{1E}" + feature("{\"type\":\"Point\",\"coordinates\":[1,2,30,1714550400]}") + "\n\u{1E}"
            + feature("{\"type\":\"Point\",\"coordinates\":[3,4,40.5,1714550401.5]}") + "\n",
    ]) func `One recording in many notations`(text: String) {
        for block in [3, blockSize] {
            let result = imported(text, block: block)
            #expect(result.receipt.failure == nil)
            #expect(result.recordings.count == 1)
            let points = result.recordings.flatMap(\.points)
            #expect(points.map(\.time) == instants)
            #expect(points.map(\.longitude) == [1_000_000_000, 3_000_000_000])
            #expect(result.recordings.first?.field("ele") == ["30.0", "40.5"])
        }
    }

    @Test func `The lines of a multi-line are segments`() {
        let result = imported(
            feature(
                "{\"type\":\"MultiLineString\",\"coordinates\":[[[1,2],[3,4]],[],[[5,6],[7,8]]]}",
                "{\"coordTimes\":[[1714550400,1714550401],[],[1714550402,1714550403]],\"title\":\"Loop\",\"sport\":\"Run\",\"user\":\"ada\",\"device\":\"watch\",\"shoes\":\"red\",\"hr\":[[90,91],[],[null,93]]}"
            ))
        let recording = result.recordings[0]
        #expect(recording.segmentStarts == [0, 2])
        #expect(
            recording.points.map { $0.time / 1000 } == [1_714_550_400, 1_714_550_401, 1_714_550_402, 1_714_550_403])
        #expect(recording.field("hr") == ["90", "91", nil, "93"])
        #expect(recording.header.name == "Loop")
        #expect(recording.header.activity == "run")
        #expect(recording.header.person == "ada")
        #expect(recording.header.device == "watch")
        #expect(recording.header.attributes == ["shoes": "red"])
    }

    @Test func `Points are grouped by their properties`() {
        func point(_ track: String, _ time: Int) -> String {
            feature(
                "{\"type\":\"Point\",\"coordinates\":[1,2]}",
                "{\"track\":\"\(track)\",\"time\":\(time),\"speed\":1.5,\"on\":true}")
        }
        let text = [point("a", 10_000_000_000), point("b", 10_000_000_001), point("a", 10_000_000_002)]
        let result = imported("{\"type\":\"FeatureCollection\",\"features\":[" + text.joined(separator: ",") + "]}")
        #expect(result.recordings.map(\.header.name) == ["a", "b"])
        #expect(result.recordings.map(\.points.count) == [2, 1])
        #expect(result.recordings[0].field("speed") == ["1.5", "1.5"])
        #expect(result.recordings[0].field("on") == ["true", "true"])
    }

    @Test func `Places, areas and empty features are reported and skipped`() {
        let text =
            feature("{\"type\":\"Point\",\"coordinates\":[1,2]}") + feature("null")
            + feature("{\"type\":\"Polygon\",\"coordinates\":[[[1,2],[3,4],[5,6],[1,2]]]}") + feature(line)
        let result = imported(text)
        #expect(result.receipt.skipped == [.place: 1, .area: 1, .emptyFeature: 1])
        #expect(result.receipt.outcome.untimed == 2)
    }

    @Test func `Invalid positions are refused and times stay with their points`() {
        let result = imported(
            feature(
                "{\"type\":\"LineString\",\"coordinates\":[[1,2],\n[812,2],\n[NaN,3],[1],[3,4]]}",
                "{\"times\":[1714550400,0,0,0,1714550401.5]}"))
        #expect(result.recordings[0].points.map(\.time) == instants)
        #expect(
            result.receipt.refused.first == [
                Finding(line: 2, what: .longitude("812")), Finding(line: 3, what: .longitude("NaN")),
                Finding(line: 3, what: .noPlace),
            ])
    }

    @Test func `Too few times belong to the first positions and a remark is reported`() {
        let result = imported(feature(line, "{\"coordTimes\":[\"2024-05-01T08:00:00Z\"]}"))
        #expect(result.recordings[0].points.map(\.time) == [instants[0], PointColumns.untimed])
        #expect(result.receipt.outcome.untimed == 1)
        #expect(result.receipt.remarks == [.timeCountMismatch])
    }

    @Test func `Surplus times are ignored`() {
        let result = imported(feature(line, "{\"times\":[1714550400,1714550401.5,1714550409]}"))
        #expect(result.recordings[0].points.map(\.time) == instants)
        #expect(result.receipt.remarks == [.timeCountMismatch])
    }

    @Test func `Lists of times stay with their lines`() {
        let result = imported(
            feature(
                "{\"type\":\"MultiLineString\",\"coordinates\":[[[1,2],[3,4],[5,6]],[[7,8],[9,10]]]}",
                "{\"coordTimes\":[[1714550400,1714550401],[1714550402,1714550403]]}"))
        #expect(
            result.recordings[0].points.map { $0.time == PointColumns.untimed ? 0 : $0.time / 1000 - 1_714_550_400 }
                == [0, 1, 0, 2, 3])
        #expect(result.receipt.outcome.untimed == 1)
    }

    @Test func `A saved Overland upload is read as points of its device`() {
        func location(_ time: Int, _ more: String) -> String {
            feature(
                "{\"type\":\"Point\",\"coordinates\":[1.5,\(time)]}",
                "{\"timestamp\":\"2024-05-01T08:00:0\(time)Z\",\"device_id\":\"phone\",\"motion\":[\"walking\"],\(more)}"
            )
        }
        let text =
            "{\"locations\":[" + location(1, "\"speed\":-1,\"course\":-1,\"battery_level\":0.87") + ","
            + location(2, "\"speed\":2,\"battery_level\":-1") + "],\"current\":{}}"
        let result = imported(text)
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.map(\.header.device) == ["phone"])
        #expect(result.recordings[0].points.map(\.time) == [1_714_550_401_000, 1_714_550_402_000])
        #expect(result.recordings[0].field("speed") == [nil, "2"])
        #expect(result.recordings[0].field("battery") == ["87", nil])
        #expect(result.recordings[0].field("motion") == ["walking", "walking"])
        #expect(!result.recordings[0].fieldNames.contains("course"))
    }

    @Test(arguments: [
        "{\"type\":\"Topology\",\"objects\":{\"a\":{\"type\":\"LineString\"}}}", "{\"result\":{\"type\":\"Point\"}}",
    ])
    func `JSON similar to GeoJSON is never ignored silently`(text: String) {
        let result = imported(text)
        #expect(result.recordings.isEmpty)
        #expect(result.receipt.failure != nil || !result.receipt.skipped.isEmpty)
    }

    @Test func `A line of many points is read completely in bounded memory`() {
        // More than fits in one block in memory.
        let count = 60_000
        let places = (0..<count).map { "[\(Double($0) / 1000),1.5,\($0 % 90)]" }.joined(separator: ",")
        let times = (0..<count).map { "\(1_700_000_000 + $0)" }.joined(separator: ",")
        let words = (0..<count).map { $0 % 3 == 0 ? "\"w\($0)\"" : $0 % 3 == 1 ? "null" : "\($0)" }.joined(
            separator: ",")
        let result = imported(
            feature(
                "{\"type\":\"LineString\",\"coordinates\":[\(places)]}", "{\"times\":[\(times)],\"word\":[\(words)]}"))
        let points = result.recordings.flatMap(\.points)
        #expect(points.map(\.time) == (0..<count).map { Int64(1_700_000_000 + $0) * 1000 })
        #expect(points.map(\.longitude) == (0..<count).map { Int64($0) * 1_000_000 })
        #expect(result.recordings[0].field("word")[3...5].map(\.self) == ["w3", nil, "5"])
    }

    @Test func `Another reference system is refused`() throws {
        let crs = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:EPSG::32649\"}}"
        let result = imported("{\"type\":\"FeatureCollection\",\(crs),\"features\":[\(feature(line))]}")
        #expect(result.receipt.failure == .referenceSystem("urn:ogc:def:crs:EPSG::32649"))
        #expect(result.recordings.isEmpty)
        let wgs84 = "\"crs\":{\"type\":\"name\",\"properties\":{\"name\":\"urn:ogc:def:crs:OGC:1.3:CRS84\"}}"
        #expect(
            imported("{\"type\":\"FeatureCollection\",\(wgs84),\"features\":[\(feature(line))]}").receipt.failure == nil
        )
    }

    @Test func `A truncated file keeps its complete features`() {
        let head = "{\"type\":\"FeatureCollection\",\"features\":["
        let firstEnd = (head + feature(line)).utf8.count
        let secondEnd = firstEnd + 1 + feature(line).utf8.count
        let text = head + feature(line) + "," + feature(line) + "]}"
        for length in 0..<text.utf8.count {
            let result = imported(Array(text.utf8.prefix(length)))
            #expect(result.receipt.failure != nil, "\(length)")
            #expect(result.recordings.count == (length >= secondEnd ? 2 : length >= firstEnd ? 1 : 0), "\(length)")
            #expect(result.sink.openCount == 0)
            #expect(result.recordings.allSatisfy { $0.points.count == 2 })
        }
    }

    @Test(arguments: [
        "{\"type\":\"FeatureCollection\",\"features\":" + String(repeating: "[", count: 100_000),
        "{\"type\":\"Feature\",\"a\":" + String(repeating: "{\"a\":", count: 100_000),
        "{\"type\":\"LineString\",\"coordinates\":" + String(repeating: "[", count: 100_000),
        "{\"type\":\"Feature\",\"properties\":{\"a\":\"" + String(repeating: "x", count: 3_000_000) + "\"}}",
        "{\"type\":\"Feature\" \"x\"}", "{\"type\":\"Feature\",}",
        "{\"type\":\"Point\",\"coordinates\":[1,\"\\ud800\\x\"]}",
        "{\"type\":\"Point\",\"coordinates\":{\"a\":tru}}", "[{\"type\":\"Point\"},",
    ]) func `Malformed JSON is an error`(text: String) {
        let result = imported(text)
        #expect(result.receipt.failure != nil)
        #expect(result.recordings.isEmpty)
    }
}
