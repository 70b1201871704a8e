import BaseMap
import Cairo

/// A tile of an archive in a view.
struct PlacedMapTile: Sendable {
    var tile: MapTile
    /// In pixels of the view.
    var x: Double
    var y: Double
    var side: Double

    var box: MapBox { MapBox(minX: x, minY: y, maxX: x + side, maxY: y + side) }
}

/// Draws areas and lines of tiles. All tiles of a view are one path for each symbol, so that no seam is between them.
struct StreetDrawing {
    let tiles: [PlacedMapTile]
    /// What is seen, in pixels of the view.
    let visible: MapBox
    let zoom: Double
    /// Pixels in a pixel of a screen.
    let scale: Double
    let colors: MapColors

    /// Places nearer to the one before are left out, in pixels of a screen.
    private static let leastStep = 0.3
    /// Roads from this width on have a casing, and thinner ones its colour.
    private static let leastCased = 1.7
    /// Ends and corners are round from this width on, in pixels of a screen.
    private static let leastRound = 2.2
    /// Pixels between a round corner and its pieces.
    private static let tolerance = 0.3
    private static let linkShare = 0.62
    /// Outlines of buildings.
    private static let firstOutlineZoom = 15.0

    func draw(on context: borrowing Context) {
        context.withSavedState {
            context.setTolerance(Self.tolerance)
            drawAll(on: context)
        }
    }

    private func drawAll(on context: borrowing Context) {
        for kind in AreaKind.allCases where zoom >= kind.firstZoom && kind != .pier && kind != .building {
            fill(kind, on: context)
        }
        for kind in [LineKind.stream, .river, .ferry] { stroke(LineSymbol(kind: kind), on: context) }
        for kind in [AreaKind.pier, .building] where zoom >= kind.firstZoom { fill(kind, on: context) }
        if zoom >= Self.firstOutlineZoom { strokeBuildings(on: context) }
        for kind in [LineKind.pier, .tram, .rail, .path] {
            for level in LineSymbol.Level.allCases { stroke(LineSymbol(kind: kind, level: level), on: context) }
        }
        let roads = LineKind.allCases.filter(\.isRoad)
        for level in LineSymbol.Level.allCases {
            for kind in roads { stroke(kind, level, isCasing: true, on: context) }
            for kind in roads { stroke(kind, level, isCasing: false, on: context) }
        }
        for kind in [LineKind.regionBoundary, .countryBoundary] { stroke(LineSymbol(kind: kind), on: context) }
    }

    // MARK: Areas

    private func fill(_ kind: AreaKind, on context: borrowing Context) {
        var isEmpty = true
        for placed in tiles {
            guard let shapes = placed.tile.areas[kind] else { continue }
            for part in shapes.parts where isVisible(part, in: placed, margin: 0) {
                add(part, of: shapes, placed, on: context)
                context.closePath()
                isEmpty = false
            }
        }
        guard !isEmpty else { return }
        context.setSource(colors.area(kind))
        context.fill()
    }

    /// The outlines of buildings, without the edges at which tiles cut them.
    private func strokeBuildings(on context: borrowing Context) {
        var isEmpty = true
        for placed in tiles {
            guard let shapes = placed.tile.areas[.building] else { continue }
            for part in shapes.parts where isVisible(part, in: placed, margin: 1) {
                var last = part.places.upperBound - 1
                var isDrawing = false
                for index in part.places {
                    defer { last = index }
                    let (x, y) = (Double(shapes.xs[index]), Double(shapes.ys[index]))
                    let (lastX, lastY) = (Double(shapes.xs[last]), Double(shapes.ys[last]))
                    let isCut = max(x, lastX) <= 0 || max(y, lastY) <= 0 || min(x, lastX) >= 1 || min(y, lastY) >= 1
                    guard !isCut else {
                        isDrawing = false
                        continue
                    }
                    if !isDrawing { context.move(x: placed.x + lastX * placed.side, y: placed.y + lastY * placed.side) }
                    context.line(x: placed.x + x * placed.side, y: placed.y + y * placed.side)
                    (isDrawing, isEmpty) = (true, false)
                }
            }
        }
        guard !isEmpty else { return }
        context.setSource(colors.buildingOutline)
        context.setLine(width: 0.8 * scale, cap: .round, join: .round)
        context.stroke()
    }

    // MARK: Lines

    private func stroke(_ symbol: LineSymbol, on context: borrowing Context) {
        guard let width = symbol.kind.width(zoom: zoom) else { return }
        stroke(symbol, width: width, on: context) { $0.setSource(colors.line(symbol.kind, symbol.level)) }
    }

    private func stroke(
        _ kind: LineKind, _ level: LineSymbol.Level, isCasing: Bool, on context: borrowing Context
    ) {
        guard let width = kind.width(zoom: zoom) else { return }
        for isLink in [true, false] {
            let own = isLink ? width * Self.linkShare : width
            let isCased = own >= Self.leastCased
            guard isCased || !isCasing else { continue }
            let symbol = LineSymbol(kind: kind, level: level, isLink: isLink)
            // The edge is thin at roads that are thin.
            let drawn = isCasing ? own + 2 * min(1, own / 5) : own
            stroke(symbol, width: drawn, on: context) { context in
                context.setSource(
                    isCasing
                        ? colors.casing(kind) : isCased ? colors.line(kind, level) : colors.thinRoad(kind))
            }
        }
    }

    private func stroke(
        _ symbol: LineSymbol, width: Double, on context: borrowing Context, source: (borrowing Context) -> Void
    ) {
        let pixels = width * scale
        var isEmpty = true
        for placed in tiles {
            guard let shapes = placed.tile.lines[symbol] else { continue }
            for part in shapes.parts where isVisible(part, in: placed, margin: pixels) {
                add(part, of: shapes, placed, on: context)
                isEmpty = false
            }
        }
        guard !isEmpty else { return }
        source(context)
        // At thin lines nobody sees the shape of ends and corners, which take half of the time.
        let isThin = width < Self.leastRound
        context.setLine(width: pixels, cap: isThin ? .butt : .round, join: isThin ? .bevel : .round)
        context.stroke()
    }

    // MARK: Paths

    private func isVisible(_ part: MapShapes.Part, in placed: PlacedMapTile, margin: Double) -> Bool {
        let box = MapBox(
            minX: placed.x + Double(part.minX) * placed.side, minY: placed.y + Double(part.minY) * placed.side,
            maxX: placed.x + Double(part.maxX) * placed.side, maxY: placed.y + Double(part.maxY) * placed.side)
        // A line along an axis has no extent across it.
        return box.grown(margin + 0.5).intersects(visible)
    }

    private func add(
        _ part: MapShapes.Part, of shapes: MapShapes, _ placed: PlacedMapTile, on context: borrowing Context
    ) {
        let step = Self.leastStep * scale
        let end = part.places.upperBound - 1
        var (lastX, lastY) = (0.0, 0.0)
        for index in part.places {
            let x = placed.x + Double(shapes.xs[index]) * placed.side
            let y = placed.y + Double(shapes.ys[index]) * placed.side
            if index == part.places.lowerBound {
                context.move(x: x, y: y)
            } else if index == end || abs(x - lastX) > step || abs(y - lastY) > step {
                context.line(x: x, y: y)
            } else {
                continue
            }
            (lastX, lastY) = (x, y)
        }
    }
}
