public import TileMath

/// The geometry of a feature in degrees.
public enum GeoShape: Sendable, Equatable {
    case none
    case points([GeoPoint])
    case lines([[GeoPoint]])
    /// Polygons as lists of rings, the shell first, without the repeated point at the end.
    case polygons([[[GeoPoint]]])

    /// All its points.
    public var points: [GeoPoint] {
        switch self {
        case .none: []
        case .points(let points): points
        case .lines(let lines): lines.flatMap(\.self)
        case .polygons(let polygons): polygons.flatMap { $0.flatMap(\.self) }
        }
    }

    /// The rings of its polygons; empty for other shapes.
    public var polygons: [[[GeoPoint]]] {
        guard case .polygons(let polygons) = self else { return [] }
        return polygons
    }

    /// Its lines; empty for other shapes.
    public var lines: [[GeoPoint]] {
        guard case .lines(let lines) = self else { return [] }
        return lines
    }

    /// The smallest box around its points; nil without any.
    public var bounds: BoundingBox? {
        let points = points
        guard let west = points.map(\.longitude).min(), let east = points.map(\.longitude).max(),
            let south = points.map(\.latitude).min(), let north = points.map(\.latitude).max()
        else { return nil }
        return BoundingBox(west: west, south: south, east: east, north: north)
    }
}
