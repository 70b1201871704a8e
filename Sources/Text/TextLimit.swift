/// Maximum lengths of texts in files.
public enum TextLimit {
    /// Names, attributes and values of fields, in bytes.
    public static let bytes = 1024 * 1024
    /// Heading changes, in bytes: about a million at one point, ten per second for a day without a location.
    public static let headingBytes = 32 * 1024 * 1024

    /// The samples of an activity of Huawei Health, which are one text, in bytes: about a day with a position, a heart
    /// rate and a step rate in each second.
    public static let activityBytes = 16 * 1024 * 1024
    /// The beginning of such samples.
    public static let activityPrefix = "HW_EXT_TRACK_DETAIL@is"

    /// Maximum length in bytes of a text that begins with `text`; heading changes begin with a time, `2023-11-14T`.
    public static func bytes(of text: [UInt8]) -> Int {
        if text.starts(with: activityPrefix.utf8) { return activityBytes }
        let pattern = Array("0000-00-00T".utf8)
        guard text.count >= pattern.count else { return bytes }
        let isTime = zip(text, pattern).allSatisfy { byte, wanted in
            wanted == UInt8(ascii: "0") ? byte &- UInt8(ascii: "0") < 10 : byte == wanted
        }
        return isTime ? headingBytes : bytes
    }
}
