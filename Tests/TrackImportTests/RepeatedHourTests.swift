import Foundation
import Testing
import TrackImport
import Tracks

/// Local times in the hour that clocks show twice in autumn.
@Suite struct RepeatedHourTests {
    private func options(_ name: String, workers: Int = 1) -> ImportOptions {
        ImportOptions(zone: zone(name), libraryZone: zone("UTC"), workers: workers)
    }

    /// The instants of two hours, and what the clocks of the zone show.
    private func walk(from start: Int64, minutes: Int, in name: String) -> [(local: String, instant: Int64)] {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = zone(name)
        format.dateFormat = "yyyy-MM-dd'T'HH:mm:ss"
        return (0..<minutes).map { minute in
            let seconds = start + Int64(minute) * 60
            return (format.string(from: Date(timeIntervalSince1970: Double(seconds))), seconds * 1000)
        }
    }

    /// 2025-10-26T01:30 in Berlin and 2025-04-06T01:00 on Lord Howe Island, where clocks are set back by half an hour.
    private static let changes: [(zone: String, start: Int64)] = [
        ("Europe/Berlin", 1_761_435_000), ("Australia/Lord_Howe", 1_743_861_600),
    ]

    private static let formats: [(name: String, text: @Sendable ([String]) -> String)] = [
        (
            "GPX",
            { times in
                "<gpx><trk><trkseg>"
                    + times.map { "<trkpt lat='1' lon='2'><time>\($0)</time></trkpt>" }.joined()
                    + "</trkseg></trk></gpx>"
            }
        ),
        (
            "TCX",
            { times in
                "<TrainingCenterDatabase><Activities><Activity Sport='Running'><Lap><Track>"
                    + times.map {
                        "<Trackpoint><Time>\($0)</Time><Position><LatitudeDegrees>1</LatitudeDegrees>"
                            + "<LongitudeDegrees>2</LongitudeDegrees></Position></Trackpoint>"
                    }.joined() + "</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
            }
        ),
        (
            "KML",
            { times in
                "<kml xmlns:gx='http://www.google.com/kml/ext/2.2'><Placemark><gx:Track>"
                    + times.map { "<when>\($0)</when>" }.joined()
                    + times.map { _ in "<gx:coord>2 1 0</gx:coord>" }.joined() + "</gx:Track></Placemark></kml>"
            }
        ),
        ("CSV", { times in "lat,lon,time\n" + times.map { "1,2,\($0)\n" }.joined() }),
        (
            "CSV with written dates",
            { times in
                "lat,lon,date,time\n"
                    + times.map { "1,2,\($0.prefix(10).replacingOccurrences(of: "-", with: "/")),\($0.suffix(8))\n" }
                    .joined()
            }
        ),
        (
            "GeoJSON",
            { times in
                let places = times.map { _ in "[2,1]" }.joined(separator: ",")
                return "{\"type\":\"Feature\",\"properties\":{\"coordTimes\":["
                    + times.map { "\"\($0)\"" }.joined(separator: ",")
                    + "]},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\(places)]}}"
            }
        ),
    ]

    @Test(arguments: 0..<2) func `The order of points tells the two passages apart in all formats`(change: Int) {
        let (name, start) = Self.changes[change]
        let points = walk(from: start, minutes: 180, in: name)
        #expect(Set(points.map(\.local)).count < points.count)
        for (format, text) in Self.formats {
            let result = imported(text(points.map(\.local)), options: options(name))
            #expect(result.recordings.flatMap(\.points).map(\.time) == points.map(\.instant), "\(format)")
        }
    }

    @Test func `Blocks of CSV that are read at the same time agree`() {
        let (name, start) = Self.changes[0]
        let points = walk(from: start, minutes: 180, in: name)
        let text = "lat,lon,time\n" + points.map { "1,2,\($0.local)\n" }.joined()
        for block in [40, 200, 1000] {
            let result = imported(text, options: options(name, workers: 3), block: block)
            #expect(result.recordings.flatMap(\.points).map(\.time) == points.map(\.instant), "\(block)")
        }
    }

    @Test func `Rows of two devices are told apart one by one`() {
        let (name, start) = Self.changes[0]
        let points = walk(from: start, minutes: 180, in: name)
        // The second device was switched on in the second passage; it begins in the first one, as far as one can see.
        let rows = points.enumerated().map { index, point in
            "1,2,\(point.local),a\n" + (index >= 100 && index < 140 ? "1,2,\(point.local),b\n" : "")
        }
        let result = imported("lat,lon,time,device\n" + rows.joined(), options: options(name))
        let times = Dictionary(
            uniqueKeysWithValues: result.recordings.map { ($0.header.device, $0.points.map(\.time)) })
        #expect(times["a"] == points.map(\.instant))
        #expect(times["b"]?.first == points[100].instant - 3_600_000)
    }

    @Test func `Rows in no order have the earlier time`() {
        let (name, start) = Self.changes[0]
        let points = walk(from: start, minutes: 180, in: name).reversed()
        let text = "lat,lon,time\n" + points.map { "1,2,\($0.local)\n" }.joined()
        let result = imported(text, options: options(name))
        let times = result.recordings.flatMap(\.points).map(\.time)
        #expect(times.count == 180)
        let second = points.filter { $0.instant >= (start + 90 * 60) * 1000 && $0.instant < (start + 150 * 60) * 1000 }
        #expect(second.allSatisfy { times.contains($0.instant - 3_600_000) })
    }

    @Test func `The library’s zone has the rule too`() {
        let (name, start) = Self.changes[0]
        let points = walk(from: start, minutes: 180, in: name)
        let text = "lat,lon,time\n" + points.map { "1,2,\($0.local)\n" }.joined()
        let result = imported(text, options: ImportOptions(libraryZone: zone(name), workers: 1))
        #expect(result.recordings.flatMap(\.points).map(\.time) == points.map(\.instant))
    }
}
