internal import Cairo
internal import Colors
public import Digest
import Foundation
public import PNG
internal import TileMath
internal import TileRendering

/// What stands on the line where a journey is: a round picture of a person, or a figure that everyone has.
public struct JourneyFigure: Sendable {
    /// Identifies the picture.
    public let digest: ContentDigest
    /// The round picture for each density; empty for the standard figure.
    private let pictures: [TileScale: RGBAImage]

    /// Pixels of a screen: the picture, and the rim around it.
    private static let diameter = 26
    private static let rim = 2

    /// A disc with a head and shoulders.
    public static let standard = JourneyFigure(digest: ContentDigest(of: Array("figure".utf8)), pictures: [:])

    private init(digest: ContentDigest, pictures: [TileScale: RGBAImage]) {
        self.digest = digest
        self.pictures = pictures
    }

    /// The middle of a picture.
    public init(_ picture: RGBAImage) {
        var pictures: [TileScale: RGBAImage] = [:]
        for scale in TileScale.allCases { pictures[scale] = picture.disc(diameter: Self.diameter * scale.rawValue) }
        self.init(digest: ContentDigest(of: pictures[.double]?.bytes ?? []), pictures: pictures)
    }

    /// The side of the square around it, in pixels of a screen; even, so that its middle is a corner of pixels.
    static let side = Double(diameter + 2 * rim + 2)

    /// Draws it in its square; the units of the context are pixels of a screen.
    func draw(_ color: Color, _ colors: JourneyColors, density: Int, on context: borrowing Context) throws {
        let middle = Self.side / 2
        let radius = Double(Self.diameter) / 2
        context.circle(x: middle, y: middle, radius: radius + Double(Self.rim) + 0.75)
        context.setSource(color)
        context.fill()
        context.circle(x: middle, y: middle, radius: radius + Double(Self.rim) - 0.5)
        context.setSource(colors.casing)
        context.fill()
        guard let scale = TileScale(rawValue: density), let picture = pictures[scale] else {
            return Self.drawStandard(color, colors, on: context)
        }
        let surface = try ImageSurface(picture)
        context.withSavedState {
            context.scale(x: 1 / Double(density), y: 1 / Double(density))
            let corner = (middle - radius) * Double(density)
            context.paint(surface, x: corner, y: corner)
        }
    }

    private static func drawStandard(_ color: Color, _ colors: JourneyColors, on context: borrowing Context) {
        let middle = side / 2
        context.circle(x: middle, y: middle, radius: Double(diameter) / 2)
        context.setSource(color)
        context.fill()
        context.circle(x: middle, y: middle - 4, radius: 4)
        context.setSource(colors.casing)
        context.fill()
        // Shoulders: half of a round shape.
        for step in 0...24 {
            let angle = Double.pi * (1 + Double(step) / 24)
            let (x, y) = (middle + 7.5 * cos(angle), middle + 8.5 + 7 * sin(angle))
            if step == 0 { context.move(x: x, y: y) } else { context.line(x: x, y: y) }
        }
        context.closePath()
        context.fill()
    }
}

extension RGBAImage {
    /// The largest disc in the middle, reduced or enlarged to a diameter.
    fileprivate func disc(diameter: Int) -> RGBAImage {
        let side = Double(min(width, height))
        let (left, top) = ((Double(width) - side) / 2, (Double(height) - side) / 2)
        let unit = side / Double(diameter)
        let middle = Double(diameter) / 2
        var result: [UInt8] = []
        result.reserveCapacity(4 * diameter * diameter)
        for row in 0..<diameter {
            for column in 0..<diameter {
                let area = mean(
                    left + Double(column) * unit, top + Double(row) * unit, side: unit)
                let distance = hypot(Double(column) + 0.5 - middle, Double(row) + 0.5 - middle)
                let cover = min(max(middle - distance + 0.5, 0), 1)
                result += [area.red, area.green, area.blue, UInt8((Double(area.alpha) * cover).rounded())]
            }
        }
        return RGBAImage(width: diameter, height: diameter, bytes: result)
    }

    /// The mean colour of a square, by the opacity of its pixels.
    private func mean(_ left: Double, _ top: Double, side: Double) -> Color {
        // Pixels whose middle is in the square; of an enlarged picture, the one in which the square's middle is.
        func pixels(_ start: Double, _ count: Int) -> ClosedRange<Int> {
            let (first, last) = (Int((start - 0.5).rounded(.up)), Int((start + side - 0.5).rounded(.up)) - 1)
            let nearest = min(max(0, Int(start + side / 2)), count - 1)
            return first <= last ? max(0, first)...min(max(last, 0), count - 1) : nearest...nearest
        }
        var sums = (red: 0, green: 0, blue: 0, alpha: 0, count: 0)
        for y in pixels(top, height) {
            for x in pixels(left, width) {
                let at = 4 * (y * width + x)
                let alpha = Int(bytes[at + 3])
                sums.red += Int(bytes[at]) * alpha
                sums.green += Int(bytes[at + 1]) * alpha
                sums.blue += Int(bytes[at + 2]) * alpha
                sums.alpha += alpha
                sums.count += 1
            }
        }
        guard sums.alpha > 0 else { return .transparent }
        func channel(_ sum: Int) -> UInt8 { UInt8((sum + sums.alpha / 2) / sums.alpha) }
        return Color(
            red: channel(sums.red), green: channel(sums.green), blue: channel(sums.blue),
            alpha: UInt8((sums.alpha + sums.count / 2) / sums.count))
    }
}
