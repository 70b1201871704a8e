public import Digest
public import PhotoFiles
public import PhotoLocating
public import Pins
import TileMath

/// A photo that becomes a pin: its file as read, and its place.
public struct PinnedPhoto: Sendable {
    /// Where a photo was taken, and when.
    public struct Position: Sendable {
        public var place: PinPlace
        /// Milliseconds since 1970; nil if unknown.
        public var time: Int64?
        public var method: PlaceEstimate.Method
        public var radiusMetres: Double?

        public init(place: PinPlace, time: Int64?, method: PlaceEstimate.Method, radiusMetres: Double?) {
            self.place = place
            self.time = time
            self.method = method
            self.radiusMetres = radiusMetres
        }

        /// The most likely time and place of a photo; nil if its place is not known.
        public init?(_ located: LocatedPhoto) {
            guard let best = located.best, let estimate = best.estimate,
                let place = PinPlace(longitude: estimate.place.longitude, latitude: estimate.place.latitude)
            else { return nil }
            // A place that the user names has no radius.
            let radius = estimate.method == .hand ? nil : estimate.radiusMetres
            self.init(place: place, time: best.instant, method: estimate.method, radiusMetres: radius)
        }

        fileprivate var photoMethod: PinPhoto.Method {
            switch method {
            case .hand: .hand
            case .exif: .exif
            case .track: .track
            case .stay: .stay
            }
        }

        fileprivate var locating: PinLocating {
            switch method {
            case .hand: .hand
            case .exif: .exif
            case .track, .stay: .track
            }
        }
    }

    /// The content of the pin, without what its author says about it.
    public let content: PinContent
    /// The photo with its pictures.
    public let photo: PhotoContent

    /// The longest name of a camera.
    private static let cameraLimit = 100

    /// The pictures that are stored of a photo.
    public enum StoredPictures: Sendable, Comparable {
        /// None: the library has them already.
        case nothing
        /// `thumb` and `screen`.
        case small
        /// Also the original.
        case everything
    }

    /// Reads a photo and makes its pictures. A raw photo without a preview, or a TIFF picture, has no pictures but
    /// the original, if it is kept. Throws `PhotoError`, or `FileError`.
    public init(
        _ file: PhotoFile, _ metadata: PhotoMetadata, at position: Position, person: String?,
        keeping kept: StoredPictures
    ) throws {
        let keepsOriginal = kept == .everything
        var pictures: [PinPhoto.Size: [UInt8]] = [:]
        if kept != .nothing {
            do {
                let made = try Thumbnail.jpeg(of: file, [.thumb, .screen])
                pictures = [.thumb: made[0], .screen: made[1]]
            } catch PhotoError.noPicture {
                // Its place and time are of use all the same.
            }
        }
        var digester = Digester()
        var original: [UInt8] = []
        if keepsOriginal { original.reserveCapacity(Int(clamping: file.byteCount)) }
        try file.forEachBlock { block in
            digester.update(bytes: block)
            if keepsOriginal { original += block }
        }
        if keepsOriginal { pictures[.original] = original }
        var photo = PinPhoto(
            digest: digester.finish(), contentType: try file.mediaType(), byteCount: file.byteCount,
            method: position.photoMethod)
        photo.pixels = metadata.size.map { ($0.width, $0.height) }
        photo.orientation = metadata.orientation
        photo.camera = Self.camera(metadata)
        photo.radiusMetres = position.radiusMetres
        self.photo = PhotoContent(photo, pictures: pictures)
        var content = PinContent(position.place, source: .photo, located: position.locating)
        content.time = position.time
        content.person = person
        self.content = content
    }

    /// The digest of a file's bytes, by which a photo is known.
    public static func digest(of file: PhotoFile) throws -> ContentDigest {
        var digester = Digester()
        try file.forEachBlock { digester.update(bytes: $0) }
        return digester.finish()
    }

    /// The make and the model, which often begins with the make.
    private static func camera(_ metadata: PhotoMetadata) -> String? {
        let make = metadata.make.flatMap(PinText.caption) ?? ""
        let model = metadata.model.flatMap(PinText.caption) ?? ""
        let isNamed = make.isEmpty || model.lowercased().hasPrefix(make.lowercased())
        return PinText.caption(String((isNamed ? model : "\(make) \(model)").prefix(cameraLimit)))
    }
}
