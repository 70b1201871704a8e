internal import Cairo
internal import Colors
import Foundation
internal import PNG

/// The badge of a reward: its hours in a rosette with ribbons, on a transparent ground.
public struct RewardPicture: Sendable {
    private let hours: Int

    /// The drawing is made for a square of this side.
    private static let unit = 256.0
    private static let petals = 24

    public init(hours: Int) {
        self.hours = hours
    }

    /// The picture as PNG, a square of pixels. Throws if there is no memory for it.
    public func png(side: Int = 256) throws -> [UInt8] {
        var surface = try ImageSurface(.argb32, width: side, height: side)
        try surface.draw { context in
            context.scale(x: Double(side) / Self.unit, y: Double(side) / Self.unit)
            draw(on: context)
        }
        return try surface.withWords { words in
            var writer = PNGWriter()
            return try writer.png(premultiplied: words.span, width: side, height: side)
        }
    }

    /// The colours of a metal.
    private struct Metal {
        let dark: Color
        let middle: Color
        let light: Color
        let ribbon: Color
    }

    /// Leaf, bronze, silver, gold, and beyond: by the hours from which they are.
    private static let metals: [(hours: Int, metal: Metal)] = [
        (0, metal(0x2E6B45, 0x4E9C6B, 0xD6EFDD, 0x8A5A2B)), (10, metal(0x7A431D, 0xB87440, 0xF7E3D0, 0x2F6690)),
        (20, metal(0x55606B, 0x9AA7B4, 0xF1F4F7, 0x9B2F4B)), (50, metal(0x8A6100, 0xD9A521, 0xFFF3CF, 0x1F6F54)),
        (200, metal(0x432C7A, 0x7B5CC4, 0xEBE3FF, 0xB3456E)),
    ]

    private static func metal(_ dark: UInt32, _ middle: UInt32, _ light: UInt32, _ ribbon: UInt32) -> Metal {
        Metal(dark: Color(rgb: dark), middle: Color(rgb: middle), light: Color(rgb: light), ribbon: Color(rgb: ribbon))
    }

    private func draw(on context: borrowing Context) {
        let metal = (Self.metals.last { $0.hours <= hours } ?? Self.metals[0]).metal
        let (x, y) = (128.0, 108.0)
        ribbons(metal, x: x, y: y, on: context)
        // A rosette whose edge rises and falls.
        for (inset, color) in [(0.0, metal.dark), (5, metal.middle)] {
            for step in 0..<(Self.petals * 12) {
                let turn = 2 * Double.pi * Double(step) / Double(Self.petals * 12)
                let radius = 96 - inset + 4.5 * cos(turn * Double(Self.petals))
                let (px, py) = (x + radius * sin(turn), y - radius * cos(turn))
                if step == 0 { context.move(x: px, y: py) } else { context.line(x: px, y: py) }
            }
            context.closePath()
            context.setSource(color)
            context.fill()
        }
        context.circle(x: x, y: y, radius: 75)
        context.setSource(metal.light)
        context.fill()
        context.circle(x: x, y: y, radius: 68)
        context.setSource(metal.middle)
        context.setLine(width: 2.5)
        context.stroke()
        letters(metal, x: x, y: y, on: context)
    }

    private func ribbons(_ metal: Metal, x: Double, y: Double, on context: borrowing Context) {
        for side in [-1.0, 1] {
            // From behind the rosette to a swallowtail.
            let corners = [(12.0, 70.0), (60, 48), (92, 122), (66, 116), (50, 140)]
            for (index, corner) in corners.enumerated() {
                let (px, py) = (x + side * corner.0, y + corner.1)
                if index == 0 { context.move(x: px, y: py) } else { context.line(x: px, y: py) }
            }
            context.closePath()
            context.setSource(side < 0 ? metal.ribbon : metal.ribbon.mixed(with: Color(rgb: 0), part: 0.16))
            context.fill()
        }
    }

    private func letters(_ metal: Metal, x: Double, y: Double, on context: borrowing Context) {
        var number = TextStyle(size: 62, weight: .bold)
        let text = "\(hours)"
        var size = context.size(of: text, number)
        let room = 112.0
        if size.width > room {
            number.size *= room / size.width
            size = context.size(of: text, number)
        }
        context.setSource(metal.dark)
        // Figures are about 0.73 of the size high, and stand above the middle.
        context.show(text, number, x: x - size.width / 2, y: y - 8 + number.size * 0.365)
        let word = TextStyle(size: 19, weight: .medium)
        let caption = hours == 1 ? "hour" : "hours"
        context.show(caption, word, x: x - context.size(of: caption, word).width / 2, y: y + 43)
    }
}
