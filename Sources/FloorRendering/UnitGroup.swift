internal import Venues

/// How a unit is filled; the order is that of drawing.
enum UnitGroup: Int, Sendable, Comparable {
    case outdoor, void, corridor, room, restricted, restroom, connector, fixture, solid

    init(_ unit: VenueUnit) {
        let category = unit.category
        let base = category.name.prefix { $0 != "." }
        if base == "opentobelow" {
            self = .void
        } else if Self.outdoors.contains(base) {
            self = .outdoor
        } else if category.isSolid {
            self = .solid
        } else if category.connector != nil || base == "steps" || base == "movingwalkway" {
            self = .connector
        } else if base == "restroom" || base == "shower" {
            self = .restroom
        } else if base == "nonpublic" || unit.access.isRestricted {
            self = .restricted
        } else {
            self = category.isOpen ? .corridor : .room
        }
    }

    private static let outdoors: Set<Substring> = ["vegetation", "terrace", "fieldofplay", "recreation"]

    var role: FloorStyle.Role {
        switch self {
        case .outdoor: .outdoor
        case .void: .void
        case .corridor: .corridor
        case .room: .room
        case .restricted: .restricted
        case .restroom: .restroom
        case .connector: .connector
        case .fixture: .fixture
        case .solid: .solid
        }
    }

    static func < (one: UnitGroup, other: UnitGroup) -> Bool { one.rawValue < other.rawValue }
}
