import Files

/// A delimiter line between the parts of a form: two hyphens and the boundary, two more hyphens in the last one, and
/// optional blanks (RFC 2046 5.1.1). A line that only begins like this is content.
struct FormDelimiter: Equatable {
    /// Offset of the line break before it; -2 at the beginning of a form.
    var start: Int64
    /// Offset of the line break after it.
    var end: Int64
    /// Whether it closes the form.
    var isLast: Bool

    /// Limit of blanks after a boundary: no sender writes any.
    private static let blankLimit = 256

    /// The delimiters of a form, up to the closing one; nil if there are more than `most`. The form is treated as if it
    /// began with a line break. Reads it block by block.
    static func all(of boundary: String, in form: inout FormSource, most: Int) throws -> [FormDelimiter]? {
        let wanted = Array("\r\n--\(boundary)".utf8)
        var window: [UInt8] = [0x0d, 0x0a]
        /// Offset of the window in the form.
        var start: Int64 = -2
        var found: [FormDelimiter] = []
        while true {
            let block = try form.read(upTo: FileSource.blockBytes)
            window += block
            // Near the end of the window, the next block is needed to recognise a delimiter, except at the end of the
            // form. The 4 bytes are the two hyphens of the last delimiter and the line break.
            let margin = block.isEmpty ? 0 : wanted.count + blankLimit + 4
            var index = 0
            while index + wanted.count + margin <= window.count {
                guard window[index] == wanted[0], window[index...].starts(with: wanted),
                    let end = end(in: window, behind: index + wanted.count, isWhole: block.isEmpty)
                else {
                    index += 1
                    continue
                }
                found.append(
                    FormDelimiter(start: start + Int64(index), end: start + Int64(end.index), isLast: end.isLast))
                guard found.count <= most else { return nil }
                if end.isLast { return found }
                index += wanted.count
            }
            if block.isEmpty { return found }
            window.removeFirst(index)
            start += Int64(index)
        }
    }

    /// The end of the line whose boundary ends at `start`, and whether it closes the form; nil if other characters
    /// follow, so that it is content. `isWhole` says that the window ends with the form.
    private static func end(in window: [UInt8], behind start: Int, isWhole: Bool) -> (index: Int, isLast: Bool)? {
        let hyphens = [UInt8(ascii: "-"), UInt8(ascii: "-")]
        let isLast = window[start...].starts(with: hyphens)
        var index = isLast ? start + hyphens.count : start
        let limit = min(window.count, index + blankLimit)
        while index < limit, window[index] == UInt8(ascii: " ") || window[index] == UInt8(ascii: "\t") { index += 1 }
        if window[index...].starts(with: [0x0d, 0x0a]) { return (index, isLast) }
        return isLast && isWhole && index == window.count ? (index, true) : nil
    }
}

/// The bytes of a form, in a file or in memory, read from its beginning.
struct FormSource {
    private enum Content {
        case file(FileSource)
        case memory([UInt8])
    }

    private let content: Content
    /// The offset of the next byte in memory.
    private var offset = 0

    /// Opens a file.
    init(path: String) throws { content = .file(try FileSource(path: path)) }

    init(_ bytes: [UInt8]) { content = .memory(bytes) }

    /// Continues reading at this offset.
    mutating func move(to offset: Int64) throws {
        switch content {
        case .file(let file): try file.move(to: offset)
        case .memory: self.offset = Int(offset)
        }
    }

    /// The next bytes, at least one and at most `limit`; empty at the end.
    mutating func read(upTo limit: Int) throws -> [UInt8] {
        switch content {
        case .file(let file): return try file.read(upTo: limit)
        case .memory(let bytes):
            let block = bytes[min(offset, bytes.count)..<min(offset + limit, bytes.count)]
            offset += block.count
            return Array(block)
        }
    }
}
