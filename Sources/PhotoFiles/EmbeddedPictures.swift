import JPEG
import PNG
import PhotoLocating

/// A JPEG or PNG picture within a raw photo or a video.
struct EmbeddedPicture: Hashable {
    var range: Range<Int64>
    /// Whether the orientation of the file does not count for it.
    var isUpright = false
}

/// Finds the pictures that cameras store beside the raw pixels or the film, and decodes one.
///
/// Only heads are read until one is chosen; the numbers of directories, candidates and attempts are bounded.
enum EmbeddedPictures {
    /// More candidates are not examined.
    static let candidateLimit = 16
    /// Larger pictures are not read: a preview of 50 megapixels has about 20 MB.
    private static let byteLimit: Int64 = 64_000_000
    /// Directories of a raw file that are read; cameras write up to ten.
    private static let directoryLimit = 32
    private static let entryLimit = 1000
    /// After so many damaged pictures no other one is decoded.
    private static let attemptLimit = 3
    private static let jpegSignature: [UInt8] = [0xFF, 0xD8, 0xFF]
    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    // MARK: Decoding

    /// The largest of the pictures that can be decoded, reduced to about `side` pixels; nil if none can. One with more
    /// than `pixelLimit` pixels is skipped.
    static func largest(
        of candidates: [EmbeddedPicture], in source: any ByteSource, side: Int, pixelLimit: Int
    ) throws -> (picture: JPEGPicture, isUpright: Bool)? {
        var found: [(embedded: EmbeddedPicture, pixels: Int, isJPEG: Bool)] = []
        for candidate in candidates.prefix(candidateLimit) {
            let part = PartialBytes(source, candidate.range)
            guard part.count == Int64(candidate.range.count), part.count <= byteLimit,
                let (size, isJPEG) = try head(part), size.width > 0, size.height > 0,
                size.width <= pixelLimit / size.height
            else { continue }
            found.append((candidate, size.width * size.height, isJPEG))
        }
        for (candidate, _, isJPEG) in found.sorted(by: { $0.pixels > $1.pixels }).prefix(attemptLimit) {
            let bytes = try PartialBytes(source, candidate.range).bytes(at: 0, count: candidate.range.count)
            if isJPEG, let picture = try? JPEGCodec.decode(bytes, side: side, pixelLimit: pixelLimit) {
                return (picture, candidate.isUpright)
            }
            if !isJPEG, let image = try? PNGReader.image(of: bytes) {
                let pixels = Resampling.opaque(image.bytes)
                return (JPEGPicture(width: image.width, height: image.height, pixels: pixels), candidate.isUpright)
            }
        }
        return nil
    }

    /// The size in a picture's head; nil if it is not a picture that can be decoded here. The raw pixels of some cameras
    /// are lossless JPEG, which libjpeg does not decode.
    private static func head(_ part: PartialBytes) throws -> (PixelSize, isJPEG: Bool)? {
        let first = try part.bytes(at: 0, count: pngSignature.count)
        var blocks = MetadataBlocks()
        if first.starts(with: jpegSignature) {
            // Baseline, extended and progressive frames: what libjpeg decodes.
            guard (try? PictureContainers.jpeg(part, into: &blocks)) != nil, let frame = blocks.frame,
                (0xC0...0xC2).contains(frame)
            else { return nil }
            return blocks.size.map { ($0, true) }
        }
        guard first == pngSignature, (try? PictureContainers.png(part, into: &blocks)) != nil else { return nil }
        return blocks.size.map { ($0, false) }
    }

    // MARK: Finding

    /// The part of a range that begins with the signature of a picture in one of its first bytes; nil if there is none.
    static func picture(in range: Range<Int64>, of source: any ByteSource) throws -> Range<Int64>? {
        // A box may have a head of its own: Canon's has up to 16 bytes.
        let first = try PartialBytes(source, range).bytes(at: 0, count: 40)
        for offset in first.indices {
            let rest = first[offset...]
            if rest.starts(with: jpegSignature) || rest.starts(with: pngSignature) {
                return (range.lowerBound + Int64(offset))..<range.upperBound
            }
        }
        return nil
    }

    /// The preview in a raw file of Fujifilm.
    static func raf(_ source: any ByteSource) throws -> [EmbeddedPicture] {
        guard let head = try source.exactly(8, at: 84) else { return [] }
        let start = Int64(WholeNumber.big(head[..<4]))
        return [EmbeddedPicture(range: start..<(start + Int64(WholeNumber.big(head[4...]))))]
    }

    /// The JPEG pictures of a TIFF file: those that directories name as previews, and strips that are whole JPEG files.
    static func tiff(_ source: any ByteSource) throws -> [EmbeddedPicture] {
        guard let head = try source.exactly(8, at: 0), let isBigEndian = TIFFDirectories.byteOrder(head) else {
            return []
        }
        func number(_ bytes: some BidirectionalCollection<UInt8>) -> UInt64 {
            isBigEndian ? WholeNumber.big(bytes) : WholeNumber.little(bytes)
        }
        var found: [EmbeddedPicture] = []
        func add(_ start: UInt64?, _ count: UInt64?) throws {
            // Both come from 32 bits, so that the sum cannot overflow.
            guard let start, let count, start > 0, count > 0, found.count < candidateLimit else { return }
            let range = Int64(start)..<Int64(start + count)
            guard try source.exactly(jpegSignature.count, at: range.lowerBound) == jpegSignature else { return }
            found.append(EmbeddedPicture(range: range))
        }
        var waiting = [number(head[4..<8])]
        var seen: Set<UInt64> = [0]
        while let offset = waiting.popLast(), seen.count <= directoryLimit {
            guard seen.insert(offset).inserted, let start = try source.exactly(2, at: Int64(offset)) else { continue }
            let count = min(Int(number(start)), entryLimit)
            let rows = try source.bytes(at: Int64(offset) + 2, count: 12 * count + 4)
            var values: [UInt64: UInt64] = [:]
            for row in 0..<min(count, rows.count / 12) {
                let entry = rows[(12 * row)..<(12 * row + 12)]
                let (tag, type) = (number(entry.prefix(2)), number(entry.dropFirst(2).prefix(2)))
                let items = number(entry.dropFirst(4).prefix(4))
                // A number of 16 bits is at the front of its four bytes.
                let value = number(entry.suffix(4).prefix(type == 3 ? 2 : 4))
                switch tag {
                case 0x0111, 0x0117, 0x0201, 0x0202: if items == 1 { values[tag] = value }
                // Panasonic's preview is the value of an entry.
                case 0x002E: try add(value, items)
                // Further directories.
                case 0x014A where items == 1: waiting.append(value)
                case 0x014A where items <= 16:
                    let list = try source.bytes(at: Int64(value), count: 4 * Int(items))
                    for start in stride(from: 0, to: list.count - 3, by: 4) {
                        waiting.append(number(list[start..<(start + 4)]))
                    }
                default: break
                }
            }
            try add(values[0x0201], values[0x0202])
            try add(values[0x0111], values[0x0117])
            if rows.count == 12 * count + 4 { waiting.append(number(rows.suffix(4))) }
        }
        return found
    }
}
