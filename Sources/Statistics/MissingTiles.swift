import Foundation
package import TileMath

/// A rectangle of tiles of a zoom level; it may continue over the antimeridian.
package struct TileBox: Sendable, Equatable {
    package let zoom: Int
    /// The first column, and the number of columns.
    private let west: Int
    private let columns: Int
    private let rows: ClosedRange<Int>

    /// The tiles that a box touches.
    package init(_ box: BoundingBox, zoom: Int) {
        self.zoom = zoom
        let shift = Int64(32 - zoom)
        let side = 1 << zoom
        func column(_ longitude: Double) -> Int {
            Int(WorldPoint(longitude: longitude, latitude: 0).x >> shift)
        }
        func row(_ latitude: Double) -> Int {
            min(max(Int(WorldPoint(longitude: 0, latitude: latitude).y >> shift), 0), side - 1)
        }
        west = column(box.west)
        // 180° E is the eastern edge of the last column, not the western one of the first.
        let east = box.east == 180 ? side - 1 : column(box.east)
        columns = east >= west && box.west <= box.east ? east - west + 1 : min(side, east - west + 1 + side)
        rows = row(box.north)...row(box.south)
    }

    /// The number of tiles.
    package var count: Int { columns * rows.count }

    /// The tiles, by row from the north, each from west to east.
    package var tiles: [ExplorerTile] {
        rows.flatMap { y in (0..<columns).map { ExplorerTile(x: (west + $0) & (1 << zoom - 1), y: y) } }
    }
}

/// The file formats of missing tiles.
package enum MissingTilesFormat: String, Sendable, CaseIterable {
    case geojson, kml, gpx

    package var mediaType: String {
        switch self {
        case .geojson: "application/geo+json"
        case .kml: "application/vnd.google-earth.kml+xml"
        case .gpx: "application/gpx+xml"
        }
    }
}

/// The tiles of a box that were not visited, as files for route planners.
package struct MissingTiles: Sendable {
    /// By row from the north, each from west to east.
    package let tiles: [ExplorerTile]
    private let zoom: Int

    /// The maximum number of tiles of a box: a city at zoom level 17, or a small country at zoom level 14. A file of all of
    /// them has some megabytes.
    package static let limit = 20_000

    /// The tiles of a box that are not in a map.
    package init(in box: TileBox, of visited: ExplorerTiles) {
        zoom = box.zoom
        tiles = box.tiles.filter { visited.index(of: $0) == nil }
    }

    /// The file: GeoJSON and KML have a square for each tile, GPX has a track around each tile.
    package func file(_ format: MissingTilesFormat) -> [UInt8] {
        let text =
            switch format {
            case .geojson: geoJSON
            case .kml: kml
            case .gpx: gpx
            }
        return Array(text.utf8)
    }

    private func name(_ tile: ExplorerTile) -> String { "\(zoom)/\(tile.x)/\(tile.y)" }

    /// The corners of a tile, counterclockwise from the south-western one, which is also the last.
    private func corners(_ tile: ExplorerTile) -> [(longitude: String, latitude: String)] {
        let side = Double(1 << zoom)
        func longitude(_ x: Int) -> String { Self.degrees(Double(x) / side * 360 - 180) }
        func latitude(_ y: Int) -> String {
            Self.degrees(atan(sinh(Double.pi * (1 - 2 * Double(y) / side))) * 180 / Double.pi)
        }
        let (west, east) = (longitude(tile.x), longitude(tile.x + 1))
        let (north, south) = (latitude(tile.y), latitude(tile.y + 1))
        return [(west, south), (east, south), (east, north), (west, north), (west, south)]
    }

    private static func degrees(_ degrees: Double) -> String { String(format: "%.7f", degrees) }

    private var geoJSON: String {
        let features = tiles.map { tile in
            let ring = corners(tile).map { "[\($0.longitude),\($0.latitude)]" }.joined(separator: ",")
            return "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(name(tile))\"},"
                + "\"geometry\":{\"type\":\"Polygon\",\"coordinates\":[[\(ring)]]}}"
        }
        return "{\"type\":\"FeatureCollection\",\"features\":[\(features.joined(separator: ",\n"))]}\n"
    }

    private var kml: String {
        let placemarks = tiles.map { tile in
            let ring = corners(tile).map { "\($0.longitude),\($0.latitude)" }.joined(separator: " ")
            return " <Placemark><name>\(name(tile))</name><styleUrl>#missing</styleUrl><Polygon><outerBoundaryIs>"
                + "<LinearRing><coordinates>\(ring)</coordinates></LinearRing></outerBoundaryIs></Polygon></Placemark>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>Missing tiles</name>
             <Style id="missing"><LineStyle><color>ff2a3bd0</color><width>1</width></LineStyle>
             <PolyStyle><color>402a3bd0</color></PolyStyle></Style>
            \(placemarks.joined())</Document></kml>

            """
    }

    private var gpx: String {
        let tracks = tiles.map { tile in
            let points = corners(tile).map { "<trkpt lat=\"\($0.latitude)\" lon=\"\($0.longitude)\"/>" }.joined()
            return " <trk><name>\(name(tile))</name><trkseg>\(points)</trkseg></trk>\n"
        }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <gpx version="1.1" creator="tileserve" xmlns="http://www.topografix.com/GPX/1/1">
            \(tracks.joined())</gpx>

            """
    }
}
