import VectorTiles

/// Which of the names of a place is shown.
struct NameRule: Hashable, Sendable {
    /// The language of the reader, such as `de`; nil for the language of the place.
    var language: String?

    /// Languages whose readers read other letters than Latin ones.
    private static let otherLetters: Set<String> = [
        "ar", "be", "bg", "bn", "el", "fa", "he", "hi", "hy", "ja", "ka", "kk", "ko", "mk", "mn", "ru", "sr", "ta",
        "th", "uk", "ur", "yi", "zh",
    ]

    private static let latin = ["name:latin", "name:en", "name_en", "name_int", "pgf:name:en"]

    /// The name in the language of the reader; else the local one, if the reader can read its letters; else one in Latin
    /// letters.
    func name(_ names: (String) -> String?) -> String? {
        if let language, let own = names("name:\(language)") ?? names("name_\(language)") { return own }
        let local = names("name")
        if let local, language.map(Self.otherLetters.contains) ?? true || Self.isLatin(local) {
            return local
        }
        return Self.latin.lazy.compactMap(names).first ?? local
    }

    /// Whether all letters are Latin: Unicode's blocks up to Latin Extended-B, and Latin Extended Additional.
    private static func isLatin(_ text: String) -> Bool {
        text.unicodeScalars.allSatisfy {
            !$0.properties.isAlphabetic || $0.value < 0x250 || (0x1E00...0x1EFF).contains($0.value)
        }
    }
}

/// A name at a point.
struct PlaceName: Sendable {
    var text: String
    var kind: NameKind
    /// Less is more important.
    var rank: Double
    /// In parts of the tile's side.
    var x: Double
    var y: Double
}

/// A name or a number along a line.
struct RoadName: Sendable {
    var text: String?
    /// The number of a road, for a shield.
    var reference: String?
    var kind: LineKind
    /// In parts of the tile's side.
    var line: [MapPoint]
}

/// The names of a tile of an archive.
struct MapNames: Sendable {
    private(set) var places: [PlaceName] = []
    private(set) var roads: [RoadName] = []

    /// Texts are cut after this many letters: longer ones fit nowhere.
    private static let longest = 60
    private static let longestReference = 7
    /// Rank of places that have none.
    private static let lastRank = 40.0

    /// Reads the names; roads only if they are wanted.
    init(_ tile: VectorTileReader, _ schema: MapSchema, _ rule: NameRule, hasRoads: Bool) throws(VectorTileError) {
        for name in schema.placeLayers {
            if let layer = try tile.layer(name) { addPlaces(layer, schema, rule) }
        }
        if hasRoads, let layer = try tile.layer(schema.roadNameLayer) { addRoads(layer, schema, rule) }
    }

    /// The memory that it takes, about.
    var byteCount: Int {
        places.reduce(256) { $0 + 80 + $1.text.utf8.count }
            + roads.reduce(0) { $0 + 120 + ($1.text?.utf8.count ?? 0) + 16 * $1.line.count }
    }

    private mutating func addPlaces(_ layer: VectorTileLayer, _ schema: MapSchema, _ rule: NameRule) {
        var (attributes, shape) = (MapAttributes(layer), VectorShape())
        for feature in layer.features where feature.kind == .points {
            attributes.read(feature)
            guard let kind = schema.name(attributes), let text = Self.name(feature, layer, rule) else { continue }
            layer.read(feature, into: &shape)
            guard let place = shape.places.first else { continue }
            let (x, y) = (Double(place.x) / Double(layer.extent), Double(place.y) / Double(layer.extent))
            // Those in the margin are in the neighbour, too.
            guard x >= 0, x < 1, y >= 0, y < 1 else { continue }
            let rank =
                attributes.number(.rank) ?? attributes.number(.populationRank).map { 20 - $0 }
                ?? Self.lastRank - min(10, (attributes.number(.population) ?? 0) / 1e6)
            places.append(PlaceName(text: text, kind: kind, rank: rank, x: x, y: y))
        }
    }

    private mutating func addRoads(_ layer: VectorTileLayer, _ schema: MapSchema, _ rule: NameRule) {
        var (attributes, shape) = (MapAttributes(layer), VectorShape())
        for feature in layer.features where feature.kind == .lines {
            attributes.read(feature)
            guard let kind = schema.namedRoad(attributes) else { continue }
            let text = Self.name(feature, layer, rule)
            let reference = Self.reference(attributes.text(.ref, .shieldText))
            guard text != nil || reference != nil else { continue }
            layer.read(feature, into: &shape)
            let unit = 1 / Double(layer.extent)
            for index in 0..<shape.partCount where shape.part(index).count > 1 {
                let line = shape.places[shape.part(index)].map {
                    MapPoint(x: Double($0.x) * unit, y: Double($0.y) * unit)
                }
                roads.append(RoadName(text: text, reference: reference, kind: kind, line: line))
            }
        }
    }

    private static func name(
        _ feature: VectorTileLayer.Feature, _ layer: VectorTileLayer, _ rule: NameRule
    ) -> String? {
        var names: [String: String] = [:]
        layer.forEachAttribute(of: feature) { key, value in
            let key = layer.keys[key]
            guard key.hasPrefix("name") || key.hasPrefix("pgf:name") else { return }
            if case .text(let text) = layer.values[value], !text.isEmpty { names[key] = text }
        }
        guard let name = rule.name({ names[$0] }) else { return nil }
        let words = name.prefix(longest).split(whereSeparator: \.isWhitespace)
        return words.isEmpty ? nil : words.joined(separator: " ")
    }

    /// The first number of a road with several.
    private static func reference(_ text: String?) -> String? {
        guard let first = text?.split(whereSeparator: { ";,\n".contains($0) }).first else { return nil }
        let trimmed = first.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        return trimmed.isEmpty || trimmed.count > longestReference ? nil : trimmed
    }
}
