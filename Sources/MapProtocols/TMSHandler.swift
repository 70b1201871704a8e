import HTTPCore
import OpenAPI
import RequestHandling
import TileArchive
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
        for format in TileFormat.allCases where format.isRaster {
            routes.on(
                .get, "/tms/\(Self.version)/{style}/{z}/{x}/{y}.\(format.rawValue)", for: .read,
                as: APIOperation(
                    "a tile, with rows counted from the south", .protocols, parameters: [.style] + .tile,
                    answers: [APIResponse("The tile", APIContent(format.mediaType))], traits: [.canBeMissing, .hasETag])
            ) { request, path in
                let source = try source(path["style"])
                guard source.formats.contains(format) else {
                    throw Problem.notFound("tiles of this map are .\(source.formats(.map)[0].rawValue)")
                }
                let tile = try Self.tile(path["z"], path["x"], path["y"])
                return try source.tile(request, TileParameters(request.target), tile, format)
            }
        }
    }

    private func source(_ name: String) throws(Problem) -> MapSource {
        guard let source = tiles.pictureSource(named: name) else {
            throw .notFound("no style and no archive of pictures has this name; see /tms/\(Self.version)")
        }
        return source
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
                for source in tiles.pictureSources {
                    xml.empty(
                        "TileMap",
                        [
                            ("title", source.title), ("srs", "EPSG:3857"), ("profile", "global-mercator"),
                            ("href", "\(base)/\(source.name)" + (query.isEmpty ? "" : "?\(query)")),
                        ])
                }
            }
        }
        return StyleTiles.answer(xml, to: request)
    }

    private func map(_ request: Request, _ name: String) throws -> HandlerResult {
        let source = try source(name), format = source.formats(.map)[0]
        let base = "\(tiles.context.tiles.base(for: request))/tms/\(Self.version)"
        let edge = MercatorMatrix.edge
        var xml = XMLDocument()
        xml.element("TileMap", [("version", Self.version), ("tilemapservice", base)]) { xml in
            xml.element("Title", [], source.title)
            xml.element("Abstract", [], "")
            xml.element("SRS", [], "EPSG:3857")
            xml.empty("BoundingBox", [("minx", "-\(edge)"), ("miny", "-\(edge)"), ("maxx", edge), ("maxy", edge)])
            xml.empty("Origin", [("x", "-\(edge)"), ("y", "-\(edge)")])
            xml.empty(
                "TileFormat",
                [
                    ("width", "\(MercatorMatrix.pixels)"), ("height", "\(MercatorMatrix.pixels)"),
                    ("mime-type", format.mediaType), ("extension", format.rawValue),
                ])
            xml.element("TileSets", [("profile", "global-mercator")]) { xml in
                for zoom in source.zooms {
                    xml.empty(
                        "TileSet",
                        [
                            ("href", "\(base)/\(source.name)/\(zoom)"),
                            ("units-per-pixel", "\(MercatorMatrix.unitsPerPixel(zoom))"), ("order", "\(zoom)"),
                        ])
                }
            }
        }
        return StyleTiles.answer(xml, to: request)
    }
}
