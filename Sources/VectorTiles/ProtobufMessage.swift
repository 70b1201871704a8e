import Text

/// A message of Protocol Buffers, of which fields are appended.
///
/// Only what vector tiles need: varints, 64-bit numbers and delimited bytes.
struct ProtobufMessage {
    private(set) var bytes: [UInt8] = []

    /// How a value is stored: the lower three bits of a field's key.
    private enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case delimited = 2
    }

    private mutating func appendKey(_ field: UInt64, _ type: WireType) {
        Varint.append(field << 3 | type.rawValue, to: &bytes)
    }

    mutating func add(_ field: UInt64, varint value: UInt64) {
        appendKey(field, .varint)
        Varint.append(value, to: &bytes)
    }

    mutating func add(_ field: UInt64, double value: Double) {
        appendKey(field, .fixed64)
        var rest = value.bitPattern
        for _ in 0..<8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    mutating func add(_ field: UInt64, bytes content: [UInt8]) {
        appendHead(ofDelimited: field, count: content.count)
        bytes += content
    }

    mutating func add(_ field: UInt64, text: String) {
        appendHead(ofDelimited: field, count: text.utf8.count)
        bytes += text.utf8
    }

    /// Appends the key and the length of a delimited field, whose bytes have to follow.
    mutating func appendHead(ofDelimited field: UInt64, count: Int) {
        appendKey(field, .delimited)
        Varint.append(UInt64(count), to: &bytes)
    }

    /// Appends bytes that are encoded already.
    mutating func append(_ content: [UInt8]) { bytes += content }

    mutating func append(_ content: ArraySlice<UInt8>) { bytes += content }

    mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

    /// Removes what was appended after there were `count` bytes.
    mutating func truncate(to count: Int) { bytes.removeSubrange(count...) }

    /// The size of a delimited field whose number is below 16.
    static func byteCount(ofDelimited count: Int) -> Int { 1 + byteCount(of: UInt64(count)) + count }

    /// The size of a field with a varint whose number is below 16.
    static func byteCount(ofField number: UInt64) -> Int { 1 + byteCount(of: number) }

    static func byteCount(of number: UInt64) -> Int { max(1, (64 - number.leadingZeroBitCount + 6) / 7) }
}
