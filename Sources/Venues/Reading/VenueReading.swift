/// A venue that was read, and what is to be told about it.
public struct VenueReading: Sendable {
    public let venue: Venue
    /// The most severe first.
    public let notices: [VenueNotice]
}

extension Venue {
    /// Reads the features of one or several GeoJSON members of a venue, in any order.
    ///
    /// `name` is for a venue without a name of its own. Cost: about 0.3 s for 1,000 rooms. Throws `notAVenue` if there is no
    /// part of a building in it (see `VenueRecognition`).
    public static func reading(
        _ collections: [FeatureCollection], name: String, manifest: [UInt8]? = nil
    ) throws(VenueError) -> VenueReading {
        let features = collections.flatMap(\.features)
        guard features.count <= VenueLimits.features else { throw .tooLarge("\(VenueLimits.features) features") }
        let points = features.reduce(0) { $0 + $1.shape.points.count }
        guard points <= VenueLimits.points else { throw .tooLarge("\(VenueLimits.points) points") }
        guard let format = VenueRecognition.format(of: features) else { throw .notAVenue }
        var notices = VenueNotices()
        let skipped = collections.reduce(0) { $0 + $1.skipped }
        if skipped > 0 {
            notices.violation(
                "FileMustContainFeatureCollection", "\(skipped) members are no features; they were left out")
        }
        return try reading(features, format, name: name, manifest: manifest, notices)
    }

    /// Reads an OpenStreetMap document (`.osm`).
    public static func reading(openStreetMap bytes: [UInt8], name: String) throws(VenueError) -> VenueReading {
        let features = try OSMReader.read(bytes)
        return try reading(features, .openStreetMap, name: name, manifest: nil, VenueNotices())
    }

    static func reading(
        _ features: [RecordedFeature], _ format: VenueFormat, name: String, manifest: [UInt8]?, _ notices: VenueNotices
    ) throws(VenueError) -> VenueReading {
        var notices = notices
        let result: (venue: Venue, notices: VenueNotices)
        switch format {
        case .imdf:
            if manifest == nil {
                notices.violation("ManifestFileMustBePresent", "there is no manifest.json")
            }
            result = try IMDFReader.read(features, manifest: manifest ?? [], name: name, notices)
        case .openStreetMap, .geoJSON:
            result = try IndoorReader.read(features, format: format, name: name, notices)
        }
        return VenueReading(venue: result.venue, notices: result.notices.sorted)
    }
}
