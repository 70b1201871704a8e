import Tracks

/// How long texts of files may be.
enum TextLimit {
    /// Names, notes and values of fields.
    static let bytes = 1024 * 1024
    /// Changes of heading: about a million of them behind one point, ten a second for a day without a place.
    static let headingBytes = 32 * 1024 * 1024

    /// The most bytes that a text may have that begins with these: those of changes of heading begin with a time, `2023-11-14T`.
    static func bytes(of text: [UInt8]) -> Int {
        let pattern = Array("0000-00-00T".utf8)
        guard text.count >= pattern.count else { return bytes }
        let isTime = zip(text, pattern).allSatisfy { byte, wanted in
            wanted == UInt8(ascii: "0") ? byte &- UInt8(ascii: "0") < 10 : byte == wanted
        }
        return isTime ? headingBytes : bytes
    }
}
