import Foundation
import HTTPCore
package import OpenAPI
package import Styling
import Text
import TileDrawing
package import TileMath
import VectorTiles

/// The TileJSON 3.0.0 description of a style's tiles.
package struct TileJSON: Encodable, Sendable {
    private let tilejson = "3.0.0"
    /// The schema requires this member for raster tiles too.
    private let vectorLayers: [VectorLayerDescription]
    private let scheme = "xyz"
    private let minzoom: Int
    private let maxzoom: Int
    /// Not in the specification, but read by MapLibre, which otherwise shows each tile in double size. It is the size on
    /// the map; tiles of double scale have twice as many pixels. Vector tiles have no pixels.
    private let tileSize: Int?
    let name: String
    let version: String?
    let attribution: String?
    let tiles: [String]
    let bounds: [Double]
    let center: [Double]

    private enum CodingKeys: String, CodingKey {
        case tilejson, name, version, attribution, scheme, tiles, minzoom, maxzoom, tileSize, bounds, center
        case vectorLayers = "vector_layers"
    }

    private static let tilePixels = 256

    /// A style's tiles of some zoom levels at `url`, within `box` (the world if nothing is drawn); vector tiles if there are
    /// `vectorLayers`.
    package init(
        name: String, url: String, zooms: ClosedRange<Int> = 0...ZoomLevel.deepest.number, box: BoundingBox?,
        version: String, attribution: String? = nil, vectorLayers: [VectorLayerDescription] = []
    ) {
        self.vectorLayers = vectorLayers
        tileSize = vectorLayers.isEmpty ? Self.tilePixels : nil
        minzoom = zooms.lowerBound
        maxzoom = zooms.upperBound
        self.name = name
        self.attribution = attribution
        // The schema requires a semantic version or none.
        self.version = version.isEmpty ? nil : version
        tiles = [url]
        let extent = MapExtent(box, zooms: zooms)
        bounds = extent.bounds
        center = extent.center
    }

    /// The name of the tiles of a layer in a style.
    package static func name(style: String, layer: String, in styles: StyleSheet) -> String {
        let title = styles[style]?.title ?? style
        return layer == TileRequest.defaultLayer ? title : "\(title): \(layer)"
    }

    /// The JSON, with a line break at its end.
    package var bytes: [UInt8] {
        get throws {
            guard case .bytes(let bytes) = try JSONResponse.response(self).body else { return [] }
            return bytes
        }
    }
}

extension [APIResponse] {
    package static let tileJSON = [APIResponse("TileJSON 3.0.0", .json(.tileJSON))]

    package static let vectorTile = [
        APIResponse("The tile", APIContent(VectorTile.mediaType)),
        APIResponse("The tile is empty", nil as APIContent?, status: .noContent),
    ]
}

extension APISchema {
    fileprivate static let tileJSON = object([
        ("tilejson", .choice(["3.0.0"])), ("tiles", .list(.text())), ("name", .text()), ("bounds?", .box),
        ("minzoom", .zoom), ("maxzoom", .zoom),
    ]).named("TileJSON")
}
