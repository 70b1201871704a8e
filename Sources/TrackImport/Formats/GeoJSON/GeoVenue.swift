import Text

/// Distinguishes features of buildings and of maps from recordings.
enum GeoVenue {
    /// The feature types of IMDF 1.0 (Apple's Indoor Mapping Data Format).
    private static let types: Set<String> = [
        "address", "amenity", "anchor", "building", "detail", "fixture", "footprint", "geofence", "kiosk", "level",
        "occupant", "opening", "relationship", "section", "unit", "venue",
    ]

    /// The values of OpenStreetMap's `indoor` tag.
    private static let indoor: Set<String> = [
        "room", "area", "wall", "corridor", "door", "level", "column", "yes", "pillar", "entrance",
    ]

    /// Properties that refer to a floor, a room or a building.
    private static let links: Set<String> = [
        "levelid", "levelids", "floorid", "buildingid", "unitid", "roomnumber", "venueid", "roomid", "levelref",
        "floorref", "indoorid",
    ]

    /// Tags that, together with `level`, describe something inside a building.
    private static let inside: Set<String> = [
        "highway", "door", "room", "stairs", "conveying", "elevator", "railway", "amenity", "shop", "entrance",
        "building:part", "buildingpart", "repeat_on", "office",
    ]

    /// Whether a feature without times is a part of a building.
    static func contains(_ feature: GeoObject) -> Bool {
        if let type = feature.featureType, types.contains(type.lowercased()) { return true }
        var hasLevel = false
        var isInside = false
        for (name, value) in feature.properties {
            guard let text = value.text, !text.isEmpty else { continue }
            let word = name.lowercased()
            switch word {
            case "indoor" where indoor.contains(text.lowercased()): return true
            case "level", "min_level", "floor", "storey": hasLevel = hasLevel || isLevel(text)
            case "feature_type" where types.contains(text.lowercased()): return true
            default:
                if links.contains(FieldVocabulary.normalised(name)) { return true }
                isInside = isInside || inside.contains(word)
            }
        }
        return hasLevel && (isInside || isArea(feature))
    }

    /// Whether it is an area, which has a level only in a building.
    private static func isArea(_ feature: GeoObject) -> Bool {
        ["Polygon", "MultiPolygon"].contains(feature.geometry.first?.type)
    }

    /// Whether the text is like `0`, `-1`, `0;1`, `1-2` or `0.5`.
    private static func isLevel(_ text: String) -> Bool {
        text.utf8.count <= 12 && text.utf8.allSatisfy { $0 &- 0x30 < 10 || "-.;, ".utf8.contains($0) }
    }

    /// Whether it is an OpenStreetMap object, by its id (`way/123`) or by the data of its edit history. Its `timestamp`
    /// and `user` then tell of an edit of the map, not of a person at the place.
    static func isMapObject(_ feature: GeoObject) -> Bool {
        var words: Set<String> = []
        for (name, value) in feature.properties {
            let word = name.first == "@" ? String(name.dropFirst()) : name
            words.insert(word)
            if word == "id", let text = value.text, isMapID(text) { return true }
        }
        if let id = feature.id, isMapID(id) { return true }
        return words.contains("changeset") && words.contains("version")
    }

    private static func isMapID(_ id: String) -> Bool {
        ["node/", "way/", "relation/"].contains { id.hasPrefix($0) }
    }
}
