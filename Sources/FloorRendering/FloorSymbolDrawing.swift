internal import Cairo
internal import Colors

/// Draws symbols as paths in a square of 16 units: a disc with a pictogram in it.
enum FloorSymbolDrawing {
    static func draw(_ symbol: FloorSymbol, _ style: FloorStyle, on context: borrowing Context) {
        context.newPath()
        if symbol == .other {
            disc(2.5, 3.6, style, on: context)
            return
        }
        disc(7, 7.8, style, on: context)
        context.setSource(style[.halo])
        context.setLine(width: 1.3, cap: .round, join: .round)
        switch symbol {
        case .stairs:
            polygon(
                [
                    (3.6, 11.6), (3.6, 9.6), (6.2, 9.6), (6.2, 7), (8.8, 7), (8.8, 4.4), (12, 4.4), (12, 6), (10.4, 6),
                    (10.4, 8.6), (7.8, 8.6), (7.8, 11.2), (5, 11.6),
                ], context)
        case .lift: lift(context)
        case .escalator:
            stroke([[(3.8, 10.8), (5.6, 10.8), (10.2, 5.6), (12.2, 5.6)], [(5.4, 7), (8, 4.2)]], context)
        case .toilet: toilet(context)
        case .entrance:
            stroke(
                [
                    [(3.2, 8), (8.6, 8)], [(6.4, 5.8), (8.7, 8), (6.4, 10.2)],
                    [(8.6, 4.4), (11.4, 4.4), (11.4, 11.6), (8.6, 11.6)],
                ], context)
        case .exit:
            stroke(
                [
                    [(6.6, 8), (12.6, 8)], [(10.4, 5.8), (12.7, 8), (10.4, 10.2)],
                    [(7.2, 4.4), (4.4, 4.4), (4.4, 11.6), (7.2, 11.6)],
                ], context)
        case .information: information(context)
        case .parking:
            stroke(
                [[(6.3, 12), (6.3, 4.4), (8.6, 4.4), (9.9, 5.1), (10.4, 6.4), (9.9, 7.7), (8.6, 8.4), (6.3, 8.4)]],
                context)
        case .food:
            stroke(
                [
                    [(6, 4.2), (6, 12)], [(4.4, 4.2), (4.4, 6.6), (6, 7.6), (7.6, 6.6), (7.6, 4.2)],
                    [(10.6, 12), (10.6, 4.2), (9.6, 6), (9.6, 8.4), (10.6, 8.8)],
                ], context)
        case .shop:
            stroke([[(6.2, 6.4), (6.2, 4.8), (7, 4), (9, 4), (9.8, 4.8), (9.8, 6.4)]], context)
            polygon([(4.6, 6.4), (11.4, 6.4), (11.9, 11.8), (4.1, 11.8)], context)
        case .other: break
        }
    }

    private static func disc(_ radius: Double, _ halo: Double, _ style: FloorStyle, on context: borrowing Context) {
        context.circle(x: 8, y: 8, radius: halo)
        context.setSource(style[.halo], alpha: 0.85)
        context.fill()
        context.circle(x: 8, y: 8, radius: radius)
        context.setSource(style[.symbol])
        context.fill()
    }

    /// Triangles up and down.
    private static func lift(_ context: borrowing Context) {
        polygon([(8, 3), (10.8, 7), (5.2, 7)], context)
        polygon([(8, 13), (10.8, 9), (5.2, 9)], context)
    }

    /// A woman and a man.
    private static func toilet(_ context: borrowing Context) {
        for x in [5.7, 10.5] {
            context.circle(x: x, y: 4.7, radius: 1.15)
            context.fill()
        }
        polygon([(5.7, 6.2), (7.7, 10.2), (6.6, 10.2), (6.6, 12.6), (4.8, 12.6), (4.8, 10.2), (3.7, 10.2)], context)
        polygon(
            [(9, 6.3), (12, 6.3), (12, 9.6), (11.4, 9.6), (11.4, 12.6), (9.6, 12.6), (9.6, 9.6), (9, 9.6)], context)
    }

    private static func information(_ context: borrowing Context) {
        context.circle(x: 8, y: 4.6, radius: 1.1)
        context.fill()
        context.setLine(width: 1.8, cap: .round, join: .round)
        stroke([[(8, 7.4), (8, 11.8)]], context)
    }

    private static func polygon(_ points: [(x: Double, y: Double)], _ context: borrowing Context) {
        for (index, point) in points.enumerated() {
            if index == 0 { context.move(x: point.x, y: point.y) } else { context.line(x: point.x, y: point.y) }
        }
        context.closePath()
        context.fill()
    }

    private static func stroke(_ lines: [[(x: Double, y: Double)]], _ context: borrowing Context) {
        for line in lines {
            for (index, point) in line.enumerated() {
                if index == 0 { context.move(x: point.x, y: point.y) } else { context.line(x: point.x, y: point.y) }
            }
        }
        context.stroke()
    }
}
