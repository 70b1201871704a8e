/// Checks that a request's head follows RFC 9112. libmicrohttpd 0.9.75 accepts much else: bare line feeds, folded
/// lines, blanks before a header's colon; and it drops what follows a NUL.
enum RequestHead {
    /// Checks a head as the library leaves it in its buffer, from the method to the empty line: a NUL replaces each
    /// blank of the request line, each header's colon, and both bytes of each line end. The target was decoded in place
    /// and is not checked here. `version` is the offset of the version, and `count` the number of headers the library
    /// has read.
    static func isWellFormed(_ head: Span<UInt8>, version: Int, headers count: Int) -> Bool {
        var index = 0
        guard skip(&index, in: head, isToken), version > index, version + versionBytes + 2 <= head.count else {
            return false
        }
        index = version + versionBytes
        guard skipLineEnd(&index, in: head) else { return false }
        var found = 0
        while index < head.count, head[index] != 0 {
            guard skip(&index, in: head, isToken) else { return false }
            // The NUL that replaced the colon.
            index += 1
            _ = skip(&index, in: head, isText)
            guard skipLineEnd(&index, in: head) else { return false }
            found += 1
        }
        return skipLineEnd(&index, in: head) && index == head.count && found == count
    }

    /// The length of `HTTP/1.1`.
    private static let versionBytes = 8

    /// Skips at least one byte that `fits`, up to a NUL; false if the bytes end differently.
    private static func skip(_ index: inout Int, in head: Span<UInt8>, _ fits: (UInt8) -> Bool) -> Bool {
        let start = index
        while index < head.count, fits(head[index]) { index += 1 }
        return index > start && index < head.count && head[index] == 0
    }

    private static func skipLineEnd(_ index: inout Int, in head: Span<UInt8>) -> Bool {
        guard index + 1 < head.count, head[index] == 0, head[index + 1] == 0 else { return false }
        index += 2
        return true
    }

    /// A token character (RFC 9110 5.6.2).
    private static func isToken(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        case UInt8(ascii: "!"), UInt8(ascii: "#")...UInt8(ascii: "'"), UInt8(ascii: "*"), UInt8(ascii: "+"),
            UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "^"), UInt8(ascii: "_"), UInt8(ascii: "`"),
            UInt8(ascii: "|"), UInt8(ascii: "~"):
            true
        default: false
        }
    }

    /// A character of a header's value.
    private static func isText(_ byte: UInt8) -> Bool {
        byte >= 0x20 && byte != 0x7f || byte == UInt8(ascii: "\t")
    }
}
