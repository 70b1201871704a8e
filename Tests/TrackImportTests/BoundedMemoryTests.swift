import Pins
import Testing
import Text
import Tracks

@testable import TrackImport

@Suite struct BoundedMemoryTests {
    @Test func `A waypoint keeps the first text of each name, and no more than a pin does`() throws {
        let position = try #require(
            Place(
                longitude: FixedDecimal(mantissa: 8, places: 0), latitude: FixedDecimal(mantissa: 47, places: 0)))
        var waypoint = WaypointBuilder()
        waypoint.place = position
        for _ in 0..<100_000 { waypoint.addAttribute("blank", " \n") }
        for number in 0..<100_000 { waypoint.addAttribute("desc", "text \(number)") }
        for number in 0..<100_000 { waypoint.addAttribute("name \(number)", "a") }
        for _ in 0..<100_000 { waypoint.addExportedAttribute("caption", "a") }
        #expect(waypoint.textCount <= 2 * PinText.attributeLimit)
        let pin = try #require(waypoint.pin(person: nil))
        #expect(pin.attributes.count == PinText.attributeLimit)
        #expect(pin.attributes["desc"] == "text 0" && pin.attributes["name 62"] == "a")
        #expect(pin.attributes["blank"] == nil && pin.attributes["name 63"] == nil)
    }

    @Test func `A placemark with too many points is reported`() throws {
        let position = try #require(
            Place(
                longitude: FixedDecimal(mantissa: 8, places: 0), latitude: FixedDecimal(mantissa: 47, places: 0)))
        var placemark = KMLPlacemark()
        for _ in 0..<KMLPlacemark.pointLimit { try placemark.addPoint(position, altitude: nil, line: 1) }
        let failure = #expect(throws: ImportFailure.self) { try placemark.addPoint(position, altitude: nil, line: 7) }
        #expect(failure?.sentence == "line 7: an object has more than 1,000,000 points; split it")
    }

    @Test func `Each invalid point of a placemark is refused, and the others are read`() {
        let points = ["8,47", "812,47", "8,97", "9,47,5"].map { "<Point><coordinates>\($0)</coordinates></Point>\n" }
        let result = imported(
            """
            <?xml version="1.0"?>
            <kml xmlns="k"><Document><Placemark><TimeStamp><when>2024-05-01T08:00:00Z</when></TimeStamp>
            <MultiGeometry>\(points.joined())</MultiGeometry></Placemark></Document></kml>
            """)
        #expect(result.receipt.refused.first.map(\.what) == [.longitude("812"), .latitude("97")])
        #expect(result.receipt.refused.first.map(\.line) == [4, 5])
        #expect(result.recordings.flatMap(\.points).map(\.longitude) == [8_000_000_000, 9_000_000_000])
    }
}
