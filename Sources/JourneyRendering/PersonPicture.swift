internal import Cairo
internal import Colors
internal import Digest
import Foundation
public import PNG

/// The picture of a person without one: the first letter of the name on a colour that belongs to the name.
public struct PersonPicture: Sendable {
    private let name: String

    /// White letters have a contrast of 4.5 and more on each.
    private static let colors: [UInt32] = [
        0xB3261E, 0xA3470B, 0x7A5D00, 0x4D6B0F, 0x1E6E3C, 0x00696B, 0x0B6A97, 0x2A5DB0, 0x4B50B5, 0x6C45A8, 0x8E3A8C,
        0xA52F5F,
    ]

    public init(name: String) {
        self.name = name
    }

    /// The picture as PNG, a square of pixels. Throws if there is no memory for it.
    public func png(side: Int = 256) throws -> [UInt8] {
        var writer = PNGWriter()
        return try writer.png(of: image(side: side))
    }

    /// The picture, such as for a figure. Throws if there is no memory for it.
    public func image(side: Int = 256) throws -> RGBAImage {
        var surface = try ImageSurface(.argb32, width: side, height: side)
        try surface.draw { context in
            context.scale(x: Double(side), y: Double(side))
            draw(on: context)
        }
        return RGBAImage(width: side, height: side, bytes: surface.straightBytes())
    }

    /// The first letter or digit in upper case, else the first character; `?` for no name.
    static func initial(of name: String) -> String {
        let letter = name.first { $0.isLetter || $0.isNumber } ?? name.first { !$0.isWhitespace }
        // Some letters have several in upper case: ß is SS.
        return letter.map { String($0.uppercased().prefix(1)) } ?? "?"
    }

    private func draw(on context: borrowing Context) {
        let number = Int(ContentDigest(of: Array(name.utf8)).first64 % UInt64(Self.colors.count))
        context.setSource(Color(rgb: Self.colors[number]))
        context.paint()
        let initial = Self.initial(of: name)
        // Laid out larger, because the units are the whole picture.
        let unit = 100.0
        context.scale(x: 1 / unit, y: 1 / unit)
        var style = TextStyle(size: 56, weight: .medium)
        var size = context.size(of: initial, style)
        if size.width > 80 {
            style.size *= 80 / size.width
            size = context.size(of: initial, style)
        }
        context.setSource(Color(rgb: 0xFFFFFF))
        // Upper case is about 0.73 of the size high.
        context.show(initial, style, x: (unit - size.width) / 2, y: unit / 2 + style.size * 0.365)
    }
}
