public import TileMath
public import Tracks

/// What marks the way of single tracks in a tile, in pixels of a tile of 256 from its north-western corner.
public struct TileDecorations: Sendable, Equatable {
    /// A place and a direction of length 1.
    public struct Arrow: Sendable, Equatable {
        public var x: Double
        public var y: Double
        public var east: Double
        public var south: Double
    }

    /// A place.
    public struct Place: Sendable, Equatable {
        public var x: Double
        public var y: Double
    }

    /// Whereto the tracks went, at even distances along each.
    public var arrows: [Arrow] = []
    /// Where tracks begin.
    public var starts: [Place] = []
    /// Where tracks end.
    public var ends: [Place] = []

    /// No mark.
    public init() {}

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { arrows.isEmpty && starts.isEmpty && ends.isEmpty }
}

/// The whole way of a track: where its marks stand follows from all of it, so that tiles side by side show the same ones.
public struct Polyline: Sendable {
    private struct Step: Sendable {
        var place: TimedPlace
        var isJoined: Bool
    }

    private var steps: [Step] = []

    /// Pixels from one arrow to the next.
    private static let spacing = 96.0
    /// Pixels that a step has at least by which an arrow's direction is told: less is the receiver's noise.
    private static let leastStep = 4.0

    /// A way without a place.
    public init() {}

    /// Bytes that the way takes.
    public var byteCount: Int { steps.count * 32 + 256 }

    /// Adds the next points of the track's walk.
    public mutating func add(_ walked: [CleanedPoint]) {
        for point in walked where point.mark == nil {
            steps.append(Step(place: TimedPlace(point), isJoined: point.connection != .begins))
        }
    }

    /// Adds the marks that the track has in and round a tile; `holds` says of which times.
    public func add(to marks: inout TileDecorations, in tile: TileCoordinate, holds: (Int64) -> Bool) {
        let ground = Ground(tile)
        ends?.add(to: &marks, ground, holds: holds)
        _ = forEachArrow(Pixels(tile.zoom), meeting: ground, holds: holds) { arrow in
            arrow.add(to: &marks, ground)
            return true
        }
    }

    /// The marks of all of the way at a zoom level, from which those of any tile follow without the way; nil where there
    /// are more than `limit`.
    public func marks(at zoom: ZoomLevel, atMost limit: Int) -> PolylineDecorations? {
        var arrows: [PolylineDecorations.Arrow] = []
        let isWhole = forEachArrow(Pixels(zoom), meeting: nil, holds: { _ in true }) { arrow in
            arrows.append(arrow)
            return arrows.count <= limit
        }
        return isWhole ? PolylineDecorations(zoom: zoom, ends: ends, arrows: arrows) : nil
    }

    private var ends: PolylineDecorations.Ends? {
        guard let first = steps.first?.place, let last = steps.last?.place else { return nil }
        return PolylineDecorations.Ends(first: first, last: last)
    }

    /// Calls `body` with the arrows of steps that may come near a tile (all where nil) until it says no more; false then.
    private func forEachArrow(
        _ pixels: Pixels, meeting ground: Ground?, holds: (Int64) -> Bool, body: (PolylineDecorations.Arrow) -> Bool
    ) -> Bool {
        guard var from = steps.first?.place.point else { return true }
        var length = 0.0
        for step in steps.dropFirst() {
            guard step.isJoined else {
                from = step.place.point
                continue
            }
            let (east, south) = pixels.distance(from: from, to: step.place.point)
            let square = east * east + south * south
            guard square >= Self.leastStep * Self.leastStep else { continue }
            let distance = square.squareRoot()
            defer {
                length += distance
                from = step.place.point
            }
            // Arrows stand half a spacing behind the start, and then one spacing after the other.
            var next = ((length / Self.spacing - 0.5).rounded(.up) + 0.5) * Self.spacing
            guard next < length + distance, holds(step.place.time), ground?.meets(from, east, south) ?? true else {
                continue
            }
            while next < length + distance {
                let share = (next - length) / distance
                let arrow = PolylineDecorations.Arrow(
                    from: from, east: east * share, south: south * share, time: step.place.time,
                    direction: (east / distance, south / distance))
                guard body(arrow) else { return false }
                next += Self.spacing
            }
        }
        return true
    }
}

/// All marks of a track's way at one zoom level.
public struct PolylineDecorations: Sendable {
    /// An arrow: so many pixels from a place of the way.
    struct Arrow: Sendable {
        var from: WorldPoint
        var east: Double
        var south: Double
        var time: Int64
        var direction: (east: Double, south: Double)

        fileprivate func add(to marks: inout TileDecorations, _ ground: Ground) {
            ground.places(of: from, east, south) { x, y in
                marks.arrows.append(TileDecorations.Arrow(x: x, y: y, east: direction.east, south: direction.south))
            }
        }
    }

    /// Where the way begins and ends.
    struct Ends: Sendable {
        var first: TimedPlace
        var last: TimedPlace

        fileprivate func add(to marks: inout TileDecorations, _ ground: Ground, holds: (Int64) -> Bool) {
            if holds(first.time) {
                ground.places(of: first.point) { marks.starts.append(TileDecorations.Place(x: $0, y: $1)) }
            }
            if holds(last.time) {
                ground.places(of: last.point) { marks.ends.append(TileDecorations.Place(x: $0, y: $1)) }
            }
        }
    }

    let zoom: ZoomLevel
    let ends: Ends?
    let arrows: [Arrow]

    /// Bytes that they take.
    public var byteCount: Int { arrows.count * MemoryLayout<Arrow>.stride + 256 }

    /// Adds those in and round a tile of their zoom level; `holds` says of which times.
    public func add(to marks: inout TileDecorations, in tile: TileCoordinate, holds: (Int64) -> Bool) {
        precondition(tile.zoom == zoom, "marks of another zoom level")
        let ground = Ground(tile)
        ends?.add(to: &marks, ground, holds: holds)
        for arrow in arrows where ground.isNear(arrow) && holds(arrow.time) { arrow.add(to: &marks, ground) }
    }
}

/// How large a zoom level's pixels are.
private struct Pixels {
    let perUnit: Double
    /// Pixels round the world.
    let turn: Double

    init(_ zoom: ZoomLevel) {
        turn = Double(TileCoordinate.cellsPerSide) * Double(zoom.tilesPerSide)
        perUnit = turn / Double(WorldPoint.side)
    }

    func distance(from start: WorldPoint, to end: WorldPoint) -> (east: Double, south: Double) {
        (Double(start.eastwards(to: end)) * perUnit, Double(end.y - start.y) * perUnit)
    }
}

/// A tile and its surroundings in pixels.
private struct Ground {
    private let west: Double
    private let north: Double
    private let pixels: Pixels

    /// Pixels that marks reach beyond a tile's edge.
    private let reach = 8.0
    private var turn: Double { pixels.turn }
    private var pixelsPerUnit: Double { pixels.perUnit }

    init(_ tile: TileCoordinate) {
        pixels = Pixels(tile.zoom)
        let side = Double(TileCoordinate.cellsPerSide)
        west = Double(tile.x) * side
        north = Double(tile.y) * side
    }

    /// Where a place, moved by some pixels, lies in the tile or its surroundings, as often as it comes round the world.
    func places(of point: WorldPoint, _ east: Double = 0, _ south: Double = 0, _ body: (Double, Double) -> Void) {
        let y = Double(point.y) * pixelsPerUnit + south - north
        guard isNear(y) else { return }
        let x = Double(point.x) * pixelsPerUnit + east - west
        for round in -2...1 where isNear(x + Double(round) * turn) { body(x + Double(round) * turn, y) }
    }

    /// Whether an arrow's height is one of the tile's: most of a way's are not.
    func isNear(_ arrow: PolylineDecorations.Arrow) -> Bool {
        isNear(Double(arrow.from.y) * pixelsPerUnit + arrow.south - north)
    }

    private func isNear(_ distance: Double) -> Bool {
        distance >= -reach && distance <= Double(TileCoordinate.cellsPerSide) + reach
    }

    /// Whether a step may come near the tile.
    func meets(_ point: WorldPoint, _ east: Double, _ south: Double) -> Bool {
        let far = Double(TileCoordinate.cellsPerSide) + reach
        let y = Double(point.y) * pixelsPerUnit - north
        guard max(y, y + south) >= -reach, min(y, y + south) <= far else { return false }
        let x = Double(point.x) * pixelsPerUnit - west
        return (-2...1).contains { round in
            let x = x + Double(round) * turn
            return max(x, x + east) >= -reach && min(x, x + east) <= far
        }
    }
}
