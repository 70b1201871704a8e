import Cairo
import Foundation
import TileMath

/// Draws what is on the page besides the map's pixels: frame, graticule, title, figures and scale. Units: millimetres.
struct PosterCaption {
    let request: PosterRequest
    let layout: PosterLayout
    /// Such as `391 tracks · 7,302 km · 2015–2024`.
    let figures: String
    /// Who made the data of the base map, if they want to be named: at the lower right corner of the map. Natural Earth does not.
    let credit: String?

    /// The width of thin lines.
    private static let hairline = 0.18
    /// As small as print can be read.
    private static let creditSize = 2.4
    private static let creditMargin = 1.2
    /// Steps between meridians or parallels, in degrees.
    private static let graticuleSteps = [
        30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001, 0.0005, 0.0002, 0.0001,
    ]
    /// The distance of meridians at least, as a share of the map's shorter side.
    private static let graticuleShare = 0.2
    /// Lengths of the scale, in metres.
    private static let scaleLengths = [1.0, 2, 5].flatMap { digit in (0...6).map { digit * pow(10, Double($0)) } }
        .sorted()

    /// Draws meridians and parallels, thin and pale, because they are above the tracks.
    func drawGraticule(on context: borrowing Context) {
        let map = layout.map
        let east = layout.longitude(at: map.width)
        let west = layout.longitude(at: 0)
        let least = (east - west) * min(map.width, map.height) / map.width * Self.graticuleShare
        guard let step = Self.graticuleSteps.last(where: { $0 >= least }) else { return }
        context.withSavedState {
            context.setSource(request.theme.lines, alpha: 0.7)
            context.setLine(width: Self.hairline)
            for index in Int(
                (west / step).rounded(.up))...max(Int((west / step).rounded(.up)), Int((east / step).rounded(.down)))
            {
                let x = (Double(index) * step - west) / (east - west) * map.width
                guard x > 0, x < map.width else { continue }
                context.move(x: map.x + x, y: map.y)
                context.line(x: map.x + x, y: map.y + map.height)
            }
            let (north, south) = (layout.latitude(at: 0), layout.latitude(at: map.height))
            for index in Int(
                (south / step).rounded(.up))...max(Int((south / step).rounded(.up)), Int((north / step).rounded(.down)))
            {
                guard let y = self.y(ofLatitude: Double(index) * step), y > 0, y < map.height else { continue }
                context.move(x: map.x, y: map.y + y)
                context.line(x: map.x + map.width, y: map.y + y)
            }
            context.stroke()
        }
    }

    /// Draws frame, title, figures and scale.
    func draw(on context: borrowing Context) {
        let (map, caption, theme) = (layout.map, layout.caption, request.theme)
        context.setSource(theme.lines)
        context.setLine(width: 2 * Self.hairline)
        context.rectangle(x: map.x, y: map.y, width: map.width, height: map.height)
        context.stroke()
        drawCredit(on: context)
        let size = caption.height
        let titleStyle = fitting(request.title, TextStyle(size: size * 0.36, weight: .bold), caption.width, context)
        context.setSource(theme.title)
        context.show(request.title, titleStyle, x: caption.x, y: caption.y + size * 0.56)
        let scaleWidth = drawScale(on: context)
        let style = fitting(
            figures, TextStyle(size: size * 0.17), caption.width - scaleWidth - size * 0.3, context)
        context.setSource(theme.text)
        context.show(figures, style, x: caption.x, y: caption.y + size * 0.88)
    }

    private func drawCredit(on context: borrowing Context) {
        guard let credit else { return }
        let map = layout.map
        let style = fitting(credit, TextStyle(size: Self.creditSize), map.width - 2 * Self.creditMargin, context)
        let x = map.x + map.width - Self.creditMargin - context.size(of: credit, style).width
        context.setSource(request.theme.text)
        context.show(credit, style, x: x, y: map.y + map.height - Self.creditMargin)
    }

    /// A style in which a text fits into a width, in one line.
    private func fitting(
        _ text: String, _ style: TextStyle, _ width: Double, _ context: borrowing Context
    ) -> TextStyle {
        let actual = context.size(of: text, style).width
        guard actual > width, actual > 0 else { return style }
        var smaller = style
        smaller.size = style.size * max(width, 1) / actual
        return smaller
    }

    /// Draws the scale at the right edge; returns its width.
    private func drawScale(on context: borrowing Context) -> Double {
        let (caption, theme) = (layout.caption, request.theme)
        let latitude = layout.latitude(at: layout.map.height / 2)
        // 2π × 6,378,137 m, the width of the world in Web Mercator, at this latitude.
        let earth = 40_075_016.686 * cos(latitude * .pi / 180)
        let world = layout.pixelMillimetres * Double(PosterLayout.tileSide << layout.zoom.number)
        let perMetre = world / earth
        guard let metres = Self.scaleLengths.last(where: { $0 * perMetre <= caption.width * 0.18 }) else { return 0 }
        let width = metres * perMetre
        let size = caption.height
        let (x, y) = (caption.x + caption.width - width, caption.y + size * 0.84)
        context.setSource(theme.text)
        context.setLine(width: 2 * Self.hairline)
        context.move(x: x, y: y - size * 0.06)
        context.line(x: x, y: y)
        context.line(x: x + width, y: y)
        context.line(x: x + width, y: y - size * 0.06)
        context.stroke()
        let text = metres >= 1000 ? "\(Int(metres / 1000)) km" : "\(Int(metres)) m"
        let style = TextStyle(size: size * 0.14)
        context.show(text, style, x: x + width - context.size(of: text, style).width, y: y - size * 0.1)
        return width
    }

    /// The distance of a parallel from the map's top edge; nil beyond the map.
    private func y(ofLatitude latitude: Double) -> Double? {
        guard abs(latitude) < BoundingBox.mercatorLatitude else { return nil }
        let point = WorldPoint(longitude: 0, latitude: latitude)
        let pixels = Double(point.y) / Double(WorldPoint.side) * Double(PosterLayout.tileSide << layout.zoom.number)
        return (pixels - layout.top) * layout.pixelMillimetres
    }
}

extension Context {
    func setSource(_ color: PosterColor, alpha: Double = 1) {
        setSource(red: color.red, green: color.green, blue: color.blue, alpha: alpha)
    }
}
