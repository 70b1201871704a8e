import CSodium

extension ContentDigest {
    /// Whether both are equal, found out in a time that does not tell where they differ.
    public func isEqualInConstantTime(to other: ContentDigest) -> Bool {
        unsafe bytes.withUnsafeBytes { left in
            unsafe other.bytes.withUnsafeBytes { right in
                unsafe sodium_memcmp(left.baseAddress, right.baseAddress, Self.byteCount) == 0
            }
        }
    }
}
