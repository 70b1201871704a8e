/// A size or an offset in bytes that a file tells of itself or of its members: from 0 to 2^56, so that sums of some of them
/// cannot overflow.
struct FileSize: Hashable, Sendable {
    let bytes: Int

    static let bounds = 0...(1 << 56)

    /// nil where the number is no size.
    init?(_ number: some BinaryInteger) {
        guard let bytes = Int(exactly: number), Self.bounds.contains(bytes) else { return nil }
        self.bytes = bytes
    }
}
