import Testing
import TrackImport
import Tracks

private let berlin = ImportOptions(libraryZone: zone("Europe/Berlin"))

@Suite struct CSVTests {
    @Test(arguments: [
        "lat,lon,time\n51.5,-0.12,2024-05-01T08:00:00Z\n",
        "time,lon,lat\r\n2024-05-01 08:00:00Z,-0.12,51.5\r\n",
        "\u{FEFF}Latitude;Longitude;Timestamp\n51,5;-0,12;2024-05-01T10:00:00+02:00\n",
        "breite;länge;datum;uhrzeit\n51,5;-0,12;01.05.2024;10:00:00\n",
        "timestamp_ms\tlng\tlat\n1714550400000\t-0.12\t51.5",
        "x|y|epoch\n-0.12|51.5|1714550400",
        "x,y,lat,lon,time\n6998234.1,5712345.2,51.5,-0.12,1714550400000000\n",
        "\"lon\",\"lat\",\"t\"\n\"-0.12\",\"51.5\",\"1714550400\"\n",
        "# made by a logger\n\nlon,lat,utc\n-0.12,51.5,20240501T080000Z\n",
        "sep=;\nlat;lon;time\n51.5;-0.12;2024-05-01 10:00\n",
        "lon,lat,unix_time\n-0.12,51.5,1714550400.000\n",
        "lat,lon,timestamp_epoch\n51.5,-0.12,1714550400000\n",
        "epoch_time,lat,lon\n1714550400,51.5,-0.12\n",
        "location-long,location-lat,timestamp\n-0.12,51.5,2024-05-01 10:00:00.000\n",
    ]) func `One point in many notations`(text: String) {
        let result = imported(text, options: berlin)
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.format == .csv)
        let points = result.recordings.flatMap(\.points)
        #expect(
            points == [
                CollectedRecording.Point(longitude: -120_000_000, latitude: 51_500_000_000, time: 1_714_550_400_000)
            ])
    }

    @Test func `Rows of different tracks can be mixed`() {
        let result = imported(
            "user,trip,mode,time,lat,lon\nada,1,Bike,10000000000,1,1\nbob,1,bike,10000000000,2,2\nada,1,Bike,10000000001,3,3\nada,2,walk,10000000002,4,4\n"
        )
        #expect(result.recordings.map(\.header.person) == ["ada", "bob", "ada"])
        #expect(result.recordings.map(\.header.activity) == ["bike", "bike", "walk"])
        #expect(result.recordings.map(\.header.name) == ["1", "1", "2"])
        #expect(result.recordings.map(\.points.count) == [2, 1, 1])
    }

    @Test func `The id of a track is its name, unless it belongs to a device, whose tracks have one name`() {
        let result = imported("lat,lon,time,track,device\n1,2,10000000000,a,\n1,2,10000000000,b,phone\n")
        #expect(result.recordings.map(\.header.name) == ["a", nil])
    }

    @Test func `A device makes a stream and options fill in missing data`() {
        var options = berlin
        options.person = "eve"
        options.device = "watch"
        let result = imported("lat,lon,time,device\n1,2,10000000000,phone\n1,2,10000000000,\n", options: options)
        #expect(result.recordings.map(\.header.device) == ["phone", "watch"])
        #expect(result.recordings.map(\.header.person) == ["eve", "eve"])
    }

    @Test func `Cells that Columbus loggers fill up with NULs are read, with the height as the elevation`() {
        let result = imported(
            "INDEX,TAG,DATE,TIME,LATITUDE N/S,LONGITUDE E/W,HEIGHT,SPEED,HEADING,VOX\r\n"
                + "1\0\0\0\0\0,T,240501,100000,33.860000S,070.200000W,827\0\0,12\0\0,357,\0\0\0\0\0\0\0\0\0\r\n"
                + "2\0\0\0\0\0,T,240501,100005,33.860100S,070.200000W,-5\0\0\0,9\0\0\0,354,\0\0\0\0\0\0\0\0\0\r\n")
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.map(\.points.count) == [2])
        #expect(result.recordings.first?.field("ele") == ["827", "-5"])
        // 12 and 9 km/h.
        #expect(result.recordings.first?.field("speed") == ["3.333", "2.500"])
        #expect(result.recordings.first?.points.map(\.latitude) == [-33_860_000_000, -33_860_100_000])
    }

    @Test
    func `Tables of loggers with a chip of MediaTek have speeds in km/h, distances in km and heights above the sea`() {
        let result = imported(
            "INDEX,RCR,DATE,TIME,VALID,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED,DISTANCE,\r\n"
                + "1,T,2005/05/01,10:12:47,SPS,51.000000,N,12.000000,E,146,0.0,0.000000\r\n"
                + "2,T,2005/05/01,10:12:57,SPS,51.000180,N,12.000000,E,147,7.2,0.020016\r\n")
        #expect(result.recordings.first?.field("ele") == ["146", "147"])
        #expect(result.recordings.first?.field("speed") == ["0", "2"])
        #expect(result.recordings.first?.field("distance") == ["0.000", "20.016"])
    }

    @Test func `A unit in a cell counts, whatever the header says, if it measures the same`() {
        let result = imported(
            "INDEX,RCR,LATITUDE,N/S,LONGITUDE,E/W,HEIGHT,SPEED,DISTANCE,temperature,course (deg)\r\n"
                + "1,B,51.0,N,12.0,E,98.470 m,0.720 km/h,   76.99 m,68 °F,90°\r\n"
                + "2,B,51.1,N,12.0,E,100 ft,2 m/s,1.5km,20 km/h,0.5 N\r\n"
                + "3,B,51.2,N,12.0,E,m,3.6,2,C,\r\n")
        #expect(result.recordings.first?.field("ele") == ["98.470", "30.4800", "m"])
        #expect(result.recordings.first?.field("speed") == ["0.2", "2.0", "1.0"])
        #expect(result.recordings.first?.field("distance") == ["76.99", "1500.00", "2000.00"])
        #expect(result.recordings.first?.field("temp") == ["20.000", "20 km/h", "C"])
        #expect(result.recordings.first?.field("course") == ["90", "0.5 N", nil])
    }

    @Test func `A height beside an elevation, or in another table, is a field of its own`() {
        let columbus = imported("LATITUDE N/S,LONGITUDE E/W,HEIGHT,ALTITUDE\n33.86S,070.2W,10,20\n")
        #expect(columbus.recordings.first?.field("ele") == ["20"])
        let drone = imported("latitude,longitude,height\n33.86,70.2,10\n")
        #expect(drone.recordings.first?.field("ele") == [nil])
        #expect(drone.recordings.first?.field("height") == ["10"])
    }

    @Test func `A table with NULs within its text is binary data`() {
        #expect(imported("lat,lon,name\n1,2,a\0b\n").receipt.format == nil)
    }

    @Test func `A segment column splits a track into segments`() {
        let result = imported("track,segment,lat,lon\na,1,1,1\na,1,1,2\na,2,1,3\nb,1,1,1\n")
        #expect(result.recordings.map(\.segmentStarts) == [[0, 2], [0]])
    }

    @Test func `Unknown columns become fields with their names`() {
        let result = imported(
            "lat,lon,ele,Mood,code,empty\n1,2,5.50,\"so, so\",007,\n1,2,6,\"a \"\"b\"\"\",8,\n1,2,,,-0.5,\n")
        let recording = result.recordings[0]
        #expect(recording.field("ele") == ["5.5", "6.0", nil])
        #expect(recording.field("Mood") == ["so, so", "a \"b\"", nil])
        #expect(recording.field("code") == ["007", "8", "-0.5"])
        #expect(!recording.fieldNames.contains("empty"))
    }

    @Test func `Rows without a valid place are reported with their lines`() {
        let result = imported("lat,lon\n1,812\nNaN,1\n,\n91,0\n5\n\n90,180\n")
        #expect(result.receipt.outcome.points == 1)
        #expect(
            result.receipt.refused.first == [
                Finding(line: 2, what: .longitude("812")), Finding(line: 3, what: .latitude("NaN")),
                Finding(line: 4, what: .noPlace), Finding(line: 5, what: .latitude("91")),
                Finding(line: 6, what: .shortRow(columns: 1)),
            ])
    }

    @Test func `Lines are counted across blocks and quoted line breaks`() {
        let filler = String(repeating: "1,2,\"a\nb\"\n", count: 60_000)
        let result = imported("lat,lon,note\n" + filler + "1,999,x\n")
        #expect(result.receipt.refused.first == [Finding(line: 120_002, what: .longitude("999"))])
        #expect(result.receipt.outcome.points == 60_000)
    }

    @Test func `Implausible years and the epoch are kept as recorded`() {
        let result = imported("lat,lon,time\n1,2,1901-12-13T20:45:52.207Z\n1,2,0\n1,2,1970-01-01T00:00:00Z\n1,2,soon\n")
        #expect(result.recordings[0].points.allSatisfy { $0.time == PointColumns.untimed })
        #expect(result.recordings[0].field(FieldName.implausibleTime) == ["-2147483647793", "0", "0", nil])
        #expect(result.receipt.unreadTimes.first == [Finding(line: 5, what: "soon")])
    }

    @Test func `Daylight saving changes are applied`() {
        let text =
            "lat,lon,time\n1,2,2024-03-31 01:59:59\n1,2,2024-03-31 03:00:00\n1,2,2024-10-27 02:30:00\n1,2,2024-10-27 03:00:00\n"
        let times = imported(text, options: berlin).recordings[0].points.map { $0.time / 1000 }
        // A local time that occurs twice is the first occurrence.
        #expect(times == [1_711_846_799, 1_711_846_800, 1_729_989_000, 1_729_994_400])
    }

    @Test func `The number of workers and the block size do not change the result`() {
        var text = "track,time,lon,lat,ele,note\n"
        for row in 0..<40_000 {
            text +=
                "t\(row / 700 % 9),\(1_700_000_000 + row),\(Double(row) / 1000),1.5,\(row % 90),\(row % 11 == 0 ? "\"q,\(row)\"" : "")\n"
        }
        let alone = imported(text, options: ImportOptions(libraryZone: zone("UTC"), workers: 1), block: 10_000)
        let many = imported(text, options: ImportOptions(libraryZone: zone("UTC"), workers: 4), block: 3_001)
        #expect(alone.receipt.outcome.points == 40_000)
        #expect(alone.recordings == many.recordings)
        #expect(alone.recordings.count == 9)
    }

    @Test func `A truncated file never yields invented points`() {
        let text = "lat,lon,time,note\n51.5,-0.12,2024-05-01T08:00:00Z,\"a\nb\"\n51.6,-0.13,2024-05-01T08:00:01Z,c\n"
        let whole = imported(text).recordings[0].points
        for length in 0..<text.utf8.count {
            let points = imported(Array(text.utf8.prefix(length))).recordings.flatMap(\.points)
            #expect(points == Array(whole.prefix(points.count)), "\(length)")
        }
    }

    @Test func `A line of three megabytes is skipped`() {
        let result = imported("lat,lon\n1,2\n" + String(repeating: "x", count: 3_000_000) + "\n3,4\n")
        #expect(result.recordings.flatMap(\.points).count == 2)
        #expect(result.receipt.refused.first.map(\.line) == [3])
    }

    @Test func `An unclosed quote affects only its own row`() {
        let rows = String(repeating: "1,2,x\n", count: 300_000)
        let result = imported("lat,lon,note\n1,2,\"oh\n" + rows)
        #expect(result.receipt.outcome.points == 300_000)
        #expect(result.receipt.refused.count == 1)
    }

    @Test(arguments: ["1.5,2.5\n3.5,4.5\n", "name,size\na,1\n"])
    func `Columns without coordinates are refused with a reason`(text: String) {
        let receipt = imported(text).receipt
        #expect(
            receipt.failure == .unrecognised("columns without a header that names longitude and latitude"))
    }

    @Test func `Values of sparse columns stay with their points`() throws {
        let columns = (0..<900).map { "f\($0)" }
        let full = (0..<900).map { $0 % 3 == 0 ? "t\($0)" : "\($0)" }.joined(separator: ",")
        var text = "lat,lon," + columns.joined(separator: ",") + "\n"
        for row in 0..<9000 { text += row % 2500 == 77 ? "1,2,\(full)\n" : "1,2\n" }
        let result = imported(text)
        #expect(result.receipt.failure == nil)
        let chunks = try #require(result.recordings.first).chunks
        #expect(chunks.map(\.count).reduce(0, +) == 9000)
        var first = 0
        for chunk in chunks {
            let rows = (first..<first + chunk.count).filter { $0 % 2500 == 77 }
            #expect(chunk.fields.count == (rows.isEmpty ? 0 : 900))
            for field in chunk.fields {
                let number = try #require(Int(field.name.dropFirst()))
                switch field.values {
                case .numbers(_, let numbers):
                    #expect(numbers.indices.filter { numbers[$0] != FieldColumn.absent }.map { $0 + first } == rows)
                    #expect(rows.allSatisfy { numbers[$0 - first] == Int64(number) })
                case .texts(let texts):
                    #expect(texts.indices.filter { texts[$0] != nil }.map { $0 + first } == rows)
                    #expect(rows.allSatisfy { texts[$0 - first] == "t\(number)" })
                }
            }
            first += chunk.count
        }
    }

    @Test func `Thousands of sparse columns need little memory`() {
        let columns = (0..<2500).map { "f\($0)" }.joined(separator: ",")
        let block =
            String(repeating: "1,2\n", count: 6_000) + "1,2," + (0..<2500).map { "\($0 % 10)" }.joined(separator: ",")
            + "\n"
        let result = imported("lat,lon,\(columns)\n" + block + block)
        #expect(result.receipt.failure == nil)
        let chunks = result.recordings.flatMap(\.chunks)
        #expect(chunks.map(\.count).reduce(0, +) == 12_002)
        // Stored densely, they would be 30 million values.
        #expect(chunks.filter { !$0.fields.isEmpty }.count <= 2)
    }
}
