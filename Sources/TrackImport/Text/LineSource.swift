/// The lines of a text, without their ends (`\n`, `\r\n` or `\r`).
struct LineSource {
    /// Bytes; a longer line is returned in parts.
    static let lineLimit = 64 * 1024

    /// The number of the line returned last, counted from 1.
    private(set) var line = 0

    private let reading: FileReading
    private var source: any ByteSource
    private var buffer: [UInt8] = []
    private var at = 0
    private var isAtEnd = false

    init(_ source: any ByteSource, _ reading: FileReading) {
        self.source = source
        self.reading = reading
    }

    /// The next line; nil at the end.
    mutating func next() throws -> ArraySlice<UInt8>? {
        var searched = 0
        while true {
            if let end = buffer[(at + searched)...].firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
                let bytes = buffer[at..<end]
                // `\r\n` is one line end; if the block ends between the two, the `\n` gives an empty line.
                at = end + 1
                if buffer[end] == 0x0D, at < buffer.count, buffer[at] == 0x0A { at += 1 }
                line += 1
                return bytes
            }
            searched = buffer.count - at
            if searched > Self.lineLimit || isAtEnd {
                guard searched > 0 else { return nil }
                let bytes = buffer[at...]
                at = buffer.count
                line += 1
                return bytes
            }
            let block = try reading.next(from: &source)
            isAtEnd = block.isEmpty
            buffer.removeFirst(at)
            at = 0
            buffer.append(contentsOf: block)
        }
    }
}

/// Reads a text line by line.
protocol LineHandler {
    var reading: FileReading { get }

    /// Handles a line with its number, counted from 1.
    mutating func take(_ line: ArraySlice<UInt8>, _ number: Int) throws
    /// Ends what is open, after the last line or after an error before which points are kept.
    mutating func end() throws
}

extension LineHandler {
    /// Reads all of `source`.
    mutating func read(_ source: any ByteSource) throws {
        var lines = LineSource(source, reading)
        try ImportFailure.keepingEarlierPoints {
            while let line = try lines.next() { try take(line, lines.line) }
        } end: {
            try end()
        }
    }
}
