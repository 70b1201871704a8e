internal import GEOS

/// Which buildings share their levels, and which parts belong to them.
///
/// A *block* is a set of buildings whose units touch each other on some level; what is in no building and touches none is
/// the block outdoors. A level of the venue is a number in a block.
struct IndoorBlocks {
    /// A level of the venue.
    struct LevelKey: Hashable, Comparable {
        let number: Double
        let block: Int

        static func < (one: LevelKey, other: LevelKey) -> Bool { (one.number, one.block) < (other.number, other.block) }
    }

    /// The levels in the order of the venue.
    let levels: [LevelKey]
    private let positions: [LevelKey: Int]
    private let keys: [FeatureKey: [LevelKey]]
    private let blocks: [Int: [Int]]
    private let references: [LevelKey: String]

    private struct FeatureKey: Hashable {
        let source: String
        let json: [UInt8]

        init(_ part: IndoorPart) {
            source = part.feature.sourceID
            json = source.isEmpty ? part.feature.json : []
        }
    }

    /// Units at this distance in metres touch each other.
    private static let gap = 0.3

    /// Assigns the parts to blocks of buildings with these footprints.
    init(_ parts: [IndoorPart], buildings: [GeoShape], _ shapes: PlaneShapes) throws(VenueError) {
        let owners = try PlaneShapes.geometry { () throws(GEOSError) in
            try Self.owners(parts, buildings, shapes)
        }
        var keys: [FeatureKey: [LevelKey]] = [:]
        var all: Set<LevelKey> = []
        var names: [LevelKey: [String: Int]] = [:]
        for (part, owner) in zip(parts, owners.parts) where part.role != .building && part.role != .footway {
            let found = part.levels.map { LevelKey(number: $0, block: owner) }
            keys[FeatureKey(part)] = found
            if part.makesLevel { all.formUnion(found) }
            if let reference = part.levelReference, let key = found.first {
                names[key, default: [:]][reference, default: 0] += 1
            }
        }
        levels = all.sorted()
        positions = Dictionary(uniqueKeysWithValues: levels.enumerated().map { ($1, $0) })
        self.keys = keys
        // The most frequent, of these the least.
        references = names.compactMapValues { counts in
            counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key
        }
        var members: [Int: [Int]] = [:]
        for (index, block) in owners.buildings.enumerated() { members[block, default: []].append(index) }
        blocks = members
    }

    func levelKeys(of part: IndoorPart) -> [LevelKey] { keys[FeatureKey(part)] ?? [] }
    func position(of key: LevelKey) -> Int? { positions[key] }
    func buildings(of block: Int) -> [Int] { blocks[block] ?? [] }
    func reference(_ key: LevelKey) -> String? { references[key] }

    /// The block of each part and of each building: the least building in it plus one; 0 outdoors.
    private static func owners(
        _ parts: [IndoorPart], _ buildings: [GeoShape], _ shapes: PlaneShapes
    ) throws(GEOSError) -> (parts: [Int], buildings: [Int]) {
        let rings = buildings.map { $0.polygons.map { $0.map(shapes.points) } }
        var geometries: [Geometry] = []
        var direct: [Int] = []
        for part in parts {
            let geometry = try geometry(part, shapes)
            geometries.append(geometry)
            let inner = try geometry.interiorPoint()
            direct.append(
                inner.flatMap { point in
                    rings.firstIndex { $0.contains { PlaneMath.contains($0, point) } }
                }.map { $0 + 1 } ?? 0)
        }
        var sets = DisjointSets(count: buildings.count + 1 + parts.count)
        for (index, part) in parts.enumerated() {
            if part.role == .building { continue }
            if direct[index] > 0 { sets.join(buildings.count + 1 + index, direct[index]) }
        }
        let index = try SpatialIndex(geometries, shapes.context)
        for (one, part) in parts.enumerated() where part.isFloor && part.role != .level {
            let near = try geometries[one].buffer(gap, join: .mitre(limit: 2))
            for other in index.candidates(near) where other > one && parts[other].isFloor && parts[other].role != .level
            {
                guard !Set(part.levels).isDisjoint(with: parts[other].levels),
                    try near.intersects(geometries[other])
                else { continue }
                sets.join(buildings.count + 1 + one, buildings.count + 1 + other)
            }
        }
        // What is apart belongs to the only building, if there is one, else to the block outdoors.
        let rest = buildings.count == 1 ? 1 : 0
        let owners = parts.indices.map { part in
            let root = sets.least(buildings.count + 1 + part)
            return root <= buildings.count && root > 0 ? root : rest
        }
        return (owners, buildings.indices.map { sets.least($0 + 1) })
    }

    private static func geometry(_ part: IndoorPart, _ shapes: PlaneShapes) throws(GEOSError) -> Geometry {
        switch part.shape {
        case .polygons: try shapes.area([part.shape])
        case .lines(let lines): try shapes.lines(lines.map(shapes.points))
        case .points(let points): try Geometry.point(shapes.frame.local(points[0]), shapes.context)
        case .none: try Geometry.collection([], shapes.context)
        }
    }
}

/// Sets of numbers that are joined again and again.
struct DisjointSets {
    private var parents: [Int]

    init(count: Int) { parents = Array(0..<count) }

    /// The least number of the set of a number.
    mutating func least(_ number: Int) -> Int {
        var root = number
        while parents[root] != root { root = parents[root] }
        var next = number
        while parents[next] != root { (parents[next], next) = (root, parents[next]) }
        return root
    }

    mutating func join(_ one: Int, _ other: Int) {
        let (a, b) = (least(one), least(other))
        // The least number is the root, so that the order of joining does not matter.
        parents[max(a, b)] = min(a, b)
    }
}
