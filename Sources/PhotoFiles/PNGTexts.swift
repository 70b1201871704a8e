import Decompression
import Exif

/// The texts of PNG files that contain metadata: XMP packets, and the "raw profiles" of ImageMagick and GIMP, which are
/// blocks as hexadecimal digits.
///
/// Source: exiftool, `Image::ExifTool::PNG`.
enum PNGTexts {
    /// Longer texts are not read, and no longer ones are decompressed: two digits for each byte of the largest packet.
    private static let byteLimit = 2 * TIFFDirectories.xmpLimit + 1024
    private static let keywordLimit = 80

    /// Reads a text chunk: `tEXt`, `zTXt` or `iTXt`.
    static func read(_ type: String, _ content: any ByteSource, into blocks: inout MetadataBlocks) throws {
        let head = try content.bytes(at: 0, count: keywordLimit)
        guard let end = head.firstIndex(of: 0) else { return }
        let keyword = String(decoding: head[..<end], as: UTF8.self)
        let isProfile = keyword.hasPrefix("Raw profile type ")
        guard isProfile || keyword == "XML:com.adobe.xmp", content.count <= Int64(byteLimit) else { return }
        let bytes = try content.bytes(at: 0, count: byteLimit)
        guard let text = text(type, bytes[(end + 1)...]) else { return }
        guard isProfile else {
            if blocks.xmp == nil { blocks.xmp = text }
            return
        }
        guard let profile = profile(text) else { return }
        if profile.starts(with: ExifFields.signature) {
            _ = try blocks.directories.read(MemoryBytes(Array(profile.dropFirst(ExifFields.signature.count))))
        } else if keyword.hasSuffix(" exif") {
            _ = try blocks.directories.read(MemoryBytes(profile))
        } else if keyword.hasSuffix(" xmp"), blocks.xmp == nil {
            blocks.xmp = profile
        }
    }

    /// The text behind the keyword; nil if it is damaged.
    private static func text(_ type: String, _ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        switch type {
        case "tEXt": return Array(bytes)
        // The method, which is 0, and the stream.
        case "zTXt": return bytes.first == 0 ? decompressed(bytes.dropFirst()) : nil
        default:
            // Whether it is compressed, the method, a language and a translation of the keyword.
            guard bytes.count >= 2, let language = bytes.dropFirst(2).firstIndex(of: 0),
                let translation = bytes[(language + 1)...].firstIndex(of: 0)
            else { return nil }
            let text = bytes[(translation + 1)...]
            return bytes.first == 0 ? Array(text) : decompressed(text)
        }
    }

    private static func decompressed(_ bytes: ArraySlice<UInt8>) -> [UInt8]? {
        try? Zlib.decompressed(Array(bytes), limit: byteLimit)
    }

    /// The bytes of a raw profile: after a line with its name and one with its length, hexadecimal digits in lines.
    private static func profile(_ text: [UInt8]) -> [UInt8]? {
        let lines = text.drop { $0 <= 0x20 }.split(separator: UInt8(ascii: "\n"), maxSplits: 2)
        guard lines.count == 3 else { return nil }
        let digits = lines[2].compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}
