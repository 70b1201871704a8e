import Testing
import TrackImport
import Tracks

/// Visits and activities of Google's location history whose ends are at special places.
@Suite struct GoogleVisitTests {
    /// 2024-05-01, 8:00 UTC.
    private static let morning: Int64 = 1_714_550_400_000

    private func visit(_ start: String, _ end: String?, _ more: String = "", at place: String = "48.1°, 11.5°")
        -> String
    {
        let end = end.map { ", \"endTime\": \"2024-05-01T\($0)Z\"" } ?? ""
        return """
            {"startTime": "2024-05-01T\(start)Z"\(end), "visit": {\(more)"topCandidate": {"placeId": "x",
            "placeLocation": {"latLng": "\(place)"}}}}
            """
    }

    private func minutes(_ json: String) -> [Int64] {
        let result = imported("{\"semanticSegments\": [\(json)]}")
        #expect(result.receipt.failure == nil && result.receipt.refused.first.isEmpty)
        #expect(result.receipt.outcome.points == result.recordings.flatMap(\.points).count)
        return result.recordings.flatMap(\.points).map { ($0.time - Self.morning) / 60_000 }.sorted()
    }

    @Test func `a visit has its arrival and its departure at one place`() {
        for json in [
            "{\"semanticSegments\": [\(visit("08:00:00", "11:30:00"))]}",
            """
            [{"startTime": "2024-05-01T10:00:00+02:00", "endTime": "2024-05-01T13:30:00+02:00", "visit":
            {"hierarchyLevel": "0", "topCandidate": {"placeID": "x", "placeLocation": "geo:48.1,11.5"}}}]
            """,
            """
            {"timelineObjects": [{"placeVisit": {"location": {"latitudeE7": 481000000, "longitudeE7": 115000000},
            "duration": {"startTimestamp": "2024-05-01T08:00:00Z", "endTimestampMs": "1714563000000"}}}]}
            """,
        ] {
            let points = imported(json).recordings.flatMap(\.points)
            #expect(points.map(\.time) == [Self.morning, Self.morning + 210 * 60_000])
            #expect(Set(points.map(\.latitude)).count == 1 && Set(points.map(\.longitude)).count == 1)
        }
    }

    @Test func `visits of a month are segments of their own`() {
        let visits = [(8, 9), (9, 10), (12, 13)].map { from, to in
            """
            {"placeVisit": {"location": {"latitudeE7": 481\(from + 10)0000, "longitudeE7": 115000000, "name": "A"},
            "duration": {"startTimestamp": "2024-05-01T\(from < 10 ? "0" : "")\(from):00:00Z",
            "endTimestamp": "2024-05-01T\(to < 10 ? "0" : "")\(to):00:00Z"}}}
            """
        }
        let recordings = imported("{\"timelineObjects\": [\(visits.joined(separator: ","))]}").recordings
        #expect(recordings.map(\.points.count) == [6])
        #expect(recordings[0].chunks.flatMap(\.segmentStarts) == [0, 2, 4])
    }

    @Test func `parts of visits are no visits, and a visit without an end is its start`() {
        #expect(minutes(visit("08:00:00", "09:00:00", "\"hierarchyLevel\": 0, ")) == [0, 60])
        #expect(
            minutes(visit("08:00:00", "09:00:00") + "," + visit("08:10:00", "08:50:00", "\"hierarchyLevel\": 1, ")) == [
                0, 60,
            ])
        #expect(minutes(visit("08:00:00", nil)) == [0])
        #expect(minutes(visit("08:00:00", "08:00:00")) == [0])
        #expect(minutes(visit("08:00:00", "07:00:00")) == [0])
    }

    @Test func `the end of a visit adds no point where a path shows it`() {
        func path(_ clock: String) -> String {
            """
            {"startTime": "2024-05-01T08:00:00Z", "endTime": "2024-05-01T10:00:00Z", "timelinePath":
            [{"point": "48.1003°, 11.5°", "time": "2024-05-01T\(clock)Z"}]}
            """
        }
        let visit = visit("08:00:00", "09:00:00")
        for json in [visit + "," + path("08:59:10"), path("08:59:10") + "," + visit] {
            #expect(minutes(json) == [0, 59])
        }
        #expect(minutes(visit + "," + path("08:30:00")) == [0, 30, 60])
        #expect(minutes(visit + "," + path("09:00:30")) == [0, 60, 60])
        #expect(minutes(path("08:58:00") + "," + path("08:10:00") + "," + visit) == [0, 10, 58, 60])
    }

    @Test func `a place that is refused is refused once`() {
        let result = imported("{\"semanticSegments\": [\(visit("08:00:00", "09:00:00", at: "98.1°, 11.5°"))]}")
        #expect(result.recordings.isEmpty && result.receipt.refused.first.map(\.what) == [.latitude("98.1")])
    }

    @Test(
        arguments: [
            ("\"startLocation\": {}, \"endLocation\": {}, ", 2, [0, 60]),
            ("", 2, [0, 60]),
            ("", 3, [0, nil, 60]),
            ("", 1, [0]),
            ("\"endLocation\": {\"latitudeE7\": 1, \"longitudeE7\": 1}, ", 2, [0, nil, 60]),
            ("\"startLocation\": {\"latitudeE7\": 1, \"longitudeE7\": 1}, \"endLocation\": {}, ", 2, [0, nil, 60]),
            ("\"startLocation\": {\"latitudeE7\": 1, \"longitudeE7\": 1}, ", 0, [0]),
            ("\"endLocation\": {\"latitudeE7\": 1, \"longitudeE7\": 1}, ", 0, [60]),
        ] as [(String, Int, [Int64?])])
    func `an activity without the place of an end keeps its times`(ends: String, waypoints: Int, minutes: [Int64?]) {
        let path = (0..<waypoints).map { "{\"latE7\": \($0 + 5), \"lngE7\": 2}" }.joined(separator: ",")
        let result = imported(
            """
            {"timelineObjects": [{"activitySegment": {\(ends)"waypointPath": {"waypoints": [\(path)]}, "duration":
            {"startTimestamp": "2024-05-01T08:00:00Z", "endTimestamp": "2024-05-01T09:00:00Z"}}}]}
            """)
        #expect(result.receipt.refused.first.isEmpty)
        let times = result.recordings.flatMap(\.points).map { point in
            point.time == PointColumns.untimed ? nil : (point.time - Self.morning) / 60_000
        }
        #expect(times == minutes)
    }
}
