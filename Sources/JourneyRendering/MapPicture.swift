internal import BaseMap
internal import Cairo
internal import Colors
import Foundation
internal import Journeys
internal import PNG
public import Styling
internal import TileMath

/// Pictures of a route and of its places: our own map around them, for those that have no other picture.
public struct MapPicture: Sendable {
    /// Pixels.
    public static let width = 640
    public static let height = 400

    private let route: PreparedRoute
    private let theme: Theme

    /// Pixels around the line of a route: room for names.
    private static let margin = (x: 76.0, y: 48.0)
    /// The map has no more detail at deeper zoom levels; in front of a place, it shows what is around it.
    private static let zooms = 2.0...11.5
    private static let placeZooms = 6.0...9.5
    /// Pixels from a place to the farther one of its neighbours.
    private static let neighbour = 220.0
    private static let letters = TextStyle(size: 17, weight: .bold)
    private static let halo = 4.0

    public init(_ route: PreparedRoute, theme: Theme = .light) {
        self.route = route
        self.theme = theme
    }

    /// The whole line with all places, as PNG. Throws if there is no memory for it.
    public func ofRoute() throws -> [UInt8] {
        let (xs, ys) = (route.measure.corners.map(\.x), route.measure.corners.map(\.y))
        let (west, east) = (xs.min() ?? 0, xs.max() ?? 0)
        let (north, south) = (ys.min() ?? 0, ys.max() ?? 0)
        let side = Double(WorldPoint.side)
        let fit = min(
            (Double(Self.width) - 2 * Self.margin.x) / max(1, east - west),
            (Double(Self.height) - 2 * Self.margin.y) / max(1, south - north))
        let view = view(
            x: (west + east) / 2, y: (north + south) / 2,
            worldPixels: min(
                max(fit * side, Self.worldPixels(Self.zooms.lowerBound)), Self.worldPixels(Self.zooms.upperBound)))
        let journey = DrawnJourney(
            route, metres: route.measure.journeyMetres, reached: route.names.count, figure: nil)
        let plan = plan(journey, view)
        return try png(view) { context in try draw(plan, on: context) }
    }

    /// The surroundings of a place with a pin, as PNG. Throws if there is no memory for it.
    public func ofPlace(_ index: Int) throws -> [UInt8] {
        precondition(route.places.indices.contains(index), "the place is one of the route")
        let place = route.places[index]
        let distances = [index - 1, index + 1].filter(route.places.indices.contains).map { other in
            hypot(route.places[other].x - place.x, route.places[other].y - place.y)
        }
        let fit = Self.neighbour / max(1, distances.max() ?? 1) * Double(WorldPoint.side)
        let view = view(
            x: place.x, y: place.y,
            worldPixels: min(
                max(fit, Self.worldPixels(Self.placeZooms.lowerBound)), Self.worldPixels(Self.placeZooms.upperBound)))
        var plan = plan(DrawnJourney(route, metres: 0, reached: 0, figure: nil), view)
        let center = view.pixel(x: place.x, y: place.y)
        plan.discs.removeAll { $0.center == center }
        plan.names.removeAll { $0.place == index }
        return try png(view) { context in
            let label = label(route.names[index], at: center, on: context)
            plan.names.removeAll { $0.box.intersects(label.box) || $0.box.intersects(Self.pin(at: center)) }
            try draw(plan, on: context)
            drawPin(at: center, part: route.parts[index], on: context)
            draw(label, on: context)
        }
    }

    // MARK: The map

    private static func worldPixels(_ zoom: Double) -> Double { Double(TileCoordinate.cellsPerSide) * exp2(zoom) }

    private func plan(_ journey: DrawnJourney, _ view: JourneyView) -> JourneyPlan {
        var plan = JourneyPlan([journey], in: view)
        // Unlike a tile, the picture has no neighbour with the rest of a name.
        plan.names.removeAll { name in
            name.box.left < 0 || name.box.top < 0 || name.box.right > Double(view.width)
                || name.box.bottom > Double(view.height)
        }
        return plan
    }

    /// A view with a place in its middle.
    private func view(x: Double, y: Double, worldPixels: Double) -> JourneyView {
        let unit = worldPixels / Double(WorldPoint.side)
        // At whole pixels: the line is drawn like in tiles.
        return JourneyView(
            worldPixels: worldPixels, originX: (x * unit).nearest - Double(Self.width / 2),
            originY: (y * unit).nearest - Double(Self.height / 2), width: Self.width, height: Self.height, density: 1)
    }

    private func png(_ view: JourneyView, _ body: (borrowing Context) throws -> Void) throws -> [UInt8] {
        var surface = try ImageSurface(.argb32, width: view.width, height: view.height)
        var failure: (any Error)?
        try surface.draw { context in
            let map = MapView(
                worldPixels: view.worldPixels, originX: view.originX, originY: view.originY, width: Double(view.width),
                height: Double(view.height), scale: 1)
            BaseMap.embedded.draw(map, .land, theme: theme, on: context)
            do { try body(context) } catch { failure = error }
        }
        if let failure { throw failure }
        return try surface.withWords { words in
            var writer = PNGWriter()
            return try writer.png(premultiplied: words.span, width: view.width, height: view.height)
        }
    }

    private func draw(_ plan: JourneyPlan, on context: borrowing Context) throws {
        try JourneyDrawing(plan: plan, colors: JourneyColors(theme), density: 1).draw(on: context)
    }

    // MARK: The pin

    private static let pinRadius = 15.0
    /// From the place to the middle of the head.
    private static let pinHeight = 34.0

    private static func pin(at place: DrawnPoint) -> DrawnBox {
        DrawnBox(around: DrawnPoint(x: place.x, y: place.y - pinHeight), radius: pinRadius + 3)
    }

    private func drawPin(at place: DrawnPoint, part: Double, on context: borrowing Context) {
        let colors = JourneyColors(theme)
        context.withSavedState {
            context.translate(x: place.x, y: place.y)
            context.scale(x: 1, y: 0.4)
            context.circle(x: 0, y: 0, radius: 9)
            context.setSource(red: 0, green: 0, blue: 0, alpha: 0.22)
            context.fill()
        }
        for (rim, color) in [(2.0, colors.casing), (0, colors.color(at: part))] {
            outline(at: place, rim: rim, on: context)
            context.setSource(color)
            context.fill()
        }
        context.circle(x: place.x, y: place.y - Self.pinHeight, radius: 5.5)
        context.setSource(colors.casing)
        context.fill()
    }

    /// A drop: a circle with the tangents from the place.
    private func outline(at place: DrawnPoint, rim: Double, on context: borrowing Context) {
        let (radius, height) = (Self.pinRadius + rim, Self.pinHeight)
        let tip = rim * height / Self.pinRadius
        // The angle at the middle between the tip and where a tangent touches.
        let angle = acos(radius / (height + tip))
        context.move(x: place.x, y: place.y + tip)
        for step in 0...48 {
            let turn = Double.pi / 2 + angle + (2 * Double.pi - 2 * angle) * Double(step) / 48
            context.line(x: place.x + radius * cos(turn), y: place.y - height + radius * sin(turn))
        }
        context.closePath()
    }

    // MARK: The name

    private struct Label {
        let text: String
        let x: Double
        let y: Double
        let box: DrawnBox
    }

    private func label(_ text: String, at place: DrawnPoint, on context: borrowing Context) -> Label {
        let size = context.size(of: text, Self.letters)
        let (left, top) = ((place.x - size.width / 2).nearest, (place.y + 9).nearest)
        let box = DrawnBox(left: left, top: top, width: size.width, height: size.height).widened(by: Self.halo)
        return Label(text: text, x: left, y: top + size.baseline, box: box)
    }

    private func draw(_ label: Label, on context: borrowing Context) {
        let colors = JourneyColors(theme)
        context.addOutlines(of: label.text, Self.letters, x: label.x, y: label.y)
        context.setSource(colors.casing, alpha: 0.9)
        context.setLine(width: Self.halo, cap: .round, join: .round)
        context.stroke()
        context.setSource(colors.letters)
        context.show(label.text, Self.letters, x: label.x, y: label.y)
    }
}
