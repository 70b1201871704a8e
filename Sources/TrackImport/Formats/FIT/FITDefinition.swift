import Text

/// Base type of a field: how its values are stored.
enum FITBase: UInt8 {
    case enumeration = 0
    case int8 = 1
    case uint8 = 2
    case int16 = 3
    case uint16 = 4
    case int32 = 5
    case uint32 = 6
    case text = 7
    case float32 = 8
    case float64 = 9
    case uint8z = 10
    case uint16z = 11
    case uint32z = 12
    case bytes = 13
    case int64 = 14
    case uint64 = 15
    case uint64z = 16

    var size: Int {
        switch self {
        case .enumeration, .int8, .uint8, .uint8z, .bytes, .text: 1
        case .int16, .uint16, .uint16z: 2
        case .int32, .uint32, .uint32z, .float32: 4
        case .int64, .uint64, .uint64z, .float64: 8
        }
    }

    /// The bit pattern that means no value, unsigned, in the width of the type.
    var invalid: UInt64 {
        switch self {
        case .int8: 0x7F
        case .int16: 0x7FFF
        case .int32: 0x7FFF_FFFF
        case .int64: 0x7FFF_FFFF_FFFF_FFFF
        case .uint8z, .uint16z, .uint32z, .uint64z: 0
        case .enumeration, .uint8, .bytes, .text: 0xFF
        case .uint16: 0xFFFF
        case .uint32, .float32: 0xFFFF_FFFF
        case .uint64, .float64: UInt64.max
        }
    }
}

/// A field of a message: its position and base type.
struct FITField {
    let number: UInt8
    /// Developer data index; nil for a field of the FIT profile.
    let developer: UInt8?
    let offset: Int
    let size: Int
    let base: FITBase

    /// A field of unknown type, or whose size is not a multiple of the type's size, is read as bytes.
    init(number: UInt8, developer: UInt8? = nil, offset: Int, size: Int, type: UInt8) {
        self.number = number
        self.developer = developer
        self.offset = offset
        self.size = size
        // The low five bits are the number of the type; the highest one only says that its values have a byte order.
        let base = FITBase(rawValue: type & 0x1F) ?? .bytes
        self.base = size % base.size == 0 ? base : .bytes
    }

    var isSingle: Bool { size == base.size }

    /// The bits at `at`; nil for the pattern that means no value.
    @inline(__always)
    private func bits(_ bytes: Span<UInt8>, _ at: Int, _ isBigEndian: Bool) -> UInt64? {
        var value: UInt64 = 0
        let width = base.size
        for index in 0..<width {
            let byte = bytes[isBigEndian ? at + index : at + width - 1 - index]
            value = value << 8 | UInt64(byte)
        }
        return value == base.invalid ? nil : value
    }

    /// The integer in a message that starts at `start`; nil if it is absent or the field is not an integer.
    @inline(__always)
    func integer(_ bytes: Span<UInt8>, _ start: Int, _ isBigEndian: Bool, element: Int = 0) -> Int64? {
        guard base != .text, base != .float32, base != .float64 else { return nil }
        guard let value = bits(bytes, start + offset + element * base.size, isBigEndian) else { return nil }
        switch base {
        case .int8: return Int64(Int8(truncatingIfNeeded: value))
        case .int16: return Int64(Int16(truncatingIfNeeded: value))
        case .int32: return Int64(Int32(truncatingIfNeeded: value))
        default: return Int64(exactly: value) ?? (base == .int64 ? Int64(truncatingIfNeeded: value) : nil)
        }
    }

    /// The first integer of the field that is not absent: devices write some fields with one value as arrays.
    @inline(__always)
    func firstInteger(_ bytes: Span<UInt8>, _ start: Int, _ isBigEndian: Bool) -> Int64? {
        for element in 0..<size / base.size {
            if let value = integer(bytes, start, isBigEndian, element: element) { return value }
        }
        return nil
    }

    /// The text in a message that starts at `start`, up to the first NUL; nil if it is empty.
    func text(_ bytes: Span<UInt8>, _ start: Int) -> String? {
        guard base == .text else { return nil }
        var end = start + offset
        while end < start + offset + size, bytes[end] != 0 { end += 1 }
        let range = ByteText.trimmed(bytes, start + offset..<end)
        return range.isEmpty ? nil : ByteText.string(bytes, range)
    }

    /// A value of any type as text: floats, strings, and arrays separated by commas; of a field with one value by the
    /// profile, the first one that is not absent.
    func spelling(_ bytes: Span<UInt8>, _ start: Int, _ isBigEndian: Bool, _ meaning: FITMeaning) -> String? {
        if base == .text { return text(bytes, start) }
        let elements = (0..<size / base.size).map { element -> String? in
            let at = start + offset + element * base.size
            switch base {
            case .float32, .float64:
                guard let value = bits(bytes, at, isBigEndian) else { return nil }
                let number = base == .float32 ? nil : Double(bitPattern: value)
                if let number { return number.isFinite ? "\(number)" : nil }
                let single = Float(bitPattern: UInt32(truncatingIfNeeded: value))
                return single.isFinite ? "\(single)" : nil
            default:
                return integer(bytes, start, isBigEndian, element: element).flatMap { meaning.decimal($0)?.description }
            }
        }
        if meaning.isScalar { return elements.lazy.compactMap(\.self).first }
        guard elements.contains(where: { $0 != nil }) else { return nil }
        return elements.map { $0 ?? "" }.joined(separator: ",")
    }
}

/// The layout of a local message type, until it is redefined.
struct FITDefinition {
    let message: UInt16
    let isBigEndian: Bool
    let fields: [FITField]
    let size: Int

    /// Reads the content of a definition message, after its header byte.
    init(_ bytes: Span<UInt8>, at start: Int, hasDeveloperFields: Bool, types: [FITDeveloperField: FITDescription]) {
        // Byte 1 is the architecture: 0 for little-endian, 1 for big-endian.
        isBigEndian = bytes[start + 1] != 0
        let high = UInt16(bytes[isBigEndian ? start + 2 : start + 3])
        let low = UInt16(bytes[isBigEndian ? start + 3 : start + 2])
        message = high << 8 | low
        var fields: [FITField] = []
        var offset = 0
        var at = start + 5
        for _ in 0..<bytes[start + 4] {
            let size = Int(bytes[at + 1])
            if size > 0 { fields.append(FITField(number: bytes[at], offset: offset, size: size, type: bytes[at + 2])) }
            offset += size
            at += 3
        }
        if hasDeveloperFields {
            let count = bytes[at]
            at += 1
            for _ in 0..<count {
                let size = Int(bytes[at + 1])
                let key = FITDeveloperField(developer: bytes[at + 2], number: bytes[at])
                let type = types[key]?.type ?? FITBase.bytes.rawValue
                if size > 0 {
                    fields.append(
                        FITField(number: bytes[at], developer: key.developer, offset: offset, size: size, type: type))
                }
                offset += size
                at += 3
            }
        }
        self.fields = fields
        size = offset
    }

    func field(_ number: UInt8) -> FITField? {
        fields.first { $0.number == number && $0.developer == nil }
    }
}

/// Identifies a developer field.
struct FITDeveloperField: Hashable {
    let developer: UInt8
    let number: UInt8
}

/// The file's description of a developer field.
struct FITDescription {
    let name: String
    let type: UInt8
}

/// FIT's checksum: CRC-16 with the reflected polynomial 0x8005.
struct FITChecksum {
    private(set) var value: UInt16 = 0

    private static let table: [UInt16] = (0..<256).map { byte in
        (0..<8).reduce(UInt16(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
    }

    mutating func add(_ bytes: Span<UInt8>, _ range: Range<Int>) {
        let table = Self.table
        let span = table.span
        var sum = value
        for index in range { sum = sum >> 8 ^ span[Int((sum ^ UInt16(bytes[index])) & 0xFF)] }
        value = sum
    }
}
