import Cairo
import HEIF
import JPEG
import PNG
import PhotoLocating
import WebP

/// Small pictures of photos: JPEG files without any metadata besides the colour profile.
public enum Thumbnail {
    /// The sizes that are served.
    public enum Size: String, CaseIterable, Sendable {
        /// For lists and maps.
        case thumb
        /// For a whole screen.
        case screen

        /// The longer side in pixels; smaller photos are not enlarged.
        public var side: Int {
            switch self {
            case .thumb: 320
            case .screen: 2048
            }
        }
    }

    /// Photos with more pixels are refused: decoded, they are up to 200 MB.
    public static let pixelLimit = 50_000_000
    /// Larger files are refused: a photo of 50 megapixels has about 30 MB.
    public static let byteLimit: Int64 = 200_000_000
    private static let quality = 82

    /// The photo of a file, turned upright, in a size. Throws `PhotoError`, or `FileError`.
    public static func jpeg(of file: PhotoFile, _ size: Size) throws -> [UInt8] {
        try jpeg(of: file, [size]).first ?? []
    }

    /// The photo of a file in several sizes, in their order; it is decoded once. Raw photos and videos have the largest
    /// picture that is embedded in them; videos without one have a drawn picture with their duration. Throws
    /// `PhotoError` (`noPicture` if there is nothing to decode), or `FileError`.
    public static func jpeg(
        of file: PhotoFile, _ sizes: [Size], pixelLimit: Int = Thumbnail.pixelLimit
    ) throws -> [[UInt8]] {
        try jpeg(of: file, sides: sizes.map(\.side), pixelLimit: pixelLimit)
    }

    /// As above, with the longer sides in pixels.
    public static func jpeg(
        of file: PhotoFile, sides: [Int], pixelLimit: Int = Thumbnail.pixelLimit
    ) throws -> [[UInt8]] {
        let metadata = try file.metadata()
        do {
            let largest = sides.max() ?? 1
            let whole = try picture(of: file, metadata, side: largest, pixelLimit: pixelLimit)
            let picture = Resampling.shrunk(whole.picture, side: largest)
            return try sides.map { side in
                let small = Resampling.shrunk(picture, side: side)
                return try JPEGCodec.encode(
                    Resampling.upright(small, orientation: whole.isUpright ? 1 : metadata.orientation),
                    quality: quality)
            }
        } catch let error as JPEGError {
            throw PhotoError.damaged(error.message)
        } catch let error as HEIFError {
            throw PhotoError.damaged(error.message)
        } catch let error as PNGError {
            throw PhotoError.damaged(error.message)
        } catch let error as CairoError {
            throw PhotoError.damaged(error.description)
        } catch WebPError.damaged {
            throw PhotoError.damaged("the WebP picture cannot be decoded")
        } catch WebPError.noMemory {
            throw PhotoError.damaged("there is not enough memory for the WebP picture")
        } catch WebPError.tooLarge {
            throw PhotoError.damaged("a frame of the WebP picture has more than \(pixelLimit) pixels")
        }
    }

    /// The pixels, and whether the orientation of the file does not count for them.
    private static func picture(
        of file: PhotoFile, _ metadata: PhotoMetadata, side: Int, pixelLimit: Int
    ) throws -> (picture: JPEGPicture, isUpright: Bool) {
        let source = file.source
        func embedded(_ candidates: [EmbeddedPicture]) throws -> (picture: JPEGPicture, isUpright: Bool)? {
            try EmbeddedPictures.largest(of: candidates, in: source, side: side, pixelLimit: pixelLimit)
        }
        switch file.format {
        case .tiff, .raf:
            let candidates = try file.format == .raf ? EmbeddedPictures.raf(source) : EmbeddedPictures.tiff(source)
            guard let found = try embedded(candidates) else { throw PhotoError.noPicture(file.format.rawValue) }
            return found
        case .movie:
            var boxes = MovieBoxes(source)
            try boxes.read()
            if let found = try embedded(boxes.pictures) { return found }
            let isVideo = try file.mediaType().hasPrefix("video/")
            guard isVideo, boxes.hasHead else { throw PhotoError.noPicture(isVideo ? file.format.rawValue : "CR3") }
            return (
                try MoviePlaceholder.picture(
                    size: metadata.size, orientation: metadata.orientation, seconds: boxes.seconds), true
            )
        case .jpeg, .heif, .png, .webp: return (try whole(of: file, metadata, side, pixelLimit), false)
        }
    }

    /// The picture of a file whose format holds only a picture.
    private static func whole(
        of file: PhotoFile, _ metadata: PhotoMetadata, _ side: Int, _ pixelLimit: Int
    ) throws -> JPEGPicture {
        if let pixels = metadata.size, pixels.width > pixelLimit / max(1, pixels.height) {
            throw PhotoError.tooLarge(width: pixels.width, height: pixels.height, limit: pixelLimit)
        }
        guard file.source.count <= byteLimit else {
            throw PhotoError.damaged("\(file.source.count) bytes are more than the limit of \(byteLimit)")
        }
        if file.format == .heif {
            let decoded = try file.openHEIF().decoded(pixelLimit: pixelLimit)
            return JPEGPicture(width: decoded.width, height: decoded.height, pixels: decoded.pixels)
        }
        let bytes = try file.source.bytes(at: 0, count: Int(file.source.count))
        switch file.format {
        case .png:
            let image = try PNGReader.image(of: bytes)
            return JPEGPicture(width: image.width, height: image.height, pixels: Resampling.opaque(image.bytes))
        case .webp:
            let image = try WebPFile.decode(bytes, side: side, pixelLimit: pixelLimit)
            return JPEGPicture(
                width: image.width, height: image.height, pixels: Resampling.opaque(image.pixels),
                profile: image.profile)
        default: return try JPEGCodec.decode(bytes, side: side, pixelLimit: pixelLimit)
        }
    }
}
