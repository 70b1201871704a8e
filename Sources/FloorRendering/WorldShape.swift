internal import Foundation
internal import GEOS
internal import TileMath
internal import Venues

/// A place on the map: x and y in Web Mercator, the world is 1 wide and high, y southwards. As numbers with 53 bits,
/// because a 32-bit grid is half a pixel of the deepest tiles.
typealias WorldPlace = SIMD2<Double>

/// A box on the map.
struct WorldBox: Sendable, Equatable {
    var low: WorldPlace
    var high: WorldPlace

    static let empty = WorldBox(low: WorldPlace(repeating: .infinity), high: WorldPlace(repeating: -.infinity))

    var isEmpty: Bool { !(low.x <= high.x && low.y <= high.y) }

    mutating func add(_ place: WorldPlace) {
        low = pointwiseMin(low, place)
        high = pointwiseMax(high, place)
    }

    mutating func add(_ box: WorldBox) {
        low = pointwiseMin(low, box.low)
        high = pointwiseMax(high, box.high)
    }

    func intersects(_ other: WorldBox) -> Bool {
        low.x <= other.high.x && other.low.x <= high.x && low.y <= other.high.y && other.low.y <= high.y
    }
}

/// Projects places of a venue; beyond 180° the map goes on, so that no shape is torn apart there.
struct WorldProjection: Sendable {
    private let frame: LocalFrame
    private let middle: Double

    init(_ frame: LocalFrame) {
        self.frame = frame
        middle = frame.centre.longitude / 360 + 0.5
    }

    /// For places near another.
    init(around place: GeoPoint) { self.init(LocalFrame(centre: place)) }

    func world(_ place: GeoPoint) -> WorldPlace {
        let latitude = min(max(place.latitude, -89.9999), 89.9999)
        let sine = sin(latitude * .pi / 180)
        var x = place.longitude / 360 + 0.5
        if x - middle > 0.5 { x -= 1 } else if middle - x > 0.5 { x += 1 }
        return WorldPlace(x, 0.5 - log((1 + sine) / (1 - sine)) * (0.25 / .pi))
    }

    func world(_ point: PlanePoint) -> WorldPlace { world(frame.place(point)) }
}

/// Lines of places, with their box.
struct WorldLines: Sendable {
    let lines: [[WorldPlace]]
    let box: WorldBox

    init(_ lines: [[WorldPlace]]) {
        self.lines = lines.filter { $0.count > 1 }
        var box = WorldBox.empty
        for line in self.lines { for place in line { box.add(place) } }
        self.box = box
    }
}

/// Polygons, with their box.
struct WorldShape: Sendable {
    /// All rings; shells and holes run in opposite directions, so that cairo's winding rule fills them.
    let rings: [[WorldPlace]]
    let box: WorldBox
    /// In units of the square world.
    let area: Double

    /// Polygons as lists of rings, the shell first.
    init(_ polygons: [[[WorldPlace]]]) {
        var rings: [[WorldPlace]] = []
        var box = WorldBox.empty
        var total = 0.0
        for polygon in polygons {
            for (index, ring) in polygon.enumerated() where ring.count > 2 {
                let area = Self.signedArea(ring)
                let isHole = index > 0
                rings.append((area < 0) == isHole ? ring : ring.reversed())
                total += isHole ? -abs(area) : abs(area)
                if !isHole { for place in ring { box.add(place) } }
            }
        }
        self.rings = rings
        self.box = box
        area = total
    }

    private static func signedArea(_ ring: [WorldPlace]) -> Double {
        guard let first = ring.first, var previous = ring.last else { return 0 }
        var doubled = 0.0
        for corner in ring {
            let (a, b) = (previous - first, corner - first)
            doubled += a.x * b.y - b.x * a.y
            previous = corner
        }
        return doubled / 2
    }

    /// Where a horizontal line enters and leaves the shape, in order.
    func crossings(atY y: Double) -> [Double] {
        var found: [Double] = []
        for ring in rings {
            guard var previous = ring.last else { continue }
            for corner in ring {
                if (corner.y > y) != (previous.y > y) {
                    found.append((previous.x - corner.x) * (y - corner.y) / (previous.y - corner.y) + corner.x)
                }
                previous = corner
            }
        }
        return found.sorted()
    }

    /// The part of a horizontal line through a place that lies within the shape; nil if the place does not.
    func chord(through place: WorldPlace) -> ClosedRange<Double>? {
        let crossings = crossings(atY: place.y)
        for index in stride(from: 0, to: crossings.count - 1, by: 2)
        where crossings[index] <= place.x && place.x <= crossings[index + 1] {
            return crossings[index]...crossings[index + 1]
        }
        return nil
    }

    /// The middle of the longest horizontal line within the shape at half its height.
    var innerPlace: WorldPlace? {
        box.isEmpty ? nil : longestChord(atY: (box.low.y + box.high.y) / 2).map(\.middle)
    }

    /// The middle of the southern edge of the box.
    var southernPlace: WorldPlace? { box.isEmpty ? nil : WorldPlace((box.low.x + box.high.x) / 2, box.high.y) }

    /// The middles of the longest horizontal lines within the shape at some heights, the longest first.
    var wideRows: [WorldPlace] {
        guard !box.isEmpty else { return [] }
        let rows = (1..<Self.rowCount).compactMap { row in
            longestChord(atY: box.low.y + (box.high.y - box.low.y) * Double(row) / Double(Self.rowCount))
        }
        return rows.sorted { ($1.length, $0.middle.y) < ($0.length, $1.middle.y) }.prefix(Self.keptRows).map(\.middle)
    }

    private static let rowCount = 12
    private static let keptRows = 4

    private func longestChord(atY y: Double) -> (length: Double, middle: WorldPlace)? {
        let crossings = crossings(atY: y)
        var best: (length: Double, middle: WorldPlace)?
        for index in stride(from: 0, to: crossings.count - 1, by: 2) {
            let length = crossings[index + 1] - crossings[index]
            if length > best?.length ?? 0 {
                best = (length, WorldPlace((crossings[index] + crossings[index + 1]) / 2, y))
            }
        }
        return best
    }
}
