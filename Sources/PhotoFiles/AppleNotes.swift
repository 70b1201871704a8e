/// The notes of Apple's cameras (tag 0x927C of EXIF), of which one field is read: that of Live Photos.
///
/// Source: exiftool, `Image::ExifTool::Apple`.
enum AppleNotes {
    private static let signature = Array("Apple iOS\0".utf8)
    /// The signature, a version of two bytes, and the byte order.
    private static let headBytes: Int64 = 14
    private static let contentIdentifier: UInt16 = 0x0011
    private static let entryLimit = 500
    /// An identifier is a UUID of 36 letters.
    private static let textLimit = 100

    /// The content identifier, which the movie of a Live Photo has, too; nil if there is none.
    static func contentIdentifier(_ notes: any ByteSource) throws -> String? {
        guard let head = try notes.exactly(Int(headBytes) + 2, at: 0), head.starts(with: signature) else { return nil }
        let isBigEndian = head[12] == UInt8(ascii: "M")
        func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
            Int(isBigEndian ? WholeNumber.big(bytes) : WholeNumber.little(bytes))
        }
        let count = min(number(head[14..<16]), entryLimit)
        let rows = try notes.bytes(at: headBytes + 2, count: 12 * count)
        for start in stride(from: 0, to: rows.count - 11, by: 12) {
            let row = rows[start..<(start + 12)]
            guard number(row.prefix(2)) == contentIdentifier, number(row.dropFirst(2).prefix(2)) == 2 else { continue }
            let length = number(row.dropFirst(4).prefix(4))
            guard (5...textLimit).contains(length) else { return nil }
            // Offsets count from the beginning of the notes.
            return try notes.exactly(length, at: Int64(number(row.suffix(4)))).flatMap { normalized($0) }
        }
        return nil
    }

    /// An identifier as it is compared: up to the first zero byte, in upper case; nil if it is empty.
    static func normalized(_ bytes: some Sequence<UInt8>) -> String? {
        let text = String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self).filter { !$0.isWhitespace }
        return text.isEmpty ? nil : text.uppercased()
    }
}
