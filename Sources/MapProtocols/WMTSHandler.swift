import HTTPCore
import OpenAPI
import RequestHandling
import Text
import TileArchive
import TileMath

/// Answers `/wmts` (OGC 07-057r7, WMTS 1.0.0) with key–value pairs and with paths. A layer is a style, or an archive of
/// pictures.
struct WMTSHandler: RequestHandler {
    let tiles: StyleTiles

    func add(to routes: inout Routes) {
        let keys = APIOperation(
            "WMTS with key–value pairs: GetCapabilities, GetTile", .protocols,
            detail:
                "Names of keys in any case. `from`, `to`, `track`, `ramp`, `theme` and the like are those of tiles.",
            parameters: [
                APIParameter("SERVICE", .choice(["WMTS"]), "The protocol", isRequired: true, example: "WMTS"),
                APIParameter(
                    "REQUEST", .choice(["GetCapabilities", "GetTile"]), "The operation", isRequired: true,
                    example: "GetCapabilities"), APIParameter("VERSION", .text(), "1.0.0"),
                APIParameter("LAYER", .text(), "A style or an archive, as in `/styles`"),
                APIParameter("STYLE", .text(), "default"),
                APIParameter(
                    "FORMAT", .choice(Self.formats.map(\.mediaType)), "The usual one of the layer without it"),
                APIParameter("TILEMATRIXSET", .text(), WMTSCapabilities.matrixSet),
                APIParameter("TILEMATRIX", .text(), "The zoom level"),
                APIParameter("TILEROW", .text(), "The row, from the north"),
                APIParameter("TILECOL", .text(), "The column, from the west"),
            ],
            answers: [
                APIResponse(
                    "XML, or the tile", [APIContent("application/xml")] + Self.formats.map { APIContent($0.mediaType) })
            ],
            traits: [.hasETag, .canBeMissing]
        ).refusing(with: Self.exceptionReport)
        routes.on(.get, "/wmts", for: .read, as: keys) { request, _ in
            try Self.reported { try answer(request) }
        }
        routes.on(
            .get, "/wmts/1.0.0/WMTSCapabilities.xml", for: .read,
            as: APIOperation(
                "the capabilities of WMTS", .protocols,
                answers: [APIResponse("XML", APIContent("application/xml"))], traits: .hasETag
            ).refusing(with: Self.exceptionReport)
        ) { request, _ in try Self.reported { try capabilities(request) } }
        for format in Self.formats {
            routes.on(
                .get, "/wmts/1.0.0/{style}/{form}/{set}/{z}/{y}/{x}.\(format.rawValue)", for: .read,
                as: APIOperation(
                    "a tile of WMTS, row before column", .protocols,
                    parameters: [
                        .style, APIParameter("form", .choice(["default"]), "`default`", in: .path),
                        APIParameter("set", .choice([WMTSCapabilities.matrixSet]), "The tile matrix set", in: .path),
                    ] + [0, 2, 1].map { [APIParameter].tile[$0] },
                    answers: [APIResponse("The tile", APIContent(format.mediaType))],
                    traits: [.hasETag, .canBeMissing]
                ).refusing(with: Self.exceptionReport)
            ) { request, path in
                let names = ["LAYER", "STYLE", "TILEMATRIXSET", "TILEMATRIX", "TILEROW", "TILECOL", "FORMAT"]
                let values = [
                    path["style"], path["form"], path["set"], path["z"], path["y"], path["x"], format.mediaType,
                ]
                return try Self.reported {
                    try tile(WMTSKeys(Dictionary(uniqueKeysWithValues: zip(names, values))), request)
                }
            }
        }
    }

    /// The formats of pictures.
    private static let formats = TileFormat.allCases.filter(\.isRaster)

    private static let exceptionReport = APIContent("application/xml")

    /// The answer, in which a malformed parameter is an exception report, too: clients of WMTS read no problems.
    private static func reported(_ answer: () throws -> HandlerResult) throws -> HandlerResult {
        do { return try answer() } catch let exception as WMTSException {
            return .response(exception.response)
        } catch let problem as Problem where problem.status == .badRequest {
            let exception = WMTSException(.invalidValue, "QUERY", problem.detail ?? "it is malformed")
            return .response(exception.response)
        }
    }

    private func answer(_ request: Request) throws -> HandlerResult {
        let keys = try WMTSKeys(request.target)
        try keys.check("SERVICE", ["WMTS"])
        try keys.check("REQUEST", ["GetCapabilities", "GetTile"], code: .operationNotSupported)
        if keys["REQUEST"]?.lowercased() == "getcapabilities" { return try capabilities(request) }
        return try tile(keys, request)
    }

    private func capabilities(_ request: Request) throws -> HandlerResult {
        let base = tiles.context.tiles.base(for: request)
        let capabilities = WMTSCapabilities(
            base: base, query: try tiles.repeatedQuery(request), sources: tiles.pictureSources)
        return StyleTiles.answer(capabilities.document, to: request)
    }

    private func tile(_ keys: WMTSKeys, _ request: Request) throws -> HandlerResult {
        let name = try keys.value("LAYER")
        guard let source = tiles.pictureSource(named: name) else {
            throw WMTSException(.invalidValue, "LAYER", "no layer has this name")
        }
        try keys.check("STYLE", ["default", ""])
        try keys.check("TILEMATRIXSET", [WMTSCapabilities.matrixSet])
        let formats = source.formats(.map)
        let asked = keys["FORMAT"]?.lowercased()
        guard let format = asked.map({ asked in formats.first { $0.mediaType == asked } }) ?? formats.first else {
            throw WMTSException(
                .invalidValue, "FORMAT",
                "it has to be \(DisplayText.list(formats.map(\.mediaType), "or")) for this layer")
        }
        let tile = try keys.tile(in: source.zooms)
        // Keys of WMTS are not parameters of tiles: `layer` would be a layer of the library.
        let own = try request.target.parameters().filter { !WMTSKeys.names.contains($0.name.uppercased()) }
        let query = own.map(\.encoded).joined(separator: "&")
        let target = RequestTarget("/wmts" + (query.isEmpty ? "" : "?" + query))
        return try source.tile(request, TileParameters(target), tile, format)
    }
}
