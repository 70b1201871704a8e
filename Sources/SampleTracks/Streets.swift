/// The street graph of a synthetic city; places are in metres east and north of its centre.
///
/// The centre is a grid. Farther out its lines bend into rings and radial roads. A diagonal avenue crosses the centre,
/// a river has only a few bridges, and winding roads lead to villages.
struct Streets {
    /// One direction of a street between two junctions.
    struct Edge {
        var end: Int
        var length: Double
        /// The routing cost; avenues cost less than lanes.
        var cost: Double
        /// The offset of the street's middle from the straight line, as a share of its length; positive to the left.
        var curvature: Double
    }

    private(set) var easts: [Double] = []
    private(set) var norths: [Double] = []
    /// For each junction whether it has traffic lights.
    private(set) var lights: [Bool] = []
    /// The index in `edges` of the first edge of each junction; one entry more than junctions.
    private(set) var firstEdge: [Int] = []
    private(set) var edges: [Edge] = []
    /// Junctions that many residents visit: shops, schools, the station (the first).
    private(set) var hubs: [Int] = []
    private(set) var villages: [Int] = []

    var count: Int { easts.count }

    private struct Link {
        var from: Int
        var to: Int
        var curvature: Double
        var avenue: Bool
    }

    /// The number of grid lines on either side of the centre line.
    private static let reach = 25
    /// Metres from the centre to the outermost ring.
    static let radius = 10_000.0
    private static let hubCount = 40
    private static let villageCount = 24
    /// Metres between junctions on the road to a village.
    private static let roadStep = 400.0

    init(random: inout SampleRandom) {
        var links: [Link] = []
        addTown(links: &links, random: &random)
        addVillages(links: &links, random: &random)
        join(links, random: &random)
        chooseHubs(random: &random)
    }

    private func junction(_ column: Int, _ row: Int) -> Int {
        (row + Self.reach) * (2 * Self.reach + 1) + column + Self.reach
    }

    private mutating func addTown(links: inout [Link], random: inout SampleRandom) {
        let lines = -Self.reach...Self.reach
        let phase = random.unit()
        for row in lines {
            for column in lines {
                addJunction(column: column, row: row, phase: phase, random: &random)
            }
        }
        for row in lines {
            for column in lines {
                let here = junction(column, row)
                if column < Self.reach {
                    // The river runs between two columns; every sixth street has a bridge.
                    let river = column == 6 && row % 6 != 0
                    let avenue = row % 4 == 0
                    if !river, avenue || !random.chance(0.2) {
                        links.append(lane(here, junction(column + 1, row), avenue, &random))
                    }
                }
                if row < Self.reach, column % 4 == 0 || !random.chance(0.2) {
                    links.append(lane(here, junction(column, row + 1), column % 4 == 0, &random))
                }
                if column == row, column < Self.reach {
                    links.append(Link(from: here, to: junction(column + 1, row + 1), curvature: 0, avenue: true))
                }
            }
        }
    }

    private func lane(_ from: Int, _ to: Int, _ avenue: Bool, _ random: inout SampleRandom) -> Link {
        Link(from: from, to: to, curvature: avenue ? 0 : random.noise() * 0.05, avenue: avenue)
    }

    private mutating func addJunction(column: Int, row: Int, phase: Double, random: inout SampleRandom) {
        // Streets are closer together in the centre.
        func spread(_ line: Int) -> Double {
            let share = Double(line) / Double(Self.reach)
            return share * (0.4 + 0.6 * abs(share))
        }
        let across = spread(column)
        let along = spread(row)
        // Maps the square to a disc: its outer lines become rings.
        var east = across * (1 - along * along / 2).squareRoot()
        var north = along * (1 - across * across / 2).squareRoot()
        let distance = (east * east + north * north).squareRoot()
        let wind = 0.06 * distance * distance
        east += wind * approximateSine(1.3 * north + phase)
        north += wind * approximateSine(1.7 * east - phase)
        let jitter = 0.004 * (0.3 + distance)
        east += random.noise() * jitter
        north += random.noise() * jitter
        // Rotated by 17°, because streets of real towns are not aligned with the map.
        easts.append((east * 0.956 - north * 0.292) * Self.radius)
        norths.append((east * 0.292 + north * 0.956) * Self.radius)
        lights.append(row % 4 == 0 && column % 4 == 0)
    }

    private mutating func addVillages(links: inout [Link], random: inout SampleRandom) {
        let town = count
        for number in 0..<Self.villageCount {
            let turn = (Double(number) + random.within(-0.3...0.3)) / Double(Self.villageCount)
            let distance = random.within(14_000...45_000)
            let east = distance * approximateSine(turn + 0.25)
            let north = distance * approximateSine(turn)
            let village = append(east: east, north: north)
            villages.append(village)
            let townJunction = nearest(east: east, north: north, among: 0..<town)
            addRoad(from: townJunction, to: village, links: &links, random: &random)
        }
        for number in villages.indices {
            let next = villages[(number + 1) % villages.count]
            addRoad(from: villages[number], to: next, links: &links, random: &random)
        }
    }

    private mutating func append(east: Double, north: Double) -> Int {
        easts.append(east)
        norths.append(north)
        lights.append(false)
        return count - 1
    }

    private mutating func addRoad(from: Int, to: Int, links: inout [Link], random: inout SampleRandom) {
        let east = easts[to] - easts[from]
        let north = norths[to] - norths[from]
        let length = (east * east + north * north).squareRoot()
        let steps = max(2, Int(length / Self.roadStep))
        let bends = random.within(1...3)
        let phase = random.unit()
        var last = from
        for step in 1..<steps {
            let share = Double(step) / Double(steps)
            let aside = 0.07 * approximateSine(share / 2) * approximateSine(bends * share + phase)
            let next = append(
                east: easts[from] + east * share - north * aside, north: norths[from] + north * share + east * aside)
            links.append(Link(from: last, to: next, curvature: random.noise() * 0.06, avenue: true))
            last = next
        }
        links.append(Link(from: last, to: to, curvature: 0, avenue: true))
    }

    private mutating func join(_ links: [Link], random: inout SampleRandom) {
        var degree = [Int](repeating: 0, count: count + 1)
        for link in links {
            degree[link.from] += 1
            degree[link.to] += 1
        }
        var sum = 0
        firstEdge = degree.map { entries in
            defer { sum += entries }
            return sum
        }
        var next = firstEdge
        edges = [Edge](repeating: Edge(end: 0, length: 0, cost: 0, curvature: 0), count: sum)
        for link in links {
            let east = easts[link.to] - easts[link.from]
            let north = norths[link.to] - norths[link.from]
            let length = (east * east + north * north).squareRoot()
            let cost = length * (link.avenue ? 0.7 : 1) * random.within(0.9...1.1)
            edges[next[link.from]] = Edge(end: link.to, length: length, cost: cost, curvature: link.curvature)
            edges[next[link.to]] = Edge(end: link.from, length: length, cost: cost, curvature: -link.curvature)
            next[link.from] += 1
            next[link.to] += 1
        }
    }

    private mutating func chooseHubs(random: inout SampleRandom) {
        for _ in 0..<Self.hubCount {
            // Junctions of two avenues are always connected.
            let column = 4 * (random.below(11) - 5)
            let row = 4 * (random.below(11) - 5)
            hubs.append(junction(column, row))
        }
    }

    /// The junction of a range that is nearest to a place in a straight line.
    func nearest(east: Double, north: Double, among junctions: Range<Int>) -> Int {
        var best = junctions.lowerBound
        var least = Double.infinity
        for candidate in junctions {
            let across = easts[candidate] - east
            let along = norths[candidate] - north
            let distance = across * across + along * along
            if distance < least {
                least = distance
                best = candidate
            }
        }
        return best
    }

    /// The squared straight-line distance between two junctions, in square metres.
    func square(_ one: Int, _ other: Int) -> Double {
        let across = easts[one] - easts[other]
        let along = norths[one] - norths[other]
        return across * across + along * along
    }

    func edge(from start: Int, to end: Int) -> Edge? {
        edges[firstEdge[start]..<firstEdge[start + 1]].first { $0.end == end }
    }
}
