import Foundation
import Testing
import TrackImport
import Tracks

/// A sentence with its checksum.
private func sentence(_ body: String) -> String {
    let sum = body.utf8.reduce(UInt8(0)) { $0 ^ $1 }
    let digits = String(sum, radix: 16, uppercase: true)
    return "$\(body)*\(digits.count == 1 ? "0" : "")\(digits)\r\n"
}

private func gga(_ time: String, quality: Int = 1, talker: String = "GP") -> String {
    sentence("\(talker)GGA,\(time),5122.53324,N,00323.37216,W,\(quality),08,1.0,62.0,M,47.5,M,,")
}

private func rmc(_ time: String, _ date: String, status: String = "A", talker: String = "GP") -> String {
    sentence("\(talker)RMC,\(time),\(status),5122.53324,N,00323.37216,W,10.0,84.4,\(date),,")
}

/// 2024-05-01T08:00:00Z.
private let morning: Int64 = 1_714_550_400_000

@Suite struct NMEATests {
    @Test func `Sentences of one instant form a point`() {
        let result = imported(
            gga("080000.00") + rmc("080000.00", "010524") + sentence("GPVTG,99.0,T,,M,77.0,N,9.0,K")
                + gga("080001.50") + rmc("080001.50", "010524"))
        #expect(result.receipt.failure == nil)
        #expect(result.receipt.format == .nmea)
        let recording = result.recordings[0]
        #expect(recording.points.map(\.time) == [morning, morning + 1500])
        // 51° 22.53324' and 3° 23.37216'.
        #expect(recording.points[0].latitude == 51_375_554_000)
        #expect(recording.points[0].longitude == -3_389_536_000)
        #expect(recording.field("ele") == ["62", "62"])
        #expect(recording.field("speed").first == "5.1444")
        #expect(recording.field("course") == ["84.4", "84.4"])
        #expect(recording.field("sat") == ["8", "8"])
    }

    @Test func `Instants before the first date are dated from it across midnight`() {
        let result = imported(
            gga("235958") + gga("235959") + gga("000000") + rmc("000001", "020524") + gga("000002"))
        let midnight = morning + 16 * 3_600_000
        #expect(
            result.recordings.flatMap(\.points).map(\.time)
                == [-2, -1, 0, 1, 2].map { midnight + $0 * 1000 })
    }

    @Test func `A date without a position dates earlier points`() {
        let zda = sentence("GPZDA,000001.00,02,05,2024,00,00")
        let result = imported(gga("235959") + gga("000000") + zda + gga("000002"))
        let midnight = morning + 16 * 3_600_000
        #expect(result.recordings.flatMap(\.points).map { $0.time - midnight } == [-1000, 0, 2000])
        #expect(result.receipt.remarks.isEmpty)
        #expect(!result.recordings[0].fieldNames.contains("time"))
    }

    @Test func `An implausible date of a starting receiver is ignored`() {
        let result = imported(
            sentence("GPZDA,000001.00,06,01,1980,00,00") + gga("080000") + rmc("080001", "010524"))
        #expect(result.recordings.flatMap(\.points).map(\.time) == [morning, morning + 1000])
    }

    @Test func `A date after a hundred thousand points dates all of them`() {
        var text = ""
        for second in 0..<120_000 {
            let (hours, minutes, seconds) = (second / 3600 % 24, second / 60 % 60, second % 60)
            let time = hours * 10_000 + minutes * 100 + seconds
            text += gga(String(repeating: "0", count: 6 - "\(time)".count) + "\(time)")
        }
        // A day and 9 h 20 min later.
        let result = imported(text + rmc("092000", "020524"))
        let points = result.recordings.flatMap(\.points)
        #expect(points.count == 120_001)
        #expect(points.first?.time == morning - 8 * 3_600_000)
        #expect(zip(points, points.dropFirst()).allSatisfy { $1.time - $0.time == 1000 })
        #expect(result.receipt.outcome.untimed == 0)
    }

    @Test func `Midnight without a new date begins another day`() {
        let result = imported(rmc("235959", "280224") + gga("000000") + gga("120000"))
        // 2024 has a 29th of February.
        #expect(
            result.recordings.flatMap(\.points).map(\.time) == [
                1_709_164_799_000, 1_709_164_800_000, 1_709_208_000_000,
            ])
    }

    @Test func `Without a date, points keep the time of day and a remark is reported`() {
        let result = imported(gga("080000") + gga("080001"))
        #expect(result.receipt.remarks == [.dateless])
        #expect(result.receipt.outcome.untimed == 2)
        #expect(result.recordings[0].field("time") == ["080000", "080001"])
    }

    @Test func `Sentences without a fix are counted and skipped`() {
        let result = imported(
            rmc("080000", "010524") + gga("080001", quality: 0) + rmc("080002", "010524", status: "V")
                + gga("080002", quality: 8))
        #expect(result.receipt.outcome.points == 1)
        #expect(result.receipt.skipped == [.recordWithoutFix: 2])
    }

    @Test func `Only the sentence with a wrong checksum is refused`() {
        let damaged = rmc("080001", "010524").replacing("5122", with: "5123")
        let result = imported(rmc("080000", "010524") + damaged + rmc("080002", "010524"))
        #expect(result.receipt.outcome.points == 2)
        #expect(result.receipt.refused.first == [Finding(line: 2, what: .checksum)])
    }

    @Test(arguments: ["GP", "GN", "GL", "GA"]) func `Any talker is heard`(talker: String) {
        let result = imported(gga("080000", talker: talker) + rmc("080000", "010524", talker: talker))
        #expect(result.recordings.flatMap(\.points).map(\.time) == [morning])
    }

    @Test func `Several talkers of one instant are one point`() {
        let result = imported(
            gga("080000") + gga("080000", quality: 0, talker: "GL") + rmc("080000", "010524", talker: "GN"))
        #expect(result.receipt.outcome.points == 1)
    }

    @Test func `Comments, noise and text before a sentence are ignored`() {
        let noise = "# a log\n\u{0}\u{1}\u{2}\nlogcat 12:00 " + rmc("080000", "010524") + "$GPGGA,garbage\n$\n"
        #expect(imported(noise).receipt.outcome.points == 1)
    }

    @Test func `Any block size and truncation yields the first points`() {
        let bytes = Array((gga("080000") + rmc("080000", "010524") + rmc("080001", "010524") + gga("080002")).utf8)
        let whole = imported(bytes).recordings
        for block in [1, 2, 3, 50] { #expect(imported(bytes, block: block).recordings == whole) }
        for length in 0..<bytes.count {
            let result = imported(Array(bytes[..<length]))
            let places = result.recordings.flatMap(\.points).map(\.latitude)
            #expect(places == whole.flatMap(\.points).map(\.latitude).prefix(places.count).map(\.self), "\(length)")
            #expect(result.sink.openCount == 0)
        }
    }

    @Test func `A file with flipped bits is handled`() {
        handlesFlippedBits(Array((gga("080000") + rmc("080000", "010524") + rmc("080001", "010524")).utf8))
    }

    @Test func `A sentence without checksum is refused if others have one`() {
        let text = "$GPRMC,080000,A,0100.0,N,00200.0,E,,,010524,,*2C\n$GPRMC,080001,A,0100.0,N,00200.0,E,0."
        let sum = text.dropFirst().prefix { $0 != "*" }.utf8.reduce(UInt8(0)) { $0 ^ $1 }
        let hexadecimal = String(sum, radix: 16, uppercase: true)
        let result = imported(text.replacingOccurrences(of: "*2C", with: "*" + (sum < 16 ? "0" : "") + hexadecimal))
        #expect(result.receipt.outcome.points == 1)
        #expect(result.receipt.refused.first == [Finding(line: 2, what: .checksum)])
    }
}
