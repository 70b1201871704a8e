import Text
import VectorTiles

/// The schemas of vector tiles that can be drawn: which layers there are, and what their attributes mean.
///
/// Sources: <https://openmaptiles.org/schema/> (3.15, and the example of tilemaker) and
/// <https://docs.protomaps.com/basemaps/layers> (versions 2 to 4).
enum MapSchema: String, Sendable, CaseIterable {
    case openMapTiles
    case protomaps

    /// The schema whose layers these are; nil if it is another one.
    init?(layers: Set<String>) {
        if layers.isSuperset(of: ["roads", "water"]), !layers.isDisjoint(with: ["earth", "landuse", "places"]) {
            self = .protomaps
        } else if layers.isSuperset(of: ["transportation", "water"]) {
            self = .openMapTiles
        } else {
            return nil
        }
    }

    var areaLayers: [String] {
        switch self {
        case .openMapTiles:
            ["landcover", "landuse", "park", "water", "aeroway", "building", "transportation"]
        case .protomaps: ["landcover", "landuse", "water", "buildings"]
        }
    }

    var lineLayers: [String] {
        switch self {
        case .openMapTiles: ["waterway", "transportation", "boundary"]
        case .protomaps: ["water", "roads", "transit", "boundaries"]
        }
    }

    /// Layers with points that have names.
    var placeLayers: [String] {
        switch self {
        case .openMapTiles: ["place", "water_name"]
        case .protomaps: ["places", "water", "physical_point"]
        }
    }

    /// The layer with lines that have names.
    var roadNameLayer: String {
        switch self {
        case .openMapTiles: "transportation_name"
        case .protomaps: "roads"
        }
    }
}

/// The keys whose values decide what a feature is.
enum MapKey: Int, CaseIterable {
    case `class`, subclass, brunnel, ramp, adminLevel, maritime, kind, kindDetail, pmapKind, pmapKindDetail
    case isBridge, isTunnel, isLink, pmapLevel, link, rank, population, populationRank, ref, shieldText
    case highway, place, pmapMinAdminLevel, railway

    /// By the names that tiles have.
    static let named = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })

    private var name: String {
        switch self {
        case .class: "class"
        case .adminLevel: "admin_level"
        case .kindDetail: "kind_detail"
        case .pmapKind: "pmap:kind"
        case .pmapKindDetail: "pmap:kind_detail"
        case .isBridge: "is_bridge"
        case .isTunnel: "is_tunnel"
        case .isLink: "is_link"
        case .pmapLevel: "pmap:level"
        case .populationRank: "population_rank"
        case .shieldText: "shield_text"
        case .pmapMinAdminLevel: "pmap:min_admin_level"
        default: "\(self)"
        }
    }
}

/// The attributes of a feature that decide what it is.
struct MapAttributes {
    private let layer: VectorTileLayer
    /// The key of the schema of each key of the layer; −1 for others.
    private let slots: [Int]
    /// Positions in the layer's values; −1 for none.
    private var values: [Int]
    let layerName: String

    init(_ layer: VectorTileLayer) {
        self.layer = layer
        layerName = layer.name
        slots = layer.keys.map { MapKey.named[$0]?.rawValue ?? -1 }
        values = Array(repeating: -1, count: MapKey.allCases.count)
    }

    mutating func read(_ feature: VectorTileLayer.Feature) {
        for slot in values.indices { values[slot] = -1 }
        layer.forEachAttribute(of: feature) { key, value in
            if slots[key] >= 0 { values[slots[key]] = value }
        }
    }

    private func value(_ key: MapKey) -> VectorValue? {
        let value = values[key.rawValue]
        return value >= 0 ? layer.values[value] : nil
    }

    /// The text of the first key that has one.
    func text(_ keys: MapKey...) -> String? {
        for key in keys { if case .text(let text)? = value(key), !text.isEmpty { return text } }
        return nil
    }

    func number(_ keys: MapKey...) -> Double? {
        for key in keys {
            switch value(key) {
            case .integer(let number)?: return Double(number)
            case .number(let number)? where number.isFinite: return number
            case .text(let text)?: if let number = Double(text), number.isFinite { return number }
            default: continue
            }
        }
        return nil
    }

    func isTrue(_ keys: MapKey...) -> Bool {
        keys.contains { key in
            switch value(key) {
            case .truth(let isTrue)?: isTrue
            case .integer(let number)?: number != 0
            case .number(let number)?: number != 0
            case .text(let text)?: ["1", "yes", "true"].contains(text)
            case nil: false
            }
        }
    }
}
