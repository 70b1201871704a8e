import CSodium

extension ContentDigest {
    /// Compares two digests in constant time, so that timing does not reveal where they differ.
    public func isEqualInConstantTime(to other: ContentDigest) -> Bool {
        unsafe bytes.withUnsafeBytes { left in
            unsafe other.bytes.withUnsafeBytes { right in
                unsafe sodium_memcmp(left.baseAddress, right.baseAddress, Self.byteCount) == 0
            }
        }
    }
}
