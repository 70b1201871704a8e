public import Cairo
public import Geography
import Locking
public import Styling

/// Draws land, water, borders and names from `Geography`.
public struct BaseMap: Sendable {
    /// What is drawn.
    public enum Content: String, Sendable, CaseIterable {
        /// Everything.
        case all
        /// Land, water and borders, opaque.
        case land
        /// Names on a transparent background, to put above other layers.
        case names
    }

    /// The last zoom level for which vertices are selected; deeper maps enlarge it, with all vertices.
    private static let deepestLevel = 8.0
    /// Outlines smaller than this many pixels of a screen are left out.
    private static let smallestPixels = 0.6
    /// Rivers are drawn from this zoom level on.
    private static let firstRiverZoom = 3.5

    /// Read when something is drawn first: a server that starts draws other tiles before, in less time than reading takes.
    private let parts: MadeOnce<(geography: Geography, names: MapNames)>
    private var geography: Geography { parts.value.geography }
    private var names: MapNames { parts.value.names }

    /// The embedded map.
    public static let embedded = BaseMap(.embedded)

    /// Draws a geography.
    public init(_ geography: @autoclosure @escaping @Sendable () -> Geography) {
        parts = MadeOnce {
            let geography = geography()
            return (geography, MapNames(geography))
        }
    }

    /// Draws a view with its north-western corner at the origin of the context. Its names are in one language only.
    public func draw(
        _ view: MapView, _ content: Content, theme: Theme, language: String?, on context: borrowing Context
    ) {
        let colors = BaseMapColors(theme)
        if content != .names { drawLand(view, colors, on: context) }
        if content != .land { drawNames(view, colors, on: context) { _, _, _ in true } }
    }

    /// Draws the names of a view whose places are wanted. These are in parts of the world's width from 180° W and from the
    /// northern edge of the map, beyond 0…1 in copies of the world.
    public func drawNames(
        _ view: MapView, theme: Theme, on context: borrowing Context,
        where isWanted: (_ name: String, _ x: Double, _ y: Double) -> Bool
    ) {
        drawNames(view, BaseMapColors(theme), on: context, where: isWanted)
    }

    private func drawLand(_ view: MapView, _ colors: BaseMapColors, on context: borrowing Context) {
        context.setSource(colors.water)
        context.rectangle(x: 0, y: 0, width: view.width, height: view.height)
        context.fill()
        // The world repeats to the east and west.
        let first = (view.originX / view.worldPixels).rounded(.down)
        let last = ((view.originX + view.width) / view.worldPixels).rounded(.up) - 1
        for turn in stride(from: first, through: max(first, last), by: 1) {
            var world = view
            world.originX -= turn * view.worldPixels
            drawOutlines(world, colors, on: context)
        }
    }

    private func drawOutlines(_ view: MapView, _ colors: BaseMapColors, on context: borrowing Context) {
        let zoom = view.zoom
        var tracer = OutlineTracer(geography.vertices, view)
        tracer.level = zoom >= Self.deepestLevel + 0.5 ? 15 : UInt8(max(0, zoom.rounded()))
        let smallest = Self.smallestPixels * view.scale / view.worldPixels

        // One path for all of them: the edges of neighbours cancel, so borders have no seams.
        for ring in geography.rings where ring.bounds.size >= smallest && tracer.isVisible(ring.bounds) {
            for (index, isReversed) in ring.arcs { tracer.add(geography.arcs[index].line, isReversed: isReversed) }
            tracer.closeRing(on: context)
        }
        context.setSource(colors.land)
        context.fill()

        for lake in geography.lakes where Double(lake.rank) <= zoom + 2 {
            guard lake.line.bounds.size >= 3 * smallest, tracer.isVisible(lake.line.bounds) else { continue }
            tracer.add(lake.line, isReversed: false)
            tracer.closeRing(on: context)
        }
        context.setSource(colors.water)
        context.fill()

        if zoom >= Self.firstRiverZoom {
            for river in geography.rivers where Double(river.rank) <= zoom + 1 && tracer.isVisible(river.line.bounds) {
                tracer.traceLine(river.line, on: context)
            }
            context.setSource(colors.river)
            context.setLine(width: min(1.6, 0.5 + zoom / 8) * view.scale, cap: .round, join: .round)
            context.stroke()
        }
        for isBorder in [false, true] {
            for arc in geography.arcs where arc.isBorder == isBorder && !arc.isMapEdge {
                guard arc.line.bounds.size >= smallest, tracer.isVisible(arc.line.bounds) else { continue }
                tracer.traceLine(arc.line, on: context)
            }
            context.setSource(isBorder ? colors.border : colors.coast)
            context.setLine(width: (isBorder && zoom >= 3 ? 1 : 0.7) * view.scale, cap: .round, join: .round)
            context.stroke()
        }
    }

    private func drawNames(
        _ view: MapView, _ colors: BaseMapColors, on context: borrowing Context,

        where isWanted: (String, Double, Double) -> Bool
    ) {
        for name in names.placed(in: view) where isWanted(name.text, name.place.x, name.place.y) {
            let style = name.style(scale: view.scale)
            let place = name.baseline(context.size(of: name.text, style), in: view)
            if name.kind != .country {
                let dot = name.dot(in: view)
                context.circle(x: dot.x, y: dot.y, radius: (name.kind == .capital ? 2.6 : 2) * view.scale)
                context.setSource(colors.town)
                context.fill()
            }
            context.addOutlines(of: name.text, style, x: place.x, y: place.y)
            context.setLine(width: 2.4 * view.scale, cap: .round, join: .round)
            context.setSource(colors.land, alpha: 0.75)
            context.stroke()
            context.setSource(name.kind == .country ? colors.country : colors.town)
            context.show(name.text, style, x: place.x, y: place.y)
        }
    }
}
