import Testing
import Text
import TrackImport
import Tracks

/// Implausible times, in every format that stores times as written.
@Suite struct ImplausibleTimeTests {
    private static let stamps = [
        "-9223372036854775808", "9223372036854775807", "-9223372036854775", "9223372036854775", "-8640000000001",
        "8640000000001", "-8640000000000", "8640000000000", "-2177452800", "0", "315964799", "4102444800",
    ]

    @Test(arguments: stamps) func `Any number as a time neither ends reading nor loses a point`(stamp: String) {
        let files = [
            "lat,lon,epoch\n52,13,\(stamp)\n52,13.1,1714550400\n",
            "{\"locations\":[{\"latitudeE7\":520000000,\"longitudeE7\":130000000,\"timestampMs\":\"\(stamp)\"},"
                + "{\"latitudeE7\":520000000,\"longitudeE7\":131000000,\"timestampMs\":\"1714550400000\"}]}",
            "{\"_type\":\"location\",\"lat\":52,\"lon\":13,\"tst\":\(stamp)}\n"
                + "{\"_type\":\"location\",\"lat\":52,\"lon\":13.1,\"tst\":1714550400}\n",
            "{\"type\":\"Feature\",\"properties\":{\"coordTimes\":[\(stamp),1714550400]},\"geometry\":"
                + "{\"type\":\"LineString\",\"coordinates\":[[13,52],[13.1,52]]}}",
        ]
        for file in files {
            let result = imported(Array(file.utf8))
            #expect(result.receipt.failure == nil, "\(file)")
            let points = result.recordings.flatMap(\.points)
            #expect(points.count == 2, "\(file)")
            for point in points {
                #expect(point.time == PointColumns.untimed || Instant.plausible.contains(point.time), "\(file)")
            }
        }
    }

    @Test func `A point with a time before GPS keeps its place, and the receipt reports the time`() {
        let gpx = """
            <gpx><trk><trkseg><trkpt lat="52" lon="13"><time>1901-01-01T00:00:00Z</time></trkpt>
            <trkpt lat="52" lon="13.1"><time>2024-05-01T08:00:00Z</time></trkpt>
            <trkpt lat="52" lon="13.2"><time>2101-05-01T00:00:00Z</time></trkpt></trkseg></trk></gpx>
            """
        let result = imported(Array(gpx.utf8))
        #expect(result.recordings.map(\.points.count) == [3])
        #expect(result.recordings[0].points.map(\.time) == [.min, 1_714_550_400_000, .min])
        #expect(result.recordings[0].field("implausible_time") == ["-2177452800000", nil, "4144348800000"])
        #expect(result.receipt.implausibleTimes == 2)
        #expect(result.receipt.lines.contains { $0.contains("2 points with a time before 1980-01-06") })
        #expect(result.receipt.json.contains("\"implausibleTimes\":2"))
    }

    @Test(arguments: ["-9223372036854775808", "9223372036854775807", "-153722867280913", "x", "5"])
    func `Minutes after a start time never overflow`(minutes: String) {
        let timeline = """
            [{"startTime":"2024-05-01T08:00:00Z","endTime":"2024-05-01T09:00:00Z","timelinePath":[
            {"point":"geo:52.0,13.0","durationMinutesOffsetFromStartTime":"\(minutes)"}]}]
            """
        let points = imported(Array(timeline.utf8)).recordings.flatMap(\.points)
        #expect(points.count == 1)
        let expected = minutes == "5" ? 1_714_550_700_000 : PointColumns.untimed
        #expect(points.map(\.time) == [expected])
    }
}
