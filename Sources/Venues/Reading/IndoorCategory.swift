/// The categories of IMDF for OpenStreetMap's tags and for the properties of plain GeoJSON.
enum IndoorCategory {
    /// Words of `room`, `amenity` and other keys, and IMDF's word; other words are kept as they are.
    private static let words: [String: String] = [
        "toilets": "restroom", "toilet": "restroom", "wc": "restroom", "bathroom": "restroom", "stairs": "stairs",
        "staircase": "stairs", "stairwell": "stairs", "elevator": "elevator", "lift": "elevator",
        "escalator": "escalator",
        "corridor": "walkway", "hallway": "walkway", "hall": "lobby", "walkway": "walkway", "entrance": "lobby",
        "lobby": "lobby", "foyer": "lobby", "waiting": "waitingroom", "waiting_room": "waitingroom",
        "class": "classroom",
        "classroom": "classroom", "lecture": "auditorium", "auditorium": "auditorium", "conference": "conferenceroom",
        "meeting": "conferenceroom", "laboratory": "laboratory", "lab": "laboratory", "restaurant": "foodservice",
        "fast_food": "foodservice", "cafe": "foodservice", "bar": "foodservice", "food_court": "foodservice",
        "cafeteria": "foodservice", "canteen": "foodservice", "kitchen": "kitchen", "office": "office",
        "storage": "storage", "cinema": "movietheater", "theatre": "theater", "library": "library", "shower": "shower",
        "first_aid": "firstaid", "server": "serverroom", "technical": "nonpublic", "parking": "parking",
        "platform": "platform", "ramp": "ramp", "terrace": "terrace", "area": "unenclosedarea", "wall": "structure",
        "column": "column", "void": "opentobelow", "atm": "atm", "ticket_validator": "ticketing",
    ]

    /// The category of an area; nil if nothing says that it is one to walk in.
    static func category(_ tags: [String: String], isPlain: Bool) -> UnitCategory? {
        if tags["highway"] == "elevator" || tags["elevator"] == "yes" { return UnitCategory("elevator") }
        if tags["highway"] == "steps" || tags["stairs"] == "yes" {
            return UnitCategory(isConveying(tags) ? "escalator" : "stairs")
        }
        if tags["railway"] == "platform" || tags["public_transport"] == "platform" || tags["highway"] == "platform" {
            return tags["level"] != nil || tags["indoor"] != nil ? UnitCategory("platform") : nil
        }
        let specific = place(tags, keys: ["room", "amenity", "shop", "office", "tourism", "leisure", "healthcare"])
        switch tags["indoor"] {
        case "corridor":
            return UnitCategory(specific.map { UnitCategory($0).connector != nil ? $0 : "walkway" } ?? "walkway")
        case "area", "yes":
            // An area has no walls, whatever is in it.
            let word = specific.map(UnitCategory.init)
            return word.map { $0.isOpen || $0.isSolid || $0.connector != nil } ?? false
                ? word : UnitCategory("unenclosedarea")
        case "room": return UnitCategory(specific ?? "room")
        default: break
        }
        if ["footway", "pedestrian", "corridor", "path"].contains(tags["highway"] ?? "") {
            return tags["level"] != nil ? UnitCategory("walkway") : nil
        }
        guard tags["level"] != nil, tags["building"] == nil else { return nil }
        if let specific { return UnitCategory(specific) }
        guard isPlain else { return nil }
        let word = place(tags, keys: ["category", "class", "type", "kind", "usage", "function"])
        return word.map(UnitCategory.init)
    }

    /// Whether steps move.
    static func isConveying(_ tags: [String: String]) -> Bool {
        tags["conveying"].map { $0 != "no" } ?? false
    }

    /// The category of a point that somebody may look for; nil if it is none.
    static func place(_ tags: [String: String]) -> String? {
        let keys = [
            "amenity", "shop", "tourism", "office", "leisure", "healthcare", "emergency", "vending", "craft", "room",
            "category",
        ]
        if let found = place(tags, keys: keys) { return found }
        return tags["name"] != nil && tags["level"] != nil ? "unspecified" : nil
    }

    private static func place(_ tags: [String: String], keys: [String]) -> String? {
        for key in keys {
            guard let value = tags[key], !value.isEmpty, value != "no" else { continue }
            if value == "yes" {
                if key == "room" || key == "category" { continue }
                return key
            }
            let word = value.prefix { $0 != ";" }.lowercased()
            if key == "shop", words[word] == nil { return "shop" }
            let category = words[word] ?? word
            guard category == "restroom" else { return category }
            if tags["wheelchair"] == "designated" { return "restroom.wheelchair" }
            switch (tags["male"], tags["female"]) {
            case ("yes", "yes"?), (nil, nil): return category
            case ("yes", _): return "restroom.male"
            case (_, "yes"): return "restroom.female"
            default: return category
            }
        }
        return nil
    }
}
