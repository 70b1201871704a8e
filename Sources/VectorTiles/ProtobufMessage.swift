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

    mutating func add(_ field: UInt64, bytes content: some Collection<UInt8>) {
        appendKey(field, .delimited)
        Varint.append(UInt64(content.count), to: &bytes)
        bytes += content
    }

    mutating func add(_ field: UInt64, text: String) { add(field, bytes: text.utf8) }

    /// Appends numbers as one packed field.
    mutating func add(_ field: UInt64, packed numbers: [UInt32]) {
        add(field, bytes: numbers.reduce(into: []) { Varint.append(UInt64($1), to: &$0) })
    }

    /// Appends fields that are encoded already.
    mutating func append(_ fields: ArraySlice<UInt8>) { bytes += fields }

    /// The size of a delimited field whose number is below 16.
    static func byteCount(ofDelimited count: Int) -> Int { 1 + byteCount(of: UInt64(count)) + count }

    private static func byteCount(of number: UInt64) -> Int { max(1, (64 - number.leadingZeroBitCount + 6) / 7) }
}
