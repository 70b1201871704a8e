import Testing
import Text
import TrackImport
import Tracks

/// The limits of integers, instants, doubles and decimals.
private let extremes = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "18446744073709551615", "-9223372036854775",
    "9223372036854775", "8640000000000", "8640000000001", "-8640000000001", "8640000000000001", "1e15", "1e18", "-1e18",
    "1e308", "1e999",
    "-1e999", "1e-308", "0.000000000000000001", "123456789012345678", "999999999999999999", "-0", "NaN", "Infinity",
    "2147483648", "-2147483649", "4294967296", "99999999999999999999999999999999", "0x7fffffffffffffff",
]

/// Files for all text readers, with a number in each place that may contain one.
private func files(_ number: String) -> [String] {
    [
        "lat,lon,time,ele,speed\n52.5,13.4,\(number),\(number),\(number)\n\(number),\(number),1,1,1\n",
        "lat;lon;epoch;hacc\n52,5;13,4;\(number);\(number)\n",
        "lat,lon,epoch_ms\n52.5,13.4,\(number)\n", "lat,lon,timestamp_us\n52.5,13.4,\(number)\n",
        "lat,lon,timestamp_ns\n52.5,13.4,\(number)\n", "lat,lon,date,time\n52.5,13.4,\(number),\(number)\n",
        """
        <gpx version="1.1"><trk><trkseg><trkpt lat="52.5" lon="13.4"><ele>\(number)</ele><time>\(number)</time>
        <hdop>\(number)</hdop><extensions><a>\(number)</a></extensions></trkpt><trkpt lat="\(number)" lon="\(number)"/></trkseg></trk></gpx>
        """,
        """
        <kml xmlns:gx="http://www.google.com/kml/ext/2.2"><Placemark><gx:Track><when>2025-03-30T08:00:00Z</when><when>\(number)</when>
        <gx:coord>13.4 52.5 \(number)</gx:coord><gx:coord>\(number) \(number) 0</gx:coord></gx:Track></Placemark></kml>
        """,
        """
        <TrainingCenterDatabase><Activities><Activity Sport="Biking"><Lap><Track><Trackpoint><Time>\(number)</Time><Position>
        <LatitudeDegrees>52.5</LatitudeDegrees><LongitudeDegrees>13.4</LongitudeDegrees></Position><AltitudeMeters>\(number)</AltitudeMeters>
        <HeartRateBpm><Value>\(number)</Value></HeartRateBpm></Trackpoint></Track></Lap></Activity></Activities></TrainingCenterDatabase>
        """,
        """
        {"type":"Feature","geometry":{"type":"LineString","coordinates":[[13.4,52.5,\(number),\(number)],[\(number),\(number)]]},
        "properties":{"coordTimes":[\(number),"\(number)"],"doubled":["\(number)"],"speeds":[\(number),1]}}
        """,
        """
        {"type":"Feature","geometry":{"type":"Point","coordinates":[13.4,52.5]},"properties":{"time":\(number),"ele":\(number)}}
        """,
        """
        {"locations":[{"latitudeE7":525000000,"longitudeE7":134000000,"timestampMs":"\(number)","accuracy":\(number)},
        {"latitudeE7":\(number),"longitudeE7":\(number),"timestamp":"\(number)"}]}
        """,
        """
        {"semanticSegments":[{"startTime":"2025-03-30T08:00:00Z","endTime":"2025-03-30T09:00:00Z","timelinePath":[
        {"point":"52.5°, 13.4°","durationMinutesOffsetFromStartTime":"\(number)"},{"point":"\(number),\(number)","time":"\(number)"}]}]}
        """,
        """
        {"timelineObjects":[{"placeVisit":{"location":{"latitudeE7":\(number),"longitudeE7":134000000},"duration":{"startTimestampMs":"\(number)"}}}]}
        """,
        #"{"_type":"location","lat":52.5,"lon":13.4,"tst":\#(number),"vel":\#(number),"batt":\#(number),"alt":\#(number)}"#,
        #"{"locations":[{"id":1,"lat":52.5,"lon":13.4,"time":\#(number)},{"id":2,"lat":52.5,"lon":13.5,"time":1700000000.5}]}"#,
        "$GPRMC,\(number),A,5230.000,N,01324.000,E,\(number),\(number),\(number),,,A\r\n",
        "$GPRMC,080000,A,\(number),N,\(number),E,1,2,300325,,,A\r\n$GPZDA,080000,\(number),\(number),\(number),00,00\r\n",
        "AXXX001\nHFDTE\(number)\nI013638FXA\nB0800005230000N01324000EA0010000120\(number)\n",
        """
        <Entries><Entry TimeStamp="2025-03-30T08:00:00Z" Latitude="52.5" Longitude="13.4" Speed="\(number)" Altitude="\(number)"
        HeadingTimeStamp="\(number)" Heading="\(number)" InstanceCount="\(number)"/></Entries>
        """,
    ]
}

@Suite struct ExtremeNumberTests {
    @Test(arguments: extremes) func `Any number in a file is stored, refused or reported`(number: String) throws {
        for text in files(number) {
            let result = imported(text)
            for chunk in result.recordings.flatMap(\.chunks) {
                #expect(chunk.times.allSatisfy { $0 == PointColumns.untimed || Instant.plausible.contains($0) })
                #expect(try PointColumns(decoding: chunk.encoded()) == chunk)
            }
            #expect(result.receipt.lines.allSatisfy { !$0.isEmpty } && !result.receipt.json.isEmpty)
        }
    }

    @Test(arguments: extremes) func `Any member size in tar is valid or reported as damage`(number: String) {
        let record = "size=\(number)\n"
        let length = record.utf8.count + String(record.utf8.count + 3).utf8.count + 1
        let pax = Array("\(length) \(record)".utf8)
        let content = Array("lat,lon\n1,2\n".utf8)
        let bytes =
            tarMember("x", size: Array(octal(pax.count)), pax) + tarMember("0", size: octal(content.count), content)
        let result = imported(bytes + [UInt8](repeating: 0, count: 1024))
        #expect(!result.receipt.json.isEmpty)
    }

    @Test(arguments: [UInt8(0x80), 0x81, 0xBF, 0xC0, 0xFF], [UInt8(0), 1, 0x7F, 0x80, 0xFF])
    func `Any base-256 size is valid or reported as damage`(first: UInt8, rest: UInt8) {
        let content = Array("lat,lon\n1,2\n".utf8)
        let size = [first] + [UInt8](repeating: rest, count: 11)
        #expect(!imported(tarMember("0", size: size, content)).receipt.json.isEmpty)
    }

    /// A member of a tar archive with a correct checksum.
    private func tarMember(_ kind: String, size: [UInt8], _ content: [UInt8]) -> [UInt8] {
        var head = [UInt8](repeating: 0, count: 512)
        head.replaceSubrange(0..<5, with: Array("a.csv".utf8))
        head.replaceSubrange(124..<136, with: size)
        head[156] = Array(kind.utf8)[0]
        head.replaceSubrange(148..<156, with: [UInt8](repeating: 0x20, count: 8))
        let sum = head.reduce(0) { $0 + Int($1) }
        head.replaceSubrange(148..<156, with: octal(sum).suffix(7) + [0x20])
        return head + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
    }

    private func octal(_ number: Int) -> [UInt8] {
        let digits = String(number, radix: 8)
        return Array((String(repeating: "0", count: 11 - digits.count) + digits).utf8) + [0]
    }
}
