/// Whether encoding again gives the same bytes.
///
/// On processors with AVX-512 an interrupted thread may give others (`PNGWriter`), so four times more are tried.
func isRepeated(_ bytes: [UInt8], _ encode: () throws -> [UInt8]) rethrows -> Bool {
    for _ in 0..<5 where try encode() == bytes { return true }
    return false
}
