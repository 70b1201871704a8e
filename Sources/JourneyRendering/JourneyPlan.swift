internal import Digest
import Foundation
import Journeys
import TileMath

/// What is drawn of journeys in a view.
struct JourneyPlan {
    struct Disc {
        var center: DrawnPoint
        var radius: Double
        /// The part of the journey where the place is; nil if it is not reached.
        var part: Double?
    }

    struct Name {
        /// The position of the place in its route.
        var place: Int
        var name: PlaceName
        var box: DrawnBox
        var isReached: Bool
    }

    struct Figure {
        var figure: JourneyFigure
        var box: DrawnBox
        var part: Double
    }

    var lines: [DrawnLines] = []
    /// Wide parts in pixels of a screen, for the line that is left and what is lit.
    let widths: (ahead: Double, lit: Double)
    var discs: [Disc] = []
    var names: [Name] = []
    var figures: [Figure] = []

    /// Pixels of a screen around a line.
    static let casing = 1.5

    /// Plans what a view shows. The places of journeys drawn first have room before those of others.
    init(_ journeys: [DrawnJourney], in view: JourneyView) {
        let zoom = view.zoom
        widths = zoom < 6 ? (2, 3) : zoom < 10 ? (3, 4) : zoom < 14 ? (4, 5) : (5, 6.5)
        let positions = journeys.map { Position($0, in: view) }
        // A figure would cover parts of names.
        var taken: [DrawnBox] = []
        for (journey, position) in zip(journeys, positions) { taken += add(figure: journey, position, view) }
        for (journey, position) in zip(journeys, positions) {
            add(lines: journey, position, view)
            add(places: journey, view, zoom, &taken)
        }
    }

    var isEmpty: Bool {
        lines.isEmpty && discs.isEmpty && names.isEmpty && figures.isEmpty
    }

    // MARK: Lines

    /// How far a journey is, to half a pixel of a view.
    private struct Position {
        /// Metres from the beginning of the line.
        let start: Double
        let end: Double
        let whole: ClosedRange<Double>
        var part: Double {
            let length = whole.upperBound - start
            return length > 0 ? JourneyColors.rounded(part: (end - start) / length) : 0
        }

        /// Latitudes near the poles are not on the map.
        private static let highestLatitude = 85.0

        init(_ journey: DrawnJourney, in view: JourneyView) {
            let measure = journey.route.measure
            start = measure.metres(ofJourney: 0)
            let last = start + measure.journeyMetres
            whole = start...max(start, last)
            let exact = measure.metres(ofJourney: journey.metres)
            // In whole degrees: a step has to stay the same, or its multiples move.
            let latitude = min(abs(measure.point(at: exact).point.latitude).rounded(), Self.highestLatitude)
            let metresOfWorld = 40_075_016.686 * cos(latitude * .pi / 180)
            let step = metresOfWorld / view.worldPixels / 2
            // The ends are exact.
            let rounded = start + ((exact - start) / step).rounded() * step
            end = exact <= start ? start : exact >= last ? last : min(max(rounded, start), last)
        }
    }

    private mutating func add(lines journey: DrawnJourney, _ position: Position, _ view: JourneyView) {
        let colors = LitStretches(
            from: position.start, to: position.end, of: position.whole, steps: JourneyColors.steps)
        // Half of the widest line, a pixel for its edge, and one for the overlap of colours.
        let margin = (widths.lit / 2 + Self.casing) * Double(view.density) + 2
        let found = journey.route.blocks.lines(in: view, margin: margin, colors: colors)
        if !found.whole.isEmpty { lines.append(found) }
    }

    // MARK: Places and figures

    /// Pixels of a screen: wider than any name.
    private static let reach = 512.0

    /// The copies of the world in which something at a distance from its beginning may be near a view, in pixels.
    private static func turns(_ x: Double, near view: JourneyView) -> [Double] {
        let nearest = ((view.originX + Double(view.width) / 2 - x) / view.worldPixels).rounded()
        return [nearest - 1, nearest, nearest + 1].map { $0 * view.worldPixels }
    }

    private mutating func add(
        places journey: DrawnJourney, _ view: JourneyView, _ zoom: Int, _ taken: inout [DrawnBox]
    ) {
        let density = Double(view.density)
        let picture = DrawnBox(left: 0, top: 0, right: Double(view.width), bottom: Double(view.height))
        // Marks are placed at whole zoom levels; a view may be between two.
        let scale = view.worldPixels / Double(TileCoordinate.cellsPerSide << zoom)
        var room: [DrawnBox] = []
        for mark in journey.route.marks(zoom: zoom) {
            for turn in Self.turns(mark.x * scale, near: view) {
                let center = DrawnPoint(
                    x: (mark.x * scale * 256).nearest / 256 + turn - view.originX,
                    y: (mark.y * scale * 256).nearest / 256 - view.originY)
                let disc = DrawnBox(around: center, radius: mark.radius * density)
                // Also what is outside the picture takes room: a name is shown in each tile that it reaches, or in none.
                guard disc.widened(by: Self.reach * density).intersects(picture) else { continue }
                room.append(disc)
                let isReached = mark.index < journey.reached
                if disc.widened(by: (Self.casing + 1) * density).intersects(picture) {
                    let part = isReached ? journey.route.parts[mark.index] : nil
                    discs.append(Disc(center: center, radius: mark.radius * density, part: part))
                }
                guard let (name, place) = mark.name else { continue }
                let box = DrawnBox(
                    left: (center.x + (place.left - mark.x) * density).nearest,
                    top: (center.y + (place.top - mark.y) * density).nearest, width: name.width * density,
                    height: name.height * density)
                room.append(box)
                if box.intersects(picture), !taken.contains(where: { $0.intersects(box) }) {
                    names.append(Name(place: mark.index, name: name, box: box, isReached: isReached))
                }
            }
        }
        taken += room
    }

    /// Returns where it is in all copies of the world.
    private mutating func add(
        figure journey: DrawnJourney, _ position: Position, _ view: JourneyView
    ) -> [DrawnBox] {
        guard let figure = journey.figure else { return [] }
        let world = WorldPoint(journey.route.measure.point(at: position.end).point)
        let side = JourneyFigure.side * Double(view.density)
        let picture = DrawnBox(left: 0, top: 0, right: Double(view.width), bottom: Double(view.height))
        let (x, y) = (Double(world.x) * view.pixelsPerUnit, Double(world.y) * view.pixelsPerUnit)
        let boxes = Self.turns(x, near: view).map { turn in
            DrawnBox(
                left: (x - side / 2).nearest + turn - view.originX,
                top: (y - side / 2).nearest - view.originY, width: side, height: side)
        }
        for box in boxes where box.intersects(picture) {
            figures.append(Figure(figure: figure, box: box, part: position.part))
        }
        return boxes
    }
}
