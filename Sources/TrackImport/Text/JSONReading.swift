import Text

extension JSONReader {
    /// Creates a reader of a file.
    init(_ source: any ByteSource, _ reading: FileReading) {
        var source = source
        self.init { try reading.next(from: &source) }
    }

    /// Reads a string, number or word as the value of a column; `null` and invalid numbers are absent.
    mutating func plainValue() throws -> ColumnValue {
        if try isAtString() { return .text(try string()) }
        switch try wordValue() {
        case .number(let number): return .number(number)
        case .bool(let value): return .bool(value)
        default: return .absent
        }
    }

    /// Calls `body` with each object here and its line: the object itself, or those of a list, of nested lists, and of
    /// lists in a member with one of these names. An object comes after the lists in it, and without them.
    mutating func eachObject(listedIn names: Set<String>, _ body: (JSONValue, Int) throws -> Void) throws {
        if try isAtArray() { return try eachElement { try $0.eachObject(listedIn: names, body) } }
        guard try isAtObject() else { return try skipValue() }
        releaseValues()
        var members: [(name: String, value: JSONValue)] = []
        try eachMember { scanner, name in
            if names.contains(name), try scanner.isAtArray() {
                try scanner.eachElement { try $0.eachObject(listedIn: names, body) }
            } else {
                members.append((name, try scanner.value()))
            }
        }
        try body(.object(members), line)
    }
}

extension InstantReader {
    /// The instant that a text gives; nil if it cannot be read as a time.
    mutating func instant(_ text: String, unit: EpochUnit? = nil) -> Instant? {
        let bytes = Array(text.utf8)
        return instant(bytes.span, bytes.indices, unit: unit)
    }

    /// The instant that a text or a number gives, a number in a unit; nil for other values.
    mutating func instant(_ value: JSONValue, unit: EpochUnit? = nil) -> Instant? {
        switch value {
        case .number(let number): Self.instant(number, unit: unit)
        case .text(let text): instant(text)
        default: nil
        }
    }
}

extension FileReading {
    /// The instant that a value gives; nil if it cannot be read as a time, which is reported with the line.
    func instant(_ value: JSONValue?, by times: inout InstantReader, line: Int) -> Instant? {
        let instant = value.flatMap { times.instant($0) }
        if instant == nil, let text = value?.text { receipt.unreadTimes.add(text, line: line) }
        return instant
    }
}
