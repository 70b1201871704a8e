public import TileMath

/// What a photo or video says about its time, its place, its camera and its picture.
public struct PhotoMetadata: Hashable, Sendable {
    /// The readings of the camera's clock, the most trustworthy one first.
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

    public init() {}

    /// The camera, for learning how its clock goes; nil if the file does not name one.
    public var camera: CameraKey? {
        guard make != nil || model != nil || serial != nil else { return nil }
        return CameraKey(make: make, model: model, serial: serial)
    }

    /// Fills in what is missing from another description of the same photo, such as a sidecar.
    public mutating func fill(from other: PhotoMetadata) {
        if readings.isEmpty { readings = other.readings }
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

    /// Milliseconds since 1970-01-01T00:00 as the clock shows it, without regard to a zone.
    public var shown: Int64
    public var meaning: Meaning
    /// The name of the field that contains the reading.
    public var field: String

    public init(shown: Int64, meaning: Meaning, field: String) {
        self.shown = shown
        self.meaning = meaning
        self.field = field
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
