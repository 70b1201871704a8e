import Foundation
import HTTPCore
package import OpenAPI
package import Styling
import Text
import TileDrawing
package import TileMath

/// The TileJSON 3.0.0 description of a style's tiles.
package struct TileJSON: Encodable, Sendable {
    private let tilejson = "3.0.0"
    /// The schema requires this member for raster tiles too.
    private let vectorLayers: [String] = []
    private let scheme = "xyz"
    private let minzoom: Int
    private let maxzoom: Int
    /// Not in the specification, but read by MapLibre, which otherwise shows each tile in double size. It is the size on
    /// the map; tiles of double scale have twice as many pixels.
    private let tileSize = TileJSON.tilePixels
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

    /// A style's tiles of some zoom levels at `url`, within `box` (the world if nothing is drawn).
    package init(
        name: String, url: String, zooms: ClosedRange<Int> = 0...ZoomLevel.deepest.number, box: BoundingBox?,
        version: String, attribution: String? = nil
    ) {
        minzoom = zooms.lowerBound
        maxzoom = zooms.upperBound
        self.name = name
        self.attribution = attribution
        // The schema requires a semantic version or none.
        self.version = version.isEmpty ? nil : version
        tiles = [url]
        var extent = Extent(box)
        extent.limitZoom(to: zooms)
        bounds = extent.bounds.enumerated().map { Self.rounded($1, $0 < 2 ? .down : .up) }
        center = extent.center.map { Self.rounded($0) }
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

    /// Rounds to 1e-5°, about a metre.
    private static func rounded(
        _ degrees: Double, _ rule: FloatingPointRoundingRule = .toNearestOrAwayFromZero
    ) -> Double {
        (degrees * 1e5).rounded(rule) / 1e5
    }
}

/// The bounds and the initial position of a map.
private struct Extent {
    /// West, south, east, north.
    let bounds: [Double]
    /// Longitude, latitude, zoom level.
    private(set) var center: [Double]

    /// A map's usual width and height, in tiles.
    private static let tilesAcross = 3.0

    init(_ box: BoundingBox?) {
        guard let box else {
            let top = (BoundingBox.mercatorLatitude * 1e5).rounded(.down) / 1e5
            bounds = [-180, -top, 180, top]
            center = [0, 0, 0]
            return
        }
        // TileJSON has no boxes that cross 180°.
        bounds =
            box.crossesAntimeridian ? [-180, box.south, 180, box.north] : [box.west, box.south, box.east, box.north]
        let width = box.east - box.west + (box.crossesAntimeridian ? 360 : 0)
        let middle = box.west + width / 2
        let top = Self.mercator(box.north)
        let bottom = Self.mercator(box.south)
        // The box of a single point has no size, but a map has.
        let share = max(width / 360, (top - bottom) / (2 * .pi), 1e-7)
        let zoom = min(max(log2(Self.tilesAcross / share).rounded(.down), 0), Double(ZoomLevel.deepestGrid.number))
        center = [middle > 180 ? middle - 360 : middle, atan(sinh((top + bottom) / 2)) * 180 / .pi, zoom]
    }

    /// The initial zoom level has to be one of the tiles.
    mutating func limitZoom(to zooms: ClosedRange<Int>) {
        center[2] = min(max(center[2], Double(zooms.lowerBound)), Double(zooms.upperBound))
    }

    /// The y coordinate of web mercator, −π…π.
    private static func mercator(_ latitude: Double) -> Double {
        let limit = BoundingBox.mercatorLatitude
        return asinh(tan(min(max(latitude, -limit), limit) * .pi / 180))
    }
}

extension [APIResponse] {
    package static let tileJSON = [APIResponse("TileJSON 3.0.0", .json(.tileJSON))]
}

extension APISchema {
    fileprivate static let tileJSON = object([
        ("tilejson", .choice(["3.0.0"])), ("tiles", .list(.text())), ("name", .text()), ("bounds?", .box),
        ("minzoom", .zoom), ("maxzoom", .zoom),
    ]).named("TileJSON")
}
