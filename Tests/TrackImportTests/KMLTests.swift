import Testing
import TrackImport
import Tracks

private func kml(_ body: String) -> String {
    "<?xml version=\"1.0\"?>\n<kml xmlns=\"k\" xmlns:gx=\"g\"><Document><name>Doc</name>\(body)</Document></kml>"
}

private let track = """
    <gx:Track><when>2024-05-01T08:00:00Z</when><when>2024-05-01T08:00:01Z</when><gx:coord>-0.12 51.5 12.5</gx:coord>
    <gx:angles>90 1 2</gx:angles><gx:coord>-0.13 51.6 13</gx:coord><gx:angles>91.5 1 2</gx:angles><ExtendedData>
    <SchemaData schemaUrl="#s"><gx:SimpleArrayData name="heartrate"><gx:value>86</gx:value><gx:value>103</gx:value>
    </gx:SimpleArrayData></SchemaData></ExtendedData></gx:Track>
    """

@Suite struct KMLTests {
    @Test func `A track pairs its times, places and values`() {
        let result = imported(kml("<Folder><Placemark><name>Ride</name>\(track)</Placemark></Folder>"))
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.format == .kml)
        #expect(result.recordings.count == 1)
        let recording = result.recordings[0]
        #expect(recording.header.name == "Ride")
        #expect(recording.points.map(\.time) == [1_714_550_400_000, 1_714_550_401_000])
        #expect(recording.points.map(\.longitude) == [-120_000_000, -130_000_000])
        #expect(recording.field("ele") == ["12.5", "13.0"])
        #expect(recording.field("hr") == ["86", "103"])
        #expect(recording.field("heading") == ["90.0", "91.5"])
    }

    @Test func `The tracks of a multi-track are segments`() {
        let result = imported(kml("<Placemark><gx:MultiTrack>\(track)\(track)</gx:MultiTrack></Placemark>"))
        #expect(result.recordings.map(\.segmentStarts) == [[0, 2]])
        #expect(result.recordings[0].header.name == "Doc")
    }

    @Test func `An empty place counts as an entry`() {
        let result = imported(
            kml(
                """
                <Placemark><gx:Track><when>2024-05-01T08:00:00Z</when><when>2024-05-01T08:00:01Z</when><gx:coord/>\
                <gx:coord>1 2</gx:coord></gx:Track></Placemark>
                """))
        #expect(result.recordings.flatMap(\.points).map(\.time) == [1_714_550_401_000])
        #expect(result.receipt.skipped == [.recordWithoutPosition: 1])
    }

    @Test func `Too few times are reported`() {
        let result = imported(
            kml("<Placemark><Track><when>2024-05-01</when><coord>1 2</coord><coord>1 3</coord></Track></Placemark>"))
        #expect(result.receipt.outcome.untimed == 1)
        #expect(result.receipt.unreadTimes.first.map(\.what) == ["1 times for 2 places"])
    }

    @Test func `Lines have no times and may have blanks around commas`() {
        let result = imported(
            kml(
                """
                <Placemark><MultiGeometry><LineString><coordinates> 1,2,3 4 , 5 ,6
                7,8</coordinates></LineString><LineString><coordinates>9,10,,11,95,0</coordinates></LineString>
                </MultiGeometry><name>Late name</name></Placemark>
                """))
        let recording = result.recordings[0]
        #expect(recording.header.name == "Late name")
        #expect(recording.points.map(\.longitude) == [1, 4, 7, 9].map { $0 * 1_000_000_000 })
        #expect(recording.points.map(\.latitude) == [2, 5, 8, 10].map { $0 * 1_000_000_000 })
        #expect(recording.field("ele") == ["3", "6", nil, nil])
        #expect(recording.segmentStarts == [0, 3])
        #expect(result.receipt.outcome.untimed == 4)
    }

    @Test func `A line of any length is read incrementally`() {
        let count = 200_000
        let tuples = (0..<count).map { "\($0 % 180).5,\($0 % 90).25,\($0)" }.joined(separator: " ")
        let result = imported(
            kml("<Placemark><LineString><coordinates>\(tuples)</coordinates></LineString></Placemark>"))
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.flatMap(\.points).count == count)
        #expect(
            result.recordings[0].points[count - 1].longitude == Int64((count - 1) % 180) * 1_000_000_000 + 500_000_000)
        #expect(result.recordings[0].segmentStarts == [0])
    }

    @Test func `Placemarks with times in a folder form a recording with their data`() {
        func placemark(_ second: Int, _ rest: String) -> String {
            """
            <Placemark><name>P\(second)</name><TimeStamp><when>2024-05-01T08:00:0\(second)Z</when></TimeStamp>\(rest)\
            <Point><coordinates>\(second),2,3</coordinates></Point></Placemark>
            """
        }
        let data = "<ExtendedData><Data name=\"mood\"><value>fine</value></Data></ExtendedData>"
        let result = imported(
            kml(
                """
                <Folder><name>A</name>\(placemark(1, data))\(placemark(2, ""))</Folder><Folder><name>A</name>\(placemark(3, ""))
                </Folder><Placemark><name>Pub</name><Point><coordinates>1,1</coordinates></Point></Placemark>
                <NetworkLink><Link><href>http://example.org/a.kml</href></Link></NetworkLink>
                """))
        #expect(result.recordings.map(\.header.name) == ["A", "A"])
        #expect(result.recordings.map(\.points.count) == [2, 1])
        #expect(result.recordings[0].field("mood") == ["fine", nil])
        #expect(result.recordings[0].field("name") == ["P1", "P2"])
        #expect(result.receipt.skipped == [.waypoint: 1, .link: 1])
    }

    @Test func `A year is not an instant`() {
        let result = imported(
            kml(
                """
                <Placemark><TimeStamp><when>1997</when></TimeStamp><Point><coordinates>1,2</coordinates></Point></Placemark>
                """))
        #expect(result.receipt.outcome.untimed == 1)
        #expect(result.recordings[0].field("time") == ["1997"])
    }

    /// A track as GPSBabel writes it: a folder of points with times, then a line through them.
    private func babel(line: [String]) -> String {
        let places = ["8.512346,47.123457,400.50", "8.512446,47.123557,401.00", "8.513646,47.124757"]
        let points = places.enumerated().map { index, place in
            """
            <Placemark><name>Ride-\(index)</name><TimeStamp><when>2020-01-01T10:00:0\(index)Z</when></TimeStamp>
            <Point><coordinates>\(place)</coordinates></Point></Placemark>
            """
        }
        let lines = line.map {
            "<LineString><tessellate>1</tessellate><coordinates>\n\($0)\n</coordinates></LineString>"
        }
        return kml(
            """
            <Folder><name>Tracks</name><Folder><name>Ride</name>
            <Folder><name>Points</name>\(points.joined(separator: "\n"))</Folder>
            <Placemark><name>Path</name><MultiGeometry>\(lines.joined())</MultiGeometry></Placemark></Folder></Folder>
            """)
    }

    @Test func `A line through the points with times of the same file is not stored`() {
        for line in [
            ["8.512346,47.123457,400.50\n8.512446,47.123557,401.00\n8.513646,47.124757"],
            ["8.512346,47.123457,400.50\n8.512446,47.123557,401.00", "8.513646,47.124757"],
        ] {
            let result = imported(babel(line: line))
            #expect(result.recordings.map(\.points.count) == [3])
            #expect(result.receipt.outcome.untimed == 0)
            #expect(result.receipt.remarks == [.lineOfPoints])
        }
    }

    @Test func `A line with another vertex than the points is stored`() {
        let result = imported(babel(line: ["8.512346,47.123457 8.512446,47.123557 8.513646,47.124758"]))
        #expect(result.recordings.map(\.points.count).sorted() == [3, 3])
        #expect(result.receipt.remarks.isEmpty)
    }

    @Test func `A truncated file keeps its complete points or fails`() {
        handlesTruncation(Array(kml("<Placemark>\(track)</Placemark>").utf8))
    }

    @Test func `A file with flipped bits is handled`() {
        handlesFlippedBits(Array(kml("<Placemark>\(track)</Placemark>").utf8))
    }
}
