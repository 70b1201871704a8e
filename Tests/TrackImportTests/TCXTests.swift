import Testing
import TrackImport
import Tracks

private func tcx(_ body: String) -> String {
    "<?xml version=\"1.0\"?>\n<TrainingCenterDatabase xmlns=\"x\" xmlns:ns3=\"y\">\(body)</TrainingCenterDatabase>"
}

private func trackpoint(_ second: Int, _ rest: String = "") -> String {
    """
    <Trackpoint><Time>2024-05-01T08:00:0\(second)Z</Time><Position><LatitudeDegrees>51.5\(second)</LatitudeDegrees>\
    <LongitudeDegrees>-0.125</LongitudeDegrees></Position>\(rest)</Trackpoint>
    """
}

private let ride = tcx(
    """
    <Activities><Activity Sport="Biking"><Id>2024-05-01T08:00:00Z</Id><Lap StartTime="2024-05-01T08:00:00Z">
    <AverageHeartRateBpm><Value>99</Value></AverageHeartRateBpm><Track>
    \(trackpoint(0, "<AltitudeMeters>12.50</AltitudeMeters><HeartRateBpm><Value>140</Value></HeartRateBpm><Cadence>80</Cadence>"))
    \(trackpoint(1, "<DistanceMeters>7.5</DistanceMeters><Extensions><ns3:TPX><ns3:Speed>4.25</ns3:Speed><ns3:Watts>160</ns3:Watts></ns3:TPX></Extensions>"))
    </Track></Lap><Lap StartTime="2024-05-01T08:00:02Z"><Track>\(trackpoint(2))</Track></Lap>
    <Creator><Name>Edge 810</Name></Creator></Activity></Activities>
    """)

@Suite struct TCXTests {
    @Test func `An activity is a recording and its laps are segments`() {
        let result = imported(ride)
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.format == .tcx)
        #expect(result.recordings.count == 1)
        let recording = result.recordings[0]
        #expect(recording.header.activity == "biking")
        #expect(recording.header.attributes == ["id": "2024-05-01T08:00:00Z", "creator": "Edge 810"])
        #expect(recording.header.device == nil)
        #expect(recording.segmentStarts == [0, 2])
        #expect(recording.points.map(\.time) == [1_714_550_400_000, 1_714_550_401_000, 1_714_550_402_000])
        #expect(recording.points.map(\.latitude) == [51_500_000_000, 51_510_000_000, 51_520_000_000])
    }

    @Test func `Sensor values become fields`() {
        let recording = imported(ride).recordings[0]
        let expected = [
            "ele": ["12.5", nil, nil], "hr": ["140", nil, nil], "cad": ["80", nil, nil], "distance": [nil, "7.5", nil],
            "speed": [nil, "4.25", nil], "power": [nil, "160", nil],
        ]
        #expect(recording.fieldNames == Set(expected.keys))
        for (name, values) in expected { #expect(recording.field(name) == values, "\(name)") }
    }

    @Test func `Trackpoints without position are reported and invalid positions refused`() {
        let result = imported(
            tcx(
                """
                <Activities><Activity Sport="Running"><Lap><Track><Trackpoint><Time>2024-05-01T08:00:00Z</Time>
                <HeartRateBpm><Value>1</Value></HeartRateBpm></Trackpoint>
                <Trackpoint><Position><LatitudeDegrees>91</LatitudeDegrees><LongitudeDegrees>1</LongitudeDegrees></Position></Trackpoint>
                <Trackpoint><Position><LatitudeDegrees>1</LatitudeDegrees></Position></Trackpoint>
                \(trackpoint(3))</Track></Lap></Activity></Activities>
                """))
        #expect(result.receipt.outcome.points == 1)
        #expect(result.receipt.skipped == [.recordWithoutPosition: 1])
        #expect(result.receipt.refused.first.map(\.what) == [.latitude("91"), .noPlace])
        #expect(
            result.receipt.lines.contains { $0.contains("1 record without position skipped: not a recorded track") })
    }

    @Test func `A course is a plan, which is skipped with a word`() {
        let course = "<Courses><Course><Name>Loop</Name><Lap/><Track>\(trackpoint(0))</Track></Course></Courses>"
        let result = imported(tcx(course))
        #expect(result.recordings.isEmpty && result.receipt.skipped == [.route: 1])
        #expect(result.receipt.lines.contains { $0.contains("1 route skipped: not a recorded track") })
        let activity = "<Activities><Activity><Lap><Track>\(trackpoint(0))</Track></Lap></Activity></Activities>"
        #expect(imported(tcx(course + activity)).receipt.outcome.points == 1)
    }

    @Test func `The block size does not change the result`() {
        let whole = imported(ride).recordings
        for block in [1, 2, 3, 7, 64, 101] { #expect(imported(ride, block: block).recordings == whole) }
    }

    @Test func `A truncated file keeps its complete points or fails`() {
        handlesTruncation(Array(ride.utf8))
    }

    @Test func `A file with flipped bits is handled`() {
        handlesFlippedBits(Array(ride.utf8))
    }
}
