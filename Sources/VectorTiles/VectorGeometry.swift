import Text

/// A place in a tile, in units of `VectorTile.extent` from its north-western corner, eastwards and southwards.
public struct TilePlace: Hashable, Sendable {
    public var x: Int32
    public var y: Int32

    public init(_ x: Int32, _ y: Int32) {
        self.x = x
        self.y = y
    }
}

/// The geometry of a feature as the commands of the specification.
public struct VectorGeometry: Sendable {
    /// The types that the specification numbers.
    public enum Kind: UInt64, Sendable {
        case points = 1
        case lines = 2
        case polygons = 3
    }

    public let kind: Kind
    private(set) var bytes: [UInt8] = []
    /// The place at which the commands have ended.
    private var cursor = TilePlace(0, 0)

    private enum Command: UInt32 {
        case move = 1
        case line = 2
        case close = 7

        /// The command with the number of times that it is repeated.
        func times(_ count: Int) -> UInt64 { UInt64(rawValue) | UInt64(count) << 3 }
    }

    private init(_ kind: Kind) { self.kind = kind }

    public var isEmpty: Bool { bytes.isEmpty }

    /// Removes all commands, and keeps the memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        cursor = TilePlace(0, 0)
    }

    /// Points; several of them are one feature.
    public static func points(_ places: [TilePlace]) -> VectorGeometry {
        var geometry = VectorGeometry(.points)
        guard !places.isEmpty else { return geometry }
        geometry.append(Command.move.times(places.count))
        for place in places { geometry.append(place) }
        return geometry
    }

    /// No lines yet.
    public static var lines: VectorGeometry { VectorGeometry(.lines) }

    /// Adds a line of at least two places, of which no two consecutive are equal.
    public mutating func addLine(_ places: ArraySlice<TilePlace>) {
        precondition(kind == .lines && places.count > 1, "a line has two places")
        let start = bytes.count
        bytes.append(contentsOf: repeatElement(0, count: places.count * Self.longestPlace + Self.longestCommands))
        let unused = Self.write(places.span, from: cursor, into: &bytes, at: start)
        bytes.removeLast(unused)
        cursor = places[places.endIndex - 1]
    }

    /// Two varints of 32 bits.
    private static let longestPlace = 10
    /// Two commands with their numbers.
    private static let longestCommands = 20

    /// Writes a line over zeros and returns how many are left.
    private static func write(
        _ places: Span<TilePlace>, from cursor: TilePlace, into array: inout [UInt8], at start: Int
    ) -> Int {
        var bytes = array.mutableSpan
        var (position, last) = (start, cursor)
        for index in places.indices {
            if index == 0 { Varint.put(Command.move.times(1), into: &bytes, at: &position) }
            if index == 1 { Varint.put(Command.line.times(places.count - 1), into: &bytes, at: &position) }
            let place = places[index]
            Varint.put(Varint.zigzag(Int64(place.x) - Int64(last.x)), into: &bytes, at: &position)
            Varint.put(Varint.zigzag(Int64(place.y) - Int64(last.y)), into: &bytes, at: &position)
            last = place
        }
        return bytes.count - position
    }

    /// Polygons as lists of rings without the repeated place at the end, the shell first. Rings may run in any direction:
    /// shells are stored so that their area by the formula of surveyors is positive, holes the other way round. Rings
    /// without an area are left out, with their holes if they are shells.
    public static func polygons(_ polygons: [[[TilePlace]]]) -> VectorGeometry {
        var geometry = VectorGeometry(.polygons)
        for rings in polygons {
            for (index, ring) in rings.enumerated() {
                let corners = distinct(ring)
                let area = doubledArea(corners)
                guard corners.count > 2, area != 0 else {
                    if index == 0 { break }
                    continue
                }
                geometry.addRing((area > 0) == (index == 0) ? corners : corners.reversed())
            }
        }
        return geometry
    }

    private mutating func addRing(_ corners: [TilePlace]) {
        append(Command.move.times(1))
        append(corners[0])
        append(Command.line.times(corners.count - 1))
        for corner in corners.dropFirst() { append(corner) }
        append(Command.close.times(1))
    }

    /// A ring without places that repeat the one before.
    private static func distinct(_ ring: [TilePlace]) -> [TilePlace] {
        var corners: [TilePlace] = []
        for place in ring where corners.last != place { corners.append(place) }
        while corners.count > 1, corners.first == corners.last { corners.removeLast() }
        return corners
    }

    private static func doubledArea(_ ring: [TilePlace]) -> Int64 {
        guard var previous = ring.last else { return 0 }
        var doubled: Int64 = 0
        for corner in ring {
            doubled += Int64(previous.x) * Int64(corner.y) - Int64(corner.x) * Int64(previous.y)
            previous = corner
        }
        return doubled
    }

    private mutating func append(_ number: UInt64) { Varint.append(number, to: &bytes) }

    @inline(__always)
    private mutating func append(_ place: TilePlace) {
        append(Varint.zigzag(Int64(place.x) - Int64(cursor.x)))
        append(Varint.zigzag(Int64(place.y) - Int64(cursor.y)))
        cursor = place
    }
}
