public import TileMath
public import Tracks

/// What marks the way of single tracks in a tile, in pixels of a tile of 256 from its north-western corner.
public struct TileMarks: Sendable, Equatable {
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
public struct TrackTrail: Sendable {
    private struct Step: Sendable {
        var place: TimedPlace
        var isJoined: Bool
    }

    private var steps: [Step] = []

    /// Pixels from one arrow to the next.
    private static let spacing = 96.0
    /// Pixels that a step has at least by which an arrow's direction is told: less is the receiver's noise.
    private static let leastStep = 4.0
    /// Pixels that marks reach beyond a tile's edge.
    private static let reach = 8.0

    /// A way without a place.
    public init() {}

    /// Bytes that the way takes.
    public var byteCount: Int { steps.count * 32 + 256 }

    /// Adds the next points of the track's walk.
    public mutating func add(_ walked: [WalkedPoint]) {
        for point in walked where point.mark == nil {
            steps.append(Step(place: TimedPlace(point), isJoined: point.connection != .begins))
        }
    }

    /// Adds the marks that the track has in and round a tile; `holds` says of which times.
    public func add(to marks: inout TileMarks, in tile: TileCoordinate, holds: (Int64) -> Bool) {
        guard let first = steps.first?.place, let last = steps.last?.place else { return }
        let ground = Ground(tile)
        if holds(first.time) { ground.places(of: first.point) { marks.starts.append(TileMarks.Place(x: $0, y: $1)) } }
        if holds(last.time) { ground.places(of: last.point) { marks.ends.append(TileMarks.Place(x: $0, y: $1)) } }
        var from = first.point
        var length = 0.0
        for step in steps.dropFirst() {
            guard step.isJoined else {
                from = step.place.point
                continue
            }
            let (east, south) = ground.pixels(from: from, to: step.place.point)
            let square = east * east + south * south
            guard square >= Self.leastStep * Self.leastStep else { continue }
            let pixels = square.squareRoot()
            defer {
                length += pixels
                from = step.place.point
            }
            // Arrows stand half a spacing behind the start, and then one spacing after the other.
            var next = ((length / Self.spacing - 0.5).rounded(.up) + 0.5) * Self.spacing
            guard next < length + pixels, holds(step.place.time), ground.meets(from, east, south) else { continue }
            while next < length + pixels {
                let share = (next - length) / pixels
                ground.places(of: from, east * share, south * share) { x, y in
                    marks.arrows.append(
                        TileMarks.Arrow(x: x, y: y, east: east / pixels, south: south / pixels))
                }
                next += Self.spacing
            }
        }
    }

    /// A tile and its surroundings in pixels.
    private struct Ground {
        private let west: Double
        private let north: Double
        private let pixelsPerUnit: Double
        /// Pixels round the world.
        private let turn: Double

        init(_ tile: TileCoordinate) {
            let side = Double(TileCoordinate.cellsPerSide)
            turn = side * Double(tile.zoom.tilesPerSide)
            pixelsPerUnit = turn / Double(WorldPoint.side)
            west = Double(tile.x) * side
            north = Double(tile.y) * side
        }

        func pixels(from start: WorldPoint, to end: WorldPoint) -> (Double, Double) {
            (Double(start.eastwards(to: end)) * pixelsPerUnit, Double(end.y - start.y) * pixelsPerUnit)
        }

        /// Where a place, moved by some pixels, lies in the tile or its surroundings, as often as it comes round the world.
        func places(of point: WorldPoint, _ east: Double = 0, _ south: Double = 0, _ body: (Double, Double) -> Void) {
            let y = Double(point.y) * pixelsPerUnit + south - north
            guard isNear(y) else { return }
            let x = Double(point.x) * pixelsPerUnit + east - west
            for round in -2...1 where isNear(x + Double(round) * turn) { body(x + Double(round) * turn, y) }
        }

        private func isNear(_ distance: Double) -> Bool {
            distance >= -TrackTrail.reach && distance <= Double(TileCoordinate.cellsPerSide) + TrackTrail.reach
        }

        /// Whether a step may come near the tile.
        func meets(_ point: WorldPoint, _ east: Double, _ south: Double) -> Bool {
            let far = Double(TileCoordinate.cellsPerSide) + TrackTrail.reach
            let y = Double(point.y) * pixelsPerUnit - north
            guard max(y, y + south) >= -TrackTrail.reach, min(y, y + south) <= far else { return false }
            let x = Double(point.x) * pixelsPerUnit - west
            return (-2...1).contains { round in
                let x = x + Double(round) * turn
                return max(x, x + east) >= -TrackTrail.reach && min(x, x + east) <= far
            }
        }
    }
}
