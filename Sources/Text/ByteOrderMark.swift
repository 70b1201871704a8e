/// U+FEFF in UTF-8, with which some programs begin a text.
public enum ByteOrderMark {
    /// The number of bytes of the mark at the beginning of a text: 3, or 0 without one.
    public static func length(in text: some Sequence<UInt8>) -> Int {
        text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    }
}
