import Foundation
import Testing
import TrackImport
import Tracks

@Suite struct ZoneTests {
    private let local = "lat,lon,time\n1,2,2024-05-01 10:00:00\n"
    private let reported = "lat,lon,time\n1,2,2024-05-01T12:00:00-05:00\n"
    private let ten: Int64 = 1_714_557_600_000

    @Test(arguments: [false, true]) func `The offset that other points give is used in any order`(archived: Bool)
        throws
    {
        let hour: Int64 = 3_600_000
        for names in [("a", "b"), ("b", "a")] {
            let result = try importedTogether([(names.0, local), (names.1, reported)], archived: archived)
            #expect(result.times[names.0] == [ten + 5 * hour])
            #expect(result.receipts[names.0]?.zones == [.reported(minutes: -300)])
            #expect(result.receipts[names.1]?.zones == [])
            #expect(result.total.outcome.points == 2)
            #expect(result.total.failed == 0)
        }
    }

    @Test func `An offset applies to its day and the library zone to other days`() throws {
        let hour: Int64 = 3_600_000
        let later = local.replacingOccurrences(of: "05-01", with: "05-03")
        let result = try importedTogether([("a", later), ("b", reported)])
        #expect(result.times["a"] == [ten - 9 * hour + 48 * hour])
        #expect(result.receipts["a"]?.zones == [.library("Asia/Tokyo")])
        #expect(
            result.receipts["a"]?.lines.contains {
                $0.hasSuffix("as Asia/Tokyo, the library's time zone; use --zone if they are in another one")
            } == true)
    }

    @Test func `Other rows of the same file provide the offset`() throws {
        let result = try importedTogether([("a", local + "1,2,2024-05-01T10:00:01+02:00\n")])
        #expect(result.times["a"] == [ten - 7_200_000, ten - 7_199_000])
        #expect(result.receipts["a"]?.lines.contains { $0.contains("UTC+02:00") } == true)
    }

    @Test func `A zone in the options takes precedence`() {
        let options = ImportOptions(zone: zone("UTC"), libraryZone: zone("Asia/Tokyo"), workers: 1)
        let result = imported(local + "1,2,2024-05-01T10:00:01+02:00\n", options: options)
        #expect(result.recordings[0].points.map(\.time) == [ten, ten - 7_199_000])
        #expect(result.receipt.zones == [.option("GMT")])
    }

    @Test func `GPX times without a zone are UTC and reported as such`() {
        let text =
            "<gpx><trk><trkseg><trkpt lat='1' lon='2'><time>2024-05-01T10:00:00</time></trkpt></trkseg></trk></gpx>"
        let result = imported(text, options: ImportOptions(libraryZone: zone("Asia/Tokyo"), workers: 1))
        #expect(result.recordings[0].points.map(\.time) == [ten])
        #expect(result.receipt.zones == [.utc])
    }
}
