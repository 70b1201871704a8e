package import HTTPCore
package import RequestHandling
package import TileArchive
package import TileMath

/// What a server offers as tiles under a name: a style of its own, or an archive.
package struct MapSource: Sendable {
    /// The name in paths.
    package var name: String
    /// What people call it.
    package var title: String
    /// The formats that its tiles can have, the usual one first.
    package var formats: [TileFormat]
    package var zooms = MercatorMatrix.zooms
    /// Where there is something; nil for the world.
    package var bounds: BoundingBox?
    package var attribution: String?
    /// The names of the layers of vector tiles.
    package var vectorLayers: [String] = []
    /// Whether it is a style, of which the parameters of tiles can select and colour tracks.
    package var takesParameters = true
    /// Answers a request with a tile in one of the formats; the parameters are those of its query.
    package var tile: @Sendable (Request, TileParameters, TileCoordinate, TileFormat) throws -> HandlerResult

    package init(
        _ name: String, title: String, formats: [TileFormat],
        tile: @escaping @Sendable (Request, TileParameters, TileCoordinate, TileFormat) throws -> HandlerResult
    ) {
        self.name = name
        self.title = title
        self.formats = formats
        self.tile = tile
    }

    /// The formats of a kind of tiles.
    func formats(_ kind: TileKind) -> [TileFormat] { formats.filter { $0.kind == kind } }
}

/// Whether tiles are pictures or shapes.
enum TileKind: String, CaseIterable {
    case map
    case vector
}

extension TileFormat {
    var kind: TileKind { isRaster ? .map : .vector }
}
