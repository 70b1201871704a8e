import Text
import Tracks

/// Reads the sessions that GPS Log exports, which are not well-formed XML.
///
/// The elements have no root, all 18 attributes may be named `Key`, and values may contain unescaped quotes, `&` and
/// `<`. A value ends at a quote that is followed by another attribute or by the end of the element. Well-formed exports
/// can be read too.
///
/// DataPoint → point or heading change · the first value → session.
struct GPSLogXML {
    /// The element of an entry.
    static let element = "DataPoint"
    private static let opening = Array("<DataPoint".utf8)
    /// Maximum length of an entry, in bytes.
    private static let entryLimit = 256 * 1024

    private let reading: FileReading
    private var sessions: GPSLogSessions
    private var buffer: [UInt8] = []
    private var line = 1

    init(_ reading: FileReading) {
        self.reading = reading
        sessions = GPSLogSessions(reading)
    }

    /// Whether the text contains an entry, under any root.
    static func recognises(_ text: [UInt8]) -> Bool {
        guard let first = find(opening, in: text, from: 0) else { return false }
        return find(Array("=\"".utf8), in: text, from: first) != nil
    }

    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var source = source
        try ImportFailure.keepingEarlierPoints {
            while true {
                let block = try reading.next(from: &source)
                buffer += block
                try takeEntries(isLast: block.isEmpty)
                if block.isEmpty { break }
            }
        } end: {
            try sessions.end()
        }
    }

    /// Handles the complete entries: those followed by another one, and the last one at the end of the file.
    private mutating func takeEntries(isLast: Bool) throws {
        var start = Self.find(Self.opening, in: buffer, from: 0)
        var used = start ?? max(0, buffer.count - Self.opening.count)
        line += buffer[..<used].count { $0 == 0x0A }
        while let first = start {
            let next = Self.find(Self.opening, in: buffer, from: first + Self.opening.count)
            guard next != nil || isLast else { break }
            let end = next ?? buffer.count
            if let entry = Self.entry(buffer[(first + Self.opening.count)..<end]) {
                try sessions.take(entry, line: line)
            } else if next == nil {
                throw ImportFailure.truncated
            } else {
                reading.refuse(.brokenEntry, line: line)
            }
            line += buffer[first..<end].count { $0 == 0x0A }
            used = end
            start = next
        }
        buffer.removeFirst(used)
        guard buffer.count <= Self.entryLimit || isLast else {
            throw ImportFailure.longText(limit: Self.entryLimit, line: line)
        }
    }

    // MARK: Entries

    /// Parses the attributes up to the end of the element; nil if the element is not closed.
    private static func entry(_ bytes: ArraySlice<UInt8>) -> GPSLogEntry? {
        var entry = GPSLogEntry()
        var at = bytes.startIndex
        var count = 0
        while true {
            at = blanks(bytes, at)
            if isEnd(bytes, at) { break }
            guard let (name, quote) = attribute(bytes, &at), let end = valueEnd(bytes, at, quote) else { return nil }
            let value = text(bytes[at..<end])
            if name == "Key" {
                if let known = GPSLogValue(rawValue: count) { entry[known] = value }
                count += 1
            } else if let known = GPSLogValue(named: name) {
                entry[known] = value
            } else {
                let local = name.split(separator: ":").last.map(String.init) ?? name
                entry.others.append((ElementName.decoded(local), value))
            }
            at = end + 1
        }
        // Values without names are identified only by their positions.
        return count == 0 || count == GPSLogValue.allCases.count ? entry : nil
    }

    /// Reads `NAME="` and moves `at` to the value.
    private static func attribute(_ bytes: ArraySlice<UInt8>, _ at: inout Int) -> (name: String, quote: UInt8)? {
        let start = at
        while at < bytes.endIndex, isNamePart(bytes[at]) { at += 1 }
        guard at > start, at - start <= 256 else { return nil }
        let name = ByteText.string(Array(bytes[start..<at]))
        at = blanks(bytes, at)
        guard at < bytes.endIndex, bytes[at] == UInt8(ascii: "=") else { return nil }
        at = blanks(bytes, at + 1)
        guard at < bytes.endIndex, bytes[at] == UInt8(ascii: "\"") || bytes[at] == UInt8(ascii: "'") else { return nil }
        at += 1
        return (name, bytes[at - 1])
    }

    /// The index of the quote that ends the value at `start`; unescaped quotes inside are followed by neither an
    /// attribute nor the end of the element.
    private static func valueEnd(_ bytes: ArraySlice<UInt8>, _ start: Int, _ quote: UInt8) -> Int? {
        var at = start
        while at < bytes.endIndex, let found = bytes[at...].firstIndex(of: quote) {
            let following = blanks(bytes, found + 1)
            if isEnd(bytes, following) { return found }
            var next = following
            if following > found + 1, let (_, nextQuote) = attribute(bytes, &next), nextQuote == quote { return found }
            at = found + 1
        }
        return nil
    }

    /// Whether the element ends here and is followed by a tag or by nothing.
    private static func isEnd(_ bytes: ArraySlice<UInt8>, _ at: Int) -> Bool {
        var at = at
        if at < bytes.endIndex, bytes[at] == UInt8(ascii: "/") { at += 1 }
        guard at < bytes.endIndex, bytes[at] == UInt8(ascii: ">") else { return false }
        let following = blanks(bytes, at + 1)
        return following >= bytes.endIndex || bytes[following] == UInt8(ascii: "<")
    }

    private static func isNamePart(_ byte: UInt8) -> Bool {
        (byte | 0x20) &- UInt8(ascii: "a") < 26 || byte &- UInt8(ascii: "0") < 10 || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: ":") || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
    }

    private static func blanks(_ bytes: ArraySlice<UInt8>, _ start: Int) -> Int {
        var at = start
        while at < bytes.endIndex, bytes[at] <= 0x20 { at += 1 }
        return at
    }

    private static func find(_ pattern: [UInt8], in bytes: [UInt8], from start: Int) -> Int? {
        var at = start
        while at < bytes.count, let found = bytes[at...].firstIndex(of: pattern[0]) {
            if bytes[found...].starts(with: pattern) { return found }
            at = found + 1
        }
        return nil
    }

    // MARK: Values

    /// Resolves XML references; a `&` that does not begin one is kept.
    private static func text(_ bytes: ArraySlice<UInt8>) -> String {
        let text = ByteText.string(Array(bytes))
        guard text.contains("&") else { return text }
        var result = ""
        var rest = text[...]
        while let ampersand = rest.firstIndex(of: "&") {
            result += rest[..<ampersand]
            rest = rest[ampersand...]
            if let end = rest.prefix(12).firstIndex(of: ";"),
                let character = character(rest[rest.index(after: ampersand)..<end])
            {
                result.unicodeScalars.append(character)
                rest = rest[rest.index(after: end)...]
            } else {
                result += "&"
                rest = rest.dropFirst()
            }
        }
        return result + rest
    }

    private static func character(_ name: Substring) -> Unicode.Scalar? {
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        guard name.hasPrefix("#") else { return nil }
        let digits = name.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let number = isHexadecimal ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
        return number.flatMap { Unicode.Scalar($0) }
    }
}
