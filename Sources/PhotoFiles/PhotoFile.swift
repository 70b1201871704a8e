import Exif
import HEIF
public import PhotoLocating

/// The formats of photos and videos, by their first bytes.
public enum PhotoFormat: String, Sendable {
    case jpeg = "JPEG"
    case tiff = "TIFF"
    case png = "PNG"
    case webp = "WebP"
    case heif = "HEIC"
    case movie = "MP4"
    case raf = "RAF"

    /// The number of bytes that `init` reads.
    static let headBytes = 16

    /// nil if the format is not known.
    init?(head: [UInt8]) {
        if head.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpeg
        } else if head.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            self = .png
        } else if head.starts(with: Array("RIFF".utf8)), head.dropFirst(8).starts(with: Array("WEBP".utf8)) {
            self = .webp
        } else if head.starts(with: Array("FUJIFILMCCD-RAW".utf8)) {
            self = .raf
        } else if TIFFDirectories.byteOrder(head) != nil {
            self = .tiff
        } else if head.count >= 12 {
            let type = String(decoding: head[4..<8], as: UTF8.self)
            let brand = String(decoding: head[8..<12], as: UTF8.self)
            if type == "ftyp" {
                self = Self.pictureBrands.contains(brand) ? .heif : .movie
            } else if ["moov", "mdat", "wide", "free", "skip", "pnot"].contains(type) {
                // QuickTime before it had brands.
                self = .movie
            } else {
                return nil
            }
        } else {
            return nil
        }
    }

    private static let pictureBrands: Set<String> = [
        "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "mif2", "msf1", "avif", "avis",
    ]
}

/// A photo or video, of which only the metadata are read.
public struct PhotoFile {
    /// No camera makes pictures with more pixels: such a size is an error of the file.
    public static let pixelLimit = 1_000_000_000

    let format: PhotoFormat
    let source: any ByteSource
    /// The path, if it is a file.
    let path: String?

    /// Opens a file; throws `FileError` or `PhotoError`.
    public init(path: String) throws {
        try self.init(FileBytes(path: path), path: path)
    }

    /// A file in memory.
    public init(bytes: [UInt8]) throws {
        try self.init(MemoryBytes(bytes), path: nil)
    }

    private init(_ source: any ByteSource, path: String?) throws {
        guard let format = PhotoFormat(head: try source.bytes(at: 0, count: PhotoFormat.headBytes)) else {
            throw PhotoError.unknownFormat
        }
        self.format = format
        self.source = source
        self.path = path
    }

    /// The size of the file in bytes.
    public var byteCount: Int64 { source.count }

    /// The media type, from the first bytes.
    public func mediaType() throws -> String {
        switch format {
        case .jpeg: return "image/jpeg"
        case .tiff: return "image/tiff"
        case .png: return "image/png"
        case .webp: return "image/webp"
        case .raf: return "image/x-fuji-raf"
        case .heif, .movie:
            let head = try source.bytes(at: 8, count: 4)
            let brand = String(decoding: head, as: UTF8.self)
            if format == .heif { return brand.hasPrefix("avi") ? "image/avif" : "image/heic" }
            return brand == "crx " ? "image/x-canon-cr3" : brand.hasPrefix("qt") ? "video/quicktime" : "video/mp4"
        }
    }

    /// Whether it is a video, and not a picture.
    public func isMovie() throws -> Bool { try mediaType().hasPrefix("video/") }

    /// Calls `body` with the bytes of the file, from the first to the last one, block by block.
    public func forEachBlock(_ body: ([UInt8]) throws -> Void) throws {
        var offset: Int64 = 0
        while offset < source.count {
            let block = try source.bytes(at: offset, count: Self.blockBytes)
            guard !block.isEmpty else { throw PhotoError.truncated }
            try body(block)
            offset += Int64(block.count)
        }
    }

    private static let blockBytes = 1 << 20

    /// Reads the metadata: some kilobytes of the file.
    public func metadata() throws -> PhotoMetadata {
        let metadata = try unchecked()
        if let size = metadata.size {
            guard size.width > 0, size.height > 0 else { throw PhotoError.empty }
            guard size.width <= Self.pixelLimit / size.height else {
                throw PhotoError.tooLarge(width: size.width, height: size.height, limit: Self.pixelLimit)
            }
        }
        return metadata
    }

    private func unchecked() throws -> PhotoMetadata {
        var blocks = MetadataBlocks()
        switch format {
        case .jpeg: try PictureContainers.jpeg(source, into: &blocks)
        case .png: try PictureContainers.png(source, into: &blocks)
        case .webp: try PictureContainers.webp(source, into: &blocks)
        case .raf: try PictureContainers.raf(source, into: &blocks)
        case .tiff:
            _ = try blocks.directories.read(source)
            blocks.xmp = blocks.directories.xmp
        case .heif: return try heif()
        case .movie:
            var boxes = MovieBoxes(source)
            try boxes.read()
            var metadata = Self.metadata(boxes.blocks)
            // The time of a raw photo's head is less exact than that of EXIF.
            let ofMovie = boxes.metadata
            metadata.fill(from: ofMovie)
            metadata.contentIdentifier = ofMovie.contentIdentifier
            metadata.durationSeconds = ofMovie.durationSeconds
            if ofMovie.orientation != 1, metadata.orientation == 1 { metadata.orientation = ofMovie.orientation }
            return metadata
        }
        return Self.metadata(blocks)
    }

    /// libheif turns the picture; the orientation of EXIF, which many programs forget to change, does not count.
    private func heif() throws -> PhotoMetadata {
        do {
            let file = try openHEIF()
            var blocks = MetadataBlocks()
            if let exif = try file.exif() { _ = try blocks.directories.read(MemoryBytes(exif)) }
            blocks.xmp = try file.xmp()
            blocks.size = PixelSize(width: file.width, height: file.height)
            var metadata = Self.metadata(blocks)
            metadata.orientation = 1
            return metadata
        } catch let error as HEIFError {
            throw PhotoError.damaged(error.message)
        }
    }

    func openHEIF() throws -> HEIFFile {
        if let path { return try HEIFFile(path: path) }
        return try HEIFFile(bytes: try source.bytes(at: 0, count: Int(source.count)))
    }

    private static func metadata(_ blocks: MetadataBlocks) -> PhotoMetadata {
        var metadata = PhotoMetadata()
        if let block = blocks.directories.block, let fields = ExifFields(block: block) {
            metadata = PhotoMetadata(fields)
        }
        if let packet = blocks.xmp, let xmp = PhotoMetadata(xmp: packet) {
            let hasOrientation = metadata.orientation != 1
            metadata.fill(from: xmp)
            if !hasOrientation { metadata.orientation = xmp.orientation }
        }
        metadata.size = blocks.size ?? metadata.size
        metadata.contentIdentifier = blocks.directories.contentIdentifier
        return metadata
    }
}
