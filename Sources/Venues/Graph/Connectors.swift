internal import GEOS

/// The ways between the levels of a venue.
struct Connectors {
    /// From one unit to another.
    struct Way: Sendable, Hashable {
        let from: Int
        let to: Int
        let kind: ConnectorKind
        let seconds: Double
    }

    private let venue: Venue
    private var areas: [Int: Geometry] = [:]
    private var ways: Set<Way> = []
    /// Pairs of units that a relationship of the source joins: geometry says nothing more about them.
    private var related: Set<[Int]> = []

    /// The part of the smaller unit that the other covers.
    private static let overlap = 0.5

    /// The ways, ordered.
    static func find(_ venue: Venue, _ shapes: PlaneShapes) throws(GEOSError) -> [Way] {
        var connectors = Connectors(venue: venue)
        connectors.readRelationships()
        try connectors.joinOverlapping(shapes)
        return connectors.ways.sorted { one, other in
            (one.from, one.to, one.kind.rawValue, one.seconds) < (
                other.from, other.to, other.kind.rawValue, other.seconds
            )
        }
    }

    private init(venue: Venue) { self.venue = venue }

    // MARK: Relationships

    private static let kinds: [String: ConnectorKind] = [
        "stairs": .stairs, "elevator": .lift, "escalator": .escalator, "ramp": .ramp, "movingwalkway": .ramp,
        "traversal": .stairs, "traversal.path": .stairs,
    ]

    private mutating func readRelationships() {
        let units = Dictionary(venue.units.enumerated().map { ($1.id, $0) }, uniquingKeysWith: { one, _ in one })
        for relationship in venue.relationships {
            // Openings say through which door one leaves; the units are what one goes through.
            let stops = relationship.features.compactMap { units[$0] }
            guard stops.count >= 2, let named = Self.kinds[relationship.category.lowercased()] else { continue }
            let kind = venue.units[stops[0]].category.connector ?? named
            for one in stops { for other in stops { related.insert([one, other]) } }
            for (one, other) in zip(stops, stops.dropFirst()) where kind != .lift {
                join(one, other, kind, isDirected: relationship.isDirected)
            }
            guard kind == .lift else { continue }
            for (position, one) in stops.enumerated() {
                for other in stops[(position + 1)...] { join(one, other, .lift, isDirected: relationship.isDirected) }
            }
        }
    }

    private mutating func join(_ one: Int, _ other: Int, _ kind: ConnectorKind, isDirected: Bool) {
        let (a, b) = (venue.units[one], venue.units[other])
        guard a.level != b.level else { return }
        let levels = abs(venue.levels[a.level].number - venue.levels[b.level].number)
        let seconds = a.seconds ?? b.seconds ?? WalkingCosts.seconds(kind, levels: max(levels, 0.5))
        var isAllowed = (there: true, back: !isDirected)
        if let isUpwards = a.isUpwards ?? b.isUpwards {
            let isUp = venue.levels[b.level].number > venue.levels[a.level].number
            isAllowed = (isUp == isUpwards, isUp != isUpwards)
        }
        if isAllowed.there { ways.insert(Way(from: one, to: other, kind: kind, seconds: seconds)) }
        if isAllowed.back { ways.insert(Way(from: other, to: one, kind: kind, seconds: seconds)) }
    }

    // MARK: Overlapping units

    private mutating func joinOverlapping(_ shapes: PlaneShapes) throws(GEOSError) {
        var chosen: [Int] = []
        for (index, unit) in venue.units.enumerated() {
            guard let kind = unit.category.connector else { continue }
            // A ramp within a level is a slope; only one that the source has on several levels leads to another.
            if kind == .ramp, unit.shared == nil { continue }
            chosen.append(index)
            areas[index] = try shapes.area([unit.shape])
        }
        let geometries = chosen.compactMap { areas[$0] }
        let index = try SpatialIndex(geometries, shapes.context)
        var shafts = DisjointSets(count: chosen.count)
        for (position, one) in chosen.enumerated() {
            for near in index.candidates(geometries[position]) where near > position {
                let other = chosen[near]
                guard !related.contains([one, other]),
                    try isStacked(one, other, geometries[position], geometries[near])
                else { continue }
                let kind = venue.units[one].category.connector ?? .stairs
                if kind == .lift { shafts.join(position, near) } else { join(one, other, kind, isDirected: false) }
            }
        }
        // A lift goes from each of its levels to each other.
        let members = Dictionary(grouping: chosen.indices) { shafts.least($0) }
        for shaft in members.values.map({ $0.sorted() }) where shaft.count > 1 {
            for (position, one) in shaft.enumerated() {
                for other in shaft[(position + 1)...] { join(chosen[one], chosen[other], .lift, isDirected: false) }
            }
        }
    }

    /// Whether two units are the same stairs or lift on neighbouring levels.
    private func isStacked(_ one: Int, _ other: Int, _ a: Geometry, _ b: Geometry) throws(GEOSError) -> Bool {
        let (first, second) = (venue.units[one], venue.units[other])
        guard first.category.connector == second.category.connector else { return false }
        if let shared = first.shared, shared == second.shared { return areNext(first, second, of: shared) }
        guard areNeighbours(first.level, second.level) else { return false }
        let smaller = min(try a.area(), try b.area())
        guard smaller > 0 else { return false }
        return try a.intersection(b).area() >= Self.overlap * smaller
    }

    /// Whether one object is on no level between two of its levels, whatever other levels the building has there.
    private func areNext(_ one: VenueUnit, _ other: VenueUnit, of shared: FeatureID) -> Bool {
        let numbers = [one, other].map { venue.levels[$0.level].number }.sorted()
        guard numbers[0] < numbers[1] else { return false }
        return !venue.units.contains { unit in
            let number = venue.levels[unit.level].number
            return unit.shared == shared && number > numbers[0] && number < numbers[1]
        }
    }

    /// Whether no other level of their buildings is between two levels.
    private func areNeighbours(_ one: Int, _ other: Int) -> Bool {
        let (a, b) = (venue.levels[one], venue.levels[other])
        let (low, high) = (min(a.number, b.number), max(a.number, b.number))
        guard low < high else { return false }
        func areShared(_ one: Level, _ other: Level) -> Bool {
            one.buildings.isEmpty || other.buildings.isEmpty || !Set(one.buildings).isDisjoint(with: other.buildings)
        }
        guard areShared(a, b) else { return false }
        return !venue.levels.contains {
            $0.number > low && $0.number < high && areShared($0, a) && areShared($0, b) && !$0.isOutdoor
        }
    }
}
