import Testing
import TrackImport
import Tracks

/// Files that were misread by earlier versions, or refused.
@Suite struct MisreadFileTests {
    /// 2024-05-01T10:00:00Z.
    private let ten: Int64 = 1_714_557_600_000

    @Test func `Numbers of GeoJSON positions may be texts, and only what is no number is refused`() {
        let result = imported(
            """
            {"type":"Feature","properties":{"times":["2024-05-01T10:00:00Z","2024-05-01T10:00:01Z","2024-05-01T10:00:02Z"]},
            "geometry":{"type":"LineString","coordinates":[["8.0","47.0"],[" 8.1 ","47.1","400.5"],["x","47"]]}}
            """)
        #expect(result.recordings.map(\.points.count) == [2])
        #expect(result.recordings.first?.points.map(\.longitude) == [8_000_000_000, 8_100_000_000])
        #expect(result.receipt.lines.contains { $0.contains("the longitude 'x' is not a coordinate") })
    }

    @Test func `Minutes of IGC that were rounded up to 60 are read`() {
        let result = imported("AXXX001\nHFDTE010524\nB1000003630000S14560000EA0050000500\n")
        #expect(result.receipt.refused.count == 0)
        #expect(result.recordings.first?.points.map(\.longitude) == [146_000_000_000])
    }

    @Test(arguments: [
        "GPGLL,4730.0000,N,00830.0000,E,100000.00,N", "GPGLL,4730.0000,N,00830.0000,E,100000.00,V",
        "GPGLL,4730.0000,N,00830.0000,E,100000.00,A,N",
        "GPRMC,100000.00,A,4730.0000,N,00830.0000,E,0.00,0.0,010524,,,N",
        "GPRMC,100000.00,N,4730.0000,N,00830.0000,E,0.00,0.0,010524,,",
    ]) func `NMEA sentences whose status or mode says that there is no fix are skipped`(sentence: String) {
        let sum = sentence.utf8.reduce(UInt8(0), ^)
        let digits = String(sum, radix: 16, uppercase: true)
        let line = "$\(sentence)*\(digits.count < 2 ? "0" : "")\(digits)\r\n"
        let result = imported(line)
        #expect(result.receipt.format == .nmea && result.recordings.isEmpty)
        #expect(result.receipt.skipped == [.recordWithoutFix: 1])
    }

    @Test func `Tables of Columbus loggers are in UTC, with dates of six digits`() {
        let result = imported(
            """
            INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING,VOX
            1,T,240501,100000,33.860000S,070.200000W,10,0,0,
            2,T,240501,100005,33.860100S,070.200000W,10,0,0,
            """, options: ImportOptions(libraryZone: zone("Europe/Berlin")))
        #expect(result.recordings.first?.points.map(\.time) == [ten, ten + 5000])
        #expect(result.recordings.first?.points.map(\.latitude) == [-33_860_000_000, -33_860_100_000])
        #expect(result.recordings.first?.points.map(\.longitude) == [-70_200_000_000, -70_200_000_000])
    }

    @Test func `A letter in a column of its own still gives the hemisphere`() {
        let result = imported(
            "Date,Time,Latitude,Latitude N/S,Longitude,Longitude E/W\n2024-05-01,10:00:00,33.86,S,70.2,W\n")
        #expect(result.recordings.first?.points.map(\.latitude) == [-33_860_000_000])
        #expect(result.recordings.first?.points.map(\.longitude) == [-70_200_000_000])
    }

    @Test func `A 12-hour clock in a column of its own makes the month come first`() {
        let american = imported(
            "date,time,latitude,longitude\n09/03/2025,09:32:37 AM,51.3,3.3\n09/03/2025,09:32:46 PM,51.4,3.4\n")
        #expect(american.recordings.first?.points.map(\.time) == [1_756_891_957_000, 1_756_935_166_000])
        let other = imported("date,time,latitude,longitude\n09/03/2025,09:32:37,51.3,3.3\n")
        #expect(other.recordings.first?.points.map(\.time) == [1_741_512_757_000])
    }

    private func plt(_ first: String, datum: String = "WGS 84", _ rows: [String]) -> String {
        ([first, datum, "Altitude is in Feet", "Reserved 3", "0,2,255,My Track,0,0,2,8421376", "\(rows.count)"] + rows)
            .joined(separator: "\r\n")
    }

    @Test(arguments: ["OziExplorer Track Point File Version 2.1", "Geolife trajectory"])
    func `PLT files have days, feet and breaks`(first: String) {
        let result = imported(
            plt(
                first,
                [
                    "  39.984702, 116.318417,1,-777,39744.1201852, 23-Oct-08, 2:53:04",
                    "39.984683,116.31845,0,492,39744.1202546296,2008-10-23,02:53:10", "91,8,0,0,39744,,",
                    "39.98,116.31,1,100,0,,",
                ]))
        #expect(result.receipt.format == .plt)
        let recording = result.recordings.first
        #expect(recording?.header.name == "My Track")
        #expect(recording?.points.map(\.time) == [1_224_730_384_000, 1_224_730_390_000, PointColumns.untimed])
        #expect(recording?.field("ele") == [nil, "149.9616", "30.4800"])
        #expect(recording?.segmentStarts == [0, 2])
        #expect(result.receipt.refused.first.map(\.what) == [.latitude("91")])
    }

    @Test func `PLT files in another datum are refused`() {
        let result = imported(plt("OziExplorer Track Point File Version 2.1", datum: "Tokyo", ["35,139,0,0,40000,,"]))
        #expect(result.recordings.isEmpty && result.receipt.failure == .referenceSystem("Tokyo"))
    }

    @Test(arguments: [false, true], [false, true])
    func `Planned routes in a service's export are skipped`(archived: Bool, isListFirst: Bool) throws {
        let track = "<gpx><trk><trkseg><trkpt lat='1' lon='2'/></trkseg></trk></gpx>"
        let list = [("activities.csv", "Activity ID,Activity Name,Activity Type,Filename\n1,A,Ride,activities/1.gpx\n")]
        let files = [("activities/1.gpx", track), ("routes/2.gpx", track)]
        let result = try importedTogether(isListFirst ? list + files : files + list, archived: archived)
        #expect(result.recordings.count == 1)
        #expect(result.receipts.values.count { $0.skipped == [.route: 1] } == 1)
        // A folder of this name elsewhere has nothing to do with plans.
        #expect(try importedTogether(files, archived: archived).recordings.count == 2)
    }

    @Test func `The digest of a file does not depend on the blocks in which it is read`() throws {
        let rows = (0..<9000).map { "2024-05-01T10:00:00Z,8.\($0),47.\($0)" }
        let text = (["time,lon,lat"] + rows).joined(separator: "\n")
        let digest = try #require(imported(text).receipt.digest)
        for block in [1000, 65_535, 65_536, 65_537, 131_072] {
            #expect(imported(text, block: block).receipt.digest == digest)
        }
        #expect(imported(text + " ").receipt.digest != digest)
        #expect(imported("x" + text.dropFirst()).receipt.digest != digest)
    }
}
