import BaseMap
import Colors
import Styling

/// The colours of streets and land use: those of the base map, and others that are as muted, so that heat stands out.
struct MapColors: Sendable {
    let base: BaseMapColors
    private let theme: Theme

    init(_ theme: Theme) {
        self.theme = theme
        base = BaseMapColors(theme)
    }

    func area(_ kind: AreaKind) -> Color {
        let isLight = theme == .light
        return switch kind {
        case .farmland: Color(rgb: isLight ? 0xF3F1E4 : 0x1F221F)
        case .residential: Color(rgb: isLight ? 0xF0EEE9 : 0x21242A)
        case .industrial: Color(rgb: isLight ? 0xECEAE8 : 0x23252B)
        case .institution: Color(rgb: isLight ? 0xF1EBE2 : 0x252429)
        case .park, .grass: Color(rgb: isLight ? 0xE4ECDA : 0x1C2521)
        case .wood: Color(rgb: isLight ? 0xDBE5D0 : 0x1A231E)
        case .sand: Color(rgb: isLight ? 0xF3ECDB : 0x262420)
        case .ice: Color(rgb: isLight ? 0xFBFCFD : 0x2B3036)
        case .wetland: Color(rgb: isLight ? 0xE4EBE4 : 0x1A2224)
        case .cemetery: Color(rgb: isLight ? 0xE2E8DC : 0x1F2622)
        case .pitch: Color(rgb: isLight ? 0xDAE7CF : 0x202B24)
        case .pedestrian: Color(rgb: isLight ? 0xFAF9F7 : 0x2A2D33)
        case .aeroway: Color(rgb: isLight ? 0xE9E7E8 : 0x272A31)
        case .water: base.water
        case .pier: Color(rgb: isLight ? 0xF0EDE6 : 0x23262C)
        case .building: Color(rgb: isLight ? 0xE5E0D9 : 0x282B32)
        }
    }

    /// The outline of buildings.
    var buildingOutline: Color { Color(rgb: theme == .light ? 0xD8D2C9 : 0x31353D) }

    func line(_ kind: LineKind, _ level: LineSymbol.Level) -> Color {
        let isLight = theme == .light
        // A tunnel is between its colour and the ground's.
        if level == .tunnel, kind.isRoad { return Color(rgb: isLight ? 0xF7F5F1 : 0x25282E) }
        return switch kind {
        case .river, .stream: isLight ? base.river : Color(rgb: 0x12161B)
        case .ferry: Color(rgb: isLight ? 0xB9C9D6 : 0x2A3540)
        case .pier: area(.pier)
        case .tram: Color(rgb: isLight ? 0xD3CED0 : 0x363941)
        case .rail: Color(rgb: isLight ? 0xC6C2C2 : 0x3B3F48)
        case .path: Color(rgb: isLight ? 0xD9D2C6 : 0x353A42)
        case .service: Color(rgb: isLight ? 0xFBFAF8 : 0x2B2F36)
        case .minor: Color(rgb: isLight ? 0xFFFFFF : 0x30343C)
        case .tertiary, .secondary: Color(rgb: isLight ? 0xFFFFFF : 0x363A43)
        case .primary, .trunk: Color(rgb: isLight ? 0xFFFDF7 : 0x3D424C)
        case .motorway: Color(rgb: isLight ? 0xF8F0DC : 0x464B56)
        case .regionBoundary, .countryBoundary: isLight ? Color(rgb: 0xC3BBB0) : Color(rgb: 0x454B56)
        }
    }

    /// The edge of roads; thin ones, which have none, are drawn in it on light maps.
    func casing(_ kind: LineKind) -> Color {
        let isLight = theme == .light
        return switch kind {
        case .motorway: Color(rgb: isLight ? 0xD6CBB2 : 0x16181C)
        case .trunk, .primary: Color(rgb: isLight ? 0xD0CAC0 : 0x16181C)
        default: Color(rgb: isLight ? 0xDCD7CF : 0x181B1F)
        }
    }

    /// Roads of a pixel at most: white would not show on light ground.
    func thinRoad(_ kind: LineKind) -> Color { theme == .light ? casing(kind) : line(kind, .ground) }

    func name(_ kind: NameKind) -> Color {
        switch kind {
        case .country, .region: base.country
        case .city, .town, .village: base.town
        case .suburb, .neighbourhood, .locality: Color(rgb: theme == .light ? 0x7D7A80 : 0x858A94)
        case .water: Color(rgb: theme == .light ? 0x6F8797 : 0x5F7385)
        }
    }

    var roadName: Color { Color(rgb: theme == .light ? 0x77746F : 0x8F949E) }
    var shield: Color { Color(rgb: theme == .light ? 0xFFFFFF : 0x2B2F36) }
}
