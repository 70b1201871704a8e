public import Digest
internal import Text

extension Venue {
    /// The kind and version of the stored form; a new one when the form or the meaning of it changes.
    private static let stored = "tileserve-venue-1\n"

    /// The venue as bytes for a store: the features as recorded. About as long as the file that it came from; texts compress
    /// well.
    public func encoded() -> [UInt8] {
        var writer = StoredWriter()
        writer.add(format.rawValue)
        writer.add(name)
        writer.add(bytes: manifest)
        // One list, which is read faster than a text for each feature.
        var json = JSONWriter()
        json.array(recorded) { $0.raw($1.json) }
        writer.add(bytes: json.bytes)
        return writer.sealed(as: Self.stored)
    }

    /// The venue of stored bytes, equal to the one that was encoded. Cost: that of reading its file.
    ///
    /// Throws `damaged` for bytes that no venue was encoded as.
    public init(decoding bytes: [UInt8]) throws(VenueError) {
        var reader = try StoredReader(bytes, sealedAs: Self.stored)
        guard let format = VenueFormat(rawValue: try reader.text()) else { throw StoredReader.wrong }
        let name = try reader.text()
        let manifest = try reader.rawBytes()
        let json = try reader.rawBytes()
        try reader.finish()
        do throws(VenueError) {
            let features = try FeatureCollection(json).features
            self = try Venue.reading(features, format, name: name, manifest: manifest, VenueNotices()).venue
        } catch {
            if case .geometry = error { throw error }
            throw .damaged(error.reason)
        }
    }

    /// What identifies the content: equal for equal venues.
    public var contentDigest: ContentDigest {
        var digester = Digester()
        digester.update(format.rawValue)
        for feature in recorded {
            digester.update(feature.json.count)
            digester.update(bytes: feature.json)
        }
        return digester.finish()
    }
}
