import Files

/// A line that stands between the parts of a form: two hyphens and the boundary, in the last one two hyphens more, and
/// perhaps blanks (RFC 2046 5.1.1). A line that only begins like that is content.
struct FormDelimiter: Equatable {
    /// Where the line end before it begins; -2 at the beginning of a file.
    var start: Int64
    /// Where the line end behind it begins.
    var end: Int64
    /// Whether nothing follows that counts.
    var isLast: Bool

    /// Blanks behind a boundary at most: no sender writes any.
    private static let mostBlanks = 256

    /// Those of a file, as if it began with a line's end, up to the last one; nil where there are more than `most`. Reads
    /// the file block by block.
    static func all(of boundary: String, in path: String, most: Int) throws -> [FormDelimiter]? {
        let wanted = Array("\r\n--\(boundary)".utf8)
        let file = try FileSource(path: path)
        var window: [UInt8] = [0x0d, 0x0a]
        /// Where the window begins.
        var start: Int64 = -2
        var found: [FormDelimiter] = []
        while true {
            let block = try file.read(upTo: FileSource.blockBytes)
            window += block
            // Near the window's end the next block decides what a line is; at the file's end nothing does.
            let margin = block.isEmpty ? 0 : wanted.count + mostBlanks + 4
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

    /// Where the line ends whose boundary ends at `start`; nil where something follows that makes it content. `isWhole` says that
    /// nothing follows the window.
    private static func end(in window: [UInt8], behind start: Int, isWhole: Bool) -> (index: Int, isLast: Bool)? {
        let hyphens = [UInt8(ascii: "-"), UInt8(ascii: "-")]
        let isLast = window[start...].starts(with: hyphens)
        var index = isLast ? start + hyphens.count : start
        let limit = min(window.count, index + mostBlanks)
        while index < limit, window[index] == UInt8(ascii: " ") || window[index] == UInt8(ascii: "\t") { index += 1 }
        if window[index...].starts(with: [0x0d, 0x0a]) { return (index, isLast) }
        return isLast && isWhole && index == window.count ? (index, true) : nil
    }
}
