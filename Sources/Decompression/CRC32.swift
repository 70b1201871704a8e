internal import CZlib

/// The checksum of ZIP and gzip, computed incrementally.
public struct CRC32: Sendable {
    /// The checksum of all bytes so far.
    public private(set) var value: UInt32 = 0

    /// The checksum of no bytes.
    public init() {}

    /// Adds bytes.
    public mutating func add(_ bytes: [UInt8]) {
        value = unsafe bytes.withUnsafeBufferPointer { buffer in
            unsafe UInt32(truncatingIfNeeded: crc32_z(UInt(value), buffer.baseAddress, buffer.count))
        }
    }
}
