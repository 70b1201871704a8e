internal import CSodium
internal import Text

/// A SHA-256 digest (FIPS 180-4), for files that others check with their own programs, such as `sha256sum`.
@safe
public struct SHA256: ~Copyable {
    private var state = crypto_hash_sha256_state()

    /// The number of bytes of a digest.
    private static let byteCount = 32

    /// Creates a digest of no data.
    public init() {
        let status = unsafe crypto_hash_sha256_init(&state)
        precondition(status == 0, "libsodium refused to begin a digest")
    }

    /// Adds bytes.
    public mutating func update(_ bytes: [UInt8]) {
        let status = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe crypto_hash_sha256_update(&state, buffer.baseAddress, UInt64(buffer.count))
        }
        precondition(status == 0, "libsodium refused to go on with a digest")
    }

    /// The digest of everything added, as 64 hexadecimal digits.
    public consuming func finish() -> String {
        var output = [UInt8](repeating: 0, count: Self.byteCount)
        let status = unsafe output.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return Int32(-1) }
            return unsafe crypto_hash_sha256_final(&state, start)
        }
        precondition(status == 0, "libsodium refused to end a digest")
        return HexDigits.text(output)
    }
}
