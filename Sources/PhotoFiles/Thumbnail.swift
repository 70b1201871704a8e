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
        let metadata = try file.metadata()
        do {
            let largest = sizes.map(\.side).max() ?? 1
            let whole = try picture(of: file, metadata, side: largest, pixelLimit: pixelLimit)
            let picture = Resampling.shrunk(whole.picture, side: largest)
            return try sizes.map { size in
                let small = Resampling.shrunk(picture, side: size.side)
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

    /// The picture of a file that is nothing else.
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

/// Makes pictures smaller, and turns them.
enum Resampling {
    /// The picture with `side` pixels on its longer side, each the mean of the pixels that it covers; unchanged if it is
    /// smaller.
    static func shrunk(_ picture: JPEGPicture, side: Int) -> JPEGPicture {
        let longer = max(picture.width, picture.height)
        guard longer > side else { return picture }
        let width = max(1, (picture.width * side + longer / 2) / longer)
        let height = max(1, (picture.height * side + longer / 2) / longer)
        var pixels = [UInt8](repeating: 0, count: 3 * width * height)
        let columns = spans(from: picture.width, to: width)
        let rows = spans(from: picture.height, to: height)
        var sums = [Int](repeating: 0, count: 3 * width)
        for (row, lines) in rows.enumerated() {
            for index in sums.indices { sums[index] = 0 }
            var total = 0
            for (line, share) in lines.weights {
                total += share
                let start = 3 * picture.width * line
                for (column, span) in columns.enumerated() {
                    var (red, green, blue) = (0, 0, 0)
                    for (x, weight) in span.weights {
                        let pixel = start + 3 * x
                        red += weight * Int(picture.pixels[pixel])
                        green += weight * Int(picture.pixels[pixel + 1])
                        blue += weight * Int(picture.pixels[pixel + 2])
                    }
                    sums[3 * column] += share * red
                    sums[3 * column + 1] += share * green
                    sums[3 * column + 2] += share * blue
                }
            }
            for column in 0..<width {
                let weight = total * columns[column].total
                for part in 0..<3 {
                    pixels[3 * (row * width + column) + part] = UInt8(
                        clamping: (sums[3 * column + part] + weight / 2) / weight)
                }
            }
        }
        return JPEGPicture(width: width, height: height, pixels: pixels, profile: picture.profile)
    }

    /// The pixels that a smaller pixel covers, with weights in 1/256.
    private struct Span {
        var weights: [(Int, Int)]
        var total: Int
    }

    private static func spans(from large: Int, to small: Int) -> [Span] {
        (0..<small).map { index in
            let start = Double(index) * Double(large) / Double(small)
            let end = Double(index + 1) * Double(large) / Double(small)
            let last = min(large - 1, Int(end.rounded(.up)) - 1)
            let weights = (Int(start)...max(Int(start), last)).map { pixel in
                (pixel, max(1, Int((256 * (min(end, Double(pixel + 1)) - max(start, Double(pixel)))).rounded())))
            }
            return Span(weights: weights, total: weights.reduce(0) { $0 + $1.1 })
        }
    }

    /// The picture as it has to be shown: turned and mirrored by an orientation of EXIF.
    static func upright(_ picture: JPEGPicture, orientation: Int) -> JPEGPicture {
        guard (2...8).contains(orientation) else { return picture }
        let (width, height) = (picture.width, picture.height)
        let isSideways = orientation >= 5
        let (newWidth, newHeight) = isSideways ? (height, width) : (width, height)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(picture.pixels.count)
        for y in 0..<newHeight {
            for x in 0..<newWidth {
                let (fromX, fromY) =
                    switch orientation {
                    case 2: (width - 1 - x, y)
                    case 3: (width - 1 - x, height - 1 - y)
                    case 4: (x, height - 1 - y)
                    case 5: (y, x)
                    case 6: (y, height - 1 - x)
                    case 7: (width - 1 - y, height - 1 - x)
                    default: (width - 1 - y, x)
                    }
                let start = 3 * (fromY * width + fromX)
                pixels.append(picture.pixels[start])
                pixels.append(picture.pixels[start + 1])
                pixels.append(picture.pixels[start + 2])
            }
        }
        return JPEGPicture(width: newWidth, height: newHeight, pixels: pixels, profile: picture.profile)
    }

    /// RGBA over white.
    static func opaque(_ pixels: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(pixels.count / 4 * 3)
        for start in stride(from: 0, to: pixels.count - 3, by: 4) {
            let alpha = Int(pixels[start + 3])
            for part in 0..<3 {
                result.append(UInt8((Int(pixels[start + part]) * alpha + 255 * (255 - alpha) + 127) / 255))
            }
        }
        return result
    }
}
