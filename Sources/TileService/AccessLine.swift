public import HTTPCore
import Tracks

extension AccessRecord {
    /// The line of an access log: Common Log Format, so that the usual tools read it, then microseconds, and where a tile came
    /// from. No key is shown, and nothing in it can begin another line.
    public var line: String {
        let target = Self.escaped(target.redacted)
        let result = cacheResult?.rawValue ?? "-"
        let end = isComplete ? "" : " abandoned"
        return "\(peer) - - [\(date)] \"\(method.rawValue) \(target) \(version.rawValue)\" \(status) \(bodyBytes) "
            + "\(microseconds) \(result)\(end)"
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let secondsPerDay: Int64 = 86_400

    /// In UTC, as `21/Nov/2026:10:31:47 +0000`.
    private var date: String {
        let seconds = startMilliseconds / 1000
        let day = CivilDay(daysSince1970: Int32(seconds / Self.secondsPerDay))
        let rest = Int(seconds % Self.secondsPerDay)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(day.day))/\(Self.months[day.month - 1])/\(day.year):\(two(rest / 3600)):\(two(rest / 60 % 60)):"
            + "\(two(rest % 60)) +0000"
    }

    private static func escaped(_ text: String) -> String {
        func isPlain(_ byte: UInt8) -> Bool {
            byte > 0x20 && byte < 0x7f && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
        }
        if text.utf8.allSatisfy(isPlain) { return text }
        return text.utf8.map { byte in
            guard !isPlain(byte) else { return String(UnicodeScalar(byte)) }
            return (byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16)
        }.joined()
    }
}
