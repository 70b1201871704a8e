/// The category of a unit, in the words of IMDF (`room`, `walkway`, `restroom.male`).
public struct UnitCategory: Hashable, Sendable, CustomStringConvertible {
    public let name: String

    public init(_ name: String) {
        self.name = name.isEmpty ? "unspecified" : name.lowercased()
    }

    public var description: String { name }

    /// The category without its refinement: `restroom` of `restroom.male`.
    private var base: Substring { name.prefix { $0 != "." } }

    private static let open: Set<Substring> = [
        "walkway", "lobby", "platform", "footbridge", "terrace", "unenclosedarea", "parking", "ramp", "movingwalkway",
    ]

    private static let solid: Set<Substring> = [
        "structure", "brick", "column", "concrete", "drywall", "glass", "wood", "vegetation", "opentobelow",
    ]

    /// Whether people walk from one such unit into another without a door.
    public var isOpen: Bool { Self.open.contains(base) }

    /// Whether nobody can walk in it.
    public var isSolid: Bool { Self.solid.contains(base) }

    private static let walls: Set<Substring> = ["structure", "brick", "concrete", "drywall", "glass", "wood"]

    /// Whether it is a wall with its thickness; columns and plants stand in rooms of either style.
    public var isWall: Bool { Self.walls.contains(base) }

    /// How one gets to other levels in it; nil for units of one level.
    public var connector: ConnectorKind? {
        switch base {
        case "stairs": .stairs
        case "elevator": .lift
        case "escalator": .escalator
        case "ramp": .ramp
        default: nil
        }
    }

    /// Whether it has steps within its level.
    public var hasSteps: Bool { base == "steps" }

    /// Whether it says what the unit is.
    public var isSpecific: Bool { !["unspecified", "room"].contains(base) }
}

/// The ways from one level to another.
public enum ConnectorKind: UInt8, Sendable, Hashable, CaseIterable {
    case stairs = 0
    case lift = 1
    case escalator = 2
    case ramp = 3
}
