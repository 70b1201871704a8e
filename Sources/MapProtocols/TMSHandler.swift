import HTTPCore
import OpenAPI
import RequestHandling
import Styling
import TileDrawing
import TileMath

/// Answers `/tms/1.0.0/…` (OSGeo's Tile Map Service 1.0.0): rows are counted from the south.
struct TMSHandler: RequestHandler {
    let tiles: StyleTiles

    private static let version = "1.0.0"

    func add(to routes: inout Routes) {
        routes.on(
            .get, "/tms/\(Self.version)", for: .read, as: Self.operation("the maps of the Tile Map Service"), service)
        routes.on(
            .get, "/tms/\(Self.version)/{style}", for: .read,
            as: Self.operation("a map of the Tile Map Service", [.style])
        ) { request, path in try map(request, path["style"]) }
        routes.on(
            .get, "/tms/\(Self.version)/{style}/{z}/{x}/{y}.png", for: .read,
            as: APIOperation(
                "a tile, with rows counted from the south", .protocols, parameters: [.style] + .tile,
                answers: [APIResponse("The tile", .png)], traits: [.canBeMissing, .hasETag])
        ) { request, path in
            try tiles.answer(
                request, try tiles.target(request, style: path["style"], Self.tile(path["z"], path["x"], path["y"])))
        }
    }

    private static func operation(_ summary: String, _ parameters: [APIParameter] = []) -> APIOperation {
        APIOperation(
            summary, .protocols, parameters: parameters, answers: [APIResponse("XML", APIContent("application/xml"))],
            traits: parameters.isEmpty ? .hasETag : [.hasETag, .canBeMissing])
    }

    /// The tile of a row from the south.
    private static func tile(_ z: String, _ x: String, _ y: String) throws(Problem) -> TileCoordinate {
        guard let zoom = Int(z).flatMap({ ZoomLevel($0) }), let column = Int(x), let row = Int(y),
            let tile = TileCoordinate(zoom: zoom, x: column, y: zoom.tilesPerSide - 1 - row)
        else {
            throw .notFound("no such tile; the path is /tms/1.0.0/{style}/{z}/{x}/{y}.png, rows are from the south")
        }
        return tile
    }

    private func service(_ request: Request) throws -> HandlerResult {
        let base = "\(tiles.context.tiles.base(for: request))/tms/\(Self.version)"
        let query = try tiles.repeatedQuery(request)
        var xml = XMLDocument()
        xml.element("TileMapService", [("version", Self.version), ("services", base)]) { xml in
            xml.element("Title", [], "tileserve")
            xml.element("Abstract", [], "Tiles of recorded tracks")
            xml.element("TileMaps") { xml in
                for style in tiles.all {
                    xml.empty(
                        "TileMap",
                        [
                            ("title", style.title), ("srs", "EPSG:3857"), ("profile", "global-mercator"),
                            ("href", "\(base)/\(style.name)" + (query.isEmpty ? "" : "?\(query)")),
                        ])
                }
            }
        }
        return StyleTiles.answer(xml, to: request)
    }

    private func map(_ request: Request, _ name: String) throws -> HandlerResult {
        guard let style = tiles.styles()[name] else { throw Problem.notFound("no style has this name; see /styles") }
        let base = "\(tiles.context.tiles.base(for: request))/tms/\(Self.version)"
        let edge = MercatorMatrix.edge
        var xml = XMLDocument()
        xml.element("TileMap", [("version", Self.version), ("tilemapservice", base)]) { xml in
            xml.element("Title", [], style.title)
            xml.element("Abstract", [], "")
            xml.element("SRS", [], "EPSG:3857")
            xml.empty("BoundingBox", [("minx", "-\(edge)"), ("miny", "-\(edge)"), ("maxx", edge), ("maxy", edge)])
            xml.empty("Origin", [("x", "-\(edge)"), ("y", "-\(edge)")])
            xml.empty(
                "TileFormat",
                [
                    ("width", "\(MercatorMatrix.pixels)"), ("height", "\(MercatorMatrix.pixels)"),
                    ("mime-type", "image/png"), ("extension", "png"),
                ])
            xml.element("TileSets", [("profile", "global-mercator")]) { xml in
                for zoom in MercatorMatrix.zooms {
                    xml.empty(
                        "TileSet",
                        [
                            ("href", "\(base)/\(style.name)/\(zoom)"),
                            ("units-per-pixel", "\(MercatorMatrix.unitsPerPixel(zoom))"), ("order", "\(zoom)"),
                        ])
                }
            }
        }
        return StyleTiles.answer(xml, to: request)
    }
}

extension StyleTiles {
    /// A tile of a style with the parameters of the request's query.
    func target(_ request: Request, style: String, _ tile: TileCoordinate) throws(Problem) -> TileTarget {
        guard styles()[style] != nil else { throw .notFound("no style has this name; see /styles") }
        return try TileTarget(style: style, tile: tile, parameters: TileParameters(request.target))
    }
}
