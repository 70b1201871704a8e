/// The format of the tiles of an archive.
public enum TileFormat: String, Sendable, CaseIterable {
    case png
    case jpg
    case webp
    /// Mapbox Vector Tiles, often compressed with gzip.
    case mvt

    /// The format named by the row `format` of MBTiles: a name, or a media type since version 1.3.
    public init?(named text: String) {
        switch text.lowercased() {
        case "png", "image/png": self = .png
        case "jpg", "jpeg", "image/jpeg": self = .jpg
        case "webp", "image/webp": self = .webp
        case "pbf", "mvt", "application/vnd.mapbox-vector-tile", "application/x-protobuf": self = .mvt
        default: return nil
        }
    }

    /// The format of a picture, by its first bytes; nil if it is none of these pictures.
    public init?(pictureBytes bytes: [UInt8]) {
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
            self = .png
        } else if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
            self = .jpg
        } else if bytes.starts(with: "RIFF".utf8), bytes.dropFirst(8).starts(with: "WEBP".utf8) {
            self = .webp
        } else {
            return nil
        }
    }

    public var mediaType: String {
        switch self {
        case .png: "image/png"
        case .jpg: "image/jpeg"
        case .webp: "image/webp"
        case .mvt: "application/vnd.mapbox-vector-tile"
        }
    }

    /// Whether tiles are pictures.
    public var isRaster: Bool { self != .mvt }

    /// The name that readers of MBTiles know.
    var nameInMBTiles: String { self == .mvt ? "pbf" : rawValue }
}
