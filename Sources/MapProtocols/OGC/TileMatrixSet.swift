import Text
import TileMath

/// The tile matrix set `WebMercatorQuad` (OGC 17-083r4, annex D.1). It has 25 zoom levels; the limits of tilesets say which of
/// them have tiles.
enum TileMatrixSet {
    static let id = "WebMercatorQuad"
    /// The name by which clients recognise it.
    static let uri = "http://www.opengis.net/def/tilematrixset/OGC/1.0/WebMercatorQuad"
    static let title = "Google Maps Compatible for the World"
    static let reference = "http://www.opengis.net/def/crs/EPSG/0/3857"

    private static let levels = 0...24
    private static let edge = 20_037_508.342_789_2

    /// The definition in JSON.
    static var definition: [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.add("id", id)
            json.add("title", title)
            json.add("uri", uri)
            json.add("crs", reference)
            json.array("orderedAxes", ["X", "Y"]) { $0.add($1) }
            json.add("wellKnownScaleSet", "http://www.opengis.net/def/wkss/OGC/1.0/GoogleMapsCompatible")
            json.array("tileMatrices", levels) { json, level in
                json.object { json in
                    json.add("id", "\(level)")
                    json.add("scaleDenominator", MercatorMatrix.scaleDenominator(level))
                    json.add("cellSize", MercatorMatrix.unitsPerPixel(level))
                    json.add("cornerOfOrigin", "topLeft")
                    json.array("pointOfOrigin", [-edge, edge]) { $0.add($1) }
                    json.add("tileWidth", MercatorMatrix.pixels)
                    json.add("tileHeight", MercatorMatrix.pixels)
                    json.add("matrixWidth", 1 << level)
                    json.add("matrixHeight", 1 << level)
                }
            }
            // The members of version 1.0 of the standard (OGC 17-083r2), which GDAL reads up to version 3.6, the one of Debian 12.
            json.add("type", "TileMatrixSetType")
            json.add("identifier", id)
            json.add("supportedCRS", reference)
            json.array("tileMatrix", levels) { json, level in
                json.object { json in
                    json.add("type", "TileMatrixType")
                    json.add("identifier", "\(level)")
                    json.add("scaleDenominator", MercatorMatrix.scaleDenominator(level))
                    json.array("topLeftCorner", [-edge, edge]) { $0.add($1) }
                    json.add("tileWidth", MercatorMatrix.pixels)
                    json.add("tileHeight", MercatorMatrix.pixels)
                    json.add("matrixWidth", 1 << level)
                    json.add("matrixHeight", 1 << level)
                }
            }
        }
        return json.bytes
    }

    /// The tile of matrix, row and column; nil for those outside the zoom levels, and for numbers not in plain decimal digits.
    static func tile(matrix: String, row: String, column: String, zooms: ClosedRange<Int>) -> TileCoordinate? {
        guard let level = number(matrix), zooms.contains(level), let zoom = ZoomLevel(level), let y = number(row),
            let x = number(column)
        else { return nil }
        return TileCoordinate(zoom: zoom, x: x, y: y)
    }

    private static func number(_ text: String) -> Int? {
        guard text.utf8.count <= 8, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(text).flatMap { "\($0)" == text ? $0 : nil }
    }
}
