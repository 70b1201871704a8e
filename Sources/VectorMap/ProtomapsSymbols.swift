/// What features of Protomaps' schema are, in its versions 2 to 4.
enum ProtomapsSymbols {
    static func area(_ attributes: MapAttributes) -> AreaKind? {
        let kind = attributes.text(.kind, .pmapKind)
        switch attributes.layerName {
        case "water": return .water
        case "buildings": return kind == "address" ? nil : .building
        case "landcover", "landuse":
            return switch kind {
            case "forest", "wood": .wood
            case "grassland", "grass", "scrub", "meadow", "village_green", "golf_course": .grass
            case "farmland", "orchard", "vineyard", "allotments", "farmyard", "farm": .farmland
            case "barren", "sand", "beach", "rock", "bare_rock", "scree": .sand
            case "glacier", "ice": .ice
            case "wetland", "marsh": .wetland
            case "residential", "urban_area", "neighbourhood": .residential
            case "industrial", "commercial", "railway", "retail", "military", "naval_base", "airfield", "quarry":
                .industrial
            case "school", "university", "college", "kindergarten", "hospital", "library", "civic": .institution
            case "park", "national_park", "nature_reserve", "protected_area", "recreation_ground", "garden", "zoo",
                "attraction", "dog_park":
                .park
            case "cemetery": .cemetery
            case "pitch", "playground", "stadium", "track": .pitch
            case "pedestrian", "footway", "platform": .pedestrian
            case "aerodrome", "runway", "taxiway", "apron": .aeroway
            case "pier": .pier
            default: nil
            }
        default: return nil
        }
    }

    static func line(_ attributes: MapAttributes) -> LineSymbol? {
        let kind = attributes.text(.kind, .pmapKind) ?? ""
        switch attributes.layerName {
        case "water":
            switch kind {
            case "river", "canal": return LineSymbol(kind: .river)
            case "stream", "ditch", "drain": return LineSymbol(kind: .stream)
            default: return nil
            }
        case "boundaries":
            let level = attributes.number(.kindDetail, .pmapMinAdminLevel)
            if kind == "country" || level.map({ $0 <= 2 }) == true { return LineSymbol(kind: .countryBoundary) }
            let isRegion = kind == "region" || level.map { $0 <= 4 } == true
            return isRegion ? LineSymbol(kind: .regionBoundary) : nil
        case "roads", "transit":
            guard let line = road(attributes) else { return nil }
            let level = attributes.number(.pmapLevel) ?? 0
            let isTunnel = attributes.isTrue(.isTunnel) || level < 0
            let isBridge = attributes.isTrue(.isBridge) || level > 0
            if isTunnel, line == .rail || line == .tram { return nil }
            return LineSymbol(
                kind: line, level: isTunnel ? .tunnel : isBridge ? .bridge : .ground,
                isLink: attributes.isTrue(.isLink, .link))
        default: return nil
        }
    }

    /// The line of a feature of `roads`.
    static func road(_ attributes: MapAttributes) -> LineKind? {
        let detail = (attributes.text(.kindDetail, .pmapKindDetail, .highway, .railway) ?? "")
            .replacing("_link", with: "")
        switch attributes.text(.kind, .pmapKind) {
        case "highway", "major_road", "medium_road", "minor_road":
            let known: LineKind? =
                switch detail {
                case "motorway": .motorway
                case "trunk": .trunk
                case "primary": .primary
                case "secondary": .secondary
                case "tertiary": .tertiary
                case "service", "driveway", "parking_aisle": .service
                case "residential", "unclassified", "road", "living_street", "pedestrian": .minor
                default: nil
                }
            if let known { return known }
            return switch attributes.text(.kind, .pmapKind) {
            case "highway": .motorway
            case "major_road": .primary
            case "medium_road": .tertiary
            default: .minor
            }
        case "path": return .path
        case "rail": return ["tram", "light_rail", "subway", "funicular", "monorail"].contains(detail) ? .tram : .rail
        case "ferry": return .ferry
        case "pier": return .pier
        case "other": return detail == "pier" ? .pier : .path
        default: return nil
        }
    }

    static func name(_ attributes: MapAttributes) -> NameKind? {
        let kind = attributes.text(.kind, .pmapKind)
        if attributes.layerName != "places" {
            return ["ocean", "sea", "bay", "lake", "water", "reservoir", "strait", "fjord"].contains(kind)
                ? .water : nil
        }
        switch kind {
        case "country": return .country
        case "region", "state": return .region
        case "macrohood": return .suburb
        case "neighbourhood": return .neighbourhood
        case "locality":
            return switch attributes.text(.kindDetail, .pmapKindDetail, .place) {
            case "city": .city
            case "town": .town
            case "village", "hamlet": .village
            case "suburb": .suburb
            default: .locality
            }
        default: return nil
        }
    }
}
