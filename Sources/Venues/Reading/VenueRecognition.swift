internal import Text

/// Tells maps of buildings from recordings.
public enum VenueRecognition {
    /// Whether features are a venue: polygons with a level, or features with IMDF's `feature_type`, and no point or line
    /// with times. Corridors that are lines with a level count, too.
    public static func isVenue(_ features: [RecordedFeature]) -> Bool {
        format(of: features) != nil
    }

    /// The format of a venue; nil if the features are none.
    public static func format(of features: [RecordedFeature]) -> VenueFormat? {
        guard !features.contains(where: hasTimes) else { return nil }
        if features.contains(where: { $0.kind != nil }) { return .imdf }
        guard features.contains(where: isPart) else { return nil }
        let isTagged = features.contains { $0.property("indoor") != nil || isMapObject($0) }
        return isTagged ? .openStreetMap : .geoJSON
    }

    /// Whether a feature is an area on a level, or a corridor.
    private static func isPart(_ feature: RecordedFeature) -> Bool {
        let hasLevel = ["level", "repeat_on"].contains { feature.text($0).map(isLevel) ?? false }
        switch feature.shape {
        case .polygons: return hasLevel || feature.text("indoor") != nil
        case .lines: return hasLevel && (feature.text("highway") == "corridor" || feature.text("indoor") != nil)
        case .points, .none: return false
        }
    }

    private static func isLevel(_ text: String) -> Bool {
        !LevelExpression(text).numbers.isEmpty
    }

    /// The names under which programs write the times of points.
    private static let timeNames: Set<String> = [
        "times", "coordtimes", "time", "timestamp", "datetime", "coordinateproperties", "date_time", "starttime",
        "recorded_at", "timestamps",
    ]

    /// Whether a point or a line has times. Those of edits of a map object are none.
    private static func hasTimes(_ feature: RecordedFeature) -> Bool {
        switch feature.shape {
        case .points, .lines: break
        case .polygons, .none: return false
        }
        guard feature.kind == nil, !isMapObject(feature) else { return false }
        return feature.properties.contains { timeNames.contains($0.name.lowercased()) && !$0.value.isNull }
    }

    /// Whether it is an OpenStreetMap object, by its id (`way/123`) or by the data of its edits.
    private static func isMapObject(_ feature: RecordedFeature) -> Bool {
        if ["node/", "way/", "relation/"].contains(where: { feature.sourceID.hasPrefix($0) }) { return true }
        return feature.property("changeset") != nil && feature.property("version") != nil
    }
}
