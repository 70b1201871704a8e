/// OpenStreetMap's tags of things inside buildings (https://wiki.openstreetmap.org/wiki/Simple_Indoor_Tagging), and of the
/// paths between buildings.
enum IndoorTags {
    /// What an object is in a venue.
    enum Role: Equatable {
        case building
        case level
        case unit(UnitCategory)
        /// A line that is walked on: a corridor, steps.
        case path(UnitCategory)
        case wall
        case door
        /// A point that a place is made from; with its category.
        case amenity(String)
        case footway
        case nothing
    }

    /// Keys of which one makes an object worth keeping.
    private static let useful: Set<String> = [
        "indoor", "level", "repeat_on", "building", "door", "entrance", "elevator", "stairs", "room",
    ]

    private static let paths: Set<String> = [
        "footway", "path", "pedestrian", "steps", "corridor", "living_street", "service", "residential", "cycleway",
        "track", "elevator", "unclassified",
    ]

    static func isUseful(_ tags: [String: String]) -> Bool {
        tags.keys.contains(where: useful.contains) || tags["highway"].map(paths.contains) ?? false
    }

    /// Whether a closed way with these tags is an area.
    static func isArea(_ tags: [String: String]) -> Bool {
        if tags["area"] == "no" { return false }
        if tags["area"] == "yes" || tags["building"] != nil || tags["room"] != nil { return true }
        if let indoor = tags["indoor"] { return indoor != "wall" }
        if tags["highway"] != nil { return tags["highway"] == "elevator" || tags["highway"] == "platform" }
        return tags["level"] != nil && tags["barrier"] == nil
    }

    /// The role of an object. `isPlain` is for GeoJSON that is not of OpenStreetMap: each polygon with a level is a unit.
    static func role(_ tags: [String: String], _ shape: GeoShape, isPlain: Bool) -> Role {
        switch shape {
        case .polygons: areaRole(tags, isPlain: isPlain)
        case .lines: lineRole(tags)
        case .points: pointRole(tags)
        case .none: .nothing
        }
    }

    private static func areaRole(_ tags: [String: String], isPlain: Bool) -> Role {
        let indoor = tags["indoor"]
        switch indoor {
        case "level": return .level
        case "wall": return tags["area"] == "yes" ? .unit(UnitCategory("structure")) : .wall
        case "column", "pillar": return .unit(UnitCategory("column"))
        case "door": return .door
        default: break
        }
        if let category = IndoorCategory.category(tags, isPlain: isPlain) { return .unit(category) }
        if tags["building"] != nil, indoor == nil { return .building }
        if tags["building:part"] != nil, indoor == nil { return .nothing }
        guard indoor != nil || isPlain && tags["level"] != nil else { return .nothing }
        return .unit(UnitCategory("room"))
    }

    private static func lineRole(_ tags: [String: String]) -> Role {
        if tags["indoor"] == "wall" || tags["barrier"] == "wall" && tags["level"] != nil { return .wall }
        if tags["indoor"] == "door" { return .door }
        guard let highway = tags["highway"], paths.contains(highway) else { return .nothing }
        if highway == "steps", tags["level"] != nil {
            return .path(UnitCategory(IndoorCategory.isConveying(tags) ? "escalator" : "stairs"))
        }
        if highway == "corridor" || tags["indoor"] == "yes" { return .path(UnitCategory("walkway")) }
        // Paths outdoors often name the ground as their level.
        let level = tags["level"].map(LevelExpression.init)?.numbers ?? []
        return level.isEmpty || level == [0] ? .footway : .path(UnitCategory("walkway"))
    }

    private static func pointRole(_ tags: [String: String]) -> Role {
        if tags["highway"] == "elevator" || tags["elevator"] == "yes" { return .unit(UnitCategory("elevator")) }
        if tags["door"] != nil || tags["entrance"] != nil || tags["indoor"] == "door" { return .door }
        if tags["indoor"] == "column" || tags["indoor"] == "pillar" { return .nothing }
        guard let category = IndoorCategory.place(tags) else { return .nothing }
        return .amenity(category)
    }

    private static let closedWords: Set<String> = ["no", "private", "employees", "staff", "residents", "military"]

    /// `access` and `foot`.
    static func access(_ tags: [String: String]) -> Access {
        if tags["foot"] == "yes" || tags["foot"] == "designated" { return .open }
        let word = tags["foot"].flatMap { closedWords.contains($0) ? $0 : nil } ?? tags["access"]
        return word.map { closedWords.contains($0) ? .restricted($0) : .open } ?? .open
    }

    /// `duration` in seconds: minutes, or `MM:SS` or `HH:MM:SS`; nil for other values.
    static func seconds(_ text: String?) -> Double? {
        guard let text else { return nil }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { Double($0) }
        let numbers = parts.compactMap(\.self)
        guard numbers.count == parts.count, (1...3).contains(numbers.count),
            numbers.allSatisfy({ (0...1e5).contains($0) })
        else { return nil }
        // A number without a colon is in minutes; two numbers are hours and minutes.
        switch numbers.count {
        case 1: return numbers[0] * 60
        case 2: return numbers[0] * 3600 + numbers[1] * 60
        default: return numbers[0] * 3600 + numbers[1] * 60 + numbers[2]
        }
    }

    /// Whether moving steps go up, from their direction and that of their line; nil if one of the two is not tagged.
    static func isUpwards(_ tags: [String: String]) -> Bool? {
        guard let conveying = tags["conveying"], ["forward", "backward"].contains(conveying),
            let incline = tags["incline"], !incline.isEmpty
        else { return nil }
        let isRising = incline == "up" || !incline.hasPrefix("-") && incline != "down"
        return isRising == (conveying == "forward")
    }

    /// Metres of `width`; nil if there are none.
    static func metres(_ text: String?) -> Double? {
        guard let text, let number = Double(text.prefix { $0.isNumber || $0 == "." }), (0.2...50).contains(number)
        else {
            return nil
        }
        return number
    }

    /// The names: `name`, `name:de`.
    static func names(_ tags: [String: String], _ key: String) -> LocalizedText? {
        var texts: [(language: String, text: String)] = []
        for (name, value) in tags {
            if name == key { texts.append(("", value)) }
            guard name.hasPrefix(key + ":") else { continue }
            let language = name.dropFirst(key.count + 1)
            if (2...12).contains(language.utf8.count) { texts.append((String(language), value)) }
        }
        return LocalizedText(texts)
    }

    static func contact(_ tags: [String: String]) -> Contact {
        var contact = Contact()
        contact.hours = tags["opening_hours"]
        contact.phone = tags["phone"] ?? tags["contact:phone"]
        contact.website = tags["website"] ?? tags["contact:website"]
        return contact
    }
}
