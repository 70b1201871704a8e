import Pins
import TestSupport
import Testing
import Tracks

@Suite("Values of pins")
struct PinTextTests {
    @Test func `An id has 32 lower-case hexadecimal digits and comes back from its text`() throws {
        var random = SeededRandom(seed: 7)
        for _ in 0..<100 {
            let id = PinID.random(using: &random)
            #expect(id.description.count == 32)
            #expect(PinID(id.description) == id)
            #expect(PinID(bytes: id.bytes) == id)
        }
        #expect(PinID("") == nil)
        #expect(PinID(String(repeating: "g", count: 32)) == nil)
        #expect(PinID(String(repeating: "A", count: 32)) == nil)
        #expect(PinID(String(repeating: "a", count: 31)) == nil)
    }

    @Test func `Longitude 180 is the same place as -180`() {
        #expect(PinPlace(longitude: 180, latitude: 10) == PinPlace(longitude: -180, latitude: 10))
        #expect(PinPlace(longitude: 180.00001, latitude: 0) == nil)
        #expect(PinPlace(longitude: 0, latitude: -90.00001) == nil)
        #expect(PinPlace(longitude: .nan, latitude: 0) == nil)
    }

    @Test func `Texts are cut to their limits, and normalizing twice changes nothing`() {
        let long = String(repeating: "é ", count: 3000)
        let texts = ["  a  ", "\u{0}x\u{85}", "a\r\nb\rc", long, "\u{2003}wide\u{2003}", "🚲🚲", "\u{FFFE}"]
        for text in texts {
            let once = PinText.caption(text)
            #expect(once.flatMap(PinText.caption) == once)
            #expect(once?.unicodeScalars.count ?? 0 <= PinText.captionLimit)
        }
        #expect(PinText.caption("  a  ") == "a")
        #expect(PinText.caption("a\r\nb\rc") == "a\nb\nc")
        #expect(PinText.caption(" \n ") == nil)
        #expect(PinText.category(" Flag,\n Blue ") == "flag, blue")
    }

    @Test(arguments: [
        ("6-9", [6, 7, 8, 9]), ("22-4", [22, 23, 0, 1, 2, 3, 4]), ("6-9,22-23", [6, 7, 8, 9, 22, 23]), ("0", [0]),
        ("23-23", [23]),
    ])
    func `Hours may wrap`(text: String, hours: [Int]) {
        #expect(PinPeriods.hours(text) == hours.reduce(0) { $0 | 1 << UInt32($1) })
    }

    @Test(arguments: ["", "24", "-1", "1-", "1-2-3", "a", "1,,2", "1 - 2", "+1", "001"])
    func `What is no list of hours is refused`(text: String) {
        #expect(PinPeriods.hours(text) == nil)
    }

    @Test func `Months count from January and may wrap`() {
        #expect(PinPeriods.months("12-2") == 1 << 11 | 1 << 0 | 1 << 1)
        #expect(PinPeriods.months("0") == nil)
        #expect(PinPeriods.months("13") == nil)
    }

    @Test(arguments: [Int64.min, -8_640_000_000_000_001, 8_640_000_000_000_001, .max])
    func `An end of a pin that is no instant is not taken from a file`(milliseconds: Int64) throws {
        var content = PinContent(
            try #require(PinPlace(longitude: 8, latitude: 47)), source: .photo, located: .exif)
        let isTaken = content.takeExported(PinNames.expires, "\(milliseconds)")
        #expect(!isTaken && content.expires == nil)
        let isLastTaken = content.takeExported(PinNames.expires, "8640000000000000")
        #expect(isLastTaken && content.expires == 8_640_000_000_000_000)
    }

    @Test func `A box may cross 180 degrees`() throws {
        let across = E7Bounds(west: 1_700_000_000, south: -100, east: -1_700_000_000, north: 100)
        #expect(across.contains(try #require(PinPlace(longitude: 180, latitude: 0))))
        #expect(across.contains(try #require(PinPlace(longitude: 170, latitude: 0))))
        #expect(!across.contains(try #require(PinPlace(longitude: 0, latitude: 0))))
        let east = E7Bounds(west: 1_700_000_000, south: -100, east: 1_800_000_000, north: 100)
        #expect(east.contains(try #require(PinPlace(longitude: -180, latitude: 0))))
    }

    @Test func `The id depends on place, time, person, name and source, and on nothing else`() throws {
        let place = try #require(PinPlace(longitude: 8.5, latitude: 47.4))
        var pin = PinContent(place, source: .waypoint, located: .recorded)
        pin.addAttribute(PinAttribute.name, "Hut")
        let id = pin.id
        var other = pin
        other.addAttribute(PinAttribute.description, "closed in winter")
        other.category = "hut"
        #expect(other.id == id)
        other.time = 0
        #expect(other.id != id)
        other = pin
        other.person = "bea"
        #expect(other.id != id)
        other = PinContent(place, source: .hand, located: .recorded)
        other.addAttribute(PinAttribute.name, "Hut")
        #expect(other.id != id)
    }
}
