/// A generated campus: a building of four levels round a courtyard, with two stairs, a lift, rooms behind restricted doors,
/// pillars and a room without a door; and a small building of two levels with stairs only. A footway joins them.
///
/// Room style: units cover the levels, and doors are openings. The seed decides the widths of rooms and the places of doors.
public struct SampleCampus: Sendable {
    /// A unit, in metres from the south-west corner of the main building.
    public struct Room: Sendable {
        public let id: String
        public let building: Int
        public let level: Int
        public let category: String
        public let name: String?
        /// Rings; the first is the shell.
        public var rings: [[(x: Double, y: Double)]]
        public var restriction: String?
    }

    /// An opening.
    public struct Door: Sendable {
        public let id: String
        public let building: Int
        public let level: Int
        public let start: (x: Double, y: Double)
        public let end: (x: Double, y: Double)
        public var isEntrance = false
    }

    public private(set) var rooms: [Room] = []
    public private(set) var doors: [Door] = []
    /// The footway between the entrances.
    public let footway: [(x: Double, y: Double)] = [(20, -3), (20, -6), (70, -6), (70, -3)]

    public static let levels = 4
    public static let origin = (longitude: 11.0, latitude: 48.0)
    /// Degrees in a metre, near the origin.
    public static let degrees = (x: 1 / 74_625.0, y: 1 / 111_200.0)
    /// The footprints: west, south, east, north.
    public static let footprints = [(0.0, 0.0, 40.0, 24.0), (60.0, 0.0, 80.0, 10.0)]

    private var state: UInt64
    private var count = 0

    public init(seed: UInt64) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 0x1234_5678_9ABC_DEF1
        for level in 0..<Self.levels { addMain(level) }
        for level in 0..<2 { addSide(level) }
    }

    /// A number from 0 to 1 (xorshift64).
    private mutating func random() -> Double {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Double(state >> 11) / Double(1 << 53)
    }

    private mutating func nextID() -> String {
        count += 1
        let digits = String(count, radix: 16)
        return "00000000-0000-4000-8000-" + String(repeating: "0", count: 12 - digits.count) + digits
    }

    private static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> [(
        x: Double, y: Double
    )] {
        [(west, south), (east, south), (east, north), (west, north)]
    }

    private mutating func add(
        _ building: Int, _ level: Int, _ category: String, _ name: String?, _ rings: [[(x: Double, y: Double)]],
        restriction: String? = nil
    ) {
        rooms.append(
            Room(
                id: nextID(), building: building, level: level, category: category, name: name, rings: rings,
                restriction: restriction))
    }

    private mutating func addDoor(
        _ building: Int, _ level: Int, _ start: (x: Double, y: Double), _ end: (x: Double, y: Double),
        isEntrance: Bool = false
    ) {
        doors.append(
            Door(id: nextID(), building: building, level: level, start: start, end: end, isEntrance: isEntrance))
    }

    // MARK: The main building

    private mutating func addMain(_ level: Int) {
        let courtyard = Self.box(12, 9, 28, 15)
        var pillars: [[(x: Double, y: Double)]] = []
        for x in [9.0, 31.0] {
            let (px, py) = (x + random() * 0.6 - 0.3, 11 + random() * 2)
            pillars.append(Self.box(px - 0.25, py - 0.25, px + 0.25, py + 0.25))
        }
        let holes = [courtyard] + pillars
        add(0, level, "walkway", level == 0 ? "Cloister" : nil, [Self.box(6, 6, 34, 18)] + holes.map { $0.reversed() })
        for pillar in pillars { add(0, level, "column", nil, [pillar]) }
        add(0, level, level == 0 ? "recreation" : "opentobelow", level == 0 ? "Courtyard" : nil, [courtyard])
        if level == 0 { addDoor(0, level, (19, 9), (20.5, 9)) }
        addRow(level, south: 0, north: 6, doorsAt: 6, first: 1)
        addRow(level, south: 18, north: 24, doorsAt: 18, first: 11)
        add(0, level, "stairs", nil, [Self.box(0, 6, 6, 12)])
        addDoor(0, level, (6, 8.5), (6, 9.7))
        add(0, level, "elevator", nil, [Self.box(0, 12, 6, 15)])
        addDoor(0, level, (6, 13), (6, 14))
        add(0, level, "restroom", "WC \(level)", [Self.box(0, 15, 6, 18)])
        addDoor(0, level, (6, 16), (6, 16.9))
        add(0, level, "stairs", nil, [Self.box(34, 6, 40, 12)])
        addDoor(0, level, (34, 8), (34, 9))
        add(0, level, "office", "Archive \(level)", [Self.box(34, 12, 40, 18)], restriction: "employeesonly")
        addDoor(0, level, (34, 14), (34, 15))
        // A second door into the room in the north: a short cut that nobody may take.
        addDoor(0, level, (38, 18), (39, 18))
        if level == 0 { addDoor(0, level, (19.2, 0), (20.8, 0), isEntrance: true) }
    }

    /// A row of rooms of random widths along a side of the corridor, each with a door, and doors between some of them.
    private mutating func addRow(_ level: Int, south: Double, north: Double, doorsAt: Double, first: Int) {
        var walls = [0.0]
        while let west = walls.last, west < 40 {
            // The entrance on the ground floor is in a room of its own, from 16 to 24.
            var east = west + 5 + random() * 4
            if west < 16, east > 13 { east = 16 }
            if west == 16 { east = 24 }
            if east > 35 { east = 40 }
            walls.append(east)
        }
        for (index, (west, east)) in zip(walls, walls.dropFirst()).enumerated() {
            let number = first + index
            let name = "C-\(level).\(number < 10 ? "0" : "")\(number)"
            add(
                0, level, west == 16 && south == 0 && level == 0 ? "lobby" : "office", name,
                [Self.box(west, south, east, north)])
            // Where the room touches the corridor.
            let (low, high) = (max(west, 6) + 0.4, min(east, 34) - 0.4)
            let width = 0.8 + random() * 0.6
            let start = low + random() * max(0, high - low - width)
            let hasDoor = !(level == 2 && number == 13)
            if hasDoor, high - low > width { addDoor(0, level, (start, doorsAt), (start + width, doorsAt)) }
            if index > 0, random() < 0.3 {
                let at = south + 1 + random() * 3
                addDoor(0, level, (west, at), (west, at + 0.9))
            }
        }
    }

    // MARK: The small building

    private mutating func addSide(_ level: Int) {
        add(1, level, "lobby", level == 0 ? "Hall" : "Gallery", [Self.box(64, 0, 76, 10)])
        add(1, level, "stairs", nil, [Self.box(60, 0, 64, 6)])
        addDoor(1, level, (64, 2), (64, 3.2))
        add(1, level, "restroom.wheelchair", "WC east \(level)", [Self.box(60, 6, 64, 10)])
        addDoor(1, level, (64, 7), (64, 8))
        add(1, level, "classroom", "E-\(level).01", [Self.box(76, 0, 80, 10)])
        addDoor(1, level, (76, 4), (76, 5))
        if level == 0 { addDoor(1, level, (69.2, 0), (70.8, 0), isEntrance: true) }
    }
}
