import Testing
import TrackImport
import Tracks

struct CoverageTests {
    private func csv(_ rows: [(Double, Double, String)]) -> String {
        "time,lat,lon\n" + rows.map { "\($0.2),\($0.0),\($0.1)" }.joined(separator: "\n") + "\n"
    }

    @Test func `A receipt contains the time range and bounding box of the points`() {
        let text = csv([
            (51.5, 3.25, "2025-08-31T08:00:00Z"), (45.5, 14, "2010-10-03T09:36:30Z"), (50, 4, "2020-01-01T00:00:00Z"),
        ])
        let receipt = imported(text).receipt
        #expect(receipt.coverage.box == [3.25, 45.5, 14, 51.5])
        #expect(receipt.json.contains(#""start":"2010-10-03T09:36:30Z","end":"2025-08-31T08:00:00Z""#))
        #expect(receipt.json.contains(#""bbox":[3.25,45.5,14,51.5]"#))
        #expect(receipt.json.contains(#""bytes":\#(text.utf8.count)"#))
    }

    @Test func `A bounding box across the antimeridian is the narrower one`() {
        let time = "2025-01-01T00:00:00Z"
        let fiji = imported(csv([(-17, 179.5, time), (-16, -179.75, time)])).receipt
        #expect(fiji.coverage.box == [179.5, -17, -179.75, -16])
        let west = imported(csv([(10, -170, time), (11, -160, time)])).receipt
        #expect(west.coverage.box == [-170, 10, -160, 11])
        let around = imported(csv([(0, -180, time), (0, 180, time)])).receipt
        #expect(around.coverage.box == [180, 0, 180, 0])
    }

    @Test func `A file without points has no bounding box`() {
        let receipt = imported("time,lat,lon\n").receipt
        #expect(receipt.coverage.box == nil && receipt.coverage.start == nil)
        #expect(!receipt.json.contains("bbox"))
    }

    @Test func `A receipt lists a limited number of devices and says that there are more`() {
        let rows = (0..<1001).map { "\($0 / 100).5,2,2025-01-01T00:00:00Z,d\($0)\n" }
        let receipt = imported("lat,lon,time,device\n" + rows.joined()).receipt
        #expect(receipt.outcome.points == 1001)
        #expect(receipt.devices.count == 1000 && receipt.hasMoreDevices)
        #expect(receipt.json.contains(#""moreDevices":true"#))
    }

    @Test func `A receipt lists the devices`() {
        var options = ImportOptions(libraryZone: zone("UTC"))
        options.device = "phone"
        let receipt = imported(csv([(1, 2, "2025-01-01T00:00:00Z")]), options: options).receipt
        #expect(receipt.devices == ["phone"] && receipt.json.contains(#""devices":["phone"]"#))
        #expect(!receipt.hasMoreDevices && !receipt.json.contains("moreDevices"))
    }
}
