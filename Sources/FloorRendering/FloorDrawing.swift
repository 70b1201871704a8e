internal import Cairo
internal import Colors
internal import TileMath

/// Draws a scene on a context whose origin is that of the view.
struct FloorDrawing {
    let view: FloorView
    let style: FloorStyle

    /// Pixels of a screen that strokes and halos may reach beyond their shapes.
    private static let reach = 8.0
    /// Metres of a wall that the source has without its thickness.
    private static let wallMetres = 0.14
    /// Pixels of a screen of these walls: at least, at most.
    private static let wallPixels = (least: 0.7, most: 2.6)
    private static let outlinePixels = 1.2
    private static let hairlinePixels = 0.7
    /// Doors are gaps in walls; at lower zoom levels their thresholds are noise.
    private static let firstOpeningZoom = 18
    private static let routePixels = (line: 4.0, casing: 7.0)

    private var density: Double { Double(view.density) }
    private var box: WorldBox { view.box(margin: Self.reach * density) }

    /// Fills and walls.
    func drawPlan(_ scene: FloorScene, on context: borrowing Context) {
        let box = box
        guard scene.box.intersects(box) else { return }
        for outline in scene.outlines { fill(outline, style[.floor], box, on: context) }
        drawAreas(scene.areas, box, on: context)
        let metre = view.pixelsPerMetre(worldMetres: scene.worldMetres) / density
        let width = min(max(Self.wallMetres * metre, Self.wallPixels.least), Self.wallPixels.most)
        stroke(scene.wallLines, style[.wall], width: width * density, box, on: context)
        if view.zoom >= Self.firstOpeningZoom {
            // As wide as a wall: a door of a room without a wall is seen, too.
            stroke(scene.openings, style[.opening], width: (width + 0.4) * density, box, on: context)
        }
        var isAny = false
        for wall in scene.wallAreas where wall.box.intersects(box) {
            addPath(wall.rings, on: context)
            isAny = true
        }
        if isAny {
            context.setSource(style[.wall])
            context.fill()
        }
        for outline in scene.outlines where outline.box.intersects(box) {
            addPath(outline.rings, on: context)
            context.setSource(style[.outline])
            context.setLine(width: Self.outlinePixels * density, join: .round)
            context.stroke()
        }
    }

    private func drawAreas(_ areas: [FloorArea], _ box: WorldBox, on context: borrowing Context) {
        for area in areas where area.shape.box.intersects(box) {
            addPath(area.shape.rings, on: context)
            context.setSource(style[area.group.role])
            context.fill()
            // A hairline of its own, where the plan has no wall between two units: beside open ones.
            if area.group >= .room {
                addPath(area.shape.rings, on: context)
                context.setSource(style[.wall], alpha: 0.7)
                context.setLine(width: Self.hairlinePixels * density, join: .round)
                context.stroke()
            }
        }
    }

    private func fill(_ shape: WorldShape, _ color: Color, _ box: WorldBox, on context: borrowing Context) {
        guard shape.box.intersects(box) else { return }
        addPath(shape.rings, on: context)
        context.setSource(color)
        context.fill()
    }

    private func stroke(
        _ lines: [WorldLines], _ color: Color, width: Double, _ box: WorldBox, on context: borrowing Context
    ) {
        var isAny = false
        for part in lines where part.box.intersects(box) {
            for line in part.lines { addLine(line, on: context) }
            isAny = true
        }
        guard isAny else { return }
        context.setSource(color)
        context.setLine(width: width, cap: .butt, join: .round)
        context.stroke()
    }

    private func addPath(_ rings: [[WorldPlace]], on context: borrowing Context) {
        for ring in rings {
            addLine(ring, on: context)
            context.closePath()
        }
    }

    private func addLine(_ line: [WorldPlace], on context: borrowing Context) {
        for (index, place) in line.enumerated() {
            let (x, y) = view.pixel(place)
            if index == 0 { context.move(x: x, y: y) } else { context.line(x: x, y: y) }
        }
    }

    /// The line of a route, below names; its ends are drawn by `drawEnds`.
    func drawRoute(_ route: WorldRoute, on context: borrowing Context) {
        guard route.lines.box.intersects(box) else { return }
        for (color, width) in [(style[.casing], Self.routePixels.casing), (style[.route], Self.routePixels.line)] {
            for line in route.lines.lines { addLine(line, on: context) }
            context.setSource(color)
            context.setLine(width: width * density, cap: .round, join: .round)
            context.stroke()
        }
    }

    /// The ends of a route, above everything.
    func drawEnds(_ route: WorldRoute, on context: borrowing Context) {
        for (place, role) in [(route.start, FloorStyle.Role.start), (route.end, .end)] {
            guard let place else { continue }
            let (x, y) = view.pixel(place)
            for (radius, color) in [(7.5, style[.casing]), (6, style[role]), (2.2, style[.casing])] {
                context.circle(x: x, y: y, radius: radius * density)
                context.setSource(color)
                context.fill()
            }
        }
    }
}

/// A route on the map.
struct WorldRoute {
    let lines: WorldLines
    let start: WorldPlace?
    let end: WorldPlace?

    init?(_ route: FloorRoute) {
        guard let first = route.lines.first?.first ?? route.start ?? route.end else { return nil }
        let projection = WorldProjection(around: first)
        lines = WorldLines(route.lines.map { $0.map(projection.world) })
        start = route.start.map(projection.world)
        end = route.end.map(projection.world)
    }
}
