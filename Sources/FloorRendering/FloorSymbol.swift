/// A pictogram.
enum FloorSymbol: String, Sendable, CaseIterable {
    case stairs, lift, escalator, toilet, entrance, exit, information, parking, food, shop, other

    /// Pixels of a screen along a side.
    static func size(zoom: Int) -> Int { zoom <= 17 ? 12 : zoom == 18 ? 14 : 16 }

    /// The symbol of a unit's category; nil for those that have only a name.
    init?(unit category: String) {
        switch Self.base(category) {
        case "stairs", "steps": self = .stairs
        case "elevator": self = .lift
        case "escalator": self = .escalator
        case "restroom": self = .toilet
        case "parking": self = .parking
        case "foodservice": self = .food
        default: return nil
        }
    }

    /// The symbol of an amenity's, an occupant's or a kiosk's category, in words of IMDF and of OpenStreetMap.
    init(amenity category: String) {
        let base = Self.base(category)
        switch base {
        case "stairs": self = .stairs
        case "elevator": self = .lift
        case "escalator": self = .escalator
        case "restroom", "toilet", "toilets": self = .toilet
        case "entry", "entrance": self = .entrance
        case "exit", "emergencyexit": self = .exit
        case "information", "reception", "firstaid", "helpdesk", "guestservices": self = .information
        case "parking", "valet", "bikeparking", "parkingpayment": self = .parking
        case "restaurant", "cafe", "coffee", "bar", "foodservice", "fast_food", "foodcourt", "pub", "bakery":
            self = .food
        case "shop", "shopping", "kiosk", "retail", "supermarket", "store", "convenience", "clothes": self = .shop
        default: self = base.hasPrefix("restaurant") ? .food : base.hasPrefix("shop") ? .shop : .other
        }
    }

    private static func base(_ category: String) -> String {
        String(category.lowercased().prefix { $0 != "." && $0 != ":" })
    }

    /// Whether a name beside it tells nothing more.
    var saysAll: Bool {
        switch self {
        case .stairs, .lift, .escalator, .toilet, .entrance, .exit, .parking: true
        case .information, .food, .shop, .other: false
        }
    }

    /// Where several want the same place, the lowest is drawn.
    var priority: Int {
        switch self {
        case .lift: 0
        case .escalator: 1
        case .stairs: 2
        case .toilet: 3
        case .entrance: 4
        case .exit: 5
        case .information: 6
        case .food, .shop, .parking: 7
        case .other: 8
        }
    }
}
