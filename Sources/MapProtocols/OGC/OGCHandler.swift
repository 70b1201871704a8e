import HTTPCore
import Locking
import OpenAPI
import RequestHandling
import Text
import TileArchive
import TileMath

/// Answers `/ogc`: OGC API – Tiles, part 1 (OGC 20-057). A collection is a style or an archive; the tiles of the whole library
/// are those of the usual style.
struct OGCHandler: RequestHandler {
    let tiles: StyleTiles
    private let routes = Locked<[RouteDescription<APIOperation>]>([])

    init(tiles: StyleTiles) { self.tiles = tiles }

    func add(to routes: inout Routes) {
        for path in ["", "/"] {
            routes.on(.get, "\(OGCDocuments.root)\(path)", for: .read, as: .ogc("the landing page of OGC API – Tiles"))
            {
                request, _ in
                let kinds = TileKind.allCases.filter { dataset($0) != nil }
                return try answer(request) { $0.landingPage(kinds) }
            }
        }
        add("/conformance", "the conformance classes of OGC API – Tiles", to: &routes) { _, _ in
            OGCDocuments.conformanceDeclaration
        }
        add("/tileMatrixSets", "the tile matrix sets", id: "getTileMatrixSetsList", to: &routes) { documents, _ in
            documents.matrixSets
        }
        add(
            "/tileMatrixSets/{tileMatrixSetId}", "a tile matrix set", id: "getTileMatrixSet", [.matrixSet], to: &routes
        ) { _, path throws(Problem) in
            try Self.checkMatrixSet(path)
            return TileMatrixSet.definition
        }
        add("/collections", "the collections: styles and archives", to: &routes) { documents, _ in
            documents.collections(tiles.sources)
        }
        add("/collections/{collectionId}", "a collection", [.collection], to: &routes) {
            documents, path throws(Problem) in documents.collection(try collection(path))
        }
        for kind in TileKind.allCases {
            addTilesets(kind, of: "", "dataset", [], to: &routes) { _ in dataset(kind) }
            addTilesets(kind, of: "/collections/{collectionId}", "collection", [.collection], to: &routes) {
                path throws(Problem) in
                let source = try collection(path)
                return source.formats(kind).isEmpty ? nil : source
            }
        }
        addAPI(to: &routes)
    }

    // MARK: Routes

    private typealias Content = @Sendable (OGCDocuments, PathParameters) throws(Problem) -> [UInt8]

    private func add(
        _ path: String, _ summary: String, id: String? = nil, _ parameters: [APIParameter] = [],
        to routes: inout Routes,
        _ content: @escaping Content
    ) {
        routes.on(
            .get, OGCDocuments.root + path, for: .read, as: .ogc(summary, id: id, parameters)
        ) { request, path in try answer(request) { documents throws(Problem) in try content(documents, path) } }
    }

    /// The list of tilesets, the tileset, and its tiles, for the library or a collection.
    private func addTilesets(
        _ kind: TileKind, of parent: String, _ owner: String, _ parameters: [APIParameter], to routes: inout Routes,
        _ source: @escaping @Sendable (PathParameters) throws(Problem) -> MapSource?
    ) {
        let path = OGCDocuments.path(kind, of: parent)
        let what =
            "of \(kind == .map ? "pictures" : "vector tiles") \(owner == "dataset" ? "of the library" : "of a collection")"
        let id = "\(owner).\(kind.rawValue)."
        add(path, "the tilesets \(what)", id: "\(id)getTileSetsList", parameters, to: &routes) {
            documents, path throws(Problem) in
            documents.tilesets(kind, try source(path), of: try self.parent(path, parameters))
        }
        add(
            "\(path)/{tileMatrixSetId}", "the tileset \(what)", id: "\(id)getTileSet", parameters + [.matrixSet],
            to: &routes
        ) { documents, path throws(Problem) in
            try Self.checkMatrixSet(path)
            return documents.tileset(kind, try Self.found(source(path)), of: try self.parent(path, parameters))
        }
        let formats = TileFormat.allCases.filter { $0.kind == kind }
        routes.on(
            .get, "\(OGCDocuments.root)\(path)/{tileMatrixSetId}/{tileMatrix}/{tileRow}/{tileCol}", for: .read,
            as: APIOperation(
                "a tile \(what), row before column", .protocols,
                detail: "`from`, `to`, `track`, `theme` and the like are those of `/tiles`.",
                parameters: parameters + [.matrixSet] + .matrixTile + [
                    APIParameter(
                        "f", .choice(formats.map(\.rawValue)), "The format; the first one of the tileset without it")
                ],
                answers: [
                    APIResponse("The tile", formats.map { APIContent($0.mediaType) }),
                    APIResponse("The archive has no such tile", nil as APIContent?, status: .noContent),
                ], traits: [.hasETag, .canBeMissing]
            ).identified(as: "\(id)getTile")
        ) { request, path in
            try Self.checkMatrixSet(path)
            let asked: TileFormat? = try QueryParameters(request.target, ["f"]).choice("f")
            let source = try Self.found(source(path))
            let format = asked ?? source.formats(kind)[0]
            guard source.formats(kind).contains(format) else {
                throw Problem.badRequest(
                    "f has to be \(DisplayText.list(source.formats(kind).map(\.rawValue), "or")) here")
            }
            guard
                let tile = TileMatrixSet.tile(
                    matrix: path["tileMatrix"], row: path["tileRow"], column: path["tileCol"], zooms: source.zooms)
            else {
                throw Problem.notFound(
                    "no such tile; tileMatrix is from \(source.zooms.lowerBound) to \(source.zooms.upperBound), tileRow and "
                        + "tileCol are below 2^tileMatrix"
                )
            }
            return try source.tile(request, TileParameters(request.target), tile, format)
        }
    }

    /// The description of these routes alone, in the version of OpenAPI that the standard knows.
    private func addAPI(to routes: inout Routes) {
        routes.on(
            .get, "\(OGCDocuments.root)/api", for: .nothing,
            as: APIOperation(
                "the routes of OGC API – Tiles as OpenAPI 3.0", .protocols,
                answers: [APIResponse("OpenAPI", APIContent(OGCDocuments.openAPIType))], traits: .hasETag)
        ) { request, _ in
            let document = OpenAPIDocument(
                self.routes.withLock { $0 }, title: "tileserve: OGC API – Tiles", version: tiles.context.tiles.version,
                introduction: "Tiles of recorded tracks. GET also answers HEAD.",
                specification: .openAPI30(server: ".."))
            return .ready(validated(.content(document.bytes, type: OGCDocuments.openAPIType), for: request))
        }
        let descriptions = routes.descriptions.filter { $0.pattern.hasPrefix(OGCDocuments.root) }
        self.routes.withLock { $0 = descriptions }
    }

    // MARK: Answers

    private func answer(
        _ request: Request, _ content: (OGCDocuments) throws(Problem) -> [UInt8]
    ) throws(Problem) -> HandlerResult {
        _ = try QueryParameters(request.target, ["f"]).value("f", "json") { $0 == "json" ? $0 : nil }
        let documents = OGCDocuments(
            base: tiles.context.tiles.base(for: request), query: try tiles.repeatedQuery(request))
        return .ready(validated(.content(try content(documents), type: "application/json"), for: request))
    }

    /// What the tiles of the whole library are: for pictures the usual style, for vector tiles the first source that has them.
    private func dataset(_ kind: TileKind) -> MapSource? {
        func fits(_ source: MapSource) -> Bool { source.takesParameters && !source.formats(kind).isEmpty }
        if let usual = tiles.source(named: StyleTiles.defaultStyle), fits(usual) { return usual }
        return tiles.sources.first(where: fits)
    }

    private func collection(_ path: PathParameters) throws(Problem) -> MapSource {
        let name = path["collectionId"]
        guard let source = tiles.source(named: name) else {
            throw Problem.notFound("no collection has this id; see /ogc/collections")
        }
        return source
    }

    private static func found(_ source: MapSource?) throws(Problem) -> MapSource {
        guard let source else { throw Problem.notFound("there are no tiles of this kind here; see /ogc/collections") }
        return source
    }

    /// The path of what has the tilesets, without variables.
    private func parent(_ path: PathParameters, _ parameters: [APIParameter]) throws(Problem) -> String {
        parameters.isEmpty ? "" : "/collections/\(try collection(path).name)"
    }

    private static func checkMatrixSet(_ path: PathParameters) throws(Problem) {
        guard path["tileMatrixSetId"] == TileMatrixSet.id else {
            throw Problem.notFound("no tile matrix set has this id; there is \(TileMatrixSet.id)")
        }
    }
}

extension APIOperation {
    /// An operation that answers with a document; `id` is how the standard names it.
    fileprivate static func ogc(_ summary: String, id: String? = nil, _ parameters: [APIParameter] = []) -> APIOperation
    {
        let operation = APIOperation(
            summary, .protocols,
            parameters: parameters + [APIParameter("f", .choice(["json"]), "The format of the document")],
            answers: [APIResponse("JSON", .json)],
            traits: parameters.isEmpty ? .hasETag : [.hasETag, .canBeMissing])
        return id.map { operation.identified(as: $0) } ?? operation
    }
}

extension APIParameter {
    fileprivate static let collection = APIParameter(
        "collectionId", .text(), "A style or an archive, as in `/ogc/collections`", in: .path)
    fileprivate static let matrixSet = APIParameter(
        "tileMatrixSetId", .choice([TileMatrixSet.id]), "The tile matrix set", in: .path)
}

extension [APIParameter] {
    fileprivate static let matrixTile = [
        APIParameter("tileMatrix", .zoom, "The zoom level", in: .path),
        APIParameter("tileRow", rows, "The row, from the north", in: .path),
        APIParameter("tileCol", rows, "The column, from the west", in: .path),
    ]

    private static let rows = APISchema.integer(0...(1 << ZoomLevel.deepest.number) - 1)
}
