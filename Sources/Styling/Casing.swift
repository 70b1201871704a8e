public import Colors
import TileMath

/// An outline around a line or a point in another colour, which separates it from any background.
public struct Casing: Sendable, Equatable {
    public let color: Color
    /// Pixels of a 256-pixel tile, beyond the line or the point on each side; 0 for no casing at a zoom level.
    public let width: ZoomNumbers

    /// The widths that a style file may give, in pixels.
    public static let widthLimits = 0.0...6.0

    public init(color: Color, width: ZoomNumbers) {
        self.color = color
        self.width = width
    }
}

extension ZoomLevel {
    /// All zoom levels that a tile can be requested for.
    static let all: [ZoomLevel] = (0...deepest.number).compactMap { ZoomLevel($0) }
}
