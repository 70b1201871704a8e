import Testing
import TrackImport
import Tracks

private let flight = """
    AXXXABC FLIGHT:1
    HFDTEDATE:160701,01
    HFPLTPILOTINCHARGE: Bloggs Bill D
    HFGTYGLIDERTYPE:ASH-25
    I043638FXA3940SIU4143ENL4446GSP
    C1607010945
    E235958PEV
    B2359585206343N00006198WA005870065000508010360
    B2359595206400S00006300EV005880000000508010000
    B0000015206500N00006400WA-00050065100508010036
    B0000020000000N00000000EV000000000000508010036
    B00000352065
    LXXXcomment
    GREJNGJERJKNJKRE
    """

@Suite struct IGCTests {
    @Test func `Fixes have heights, waypoint flags and extensions across midnight`() {
        let result = imported(flight)
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.format == .igc)
        #expect(result.recordings.count == 1)
        let recording = result.recordings[0]
        let first: Int64 = 995_327_998_000
        #expect(recording.points.map(\.time) == [first, first + 1000, first + 3000])
        #expect(recording.points.map(\.latitude) == [52_105_716_700, -52_106_666_700, 52_108_333_300])
        #expect(recording.points.map(\.longitude) == [-103_300_000, 105_000_000, -106_666_700])
        #expect(recording.field("ele") == ["650", nil, "651"])
        #expect(recording.field("pressure_altitude") == ["587", "588", "-5"])
        #expect(recording.field("fix") == ["3d", "2d", "3d"])
        #expect(recording.field("hacc") == ["5", "5", "5"])
        #expect(recording.field("sat") == ["8", "8", "8"])
        #expect(recording.field("ENL") == ["10", "10", "10"])
        #expect(recording.field("speed") == ["100", "0", "10"])
        #expect(recording.field("mark") == ["1", nil, nil])
        #expect(recording.header.activity == "gliding")
        #expect(recording.header.attributes["pilot"] == "Bloggs Bill D")
        #expect(recording.header.attributes["glider_type"] == "ASH-25")
        #expect(result.receipt.skipped == [.recordWithoutFix: 1])
        #expect(result.receipt.refused.first == [Finding(line: 12, what: .brokenEntry)])
    }

    @Test func `More decimals of place and time are added`() {
        let text = "HFDTE160701\nI033638LAD3941LOD4242TDS\nB2359585206343N00006198WA00587006505001239\n"
        let recording = imported(text).recordings[0]
        #expect(recording.points.map(\.latitude) == [52_105_725_000])
        #expect(recording.points.map(\.longitude) == [-103_302_050])
        #expect(recording.points.map(\.time) == [995_327_998_900])
    }

    @Test func `A refused point says which coordinate is not on Earth`() {
        let text = "HFDTE160701\nB1601245206343N18106198WA0058700650\nB1601259106343N00106198WA0058700650\n"
        let names = imported(text).receipt.refused.first.map { finding in
            switch finding.what {
            case .longitude: "longitude"
            case .latitude: "latitude"
            default: "other"
            }
        }
        #expect(names == ["longitude", "latitude"])
    }

    @Test func `Without a date, points keep their time of day in a field`() {
        let result = imported("AXXX\nB2359585206343N00006198WA0058700650\n")
        #expect(result.receipt.remarks == [.dateless])
        #expect(result.recordings[0].points.map(\.time) == [PointColumns.untimed])
        #expect(result.recordings[0].field("time") == ["235958"])
    }

    @Test func `Two-digit years give leap days and the 20th century`() {
        for (date, seconds) in [("290224", 1_709_164_800), ("311299", 946_598_400)] {
            let result = imported("HFDTE\(date)\nB0000005206343N00006198WA0058700650\n")
            #expect(result.recordings[0].points.map(\.time) == [Int64(seconds) * 1000])
        }
    }

    @Test func `A truncated file yields its first points`() {
        let bytes = Array(flight.utf8)
        let whole = imported(bytes).recordings.flatMap(\.points)
        for length in 0..<bytes.count {
            let result = imported(Array(bytes[..<length]))
            let points = result.recordings.flatMap(\.points)
            #expect(points.map(\.time) == whole.prefix(points.count).map(\.time), "\(length)")
            #expect(result.sink.openCount == 0)
        }
    }

    @Test func `A file with flipped bits is handled`() {
        handlesFlippedBits(Array(flight.utf8))
    }
}
