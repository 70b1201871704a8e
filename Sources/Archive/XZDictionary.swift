/// The size of the dictionary in the header of an xz stream, for which liblzma allocates memory; libarchive sets it no
/// limit.
///
/// Only that of the first block is known before it is unpacked. Others cannot take more memory than has been unpacked,
/// which has limits of its own, because the pages of a dictionary are touched when they are filled.
enum XZDictionary {
    /// Throws if the dictionary is too large; `head` is the beginning of the stream.
    static func check(_ head: [UInt8], _ limits: ArchiveLimits) throws(ArchiveError) {
        // The header of the stream has 12 bytes. In that of a block, a byte states its length and one its flags; sizes,
        // and the numbers and properties of filters, follow (`xz-file-format.txt`, 3.1).
        var rest = head.dropFirst(13)
        guard let flags = rest.popFirst() else { return }
        for bit in [0x40, 0x80] as [UInt8] where flags & bit != 0 { _ = number(&rest) }
        for _ in 0...(flags & 3) {
            guard let filter = number(&rest), let length = number(&rest), length <= rest.count else { return }
            if filter == 0x21, let size = rest.first.flatMap(bytes(ofLZMA2:)) {
                guard size <= limits.memory else { throw .memory(bytes: limits.memory) }
            }
            rest = rest.dropFirst(length)
        }
    }

    /// The size that the property of LZMA2 states, in xz and in 7z; nil if it is not valid.
    static func bytes(ofLZMA2 exponent: UInt8) -> Int? {
        guard exponent <= 40 else { return nil }
        return exponent == 40 ? 0xFFFF_FFFF : Int(2 | exponent & 1) << (exponent / 2 + 11)
    }

    /// A number in groups of 7 bits, the lowest first; nil if it is too large.
    private static func number(_ rest: inout ArraySlice<UInt8>) -> Int? {
        var value = 0
        for index in 0..<8 {
            guard let byte = rest.popFirst() else { return nil }
            value |= Int(byte & 0x7F) << (7 * index)
            if byte < 0x80 { return value }
        }
        return nil
    }
}
