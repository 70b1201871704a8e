/// The feature types of IMDF 1.0, in the order in which they are exported.
public enum FeatureKind: String, Sendable, CaseIterable, Comparable {
    case venue, address, building, footprint, level, section, unit, opening, fixture, geofence, detail, relationship,
        anchor, occupant, amenity, kiosk

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    public static func < (one: FeatureKind, other: FeatureKind) -> Bool { one.order < other.order }
}

/// What a venue was read from.
public enum VenueFormat: String, Sendable, CaseIterable {
    case imdf
    /// OpenStreetMap's Simple Indoor Tagging, as `.osm` or as GeoJSON.
    case openStreetMap = "osm"
    /// GeoJSON with `level`.
    case geoJSON = "geojson"
}
