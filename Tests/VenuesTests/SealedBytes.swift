import Digest

/// Bytes with the checksum that stored venues and graphs end with.
func sealed(_ bytes: [UInt8]) -> [UInt8] {
    var sum = Checksum64()
    sum.update(bytes.span)
    return bytes + (0..<8).map { UInt8(truncatingIfNeeded: sum.value >> UInt64(8 * $0)) }
}
