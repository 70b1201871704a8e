import Files

/// A delimiter line between the parts of a form: two hyphens and the boundary, two more hyphens in the last one, and
/// optional blanks (RFC 2046 5.1.1). A line that only begins like this is content.
struct FormDelimiter: Equatable {
    /// Offset of the line break before it; -2 at the beginning of a file.
    var start: Int64
    /// Offset of the line break after it.
    var end: Int64
    /// Whether it closes the form.
    var isLast: Bool

    /// Limit of blanks after a boundary: no sender writes any.
    private static let blankLimit = 256

    /// The delimiters of a file, up to the closing one; nil if there are more than `most`. The file is treated as if it
    /// began with a line break. Reads it block by block.
    static func all(of boundary: String, in path: String, most: Int) throws -> [FormDelimiter]? {
        let wanted = Array("\r\n--\(boundary)".utf8)
        let file = try FileSource(path: path)
        var window: [UInt8] = [0x0d, 0x0a]
        /// Offset of the window in the file.
        var start: Int64 = -2
        var found: [FormDelimiter] = []
        while true {
            let block = try file.read(upTo: FileSource.blockBytes)
            window += block
            // Near the end of the window, the next block is needed to recognise a delimiter, except at the end of the
            // file.
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
    /// follow, so that it is content. `isWhole` says that the window ends with the file.
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
