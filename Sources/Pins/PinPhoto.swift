public import Digest

/// A photo of pins, without its pictures.
public struct PinPhoto: Sendable, Equatable {
    /// The pictures of a photo that a library can store.
    public enum Size: String, Sendable, CaseIterable {
        /// For lists and maps.
        case thumb
        /// For a whole screen.
        case screen
        /// The file as it was given, with its metadata.
        case original
    }

    /// How the place of a photo was found.
    public enum Method: String, Sendable {
        /// By hand.
        case hand
        /// From the metadata of the photo.
        case exif
        /// From the time of the photo and a track.
        case track
        /// From the time of the photo and a stay.
        case stay
    }

    /// The digest of the original.
    public var digest: ContentDigest
    /// The media type of the original.
    public var contentType: String
    /// The size of the original in bytes.
    public var byteCount: Int64
    /// Pixels of the original as stored; nil if its file does not say.
    public var pixels: (width: Int, height: Int)?
    /// How the original has to be turned or mirrored to be shown: 1–8 as in EXIF.
    public var orientation = 1
    /// The make and the model of the camera.
    public var camera: String?
    /// How the place was found.
    public var method: Method
    /// The radius of the place in metres; nil if it is not known.
    public var radiusMetres: Double?

    public init(digest: ContentDigest, contentType: String, byteCount: Int64, method: Method) {
        self.digest = digest
        self.contentType = contentType
        self.byteCount = byteCount
        self.method = method
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.digest == right.digest && left.contentType == right.contentType && left.byteCount == right.byteCount
            && left.pixels?.width == right.pixels?.width && left.pixels?.height == right.pixels?.height
            && left.orientation == right.orientation && left.camera == right.camera && left.method == right.method
            && left.radiusMetres == right.radiusMetres
    }
}

/// A photo with the pictures that the library stores of it.
public struct PhotoContent: Sendable, Equatable {
    public var photo: PinPhoto
    /// Files: JPEG for `thumb` and `screen`.
    public var pictures: [PinPhoto.Size: [UInt8]]
    /// Whether the library has to keep the original for the origin of the photo: also if it has the original already,
    /// so that it is not among the pictures.
    public var keepsOriginal: Bool

    public init(_ photo: PinPhoto, pictures: [PinPhoto.Size: [UInt8]]) {
        self.photo = photo
        self.pictures = pictures
        keepsOriginal = pictures[.original] != nil
    }
}

extension PinContent {
    /// The same pin with a photo. In every library, and after every import, a photo of a person has the same id.
    public func with(_ photo: PinPhoto) -> PinContent {
        var content = self
        var digester = Digester()
        digester.update("photo")
        digester.update(person ?? "")
        digester.update(photo.digest)
        content.givenID = PinID(digester.finish())
        return content
    }
}
