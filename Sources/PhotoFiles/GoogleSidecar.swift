public import PhotoLocating
import Text
import TileMath

/// What Google Photos says about a photo in the JSON file beside it in an export of Google Takeout.
public struct GoogleSidecar: Sendable {
    /// Larger files are not sidecars.
    public static let byteLimit = 1 << 20
    /// A place that is further away from that of the file was set by a person: 56 m, in degrees of latitude.
    private static let movedDegrees = 0.0005
    /// Zones differ from UTC by up to 15 h, in quarters of an hour; in milliseconds.
    private static let zoneLimit: Int64 = 15 * 3_600_000
    private static let zoneStep: Int64 = 900_000

    /// `photoTakenTime`, in milliseconds since 1970; always UTC, in whole seconds.
    private var instant: Int64?
    /// `geoData`: the place that Google Photos shows. It may have been set by a person or estimated.
    private var place: GeoPoint?
    /// `geoDataExif`: the place that was in the file.
    private var filePlace: GeoPoint?

    /// nil if the bytes are not such a file.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.byteLimit, let value = try? JSONReader.value(bytes),
            value["photoTakenTime"] != nil || value["geoData"] != nil
        else { return nil }
        let text = value["photoTakenTime"]?["timestamp"]?.text
        if let seconds = text.flatMap({ Int64($0) }), seconds != 0, seconds.magnitude < 1 << 40 {
            instant = seconds * 1000
        }
        place = Self.place(value["geoData"])
        filePlace = Self.place(value["geoDataExif"])
    }

    private static func place(_ value: JSONValue?) -> GeoPoint? {
        guard let longitude = value?["longitude"]?.decimal?.double, let latitude = value?["latitude"]?.decimal?.double
        else { return nil }
        return PositionStamp.place(longitude: longitude, latitude: latitude)
    }

    /// Adds the time and the place to what the photo itself says.
    ///
    /// The photo's own time counts if it names its zone. A time without a zone gets it from the difference to Google's
    /// time, if that is the difference of a zone; otherwise somebody has corrected the time, and Google's counts. The
    /// photo's own place counts unless somebody has moved it: then `geoData` and `geoDataExif` are different places.
    public func fill(_ metadata: inout PhotoMetadata) {
        fillTime(&metadata)
        guard metadata.stamp.place == nil || isMoved else { return }
        guard let place = place ?? filePlace else { return }
        metadata.stamp.place = place
        metadata.stamp.accuracyMetres = nil
    }

    private var isMoved: Bool {
        guard let place, let filePlace else { return false }
        return abs(place.latitude - filePlace.latitude) > Self.movedDegrees
            || abs(place.longitude - filePlace.longitude) > Self.movedDegrees
    }

    private func fillTime(_ metadata: inout PhotoMetadata) {
        guard let instant else { return }
        let own = PhotoLocator.reading(metadata)
        let google = ClockReading(shown: instant, meaning: .utc, field: "photoTakenTime")
        guard var own, own.origin != .changed else {
            metadata.readings.insert(google, at: 0)
            return
        }
        switch own.meaning {
        case .offset, .utc: return
        case .local, .utcOrLocal: break
        }
        let ahead = own.shown - own.shown % 1000 - instant
        guard ahead.magnitude <= Self.zoneLimit, ahead % Self.zoneStep == 0 else {
            metadata.readings.insert(google, at: 0)
            return
        }
        // Without a place Google knows no zone, and takes the local time of a camera for UTC.
        own.meaning = ahead == 0 && place == nil && filePlace == nil ? .utcOrLocal : .offset(seconds: Int(ahead / 1000))
        metadata.readings.insert(own, at: 0)
    }
}
