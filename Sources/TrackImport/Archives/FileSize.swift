/// A size or offset in bytes, as stated by a file: 0 to 2^56, so that the sum of a few cannot overflow.
struct FileSize: Hashable, Sendable {
    let bytes: Int

    static let bounds = 0...(1 << 56)

    /// nil if the number is out of bounds.
    init?(_ number: some BinaryInteger) {
        guard let bytes = Int(exactly: number), Self.bounds.contains(bytes) else { return nil }
        self.bytes = bytes
    }
}
