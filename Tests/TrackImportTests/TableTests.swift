import Testing
import TrackImport
import Tracks

private let berlin = ImportOptions(libraryZone: zone("Europe/Berlin"))
/// 2024-05-01T08:00:00Z.
private let morning: Int64 = 1_714_550_400_000

@Suite struct TableTests {
    @Test(arguments: [
        "lat,N/S,lon,E/W,time\n51.5,S,0.12,W,2024-05-01T08:00:00Z\n",
        "Latitude,lat_dir,Longitude,lon_dir,timestamp\n51.5,South,0.12,West,1714550400\n",
        "LatHem;lat;LonHem;lon;time\ns;51,5;w;0,12;1714550400\n",
        "lat,lon,time\n51.5S,0.12W,1714550400\n",
        "lat,lon,time\nS 51.5,W0.12,1714550400\n",
        "lat,lon,time\n51°30'S,0°7'12\"W,1714550400\n",
        "lat,lon,time\n\"51 deg 30' 0\"\" S\",\"0 deg 7' 12\"\" W\",1714550400\n",
        "lat,lon,time\n51d30m0s S,0d7m12sW,1714550400\n",
        "lat,lon,time\n51D30M0S S,0D7M12S W,1714550400\n",
        "GPSLatitude,GPSLatitudeRef,GPSLongitude,GPSLongitudeRef,t\n51.5,S,0.12,W,1714550400\n",
        "latitudeE7,longitudeE7,timestampMs\n-515000000,-1200000,1714550400000\n",
        "lat,lon,time\n-515000000,-1200000,1714550400\n",
        "latitude,,longitude,,time\n51.5,S,0.12,W,1714550400\n",
        "lat,NS,lon,EW,time\n5130.0,S,00007.2,W,1714550400\n",
        "OSD.latitude,OSD.longitude,time\n-51.5,-0.12,1714550400\n",
    ]) func `Hemispheres are read in all notations`(text: String) {
        let result = imported(text, options: berlin)
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.refused.count == 0)
        #expect(
            result.recordings.flatMap(\.points) == [
                CollectedRecording.Point(longitude: -120_000_000, latitude: -51_500_000_000, time: morning)
            ])
    }

    @Test func `An s behind degrees and minutes with letters means seconds`() {
        let result = imported(
            "lat,lon,time\n51d30m0s,0d7m12s,1714550400\n49d4m12S,8d24m3s,1714550401\n", options: berlin)
        #expect(
            result.recordings.flatMap(\.points) == [
                CollectedRecording.Point(longitude: 120_000_000, latitude: 51_500_000_000, time: morning)
            ])
        // `S` may be seconds or south.
        #expect(result.receipt.refused.count == 1)
    }

    @Test func `A number without its hemisphere or with a contradicting sign is refused`() {
        let result = imported(
            "lat,N/S,lon,E/W\n51.5,,0.1,W\n-51.5,N,0.1,W\n-51.5,S,0.1,W\n51.5,Q,0.1,W\n51.5,N,0.1,E\n")
        #expect(result.recordings.flatMap(\.points).map(\.latitude) == [-51_500_000_000, 51_500_000_000])
        #expect(result.receipt.refused.count == 3)
        #expect(result.receipt.refused.first.first?.what == .latitude("51.5 (no hemisphere)"))
    }

    @Test func `Projected metres are not coordinates`() {
        #expect(imported("lat,lon\n5712345,698234\n").receipt.outcome.points == 0)
        #expect(imported("lat [m],lon [m]\n51,8\n").receipt.failure != nil)
    }

    @Test(arguments: [
        ("Altitude (ft)", "100", "ele", "30.48"), ("alt_ft", "100", "ele", "30.48"),
        ("Altitude [m]", "30.5", "ele", "30.5"),
        ("Speed (mph)", "10", "speed", "4.4704"), ("Speed [km/h]", "36", "speed", "10"),
        ("speed_kmh", "36", "speed", "10"),
        ("Speed (kn)", "10", "speed", "5.144"), ("SOG", "10", "speed", "5.144"),
        ("Velocity (m/s)", "4.2E1", "speed", "42"),
        ("Distance (km)", "1.5", "distance", "1500"), ("Temperature (°F)", "212", "temp", "100"),
        ("temp [K]", "300", "temp", "26.85"),
        ("Heart Rate (bpm)", "90", "hr", "90"), ("Speed in knots", "10", "speed", "5.144"),
        ("altitudeFeet", "100", "ele", "30.48"),
        ("Speed (min/km)", "5", "Speed (min/km)", "5"), ("Altitude (furlongs)", "5", "Altitude (furlongs)", "5"),
    ]) func `Units in the header are converted or kept in the name`(
        column: String, value: String, field: String, expected: String
    ) {
        let recording = imported("lat,lon,\(column)\n1,2,\(value)\n").recordings[0]
        #expect(recording.fieldNames == [field])
        let found = (recording.field(field).first ?? nil).flatMap(Double.init)
        #expect(found == Double(expected), "\(recording.field(field))")
    }

    @Test(arguments: [
        "MMSI,BaseDateTime,LAT,LON\n1,2024-05-01T08:00:00Z,51.5,-0.12\n",
        "lat,lon,utc_d,utc_t\n51.5,-0.12,2024/05/01,08:00:00\n",
        "lat,lon,UTC Date,UTC Time\n51.5,-0.12,01.05.2024,8:00\n",
        "Lcl Date, Lcl Time, UTCOfst, Latitude, Longitude\n2024-05-01, 10:00:00, +02:00, 51.5, -0.12\n",
        "#airframe_info,x\n#yyy-mm-dd, hh:mm:ss, hh:mm, degrees, degrees\n  Lcl Date, Lcl Time, UTCOfst, Latitude, Longitude\n2024-05-01, 01:00:00, -07:00, 51.5, -0.12\n",
        "Start Time,lat,lon\n2024-05-01 10:00:00,51.5,-0.12\n",
        "time(millisecond),datetime(utc),latitude,longitude\n100,2024-05-01 08:00:00,51.5,-0.12\n",
        "lat,lon,GPS Time\n51.5,-0.12,Wed May 01 09:00:00 GMT+01:00 2024\n",
        "lat,lon,timestamp\n51.5,-0.12,Wed May 01 01:00:00 PDT 2024\n",
        "lat,lon,time\n51.5,-0.12,Wed May 1 10:00:00 CEST 2024\n",
        "lat,lon,Device Time\n51.5,-0.12,01-May-2024 10:00:00.000\n",
        "lat,lon,date,time\n51.5,-0.12,5/1/2024,10:00:00 AM\n51.5,-0.12,5/13/2024,10:00:00 PM\n",
        "lat,lon,time\n51.5,-0.12,01/05/2024 10:00\n51.5,-0.12,13/05/2024 22:00\n",
        "lat,lon,date\n51.5,-0.12,01/05/24 10:00:00\n51.5,-0.12,13/05/24 22:00:00\n",
        "lat;lon;Datum\n51,5;-0,12;45413,4166666667\n",
        "lat;lon;Datum;Uhrzeit\n51,5;-0,12;45413;0,4166666667\n",
        "lat,lon,date,time\n51.5,-0.12,20240501,1000\n",
        "lat,lon,epoch_s\n51.5,-0.12,1714550400\n", "lat,lon,GPSTime\n51.5,-0.12,1714550400\n",
        "lat,lon,TimeStamp\n51.5,-0.12,2024-05-01T08:00:00Z\n",
        "Pilot,Tail Number\nada,N1\nTimestamp,Latitude,Longitude\n1714550400.000,51.5,-0.12\n",
    ]) func `Times are found under the names of many exporters`(text: String) {
        let result = imported(text, options: berlin)
        #expect(result.receipt.failure == nil)
        #expect(result.recordings.flatMap(\.points).first?.time == morning, "\(result.receipt.lines)")
        #expect(result.receipt.columns?.times.isEmpty == false)
    }

    @Test(arguments: ["time", "seconds", "elapsed", "Time (s)", "t"])
    func `Seconds since an unknown start are not times in 1970`(name: String) {
        let result = imported("\(name),lat,lon\n0,1,2\n1,1,3\n2.5,1,4\n")
        #expect(result.receipt.outcome.untimed == 3)
        #expect(result.recordings[0].fieldNames == [name])
        #expect(result.recordings[0].field(name) == ["0.0", "1.0", "2.5"])
        #expect(result.receipt.lines.contains { $0.contains("counts from an unknown start") })
    }

    @Test func `Spreadsheet days are not times in 1970`() {
        let result = imported("date,lat,lon\n45000.5,1,2\n45000.5006944444,1,3\n")
        #expect(result.recordings[0].points.map(\.time) == [1_678_881_600_000, 1_678_881_660_000])
        #expect(result.receipt.columns?.usesSerialDays == true)
        let paced = imported("time,lat,lon\n30000.1,1,2\n30000.2,1,3\n30000.3,1,4\n30000.4,1,4\n")
        #expect(paced.receipt.outcome.untimed == 4)
    }

    @Test func `The order of dates is found even late in the file`() {
        let filler = String(repeating: "03/04/2024 08:00:00,1,2\n", count: 50_000)
        let result = imported("time,lat,lon\n" + filler + "25/04/2024 08:00:00,1,2\n")
        #expect(result.receipt.columns?.dateOrder == .dayMonthYear)
        #expect(result.receipt.columns?.isOrderAssumed == false)
        #expect(result.recordings[0].points.first?.time == 1_712_131_200_000)
        #expect(result.receipt.outcome.points == 50_001)
    }

    @Test(arguments: [1, 1200]) func `A date in a quoted text of several lines does not determine the order`(rows: Int)
    {
        let row = "47,8,01/02/2024 10:00,\n"
        let quoted = "47,8,01/02/2024 10:00,\"see\n47,8,25/12/2024 10:00,x\"\n"
        let text = String(repeating: row, count: rows) + quoted + "47,8,01/03/2024 10:00,\n"
        let result = imported("lat,lon,time,remark\n" + text, block: 1000)
        #expect(result.receipt.columns?.dateOrder == .monthDayYear)
        #expect(result.receipt.columns?.isOrderAssumed == true)
        #expect(result.recordings.flatMap(\.points).count == rows + 2)
        let known = imported("lat,lon,time,remark\n" + text + "47,8,25/12/2024 10:00,\n", block: 1000)
        #expect(known.receipt.columns?.dateOrder == .dayMonthYear)
        #expect(known.receipt.columns?.isOrderAssumed == false)
    }

    @Test func `An order that no date determines is assumed and reported`() {
        let result = imported("time,lat,lon\n03/04/2024 08:00:00,1,2\n")
        #expect(result.recordings[0].points.map(\.time) == [1_712_131_200_000])
        #expect(result.receipt.lines.contains { $0.contains("assumed") })
        let american = imported("time,lat,lon\n03/04/2024 08:00:00 AM,1,2\n")
        #expect(american.recordings[0].points.map(\.time) == [1_709_539_200_000])
        // The days are consecutive, the months are not.
        let days = imported("time,lat,lon\n04/03/2024 08:00,1,2\n04/04/2024 08:00,1,2\n04/05/2024 08:00,1,2\n")
        #expect(days.receipt.columns?.dateOrder == .monthDayYear)
    }

    @Test func `The receipt lists the columns`() {
        let result = imported("lon,lat,timestamp,end_time\n1,2,1714550400,soon\n")
        let columns = result.receipt.columns
        #expect(columns?.places == ["lon", "lat"])
        #expect(columns?.times == ["timestamp"])
        #expect(columns?.others == ["end_time"])
        #expect(result.receipt.lines.contains { $0.contains("'end_time'") })
        #expect(result.recordings[0].field("end_time") == ["soon"])
    }

    @Test func `An unreadable time is kept as text`() {
        let result = imported("lat,lon,time\n1,2,2024-05-01T08:00:00Z\n1,2,soon\n")
        #expect(result.recordings[0].field("time") == [nil, "soon"])
        #expect(result.receipt.unreadTimes.count == 1)
    }

    @Test func `Tables with flipped bits are handled`() {
        handlesFlippedBits(
            Array(
                "lat,N/S,lon,E/W,date,time,Speed (kn)\n51.5,S,0.12,W,5/1/2024,10:00:00 AM,5\n51.5,N,0.12,E,5/13/2024,10:00:00 PM,6\n"
                    .utf8))
        handlesFlippedBits(Array("lat,lon,date\n51.5,0.12,45413.5\n51.5,N,45413.6\n".utf8))
    }
}
