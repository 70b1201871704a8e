internal import Text

/// An object of a file that a venue uses.
struct IndoorPart {
    let feature: RecordedFeature
    let tags: [String: String]
    let role: IndoorTags.Role
    let shape: GeoShape
    /// The levels that it names; 0 if it is indoors and names none.
    let levels: [Double]
    /// `level:ref`, if it is on one level.
    let levelReference: String?

    var names: LocalizedText? { IndoorTags.names(tags, "name") }

    /// Whether it is in a building, or is one.
    var isInside: Bool {
        switch role {
        case .footway, .nothing: false
        default: true
        }
    }

    /// Whether it is walked on, or is a level.
    var isFloor: Bool {
        switch role {
        case .unit, .path, .level: true
        default: false
        }
    }

    /// Whether there is a level because of it: also a point of interest may be alone on one.
    var makesLevel: Bool {
        if case .amenity = role { return true }
        return isFloor
    }

    /// nil, with a notice if it should have been one, for what a venue does not use.
    init?(_ feature: RecordedFeature, isPlain: Bool, _ notices: inout VenueNotices) {
        self.feature = feature
        var tags: [String: String] = [:]
        for property in feature.properties {
            if let text = property.value.text, !text.isEmpty, tags[property.name] == nil { tags[property.name] = text }
        }
        var shape = feature.shape
        // A converter may leave a closed way a line.
        if case .lines(let lines) = shape, lines.count == 1, lines[0].count > 3, lines[0].first == lines[0].last,
            IndoorTags.isArea(tags)
        {
            let ring = GeoJSONShape.ring(of: lines[0])
            if ring.count >= 3 { shape = .polygons([[ring]]) }
        }
        self.tags = tags
        self.shape = shape
        role = IndoorTags.role(tags, shape, isPlain: isPlain)
        guard role != .nothing else { return nil }
        let expression = LevelExpression([tags["level"], tags["repeat_on"]].compactMap(\.self).joined(separator: ";"))
        for word in expression.nonsense {
            notices.warning("LevelMustBeNumber", "\"\(word)\" is no level", feature: feature.sourceID)
        }
        let needsLevel: Bool
        switch role {
        case .unit, .path, .wall, .level: needsLevel = true
        case .amenity: needsLevel = false
        case .building, .door, .footway, .nothing: needsLevel = false
        }
        if expression.numbers.isEmpty, needsLevel {
            notices.warning(
                "LevelMissing", "an indoor object names no level; it counts as level 0", feature: feature.sourceID)
            levels = [0]
        } else {
            levels = expression.numbers
        }
        levelReference = expression.numbers.count == 1 ? tags["level:ref"] : nil
        if levels.isEmpty, case .amenity = role {
            notices.add(
                "LevelMissing", .info, "a point of interest names no level; it was left out", feature: feature.sourceID)
            return nil
        }
    }
}
