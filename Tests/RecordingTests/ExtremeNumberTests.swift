import Recording
import Testing
import Text
import Tracks

/// Values at the limits of integers, instants, doubles and decimals.
private let extremes = [
    "-9223372036854775808", "9223372036854775807", "9223372036854775808", "18446744073709551615", "-9223372036854775",
    "9223372036854775", "8640000000000", "8640000000001", "-8640000000001", "8640000000000001", "1e15", "1e18", "-1e18",
    "1e308", "1e999",
    "-1e999", "1e-308", "0.000000000000000001", "123456789012345678", "999999999999999999", "-0", "NaN", "Infinity",
    "2147483648", "-2147483649", "4294967296", "99999999999999999999999999999999", "",
]

private func words(_ format: RecordingFormat, _ number: String) -> [RecordingRequest] {
    let point =
        #""lon":13.4,"lat":52.5,"t":\#(number),"ele":\#(number),"speed":\#(number),"course":\#(number),"battery":\#(number)"#
    let places = #"{"lon":\#(number),"lat":\#(number),"t":1700000000}"#
    let bodies =
        switch format {
        case .own:
            [
                "{\"points\":[{\(point)},{\"t\":\(number),\"heading\":\(number)}]}", "{\(point)}\n{\(point)}",
                "[\(places)]", "{\(point)}".replacing(number, with: "\"\(number)\""),
            ]
        case .waypoint: ["{\(point)}", places]
        case .ownTracks:
            [
                #"{"_type":"location","lat":52.5,"lon":13.4,"tst":\#(number),"vel":\#(number),"batt":\#(number),"alt":\#(number)}"#,
                #"{"_type":"location","lat":\#(number),"lon":13.4,"tst":1}"#,
            ]
        case .overland, .dawarich:
            [
                #"{"locations":[{"geometry":{"coordinates":[13.4,52.5,\#(number)]},"properties":{"timestamp":\#(number),"battery_level":\#(number),"speed":\#(number)}}]}"#,
                #"{"locations":[{"geometry":{"coordinates":[\#(number),\#(number)]},"properties":{"timestamp":1}}]}"#,
            ]
        case .osmAnd:
            [
                #"{"location":{"timestamp":\#(number),"coords":{"latitude":52.5,"longitude":13.4,"speed":\#(number)},"battery":{"level":\#(number)}}}"#
            ]
        case .gpsLogger, .uLogger: ["{\(point)}"]
        case .colota: ["{\(point)}".replacing("\"t\"", with: "\"tst\"")]
        case .phoneTrack:
            ["{\"points\":[[52.5,13.4,\(number),\(number),\(number),\(number)],[\(number),\(number),1700000000]]}"]
        case .openGTS:
            ["dev=a&alt=\(number)&gprmc=$GPRMC,\(number),A,\(number),N,\(number),E,\(number),\(number),\(number),,"]
        case .traccar:
            [
                #"{"position":{"latitude":52.5,"longitude":13.4,"fixTime":\#(number),"speed":\#(number),"attributes":{"sat":\#(number)}}}"#,
                #"{"position":{"latitude":\#(number),"longitude":\#(number),"fixTime":1700000000000}}"#,
            ]
        case .homeAssistant:
            [
                #"{"latitude":52.5,"longitude":13.4,"gps_accuracy":\#(number),"battery_level":\#(number),"last_updated":\#(number)}"#
            ]
        }
    let parameters = [
        ["lat", "52.5"], ["lon", "13.4"], ["timestamp", number], ["speed", number], ["altitude", number],
        ["bearing", number], ["batt", number], ["hdop", number],
    ].map { (name: $0[0], value: $0[1]) }
    return bodies.map { RecordingRequest(body: Array($0.utf8), now: 1_700_000_000_123) }
        + [
            RecordingRequest(parameters: parameters, now: 1_700_000_000_123),
            RecordingRequest(parameters: [("location", "\(number),\(number)")], now: .max),
        ]
}

@Suite struct ExtremeNumberTests {
    @Test(arguments: RecordingFormat.allCases, extremes)
    func `Any number that an app sends is stored, refused or dropped`(format: RecordingFormat, number: String) throws {
        for request in words(format, number) {
            guard let batch = try? format.read(request) else { continue }
            for chunk in batch.devices.flatMap(\.chunks) {
                #expect(chunk.times.allSatisfy { $0 == PointColumns.untimed || Instant.plausible.contains($0) })
                #expect(try PointColumns(decoding: chunk.encoded()) == chunk)
            }
        }
    }
}
