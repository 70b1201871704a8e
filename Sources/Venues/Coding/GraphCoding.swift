internal import Digest
internal import GEOS

extension VenueGraph {
    /// The kind and version of the stored form; a new one also when other graphs come from the same venue.
    private static let stored = "tileserve-venue-graph-1\n"

    /// The graph as bytes for a store: about 10 bytes an edge.
    public func encoded() -> [UInt8] {
        var writer = StoredWriter()
        writer.add(bytes: venue.bytes)
        writer.add(count: plans.count)
        for plan in plans { plan.write(to: &writer) }
        writer.add(count: nodes.count)
        for node in nodes {
            writer.add(Int(node.level))
            writer.add(Int(node.connector))
        }
        writer.add(nodes.map(\.point))
        writer.add(count: levelStarts.count)
        for start in levelStarts { writer.add(Int(start)) }
        writer.add(count: areaSets.count)
        for areas in areaSets {
            writer.add(count: areas.count)
            for area in areas { writer.add(Int(area)) }
        }
        let pairs = edges.pairs
        writer.add(count: pairs.count)
        for pair in pairs {
            writer.add(Int(pair.one))
            writer.add(Int(pair.other - pair.one))
            writer.add(Int(pair.areas))
        }
        writer.add(count: links.count)
        for link in links { Self.write(link, to: &writer) }
        writer.add(count: footprints.count)
        for polygon in footprints {
            writer.add(count: polygon.rings.count)
            for ring in polygon.rings { writer.add(ring) }
        }
        return writer.sealed(as: Self.stored)
    }

    private static func write(_ link: Link, to writer: inout StoredWriter) {
        for number in [link.from, link.to, Int32(link.kind.rawValue), link.unit, link.otherUnit, link.opening] {
            writer.add(Int(number))
        }
        writer.add(Int(link.seconds.bitPattern))
        writer.add(Int(link.metres.bitPattern))
    }

    /// The graph of stored bytes. Cost: about 10 ms for 10,000 nodes.
    ///
    /// Throws `damaged` for other bytes, and for the graph of another venue or of another version of this one: it has to be
    /// built again.
    public init(decoding bytes: [UInt8], of venue: Venue) throws(VenueError) {
        var reader = try StoredReader(bytes, sealedAs: Self.stored)
        let digest = venue.contentDigest
        guard try reader.rawBytes() == digest.bytes else { throw .damaged("the graph is of another venue") }
        guard try reader.count() == venue.levels.count else { throw StoredReader.wrong }
        var plans: [LevelPlan] = []
        for level in venue.levels.indices { plans.append(try LevelPlan(&reader, level: level, of: venue)) }
        let sights = plans.map(LevelSight.init)
        var parts = Parts()
        try Self.readNodes(&reader, venue, sights, &parts)
        try Self.readEdges(&reader, sights, &parts)
        for _ in 0..<(try reader.count()) { parts.links.append(try Self.readLink(&reader, venue, parts.nodes.count)) }
        for _ in 0..<(try reader.count()) {
            var rings: [[GridPoint]] = []
            for _ in 0..<(try reader.count()) { rings.append(try reader.points()) }
            parts.footprints.append(GridPolygon(rings))
        }
        try reader.finish()
        self.init(venue: digest, plans: plans, sights: sights, parts)
    }

    private static func readNodes(
        _ reader: inout StoredReader, _ venue: Venue, _ sights: [LevelSight], _ parts: inout Parts
    ) throws(VenueError) {
        var facts: [(level: Int, connector: Int)] = []
        for _ in 0..<(try reader.count()) {
            let level = try reader.number(in: -1..<venue.levels.count)
            facts.append((level, try reader.number(in: -1..<venue.units.count)))
        }
        let points = try reader.points()
        guard points.count == facts.count else { throw StoredReader.wrong }
        parts.nodes = zip(facts, points).map { fact, point in
            Node(level: Int16(fact.level), point: point, connector: Int32(fact.connector))
        }
        guard try reader.count() == sights.count + 1 else { throw StoredReader.wrong }
        var last = 0
        for level in 0...sights.count {
            let start = try reader.number(in: last..<(points.count + 1))
            // The nodes of a level begin with its turns.
            if level > 0 {
                guard start - last >= sights[level - 1].turns.count,
                    (last..<start).allSatisfy({ facts[$0].level == level - 1 })
                else { throw StoredReader.wrong }
            } else if start != 0 {
                throw StoredReader.wrong
            }
            parts.levelStarts.append(Int32(start))
            last = start
        }
        guard facts[last...].allSatisfy({ $0.level == -1 }) else { throw StoredReader.wrong }
    }

    private static func readEdges(
        _ reader: inout StoredReader, _ sights: [LevelSight], _ parts: inout Parts
    ) throws(VenueError) {
        parts.areaSets = []
        for _ in 0..<(try reader.count()) {
            var areas: [Int32] = []
            for _ in 0..<(try reader.count()) { areas.append(Int32(try reader.number(in: 0..<Int(Int32.max)))) }
            parts.areaSets.append(areas)
        }
        guard parts.areaSets.first == [] else { throw StoredReader.wrong }
        for _ in 0..<(try reader.count()) {
            let one = try reader.number(in: parts.nodes.indices)
            let other = one + (try reader.number(in: 1..<max(2, parts.nodes.count - one)))
            let areas = try reader.number(in: parts.areaSets.indices)
            guard other < parts.nodes.count, parts.nodes[one].level == parts.nodes[other].level else {
                throw StoredReader.wrong
            }
            let level = Int(parts.nodes[one].level)
            guard level >= 0, parts.areaSets[areas].allSatisfy({ sights[level].areas.indices.contains(Int($0)) }) else {
                throw StoredReader.wrong
            }
            parts.pairs.append(GraphEdges.Pair(one: Int32(one), other: Int32(other), areas: Int32(areas)))
        }
    }

    private static func readLink(
        _ reader: inout StoredReader, _ venue: Venue, _ nodes: Int
    ) throws(VenueError) -> Link {
        let from = try reader.number(in: 0..<nodes)
        let to = try reader.number(in: 0..<nodes)
        guard let kind = Link.Kind(rawValue: UInt8(try reader.number(in: 0..<256))) else { throw StoredReader.wrong }
        var barriers = Barriers()
        barriers.unit = try reader.number(in: -1..<venue.units.count)
        barriers.otherUnit = try reader.number(in: -1..<venue.units.count)
        barriers.opening = try reader.number(in: -1..<venue.openings.count)
        let words = 0..<(Int(UInt32.max) + 1)
        let seconds = Float(bitPattern: UInt32(try reader.number(in: words)))
        let metres = Float(bitPattern: UInt32(try reader.number(in: words)))
        // A cost below zero or without end would keep a search from ending well.
        guard seconds.isFinite, seconds >= 0, metres.isFinite, metres >= 0 else { throw StoredReader.wrong }
        return Link(
            from: from, to: to, kind: kind, seconds: Double(seconds), metres: Double(metres), barriers: barriers)
    }
}
