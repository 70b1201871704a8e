import TileMath

/// A rim round a line or a dot, in another colour, that lets it stand off from any ground.
public struct Casing: Sendable, Equatable {
    public let color: Color
    /// Pixels of a tile of 256, beyond the line or the dot on each side; 0 for none at a zoom level.
    public let width: ZoomNumbers

    /// What a style may ask for.
    public static let widthLimits = 0.0...6.0

    public init(color: Color, width: ZoomNumbers) {
        self.color = color
        self.width = width
    }
}

extension ZoomLevel {
    /// Every zoom level that a tile can be asked for.
    static let all: [ZoomLevel] = (0...deepest.number).compactMap { ZoomLevel($0) }
}
