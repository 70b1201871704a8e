public import GEOS

/// How a level shows its walls.
public enum PlanStyle: UInt8, Sendable {
    /// Units cover the level; the walls are their outlines.
    case rooms = 0
    /// The walls are units of their own, with their thickness.
    case walls = 1
}

/// An area that is walked through only in some cases.
struct ConditionalArea: Sendable, Hashable {
    /// When it may be walked through.
    enum Condition: UInt8, Sendable {
        /// If the route begins or ends in it: an access restriction.
        case restricted = 0
        /// If the route begins or ends in it: a room whose doors are not mapped.
        case doorless = 1
        /// Stairs or a lift without a mapped door: if the route changes the level in it.
        case connector = 2
        /// Without a wheelchair.
        case steps = 3
    }

    /// The position of its unit in the venue's list.
    let unit: Int
    let condition: Condition
    /// The area itself.
    let area: [GridPolygon]
    /// The area with the distance that routes keep from its walls.
    let kept: [GridPolygon]
    /// For a room without a door that lies beside no hall: the units beside it, through which it is entered.
    var hosts: [Int] = []
}

/// The way through an opening.
struct OpeningPlan: Sendable, Hashable {
    /// The position of the opening in the venue's list.
    let opening: Int
    let line: [GridPoint]
    /// A point outside, if it leads out of the level.
    let outside: GridPoint?
}

/// The walls and the free space of a level, in local metres.
public struct LevelPlan: Sendable {
    public let level: Int
    public let style: PlanStyle
    /// Where one can walk: clear of walls by 0.2 m (room style) or 0.05 m (wall style).
    let free: [GridPolygon]
    let areas: [ConditionalArea]
    let openings: [OpeningPlan]
    /// Walls that are lines, without those in openings.
    public let wallLines: [[PlanePoint]]
    /// Walls that have a thickness: polygons as lists of rings, the shell first.
    public let wallAreas: [[[PlanePoint]]]

    /// The free space as polygons in metres, the shell first.
    public var freePolygons: [[[PlanePoint]]] { free.map { $0.rings.map { $0.map(\.plane) } } }

    /// What a plan consists of besides its walls.
    struct Spaces {
        var free: [GridPolygon] = []
        var areas: [ConditionalArea] = []
        var openings: [OpeningPlan] = []
    }

    init(
        level: Int, style: PlanStyle, spaces: Spaces, wallLines: [[PlanePoint]] = [],
        wallAreas: [[[PlanePoint]]] = []
    ) {
        self.level = level
        self.style = style
        free = spaces.free
        areas = spaces.areas
        openings = spaces.openings
        // On the grid, too, so that a stored plan is equal to the one that was stored.
        self.wallLines = wallLines.map { $0.map { GridPoint($0).plane } }
        self.wallAreas = wallAreas.map { $0.map { $0.map { GridPoint($0).plane } } }
    }
}
