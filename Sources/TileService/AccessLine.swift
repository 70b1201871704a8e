public import HTTPCore
import Text

extension AccessRecord {
    /// The line of an access log, without the line feed.
    public var line: String {
        var lines = AccessLines()
        lines.append(self)
        return String(decoding: lines.take().dropLast(), as: UTF8.self)
    }
}

/// Lines of an access log: Common Log Format, which the usual tools read, then microseconds and the source of a tile.
/// Secrets are redacted, and control characters are escaped, so that no request can forge a line.
///
/// Works on bytes and keeps the last date and client address: at 80,000 lines a second, logging must cost little beside
/// answering.
public struct AccessLines {
    private var bytes: [UInt8] = []
    private var second = Int64.min
    private var date: [UInt8] = []
    private var peer: IPAddress?
    private var peerText: [UInt8] = []

    /// No lines yet.
    public init() {}

    /// Adds the line of a record.
    public mutating func append(_ record: AccessRecord) {
        remember(record)
        bytes += peerText
        add(" - - [")
        bytes += date
        add("] \"")
        add(record.method.rawValue)
        space()
        if record.target.query == nil {
            escape(record.target.path)
        } else {
            escape(Array(record.target.redacted.utf8)[...])
        }
        space()
        add(record.version.rawValue)
        add("\" ")
        add(Int64(record.status))
        space()
        add(Int64(record.bodyBytes))
        space()
        add(record.microseconds)
        space()
        add(record.cacheResult?.rawValue ?? "-")
        if !record.isComplete { add(" abandoned") }
        bytes.append(UInt8(ascii: "\n"))
    }

    /// The lines added since the last call, each with its line feed.
    public mutating func take() -> [UInt8] {
        defer { bytes.removeAll(keepingCapacity: true) }
        return bytes
    }

    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    private static let secondsPerDay: Int64 = 86_400

    /// Most consecutive lines have the same second and often the same client.
    private mutating func remember(_ record: AccessRecord) {
        let now = record.startMilliseconds / 1000
        if now != second {
            second = now
            date = Array(Self.date(now).utf8)
        }
        if record.peer != peer {
            peer = record.peer
            peerText = Array("\(record.peer)".utf8)
        }
    }

    /// In UTC, such as `21/Nov/2026:10:31:47 +0000`.
    private static func date(_ seconds: Int64) -> String {
        let day = CivilDay(daysSince1970: Int32(seconds / secondsPerDay))
        let rest = Int(seconds % secondsPerDay)
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(two(day.day))/\(months[day.month - 1])/\(day.year):\(two(rest / 3600)):\(two(rest / 60 % 60)):"
            + "\(two(rest % 60)) +0000"
    }

    private mutating func add(_ text: String) {
        bytes += text.utf8
    }

    private mutating func space() {
        bytes.append(UInt8(ascii: " "))
    }

    private mutating func add(_ number: Int64) {
        bytes.append(contentsOf: "\(number)".utf8)
    }

    private mutating func escape(_ text: ArraySlice<UInt8>) {
        for byte in text {
            if byte > 0x20, byte < 0x7f, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
                bytes.append(byte)
            } else {
                add((byte < 16 ? "\\x0" : "\\x") + String(byte, radix: 16))
            }
        }
    }
}
