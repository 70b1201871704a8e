public import TileMath

/// A venue: buildings with their levels and what is on them, as one import has brought it.
///
/// A value: it never changes, and it depends on the content of the source only, not on the order of its features.
public struct Venue: Sendable {
    public let id: FeatureID
    public let format: VenueFormat
    /// Its name; the name of the file if the source has none.
    public var name = ""
    public var names: LocalizedText?
    public var category = "unspecified"
    public var address: FeatureID?
    public var displayPoint: GeoPoint?
    public var contact = Contact()
    /// Its outline; that of its levels if the source has none.
    public var outline = GeoShape.none
    /// The box around all of it.
    public let bounds: BoundingBox
    public let frame: LocalFrame

    public var addresses: [VenueAddress] = []
    public var buildings: [Building] = []
    /// Ordered by number, then by id.
    public var levels: [Level] = []
    public var units: [VenueUnit] = []
    public var openings: [Opening] = []
    public var walls: [WallLine] = []
    public var amenities: [Amenity] = []
    public var anchors: [Anchor] = []
    public var occupants: [Occupant] = []
    public var kiosks: [Kiosk] = []
    public var details: [VenueDetail] = []
    public var relationships: [Relationship] = []
    public var footways: [Footway] = []

    /// The ids that features have here, by those that they have in the source.
    var sourceIDs: [String: FeatureID] = [:]
    /// The features as recorded, in the order of `RecordedFeature.sorted`.
    public let recorded: [RecordedFeature]
    /// The other members of an archive as they were: `manifest.json`.
    public var manifest: [UInt8] = []

    init(id: FeatureID, format: VenueFormat, bounds: BoundingBox, recorded: [RecordedFeature]) {
        self.id = id
        self.format = format
        self.bounds = bounds
        self.recorded = recorded
        frame = LocalFrame(centre: Self.centre(of: bounds))
    }

    private static func centre(of bounds: BoundingBox) -> GeoPoint {
        let east = bounds.crossesAntimeridian ? bounds.east + 360 : bounds.east
        var longitude = (bounds.west + east) / 2
        if longitude > 180 { longitude -= 360 }
        // Corners of a box are places on Earth, so their middle is one.
        guard let centre = GeoPoint(longitude: longitude, latitude: (bounds.south + bounds.north) / 2) else {
            preconditionFailure("the middle of a box is on Earth")
        }
        return centre
    }

    /// The building of a level; the first if several share it, nil outdoors.
    public func building(ofLevel level: Int) -> Building? {
        guard levels.indices.contains(level), let id = levels[level].buildings.first else { return nil }
        return buildings.first { $0.id == id }
    }

    /// The part with an id of this venue or of its source, if it can be closed; nil if there is none.
    public func closablePart(_ text: String) -> FeatureID? {
        [FeatureID(text), sourceIDs[text]].compactMap { $0 }.first { canClose($0) }
    }

    /// Whether a part of it can be closed: a unit, an opening or an amenity, by its id.
    public func canClose(_ id: FeatureID) -> Bool {
        units.contains { $0.id == id } || openings.contains { $0.id == id } || amenities.contains { $0.id == id }
    }

    /// The position of the level with this id.
    public func levelIndex(_ id: FeatureID) -> Int? {
        levels.firstIndex { $0.id == id }
    }

    /// The levels to show of each building: those nearest to ordinal 0, the upper of two as near.
    public var groundLevels: [Int] {
        var best: [FeatureID?: (distance: Int, ordinal: Int)] = [:]
        func rank(_ level: Level) -> (distance: Int, ordinal: Int) { (abs(level.ordinal), -level.ordinal) }
        func owners(_ level: Level) -> [FeatureID?] { level.buildings.isEmpty ? [nil] : level.buildings }
        for level in levels {
            for owner in owners(level) where best[owner].map({ rank(level) < $0 }) ?? true { best[owner] = rank(level) }
        }
        return levels.indices.filter { index in
            owners(levels[index]).contains { best[$0].map { $0 == rank(levels[index]) } ?? false }
        }
    }
}
