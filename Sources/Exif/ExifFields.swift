import CExif

/// A field of EXIF, with the directory in which it is.
public struct ExifField: Hashable, Sendable {
    /// A directory of tags.
    public enum Directory: Sendable {
        case image
        case photo
        case position
    }

    public var directory: Directory
    public var tag: UInt16

    public init(_ directory: Directory, _ tag: UInt16) {
        self.directory = directory
        self.tag = tag
    }
}

/// The decoded fields of an EXIF block.
///
/// libexif has had errors in the notes of camera makers (tag 0x927C). Callers give it blocks without them.
@safe
public final class ExifFields {
    /// The greatest size of a block, including its first six bytes; libexif ignores what follows.
    public static let byteLimit = 0xFFFE
    /// The first bytes of a block, before the TIFF header.
    public static let signature: [UInt8] = Array("Exif\0\0".utf8)

    private let data: UnsafeMutablePointer<ExifData>
    private let order: ExifByteOrder

    /// Parses a block that begins with `signature`; nil if it is too large or memory is out. A damaged block has no
    /// fields.
    public init?(block: [UInt8]) {
        guard block.count <= Self.byteLimit, block.starts(with: Self.signature), let created = unsafe exif_data_new()
        else { return nil }
        unsafe data = created
        // Otherwise missing fields would be added, and unknown ones dropped.
        unsafe exif_data_unset_option(created, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION)
        unsafe exif_data_unset_option(created, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS)
        unsafe exif_data_load_data(created, block, UInt32(block.count))
        order = unsafe exif_data_get_byte_order(created)
    }

    deinit {
        unsafe exif_data_unref(data)
    }

    /// The bytes of a field; empty if it is missing.
    private func bytes(_ field: ExifField) -> (bytes: [UInt8], format: ExifFormat) {
        let directory =
            switch field.directory {
            case .image: EXIF_IFD_0
            case .photo: EXIF_IFD_EXIF
            case .position: EXIF_IFD_GPS
            }
        guard let entry = unsafe exif_entry_of(data, directory, ExifTag(rawValue: UInt32(field.tag))),
            let start = unsafe entry.pointee.data
        else { return ([], EXIF_FORMAT_BYTE) }
        let format = unsafe entry.pointee.format
        // libexif allocates at least `components` values.
        let count = unsafe min(
            Int(entry.pointee.size), Int(entry.pointee.components) * Int(exif_format_get_size(format)))
        return (unsafe Array(UnsafeBufferPointer(start: start, count: count)), format)
    }

    /// The bytes of a text, with all zero bytes; empty if it is missing or no text.
    public func textBytes(_ field: ExifField) -> [UInt8] {
        let (bytes, format) = bytes(field)
        return format == EXIF_FORMAT_ASCII || format == EXIF_FORMAT_UNDEFINED || format == EXIF_FORMAT_BYTE ? bytes : []
    }

    /// A text, without the zero byte at its end and the spaces around it; nil if it is missing, empty or no text.
    public func text(_ field: ExifField) -> String? {
        let isBlank = { (byte: UInt8) in byte <= 0x20 }
        let text = textBytes(field).prefix { $0 != 0 }.drop(while: isBlank)
        guard let last = text.lastIndex(where: { !isBlank($0) }) else { return nil }
        return String(decoding: text[...last], as: UTF8.self)
    }

    /// Numbers; empty if the field is missing or no number. A fraction with the divisor 0 is NaN.
    public func numbers(_ field: ExifField) -> [Double] {
        let (bytes, format) = bytes(field)
        let size = Int(exif_format_get_size(format))
        guard size > 0 else { return [] }
        return stride(from: 0, to: bytes.count - size + 1, by: size).compactMap { offset in
            unsafe bytes[offset...].withUnsafeBufferPointer { unsafe number($0.baseAddress, format) }
        }
    }

    private func number(_ start: UnsafePointer<UInt8>?, _ format: ExifFormat) -> Double? {
        guard let start = unsafe start else { return nil }
        switch format {
        case EXIF_FORMAT_BYTE: return unsafe Double(start.pointee)
        case EXIF_FORMAT_SHORT: return unsafe Double(exif_get_short(start, order))
        case EXIF_FORMAT_LONG: return unsafe Double(exif_get_long(start, order))
        case EXIF_FORMAT_SLONG: return unsafe Double(exif_get_slong(start, order))
        case EXIF_FORMAT_RATIONAL:
            let value = unsafe exif_get_rational(start, order)
            return value.denominator == 0 ? .nan : Double(value.numerator) / Double(value.denominator)
        case EXIF_FORMAT_SRATIONAL:
            let value = unsafe exif_get_srational(start, order)
            return value.denominator == 0 ? .nan : Double(value.numerator) / Double(value.denominator)
        default: return nil
        }
    }
}
