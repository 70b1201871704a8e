internal import Digest

/// Everything that routes through a venue need: the free space of its levels, the corners at which paths turn and which of
/// them see each other, the ways between levels and to the outside.
///
/// Derived from the venue alone; equal venues give equal graphs. It is built once, kept as bytes (`encoded`), and never
/// changes.
public struct VenueGraph: Sendable {
    /// A point of the graph.
    struct Node: Sendable, Equatable {
        /// The position of its level; −1 outdoors.
        let level: Int16
        let point: GridPoint
        /// The position of the stairs, lift or other unit in which one changes the level; −1 for other nodes.
        let connector: Int32
    }

    /// A way that is no straight line on a level.
    struct Link: Sendable, Equatable {
        enum Kind: UInt8, Sendable, CaseIterable {
            case stairs = 0
            case lift = 1
            case escalator = 2
            case ramp = 3
            /// From a level to a neighbouring one of the same height, or through an entrance.
            case door = 4
            /// Along a path outdoors.
            case footway = 5
            /// Along steps outdoors.
            case steps = 6
            /// Through a wall to the outside, where a floor on the ground has no mapped entrance.
            case unmappedEntrance = 7
        }

        let from: Int32
        let to: Int32
        let kind: Kind
        let seconds: Float
        let metres: Float
        /// Units or openings that must not be closed, by their positions in the venue's lists; −1 for none.
        let unit: Int32
        let otherUnit: Int32
        let opening: Int32

        init(from: Int, to: Int, kind: Kind, seconds: Double, metres: Double, barriers: Barriers = Barriers()) {
            self.from = Int32(from)
            self.to = Int32(to)
            self.kind = kind
            self.seconds = Float(seconds)
            self.metres = Float(metres)
            unit = Int32(barriers.unit)
            otherUnit = Int32(barriers.otherUnit)
            opening = Int32(barriers.opening)
        }
    }

    /// What may close a link.
    struct Barriers {
        var unit = -1
        var otherUnit = -1
        var opening = -1
    }

    /// The digest of the content of the venue when the graph was built.
    let venue: ContentDigest
    let plans: [LevelPlan]
    let sights: [LevelSight]
    let nodes: [Node]
    /// The nodes of a level that are its turns come first, in the order of `LevelSight.turns`.
    let levelStarts: [Int32]
    let edges: GraphEdges
    /// Sets of conditional areas that edges cross; the first is empty, and each other is of one level.
    let areaSets: [[Int32]]
    /// Ordered by `from`.
    let links: [Link]
    let linkStarts: [Int32]
    /// Outlines that paths outdoors go round.
    let footprints: [GridPolygon]
    /// The sites of the nodes of each level that are no turns, in their order.
    let sites: [[LevelSight.Site?]]

    struct Parts {
        var nodes: [Node] = []
        var levelStarts: [Int32] = []
        var pairs: [GraphEdges.Pair] = []
        var areaSets: [[Int32]] = [[]]
        var links: [Link] = []
        var footprints: [GridPolygon] = []
    }

    init(venue: ContentDigest, plans: [LevelPlan], sights: [LevelSight], _ parts: Parts) {
        self.venue = venue
        self.plans = plans
        self.sights = sights
        nodes = parts.nodes
        levelStarts = parts.levelStarts
        edges = GraphEdges(nodes: parts.nodes.count, parts.pairs)
        areaSets = parts.areaSets
        links = parts.links.sorted {
            ($0.from, $0.to, $0.kind.rawValue, $0.unit) < ($1.from, $1.to, $1.kind.rawValue, $1.unit)
        }
        var starts = [Int32](repeating: 0, count: parts.nodes.count + 1)
        for link in links { starts[Int(link.from) + 1] += 1 }
        for index in 0..<parts.nodes.count { starts[index + 1] += starts[index] }
        linkStarts = starts
        footprints = parts.footprints
        sites = sights.indices.map { level in
            let first = Int(parts.levelStarts[level]) + sights[level].turns.count
            return (first..<Int(parts.levelStarts[level + 1])).map { sights[level].site(parts.nodes[$0].point) }
        }
    }

    /// The walls and the free space of a level, as they were when the graph was built.
    public func plan(ofLevel level: Int) -> LevelPlan { plans[level] }

    /// The number of points at which paths turn, change the level or go outdoors.
    public var nodeCount: Int { nodes.count }
    /// The number of straight lines between them.
    public var edgeCount: Int { edges.edges.count / 2 }
    /// The number of ways between levels, to the outside and outdoors.
    public var linkCount: Int { links.count }

    /// The nodes of a level that are its turns.
    func turnNodes(_ level: Int) -> Range<Int> {
        let start = Int(levelStarts[level])
        return start..<(start + sights[level].turns.count)
    }

    /// All nodes of a level.
    func levelNodes(_ level: Int) -> Range<Int> { Int(levelStarts[level])..<Int(levelStarts[level + 1]) }

    /// The nodes of a level that are no turns: stairs, lifts, doors.
    func siteNodes(_ level: Int) -> Range<Int> { turnNodes(level).upperBound..<Int(levelStarts[level + 1]) }

    /// The nodes outdoors.
    var outdoorNodes: Range<Int> { Int(levelStarts.last ?? 0)..<nodes.count }

    func links(of node: Int) -> ArraySlice<Link> { links[Int(linkStarts[node])..<Int(linkStarts[node + 1])] }
}
