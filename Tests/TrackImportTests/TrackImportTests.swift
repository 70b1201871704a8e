import Testing
import TrackImport
import Tracks

@Suite struct RealFileTests {
    @Test(arguments: [
        "derived/base.gpx", "derived/base.csv", "derived/base_epochms.csv", "derived/base_semicolon_localtime.csv",
        "derived/base_lines.geojson", "derived/base_lines.geojsonl", "derived/base_points.geojson", "derived/base.tcx",
        "derived/base_gxtrack.kml", "derived/base.fit", "derived/base.nmea", "derived/Records.json",
        "derived/2025_AUGUST.json", "derived/Timeline.json",
        "derived/2025-08.rec", "derived/gpslog.db", "derived/gpslog_export.xml", "derived/gpslog_export_intended.xml",
    ]) func `Every container yields the same points`(path: String) throws {
        guard let expected = realFile("derived/base.gpx"), let bytes = realFile(path) else { return }
        let berlin = ImportOptions(libraryZone: zone("Europe/Berlin"))
        let wanted = imported(expected).recordings.flatMap(\.points)
        let result = imported(bytes, options: berlin)
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.refused.count == 0)
        #expect(wanted.count == 2299)
        let points = result.recordings.flatMap(\.points)
        #expect(points.count == 2299)
        // Some containers write 6 decimal places, whole seconds or hundredths.
        let isInSeconds =
            path.contains("localtime") || path.contains("gpslog") || path.hasSuffix(".fit") || path.hasSuffix(".rec")
        let step: Int64 = isInSeconds ? 1000 : path.hasSuffix(".nmea") ? 10 : 1
        let mismatches = zip(points, wanted).count { point, wanted in
            abs(point.longitude - wanted.longitude) > 500 || abs(point.latitude - wanted.latitude) > 500
                || point.time != wanted.time / step * step
        }
        #expect(mismatches == 0)
    }
}
