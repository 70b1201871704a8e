public import TileMath
public import Tracks

/// Decorations of single tracks in a tile, in pixels of a 256-pixel tile from its north-western corner.
public struct TileDecorations: Sendable, Equatable {
    /// A place and a direction vector of length 1.
    public struct Arrow: Sendable, Equatable {
        public var x: Double
        public var y: Double
        public var east: Double
        public var south: Double
    }

    /// A place.
    public struct Position: Sendable, Equatable {
        public var x: Double
        public var y: Double
    }

    /// Arrows in the direction of travel, at even distances along each track.
    public var arrows: [Arrow] = []
    /// The starts of tracks.
    public var starts: [Position] = []
    /// The ends of tracks.
    public var ends: [Position] = []

    /// Creates empty decorations.
    public init() {}

    /// Whether there is nothing to draw.
    public var isEmpty: Bool { arrows.isEmpty && starts.isEmpty && ends.isEmpty }
}

/// The whole polyline of a track. Decorations are placed from the whole, so that adjacent tiles show the same ones.
public struct Polyline: Sendable {
    private struct Step: Sendable {
        var place: TimedPlace
        var isJoined: Bool
    }

    private var steps: [Step] = []

    /// Pixels between two arrows.
    private static let spacing = 96.0
    /// The shortest step in pixels that sets an arrow's direction; shorter ones are receiver noise.
    private static let minStep = 4.0

    /// Creates a polyline without places.
    public init() {}

    /// The size in bytes.
    public var byteCount: Int { steps.count * 32 + 256 }

    /// Adds the next points of the track.
    public mutating func add(_ classified: [ClassifiedPoint]) {
        for point in classified where point.outlierReason == nil {
            steps.append(Step(place: TimedPlace(point), isJoined: point.connection != .begins))
        }
    }

    /// Adds the decorations of the track in and near a tile; `includesTime` selects them by time.
    public func add(to decorations: inout TileDecorations, in tile: TileCoordinate, includesTime: (Int64) -> Bool) {
        let frame = TileFrame(tile)
        ends?.add(to: &decorations, frame, includesTime: includesTime)
        _ = forEachArrow(Pixels(tile.zoom), meeting: frame, includesTime: includesTime) { arrow in
            arrow.add(to: &decorations, frame)
            return true
        }
    }

    /// All decorations at a zoom level, from which those of any tile can be found without the polyline; nil if there
    /// are more than `limit` arrows.
    public func decorations(at zoom: ZoomLevel, atMost limit: Int) -> PolylineDecorations? {
        var arrows: [PolylineDecorations.Arrow] = []
        let isWhole = forEachArrow(Pixels(zoom), meeting: nil, includesTime: { _ in true }) { arrow in
            arrows.append(arrow)
            return arrows.count <= limit
        }
        return isWhole ? PolylineDecorations(zoom: zoom, ends: ends, arrows: arrows) : nil
    }

    private var ends: PolylineDecorations.Ends? {
        guard let first = steps.first?.place, let last = steps.last?.place else { return nil }
        return PolylineDecorations.Ends(first: first, last: last)
    }

    /// Calls `body` with the arrows of steps that may come near a tile (all steps if nil) until it returns false;
    /// returns false then.
    private func forEachArrow(
        _ pixels: Pixels, meeting frame: TileFrame?, includesTime: (Int64) -> Bool,
        body: (PolylineDecorations.Arrow) -> Bool
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
            guard square >= Self.minStep * Self.minStep else { continue }
            let distance = square.squareRoot()
            defer {
                length += distance
                from = step.place.point
            }
            // The first arrow is half a spacing from the start, each other one a spacing further.
            var next = ((length / Self.spacing - 0.5).rounded(.up) + 0.5) * Self.spacing
            guard next < length + distance, includesTime(step.place.time), frame?.meets(from, east, south) ?? true
            else {
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

/// All decorations of a track at one zoom level.
public struct PolylineDecorations: Sendable {
    /// An arrow, at an offset in pixels from a vertex.
    struct Arrow: Sendable {
        var from: WorldPoint
        var east: Double
        var south: Double
        var time: Int64
        var direction: (east: Double, south: Double)

        fileprivate func add(to decorations: inout TileDecorations, _ frame: TileFrame) {
            frame.forEachPosition(of: from, east, south) { x, y in
                decorations.arrows.append(
                    TileDecorations.Arrow(x: x, y: y, east: direction.east, south: direction.south))
            }
        }
    }

    /// The start and the end of a track.
    struct Ends: Sendable {
        var first: TimedPlace
        var last: TimedPlace

        fileprivate func add(to decorations: inout TileDecorations, _ frame: TileFrame, includesTime: (Int64) -> Bool) {
            if includesTime(first.time) {
                frame.forEachPosition(of: first.point) {
                    decorations.starts.append(TileDecorations.Position(x: $0, y: $1))
                }
            }
            if includesTime(last.time) {
                frame.forEachPosition(of: last.point) {
                    decorations.ends.append(TileDecorations.Position(x: $0, y: $1))
                }
            }
        }
    }

    let zoom: ZoomLevel
    let ends: Ends?
    let arrows: [Arrow]

    /// The size in bytes.
    public var byteCount: Int { arrows.count * MemoryLayout<Arrow>.stride + 256 }

    /// Adds the decorations in and near a tile of this zoom level; `includesTime` selects them by time.
    public func add(to decorations: inout TileDecorations, in tile: TileCoordinate, includesTime: (Int64) -> Bool) {
        precondition(tile.zoom == zoom, "the tile must have the zoom level of the decorations")
        let frame = TileFrame(tile)
        ends?.add(to: &decorations, frame, includesTime: includesTime)
        for arrow in arrows where frame.isNear(arrow) && includesTime(arrow.time) { arrow.add(to: &decorations, frame) }
    }
}

/// The size of a zoom level's pixels.
private struct Pixels {
    let perUnit: Double
    /// The width of the world in pixels.
    let turn: Double

    init(_ zoom: ZoomLevel) {
        turn = Double(TileCoordinate.cellsPerSide) * Double(zoom.tilesPerSide)
        perUnit = turn / Double(WorldPoint.side)
    }

    func distance(from start: WorldPoint, to end: WorldPoint) -> (east: Double, south: Double) {
        (Double(start.eastwards(to: end)) * perUnit, Double(end.y - start.y) * perUnit)
    }
}

/// A tile with its margin, in pixels.
private struct TileFrame {
    private let west: Double
    private let north: Double
    private let pixels: Pixels

    /// The margin in pixels: decorations reach this far beyond the edge of a tile.
    private let reach = 8.0
    private var turn: Double { pixels.turn }
    private var pixelsPerUnit: Double { pixels.perUnit }

    init(_ tile: TileCoordinate) {
        pixels = Pixels(tile.zoom)
        let side = Double(TileCoordinate.cellsPerSide)
        west = Double(tile.x) * side
        north = Double(tile.y) * side
    }

    /// Calls `body` with the position of a place, offset by some pixels, each time it is in the tile or its margin,
    /// wrapping round the world.
    func forEachPosition(
        of point: WorldPoint, _ east: Double = 0, _ south: Double = 0, _ body: (Double, Double) -> Void
    ) {
        let y = Double(point.y) * pixelsPerUnit + south - north
        guard isNear(y) else { return }
        let x = Double(point.x) * pixelsPerUnit + east - west
        for round in -2...1 where isNear(x + Double(round) * turn) { body(x + Double(round) * turn, y) }
    }

    /// Whether an arrow's vertical position is in the tile; a cheap test that rejects most arrows.
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
