public import TileMath

/// What a photo or video says about its time, its place, its camera and its picture.
public struct PhotoMetadata: Hashable, Sendable {
    /// The readings of the camera's clock, in the order of `ClockReading.Origin`.
    public var readings: [ClockReading] = []
    /// The time and place of the camera's own receiver.
    public var stamp = PositionStamp()
    public var make: String?
    public var model: String?
    /// The serial number of the camera's body.
    public var serial: String?
    /// How the stored picture has to be turned or mirrored to be shown: 1–8 as in EXIF; 1 for none.
    public var orientation = 1
    /// Pixels, as stored; nil if the file does not say.
    public var size: PixelSize?
    /// The identifier that the still and the movie of a Live Photo have in common.
    public var contentIdentifier: String?
    /// The duration of a movie; nil for a picture, and if the movie does not say.
    public var durationSeconds: Double?

    public init() {}

    /// The camera, for learning how its clock goes; nil if the file does not name one.
    public var camera: CameraKey? {
        guard make != nil || model != nil || serial != nil else { return nil }
        return CameraKey(make: make, model: model, serial: serial)
    }

    /// Fills in what is missing from another description of the same photo, such as a sidecar.
    public mutating func fill(from other: PhotoMetadata) {
        // A better reading of the other one counts, and one of the same time may name the zone.
        readings = (readings + other.readings).enumerated()
            .sorted { ($0.element.origin.rawValue, $0.offset) < ($1.element.origin.rawValue, $1.offset) }
            .map(\.element)
        if stamp.place == nil {
            stamp.place = other.stamp.place
            stamp.accuracyMetres = other.stamp.accuracyMetres
        }
        stamp.instant = stamp.instant ?? other.stamp.instant
        make = make ?? other.make
        model = model ?? other.model
        serial = serial ?? other.serial
        size = size ?? other.size
    }
}

/// Width and height in pixels.
public struct PixelSize: Hashable, Sendable {
    public var width: Int
    public var height: Int

    public init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }
}

/// What the clock of a camera showed, and what is known about its time zone.
public struct ClockReading: Hashable, Sendable {
    /// The time zone in which the clock shows the time.
    public enum Meaning: Hashable, Sendable {
        /// The camera's local time; the zone is not known.
        case local
        /// Local time that is this many seconds ahead of UTC.
        case offset(seconds: Int)
        case utc
        /// Either UTC or local time: the format demands UTC, but many cameras write local time.
        case utcOrLocal
    }

    /// What the time is that of. The order of the cases is that of trust: a picture may be digitized years after it was
    /// taken, and is changed by each program that edits it.
    public enum Origin: Int, Sendable {
        /// The exposure.
        case original
        /// The digital picture, of a scan too.
        case digitized
        /// A document of a program.
        case created
        /// The last change of the file.
        case changed
    }

    /// Milliseconds since 1970-01-01T00:00 as the clock shows it, without regard to a zone.
    public var shown: Int64
    public var meaning: Meaning
    /// The name of the field that contains the reading.
    public var field: String
    public var origin: Origin

    /// Whether the camera wrote it, and not a program that has created or changed the file later.
    var isOfCamera: Bool { origin == .original || origin == .digitized }

    public init(shown: Int64, meaning: Meaning, field: String, origin: Origin = .original) {
        self.shown = shown
        self.meaning = meaning
        self.field = field
        self.origin = origin
    }
}

/// What the receiver of a camera recorded with a photo.
public struct PositionStamp: Hashable, Sendable {
    /// Milliseconds since 1970 of the fix, by the clock of the satellites.
    public var instant: Int64?
    public var place: GeoPoint?
    public var accuracyMetres: Double?

    public init(instant: Int64? = nil, place: GeoPoint? = nil, accuracyMetres: Double? = nil) {
        self.instant = instant
        self.place = place
        self.accuracyMetres = accuracyMetres
    }
}

/// A camera: photos with the same key were taken with the same clock.
public struct CameraKey: Hashable, Sendable {
    private let words: [String]

    /// Letter case and spaces at the ends do not matter.
    public init(make: String?, model: String?, serial: String?) {
        words = [make, model, serial].map { Self.normalized($0 ?? "") }
    }

    private static func normalized(_ text: String) -> String {
        let words = text.lowercased().split { $0.isWhitespace || $0 == "\0" }
        return words.joined(separator: " ")
    }
}
