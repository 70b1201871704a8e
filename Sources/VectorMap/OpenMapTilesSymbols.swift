/// What features of OpenMapTiles' schema are.
enum OpenMapTilesSymbols {
    static func area(_ attributes: MapAttributes) -> AreaKind? {
        let kind = attributes.text(.class)
        switch attributes.layerName {
        case "water": return attributes.text(.brunnel) == "tunnel" ? nil : .water
        case "building": return .building
        case "park": return .park
        case "aeroway": return .aeroway
        case "transportation":
            return kind == "pier" || kind == "bridge" ? .pier : kind == "path" ? .pedestrian : nil
        case "landcover":
            return switch kind {
            case "wood", "forest": .wood
            case "grass", "scrub": .grass
            case "farmland": .farmland
            case "sand", "rock": .sand
            case "ice": .ice
            case "wetland": .wetland
            default: nil
            }
        case "landuse":
            return switch kind {
            case "residential", "suburb", "quarter", "neighbourhood": .residential
            case "commercial", "retail", "industrial", "railway", "garages", "quarry", "military", "bus_station":
                .industrial
            case "school", "university", "college", "kindergarten", "hospital", "library": .institution
            case "pitch", "track", "stadium", "playground": .pitch
            case "cemetery": .cemetery
            case "zoo", "theme_park", "recreation_ground", "garden", "park": .park
            default: nil
            }
        default: return nil
        }
    }

    static func line(_ attributes: MapAttributes) -> LineSymbol? {
        let kind = attributes.text(.class) ?? ""
        switch attributes.layerName {
        case "waterway":
            guard attributes.text(.brunnel) != "tunnel" else { return nil }
            return LineSymbol(kind: kind == "river" || kind == "canal" ? .river : .stream)
        case "boundary":
            guard !attributes.isTrue(.maritime), let level = attributes.number(.adminLevel) else { return nil }
            return level <= 2
                ? LineSymbol(kind: .countryBoundary) : level <= 4 ? LineSymbol(kind: .regionBoundary) : nil
        case "transportation":
            guard let line = road(kind, attributes.text(.subclass)) else { return nil }
            let level: LineSymbol.Level =
                switch attributes.text(.brunnel) {
                case "tunnel": .tunnel
                case "bridge": .bridge
                default: .ground
                }
            // Tunnels of trains are not seen by those who walk above them.
            if level == .tunnel, line == .rail || line == .tram { return nil }
            return LineSymbol(kind: line, level: level, isLink: attributes.isTrue(.ramp))
        default: return nil
        }
    }

    /// The line of a class of `transportation` and `transportation_name`.
    static func road(_ kind: String, _ subclass: String?) -> LineKind? {
        switch kind {
        case "motorway": .motorway
        case "trunk": .trunk
        case "primary": .primary
        case "secondary": .secondary
        case "tertiary": .tertiary
        case "minor", "busway": .minor
        case "service": .service
        case "path", "track", "raceway": .path
        case "rail": .rail
        case "light_rail", "subway", "tram", "narrow_gauge", "funicular", "monorail": .tram
        case "transit": subclass == "rail" ? .rail : .tram
        case "ferry": .ferry
        case "pier": .pier
        default: nil
        }
    }

    static func name(_ attributes: MapAttributes) -> NameKind? {
        if attributes.layerName == "water_name" { return .water }
        return switch attributes.text(.class) {
        case "country": .country
        case "state", "province": .region
        case "city": .city
        case "town": .town
        case "village", "hamlet": .village
        case "suburb", "quarter", "borough": .suburb
        case "neighbourhood": .neighbourhood
        case "isolated_dwelling", "island", "locality": .locality
        default: nil
        }
    }
}
