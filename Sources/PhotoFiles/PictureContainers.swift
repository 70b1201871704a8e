import Exif
import PhotoLocating

/// Walks through the parts of picture files; pixels are skipped, not read.
enum PictureContainers {
    /// More parts than any camera writes.
    private static let partLimit = 20_000
    private static let xmpSignature = Array("http://ns.adobe.com/xap/1.0/\0".utf8)

    // MARK: JPEG

    /// Reads the segments of a JPEG file up to the first scan.
    static func jpeg(_ source: any ByteSource, into blocks: inout MetadataBlocks) throws {
        var offset: Int64 = 2
        for _ in 0..<partLimit {
            guard let head = try source.exactly(4, at: offset) else { throw PhotoError.truncated }
            guard head[0] == 0xFF else {
                // Programs that shorten a segment leave the rest of it; decoders skip it, too.
                guard let marker = try nextMarker(source, after: offset) else {
                    throw PhotoError.damaged("a segment of the JPEG file does not begin with 0xFF")
                }
                offset = marker
                continue
            }
            // Fill bytes, and markers without a segment.
            if head[1] == 0xFF {
                offset += 1
                continue
            }
            if head[1] == 0x01 || (0xD0...0xD8).contains(head[1]) {
                offset += 2
                continue
            }
            // The first scan, or the end.
            if head[1] == 0xDA || head[1] == 0xD9 { return }
            let length = Int64(WholeNumber.big(head[2...]))
            guard length >= 2 else { throw PhotoError.damaged("a segment of the JPEG file has the length \(length)") }
            let content = PartialBytes(source, (offset + 4)..<(offset + 2 + length))
            guard content.count == length - 2 else { throw PhotoError.truncated }
            switch head[1] {
            case 0xE1: try application(content, &blocks)
            // Starts of frames. The numbers between them are tables and an extension (ITU-T T.81, table B.1).
            case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
                blocks.frame = head[1]
                if let frame = try content.exactly(5, at: 0) {
                    blocks.size = PixelSize(
                        width: Int(WholeNumber.big(frame[3..<5])), height: Int(WholeNumber.big(frame[1..<3])))
                }
            default: break
            }
            offset += 2 + length
        }
        throw PhotoError.damaged("there are more than \(partLimit) segments")
    }

    /// The next byte 0xFF with a marker behind it; nil if there is none in the length of a segment.
    private static func nextMarker(_ source: any ByteSource, after offset: Int64) throws -> Int64? {
        let bytes = try source.bytes(at: offset, count: 1 << 16)
        return bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] >= 0xC0 }.map { offset + Int64($0) }
    }

    /// An APP1 segment: EXIF or XMP.
    private static func application(_ content: PartialBytes, _ blocks: inout MetadataBlocks) throws {
        if try content.exactly(6, at: 0) == ExifFields.signature {
            _ = try blocks.directories.read(PartialBytes(content, 6..<content.count))
        } else if blocks.xmp == nil, try content.exactly(xmpSignature.count, at: 0) == xmpSignature {
            let start = Int64(xmpSignature.count)
            blocks.xmp = try content.bytes(at: start, count: Int(content.count - start))
        }
    }

    // MARK: PNG

    /// Reads the chunks of a PNG file.
    static func png(_ source: any ByteSource, into blocks: inout MetadataBlocks) throws {
        var offset: Int64 = 8
        for _ in 0..<partLimit {
            guard let head = try source.exactly(8, at: offset) else { throw PhotoError.truncated }
            let length = Int64(WholeNumber.big(head[..<4]))
            let content = PartialBytes(source, (offset + 8)..<(offset + 8 + length))
            guard length < Int64(Int32.max), content.count == length else { throw PhotoError.truncated }
            let type = String(decoding: head[4...], as: UTF8.self)
            switch type {
            case "IHDR":
                guard let size = try content.exactly(8, at: 0) else { throw PhotoError.truncated }
                blocks.size = PixelSize(
                    width: Int(WholeNumber.big(size[..<4])), height: Int(WholeNumber.big(size[4...])))
            case "eXIf": _ = try blocks.directories.read(content)
            case "tEXt", "zTXt", "iTXt": try PNGTexts.read(type, content, into: &blocks)
            case "IEND": return
            default: break
            }
            // Length, type and checksum.
            offset += 12 + length
        }
        throw PhotoError.damaged("there are more than \(partLimit) chunks")
    }

    // MARK: WebP

    /// Reads the chunks of a WebP file.
    static func webp(_ source: any ByteSource, into blocks: inout MetadataBlocks) throws {
        var offset: Int64 = 12
        for _ in 0..<partLimit {
            guard offset < source.count else { return }
            guard let head = try source.exactly(8, at: offset) else { throw PhotoError.truncated }
            let length = Int64(WholeNumber.little(head[4...]))
            let content = PartialBytes(source, (offset + 8)..<(offset + 8 + length))
            guard content.count == length else { throw PhotoError.truncated }
            switch String(decoding: head[..<4], as: UTF8.self) {
            case "VP8X":
                if let size = try content.exactly(6, at: 4) {
                    blocks.size = PixelSize(
                        width: Int(WholeNumber.little(size[..<3])) + 1, height: Int(WholeNumber.little(size[3...])) + 1)
                }
            case "VP8 ":
                if blocks.size == nil, let size = try content.exactly(4, at: 6) {
                    blocks.size = PixelSize(
                        width: Int(WholeNumber.little(size[..<2]) & 0x3FFF),
                        height: Int(WholeNumber.little(size[2...]) & 0x3FFF))
                }
            case "VP8L":
                if blocks.size == nil, let size = try content.exactly(4, at: 1) {
                    let bits = WholeNumber.little(size)
                    blocks.size = PixelSize(width: Int(bits & 0x3FFF) + 1, height: Int(bits >> 14 & 0x3FFF) + 1)
                }
            case "EXIF":
                // Some programs write the signature of JPEG first.
                let hasSignature = try content.exactly(6, at: 0) == ExifFields.signature
                _ = try blocks.directories.read(PartialBytes(content, (hasSignature ? 6 : 0)..<content.count))
            case "XMP ":
                if content.count <= TIFFDirectories.xmpLimit {
                    blocks.xmp = try content.bytes(at: 0, count: Int(content.count))
                }
            default: break
            }
            // RIFF pads chunks to an even length.
            offset += 8 + length + length % 2
        }
        throw PhotoError.damaged("there are more than \(partLimit) chunks")
    }

    // MARK: RAF

    /// Reads the JPEG preview in a raw file of Fujifilm, which has all metadata.
    static func raf(_ source: any ByteSource, into blocks: inout MetadataBlocks) throws {
        // The head of RAF has the offset and the length of the preview here.
        guard let head = try source.exactly(8, at: 84) else { throw PhotoError.truncated }
        let start = Int64(WholeNumber.big(head[..<4]))
        let preview = PartialBytes(source, start..<(start + Int64(WholeNumber.big(head[4...]))))
        try jpeg(preview, into: &blocks)
        // The size of the preview.
        blocks.size = nil
    }
}
